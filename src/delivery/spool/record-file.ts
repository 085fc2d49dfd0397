import * as fs from "node:fs";
import { isRecord, parseJson, type JsonRecord } from "../../util/values.ts";
import { openFile, toErrorCode, toFailure, type Failure } from "./file-system.ts";

/** Version of the records this code writes, and the only one it reads. */
export const RECORD_FORMAT = 1;

/** Copies of a record in its file: a byte that goes bad must not strand a whole directory. */
const COPIES = 3;
const FILE_MODE = 0o600;
/** A record has some hundred bytes; a larger file was not written by us. */
const MAX_RECORD_BYTES = 64 * 1024;

/** Result of reading a record. */
export type RecordReading<T> =
  | { readonly status: "valid"; readonly record: T }
  | { readonly status: "missing" }
  /** Written by a later version, in a format that is not known here. */
  | { readonly status: "newer" }
  /** Can't be read, or has content that no version ever wrote. */
  | { readonly status: "damaged" };

function readText(path: string): string | undefined {
  const fd = openFile(path);
  try {
    return fs.fstatSync(fd).size <= MAX_RECORD_BYTES ? fs.readFileSync(fd, "utf8") : undefined;
  } finally {
    fs.closeSync(fd);
  }
}

/** Returns the line that most copies agree on; a flipped bit may spoil one of them, or join two. */
function pickCopy(text: string): string | undefined {
  const lines = text.split("\n").filter((line) => line !== "");
  const agreed = lines.find((line, index) => lines.indexOf(line, index + 1) !== -1);
  return (
    agreed ??
    (lines.length < COPIES ? lines.findLast((line) => parseJson(line) !== undefined) : undefined) ??
    lines[0]
  );
}

/**
 * Reads a small JSON file, whatever is in its place; never throws.
 *
 * @param parse - Returns the record, or `undefined` if a member is missing or wrong; `format` is checked already.
 */
export function readRecord<T>(
  path: string,
  parse: (members: JsonRecord) => T | undefined,
): RecordReading<T> {
  try {
    const text = readText(path);
    const copy = text === undefined ? undefined : pickCopy(text);
    const members = copy === undefined ? undefined : parseJson(copy);
    if (!isRecord(members)) return { status: "damaged" };
    const format = members["format"];
    if (typeof format === "number" && format > RECORD_FORMAT) return { status: "newer" };
    const record = format === RECORD_FORMAT ? parse(members) : undefined;
    return record === undefined ? { status: "damaged" } : { status: "valid", record };
  } catch (error) {
    return { status: toErrorCode(error) === "ENOENT" ? "missing" : "damaged" };
  }
}

/**
 * Writes a small JSON file, in several copies: a reader finds all of it or nothing.
 *
 * Its data is synced before it gets its name; otherwise a power cut could leave an empty file, which
 * nobody may touch ever after.
 *
 * @param path - Nobody else may write there.
 */
export function writeRecord(path: string, record: object): Failure | undefined {
  const temporary = `${path}.tmp`;
  try {
    fs.rmSync(temporary, { force: true });
    const fd = fs.openSync(temporary, "wx", FILE_MODE);
    try {
      fs.writeFileSync(fd, `${JSON.stringify(record)}\n`.repeat(COPIES));
      fs.fdatasyncSync(fd);
    } finally {
      fs.closeSync(fd);
    }
    fs.renameSync(temporary, path);
    return undefined;
  } catch (error) {
    return toFailure(error);
  }
}
