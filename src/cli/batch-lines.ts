import type { WrappedBatch } from "../events/batch-export.ts";
import type { VerifiableBatch } from "../delivery/chain/chain-report.ts";
import { findMember } from "../util/json-span.ts";
import { MAX_LINE_BYTES, splitLines, type Line } from "./split-lines.ts";

/** Hears of what can't be read: where, and why. */
export type OnUnreadable = (problem: string) => void;

const LINE_BREAK = Buffer.from("\n");
const MAX_BLANK_BYTES = 1024;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Parses JSON; the reason of a failure would repeat content, so there is none. */
function parseObject(bytes: Buffer): object | undefined {
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes));
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function unwrap(value: object): Buffer | undefined {
  const { base64, ...others } = value as Partial<WrappedBatch>;
  const isWrapped = typeof base64 === "string" && Object.keys(others).length === 0;
  return isWrapped ? Buffer.from(base64, "base64") : undefined;
}

function toBatch(bytes: Buffer): VerifiableBatch | undefined {
  const outer = parseObject(bytes);
  const inner = outer && unwrap(outer);
  const batch = inner ? parseObject(inner) : outer;
  if (!batch) return undefined;
  const json = inner ?? bytes;
  const span = findMember(json, "events");
  return { batch, eventsJson: span && json.subarray(span.start, span.end) };
}

function isBlank({ bytes }: Line): boolean {
  return (
    bytes !== undefined && bytes.length <= MAX_BLANK_BYTES && bytes.toString("latin1").trim() === ""
  );
}

function isWhole({ bytes }: Line): boolean {
  return bytes !== undefined && parseObject(bytes) !== undefined;
}

/** Reads the first line; if it is no document, everything that might belong to it. */
async function holdLines(lines: AsyncGenerator<Line>): Promise<{ held: Line[]; size: number }> {
  const held: Line[] = [];
  let size = 0;
  for (let next = await lines.next(); next.done !== true; next = await lines.next()) {
    const line = next.value;
    if (held.length === 0 && isBlank(line)) continue;
    held.push(line);
    size += line.bytes ? line.bytes.length + LINE_BREAK.length : Infinity;
    if (size > MAX_LINE_BYTES || (held.length === 1 && isWhole(line))) break;
  }
  return { held, size };
}

/** Makes one line of a document that has several; leaves anything else as it is. */
async function* joinDocument(lines: AsyncGenerator<Line>): AsyncGenerator<Line> {
  const { held, size } = await holdLines(lines);
  if (held.length > 1 && size <= MAX_LINE_BYTES) {
    const parts = held.flatMap(({ bytes = Buffer.alloc(0) }) => [LINE_BREAK, bytes]);
    const joined = { number: held[0]?.number ?? 1, bytes: Buffer.concat(parts.slice(1)) };
    if (isWhole(joined)) {
      yield joined;
      return;
    }
  }
  yield* held;
  yield* lines;
}

/**
 * Reads batches from JSON Lines, or the one batch of a JSON document.
 *
 * What can't be read is reported, and the next line is read.
 *
 * @param name - Where it comes from, for messages.
 */
export async function* readBatchLines(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  onUnreadable: OnUnreadable,
): AsyncGenerator<VerifiableBatch> {
  for await (const line of joinDocument(splitLines(chunks))) {
    if (isBlank(line)) continue;
    const { number, bytes } = line;
    const batch = bytes && toBatch(bytes);
    if (batch) yield batch;
    else if (bytes) onUnreadable(`${name}:${number}: expected a JSON object in UTF-8`);
    else onUnreadable(`${name}:${number}: expected at most ${MAX_LINE_BYTES} bytes`);
  }
}
