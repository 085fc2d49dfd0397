import { PackError, readPolicyFile, type PolicyPack, type ReadPolicy } from "../../packs.ts";
import { Checker } from "../check/checker.ts";
import { UsageError } from "../parse-arguments.ts";
import { toPrintable } from "../spool/output.ts";

/** Reads the pack that an argument names. @throws UsageError with every problem. */
export function readPolicyArgument(path: string): ReadPolicy {
  try {
    return readPolicyFile(path);
  } catch (error) {
    if (error instanceof PackError) throw new UsageError(error.message);
    throw error;
  }
}

/** Writes a warning on the standard error. */
export function warn(message: string): void {
  process.stderr.write(`agent-monitor: ${toPrintable(message)}\n`);
}

/**
 * Creates a checker with the built-in rules and packs.
 *
 * @param name - Of the packs, for messages.
 * @throws UsageError for packs that conflict.
 */
export function createChecker(packs: readonly PolicyPack[], name: string): Checker {
  try {
    return new Checker({
      rules: [],
      packs,
      settings: undefined,
      riskThreshold: undefined,
      onWarning: warn,
    });
  } catch (error) {
    throw new UsageError(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
