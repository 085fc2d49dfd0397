import { createReadStream } from "node:fs";
import { toErrorCode } from "../delivery/spool/file-system.ts";

/** Longest line that is kept: the input comes from others. */
export const MAX_LINE_BYTES = 32 * 1024 * 1024;

const LINE_BREAK = 0x0a;
const BYTE_ORDER_MARK = Buffer.from("\ufeff");

/** A line without its line break. */
export interface Line {
  /** From 1. */
  readonly number: number;
  /** Absent when there are too many. */
  readonly bytes: Buffer | undefined;
}

function toBytes(parts: readonly Uint8Array[], isFirst: boolean): Buffer {
  const bytes = Buffer.concat(parts);
  const hasMark = isFirst && bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  return hasMark ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
}

/** Splits bytes into lines; never holds more than one line of `maxLineBytes`. */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  maxLineBytes = MAX_LINE_BYTES,
): AsyncGenerator<Line> {
  let parts: Uint8Array[] = [];
  let size = 0;
  let number = 0;
  const add = (part: Uint8Array): void => {
    size += part.length;
    if (size <= maxLineBytes) parts.push(part);
    else parts = [];
  };
  const end = (): Line => {
    number++;
    const bytes = size <= maxLineBytes ? toBytes(parts, number === 1) : undefined;
    parts = [];
    size = 0;
    return { number, bytes };
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(LINE_BREAK); at !== -1; at = chunk.indexOf(LINE_BREAK, from)) {
      add(chunk.subarray(from, at));
      yield end();
      from = at + 1;
    }
    add(chunk.subarray(from));
  }
  if (size > 0) yield end();
}

/** Thrown for a line that can't be evaluated: where in it, what was expected, what came; never its content. */
export class LineProblem extends Error {
  override readonly name = "LineProblem" as const;

  /** @param got - Default: the kind of the value. */
  constructor(where: string, expected: string, value: unknown, got = kindOf(value)) {
    super(`${where === "" ? "" : `${where}: `}expected ${expected}, got ${got}`);
  }
}

function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return value.length === 0 ? "an empty array" : "an array";
  if (typeof value === "object") return "another object";
  return typeof value === "string" ? "another string" : `a ${typeof value}`;
}

/** Reads to the end, or to a failure, which is reported. */
async function* readUpTo(
  chunks: AsyncIterable<Uint8Array>,
  onFailure: (code: string) => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    onFailure(toErrorCode(error));
  }
}

/**
 * Opens a file, or `-` for the standard input.
 *
 * @param onUnreadable - Called when the rest can't be read.
 * @returns Its name for messages, and its bytes.
 */
export function openInput(target: string, onUnreadable: (problem: string) => void) {
  const [name, stream] =
    target === "-"
      ? (["stdin", process.stdin] as const)
      : ([target, createReadStream(target)] as const);
  const chunks = readUpTo(stream, (code) => onUnreadable(`${name}: can't be read (${code})`));
  return { name, chunks };
}
