import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { VerifiableBatch } from "../delivery/chain/chain.ts";
import { toErrorCode } from "../delivery/spool/file-system.ts";
import {
  AUDIT_EXPORT_PATH,
  BATCH_EXPORT_PATH,
  BATCH_LINES_MEDIA_TYPE,
  type WrappedBatch,
} from "../events/wire.ts";
import { findMember } from "../util/json-span.ts";
import {
  type PlatformAccess,
  isPlatformUrl,
  requestPlatform,
  toFailure,
  toPlatformUrl,
} from "./read-platform.ts";
import { MAX_LINE_BYTES, splitLines, type Line } from "./read-lines.ts";

/** Called for what can't be read: where, and why. */
type OnUnreadable = (problem: string) => void;

const LINE_BREAK = Buffer.from("\n");
const MAX_BLANK_BYTES = 1024;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Parses JSON; returns no reason of a failure, because that would repeat content. */
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

/** Reads the JSON of a batch; `undefined` where there is none. */
export function toBatch(bytes: Buffer): VerifiableBatch | undefined {
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

/** Reads the first line; if it is no JSON object, every line that might belong to the same document. */
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

/** Joins a document of several lines into one; other lines are unchanged. */
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
 * A batch that can't be read is reported, and the next line is read.
 *
 * @param name - Name of the source, for messages.
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

/** Longest silence of a platform. */
const IDLE_TIMEOUT_MILLIS = 60_000;
const BATCHES = { path: BATCH_EXPORT_PATH, name: "an export of batches" };
const AUDIT_TRAIL = { path: AUDIT_EXPORT_PATH, name: "an audit trail" };

/**
 * Reads what a platform exports line by line.
 *
 * @returns Whether the platform has given all of it.
 * @throws UsageError for an invalid URL.
 */
async function* readPlatformLines(
  { path, name: wanted }: typeof BATCHES,
  target: string,
  access: PlatformAccess,
  onUnreadable: OnUnreadable,
): AsyncGenerator<VerifiableBatch, boolean> {
  const url = toPlatformUrl(target, access, path);
  // The trail is one chain, whatever organizations it is about.
  if (path === BATCHES.path && access.organizationId !== undefined)
    url.searchParams.set("organization", access.organizationId);
  const name = url.origin;
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), IDLE_TIMEOUT_MILLIS);
  const watch = async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      timer.refresh();
      yield chunk;
    }
  };
  try {
    const given = { mediaType: BATCH_LINES_MEDIA_TYPE, name: wanted };
    const body = await requestPlatform(url, access, given, silence.signal);
    yield* readBatchLines(watch(body), name, onUnreadable);
    return true;
  } catch (error) {
    onUnreadable(`${name}: ${toFailure(error, silence.signal.aborted)}`);
    return false;
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}

/** Source of batches, and the access to it. */
interface BatchSource extends PlatformAccess {
  /** A file, a directory, the URL of a platform, or `-` for the standard input. */
  readonly target: string;
  readonly onUnreadable: OnUnreadable;
}

type Batches = AsyncIterable<VerifiableBatch>;

async function* readPlatform(source: BatchSource): Batches {
  const { target, onUnreadable } = source;
  const isRead = yield* readPlatformLines(BATCHES, target, source, onUnreadable);
  if (isRead) yield* readPlatformLines(AUDIT_TRAIL, target, source, onUnreadable);
}

const STANDARD_INPUT = "-";
const BATCH_FILE = /\.(?:json|jsonl|ndjson)$/;

async function* readFileBatches(path: string, onUnreadable: OnUnreadable): Batches {
  try {
    yield* readBatchLines(createReadStream(path), path, onUnreadable);
  } catch (error) {
    onUnreadable(`${path}: can't be read (${toErrorCode(error)})`);
  }
}

async function* readDirectoryBatches(path: string, onUnreadable: OnUnreadable): Batches {
  const names = (await readdir(path)).filter((name) => BATCH_FILE.test(name)).toSorted();
  if (names.length === 0) onUnreadable(`${path}: has no file *.json, *.jsonl or *.ndjson`);
  for (const name of names) yield* readFileBatches(join(path, name), onUnreadable);
}

async function* readPathBatches({ target, onUnreadable }: BatchSource): Batches {
  try {
    // Other kinds of directories are recognised here, by their content.
    const isDirectory = (await stat(target)).isDirectory();
    yield* (isDirectory ? readDirectoryBatches : readFileBatches)(target, onUnreadable);
  } catch (error) {
    onUnreadable(`${target}: can't be read (${toErrorCode(error)})`);
  }
}

/**
 * Reads batches from any source, in no certain order, and behind them the records of a platform's audit trail, in order.
 *
 * Batches that can't be read are reported to `onUnreadable`, and the rest is read; it never throws for anything that
 * is in a source.
 *
 * @throws UsageError for a URL that may not be read.
 */
export function readBatches(source: BatchSource): Batches {
  const { target, onUnreadable } = source;
  if (isPlatformUrl(target)) return readPlatform(source);
  if (target === STANDARD_INPUT) return readBatchLines(process.stdin, "stdin", onUnreadable);
  return readPathBatches(source);
}
