import { createReadStream } from "node:fs";
import { UsageError } from "../command.ts";
import { LineProblem } from "../check/line-problem.ts";
import { splitLines } from "../split-lines.ts";

function parse(bytes: Buffer | undefined): unknown {
  if (!bytes) throw new LineProblem("", "a shorter line", bytes, "more");
  try {
    return JSON.parse(bytes.toString("utf8")) as unknown;
  } catch {
    throw new LineProblem("", "a JSON object", bytes, "no JSON");
  }
}

/**
 * Reads a file of JSON Lines.
 *
 * @param read - Reads a line's value. @throws LineProblem
 * @param onProblem - Hears of each line that can't be read, which is left out.
 * @throws UsageError when the file can't be read.
 */
export async function readJsonLines<T>(
  path: string,
  read: (value: unknown) => T,
  onProblem: (problem: string) => void,
): Promise<T[]> {
  const values: T[] = [];
  try {
    for await (const { number, bytes } of splitLines(createReadStream(path))) {
      if (bytes?.toString("utf8").trim() === "") continue;
      try {
        values.push(read(parse(bytes)));
      } catch (error) {
        if (!(error instanceof LineProblem)) throw error;
        onProblem(`${path}: line ${number}: ${error.message}`);
      }
    }
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    throw new UsageError(
      `${path} can't be read (${"code" in error ? String(error.code) : "unknown"})`,
    );
  }
  return values;
}
