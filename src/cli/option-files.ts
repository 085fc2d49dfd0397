import { readFileSync } from "node:fs";
import { toErrorCode } from "../delivery/spool/file-system.ts";
import { UsageError } from "./parse-arguments.ts";

/** Reads the file of an option; says nothing of what is in it. @throws UsageError */
export function readOptionFile(option: string, file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new UsageError(`--${option}: the file can't be read (${toErrorCode(error)})`);
  }
}

/** Parses the JSON of an option or a variable. @throws UsageError */
export function parseOptionText(source: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The parser's message has a piece of the text, and there are keys in it.
    throw new UsageError(`${source}: expected JSON`);
  }
}

/** Reads the JSON in the file of an option. @throws UsageError */
export const readJsonFile = (option: string, file: string): unknown =>
  parseOptionText(`--${option}`, readOptionFile(option, file));
