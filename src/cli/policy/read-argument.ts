import { PackError, readPolicyFile, type ReadPolicy } from "../../packs.ts";
import { UsageError } from "../command.ts";

/** Reads the pack that an argument names. @throws UsageError with every problem. */
export function readPolicyArgument(path: string): ReadPolicy {
  try {
    return readPolicyFile(path);
  } catch (error) {
    if (error instanceof PackError) throw new UsageError(error.message);
    throw error;
  }
}
