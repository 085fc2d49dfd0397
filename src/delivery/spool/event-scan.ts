import { join } from "node:path";
import { findGaps, mergeRanges, type IntegerRange } from "../../util/ranges.ts";
import { toErrorCode } from "./file-system.ts";
import { FrameReader, type SpoolSource } from "./frame-file.ts";
import { FRAME_HEADER_BYTES, FRAME_TYPES, openPayload, type Frame } from "./frame.ts";
import { parseSegmentName } from "./segment-set.ts";
import { listWriters, type WriterEntry } from "./writers.ts";

/** The highest sequence there may be. */
export const LAST_SEQUENCE = Number.MAX_SAFE_INTEGER;

/** Finds the first range that ends at or after a sequence. */
function findIndex(ranges: readonly IntegerRange[], sequence: number): number {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranges[middle]?.last ?? 0) < sequence) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns whether a sequence is in one of the ranges, which must be merged. */
export function includesSequence(ranges: readonly IntegerRange[], sequence: number): boolean {
  const range = ranges[findIndex(ranges, sequence)];
  return range !== undefined && range.first <= sequence;
}

/** Subtracts ranges from others; both must be merged. */
export function subtractRanges(
  ranges: readonly IntegerRange[],
  taken: readonly IntegerRange[],
): IntegerRange[] {
  const others = findGaps(ranges, LAST_SEQUENCE);
  return findGaps(mergeRanges([...others, ...taken]), LAST_SEQUENCE);
}

/** Set of sequences, kept as ranges: adjacent sequences take no more memory than one. */
export class SequenceSet {
  /** The ranges in order, none touching another. */
  readonly ranges: IntegerRange[] = [];

  /** Adds a sequence. @returns Whether it is new. */
  add(sequence: number): boolean {
    const { ranges } = this;
    const index = findIndex(ranges, sequence);
    const [before, after] = [ranges[index - 1], ranges[index]];
    if (after && after.first <= sequence) return false;
    const follows = before?.last === sequence - 1;
    const precedes = after?.first === sequence + 1;
    ranges.splice(index - Number(follows), Number(follows) + Number(precedes), {
      first: follows ? before.first : sequence,
      last: precedes ? after.last : sequence,
    });
    return true;
  }
}

/** Bytes after which the frames read so far are handed on. */
const PIECE_BYTES = 1024 * 1024;

/** An event as it is in a file. */
export interface ScannedEvent {
  readonly sequence: number;
  /** When it happened, milliseconds since the Unix epoch. */
  readonly timestamp: number;
  /** Bytes of its JSON, encrypted if it is. */
  readonly bytes: number;
  /** `undefined` when it can't be decrypted. */
  readonly json: Buffer | undefined;
}

/** Findings in the files of a writer. */
export interface ScanFindings {
  readonly seen: SequenceSet;
  /** Bytes that are no event. */
  damagedBytes: number;
  /** Frames that only a newer version can read. */
  newerFrames: number;
  isEncrypted: boolean;
  /** Codes of system calls, one for each file that could not be read. */
  readonly unreadable: string[];
}

/**
 * Uses the directory of a writer under its current name: an adopter renames it.
 *
 * @returns `undefined` when the directory or file is gone.
 * @throws the error of the file system otherwise.
 */
export async function useWriterPath<T>(
  { spoolDirectory }: SpoolSource,
  { writerId, path }: WriterEntry,
  use: (path: string) => T | Promise<T>,
): Promise<T | undefined> {
  const toMoved = (): string | undefined =>
    listWriters(spoolDirectory).writers.find((writer) => writer.writerId === writerId)?.path;
  for (const toPath of [() => path, toMoved]) {
    const current = toPath();
    if (current === undefined) return undefined;
    try {
      return await use(current);
    } catch (error) {
      if (toErrorCode(error) !== "ENOENT") throw error;
    }
  }
  return undefined;
}

/** Opens a segment with its current length. */
function openSegment({ fs, cipherOf }: SpoolSource, directory: string, name: string) {
  const path = join(directory, name);
  const bytes = fs.size(path);
  return { reader: new FrameReader(fs, path), bytes, cipher: cipherOf(name) };
}

type OpenSegment = ReturnType<typeof openSegment>;

async function* readFrames({ reader, bytes }: OpenSegment): AsyncGenerator<Frame> {
  for (;;) {
    const frames: Frame[] = [];
    let size = 0;
    await reader.read(bytes, (frame) => {
      if (size > PIECE_BYTES) return false;
      size += FRAME_HEADER_BYTES + frame.payload.length;
      frames.push(frame);
      return true;
    });
    if (frames.length === 0) return;
    yield* frames;
  }
}

/** @param isGrowing - Whether its last frame may be being written just now. */
async function* scanSegment(
  segment: OpenSegment,
  isGrowing: boolean,
  findings: ScanFindings,
): AsyncGenerator<ScannedEvent> {
  const { reader, cipher } = segment;
  let damagedBefore = 0;
  try {
    for await (const frame of readFrames(segment)) {
      const { type, sequence, timestamp, isEncrypted, payload } = frame;
      damagedBefore = reader.damagedBytes;
      if (type !== FRAME_TYPES.event || !findings.seen.add(sequence)) continue;
      findings.isEncrypted ||= isEncrypted;
      yield { sequence, timestamp, bytes: payload.length, json: openPayload(frame, cipher) };
    }
  } finally {
    findings.damagedBytes += isGrowing ? damagedBefore : reader.damagedBytes;
    findings.newerFrames += reader.newerFrames;
    reader.close();
  }
}

/**
 * Reads every event in the files of a writer, each sequence once, whether it is delivered or not.
 *
 * Unreadable parts are noted in `findings`, and the rest is read.
 *
 * @param isLive - Whether the writer may be writing meanwhile.
 */
export async function* scanEvents(
  source: SpoolSource,
  writer: WriterEntry,
  isLive: boolean,
  findings: ScanFindings,
): AsyncGenerator<ScannedEvent> {
  let names: readonly string[] = [];
  try {
    const all = await useWriterPath(source, writer, (path) => source.fs.list(path));
    names = (all ?? []).filter((name) => parseSegmentName(name) !== undefined).toSorted();
  } catch (error) {
    findings.unreadable.push(toErrorCode(error));
  }
  for (const [index, name] of names.entries()) {
    try {
      const segment = await useWriterPath(source, writer, (path) =>
        openSegment(source, path, name),
      );
      // Gone since it was listed: all its events are delivered.
      if (!segment) continue;
      yield* scanSegment(segment, isLive && index === names.length - 1, findings);
    } catch (error) {
      findings.unreadable.push(toErrorCode(error));
    }
  }
}
