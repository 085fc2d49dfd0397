import { createReadStream } from "node:fs";
import { toPrintable } from "../spool/format.ts";
import { UsageError } from "../command.ts";
import type { CheckArguments } from "./arguments.ts";
import type { LineSource } from "./check-lines.ts";
import { Checker, type CheckerOptions } from "./checker.ts";
import { loadAll } from "./load-rules.ts";
import { loadSettings } from "./load-settings.ts";

/** What is checked, and by which rules. */
export type CheckTarget = Pick<CheckArguments, "target" | "rules" | "settings" | "riskThreshold">;

/** A file that is about to be checked. */
export interface OpenedCheck {
  readonly checker: Checker;
  /** Of lines that can't be read it tells; they are counted in the checker's summary. */
  readonly source: LineSource;
  /** The first problems of reading, in words. */
  readonly problems: readonly string[];
}

/** So many problems of reading are told one by one. */
const MAX_TOLD = 20;

/** Writes a warning on the standard error. */
export function warn(message: string): void {
  process.stderr.write(`agent-monitor: ${toPrintable(message)}\n`);
}

/** Tells problems of reading on the standard error, the first ones one by one. */
function createProblems(): { readonly told: string[]; readonly tell: (problem: string) => void } {
  const told: string[] = [];
  let count = 0;
  return {
    told,
    tell(problem) {
      count++;
      if (count <= MAX_TOLD) told.push(problem);
      if (count <= MAX_TOLD + 1) warn(count > MAX_TOLD ? "and more" : problem);
    },
  };
}

function createChecker(options: CheckerOptions, paths: readonly string[]): Checker {
  try {
    return new Checker(options);
  } catch (error) {
    // What is wrong with a rule of the package's own is not for the caller to mend.
    if (paths.length === 0 || !(error instanceof Error)) throw error;
    throw new UsageError(`--rules: ${paths.join(", ")}: ${error.message}`);
  }
}

/** Reads to the end, or to where reading fails, which is told. */
async function* readUpTo(
  chunks: AsyncIterable<Uint8Array>,
  onFailure: (code: string) => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    onFailure("code" in error ? String(error.code) : "unknown");
  }
}

/** Opens what is checked: a file, or `-` for the standard input. @throws UsageError for rules or settings that are none. */
export async function openCheck(given: CheckTarget): Promise<OpenedCheck> {
  const { target, riskThreshold } = given;
  const { rules, packs } = await loadAll(given.rules);
  const settings = given.settings === undefined ? undefined : loadSettings(given.settings);
  const checker = createChecker(
    { rules, packs, settings, riskThreshold, onWarning: warn },
    given.rules,
  );
  const { told, tell } = createProblems();
  const isStandardInput = target === "-";
  const name = isStandardInput ? "stdin" : target;
  const chunks = readUpTo(isStandardInput ? process.stdin : createReadStream(target), (code) => {
    checker.summary.errors++;
    tell(`${name}: can't be read (${code})`);
  });
  return { checker, source: { name, chunks, onProblem: tell }, problems: told };
}
