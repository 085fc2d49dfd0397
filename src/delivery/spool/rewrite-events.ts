import type { StoredEvent } from "../event-store.ts";
import type { SegmentSet } from "./segment-set.ts";
import type { SegmentWriter } from "./segment-writer.ts";

/** Bytes that are read at a time. */
const CHUNK_BYTES = 1024 * 1024;

async function* readAll(
  segments: SegmentSet,
  first: number,
  last: number,
): AsyncGenerator<StoredEvent> {
  for (let next = first; next <= last;) {
    const bounds = { maxCount: Infinity, maxBytes: CHUNK_BYTES };
    const { events, end } = await segments.read({ first: next, last, ...bounds });
    yield* events;
    next = end + 1;
  }
}

/**
 * Writes events again, into other files: after a failed sync, the kernel may drop the unwritten data of a file and
 * report success for the next sync.
 *
 * @param after - Newest sequence that is safe already.
 * @param onSafe - Called with every sequence up to which everything is safe by now.
 */
export async function rewriteEvents(
  { writer, segments }: { readonly writer: SegmentWriter; readonly segments: SegmentSet },
  { after, upTo }: { readonly after: number; readonly upTo: number },
  onSafe: (sequence: number) => void,
): Promise<void> {
  // One new file for each old one: the first sequence of a file shows where an event may be found.
  const starts = new Set([after + 1, ...segments.segments.map(({ first }) => first)]);
  const firsts = [...starts].filter((first) => first > after).toSorted((a, b) => a - b);
  for (const [index, first] of firsts.entries()) {
    const last = Math.min(upTo, (firsts[index + 1] ?? Infinity) - 1);
    if (first > last) continue;
    await writer.writeApart(first, readAll(segments, first, last));
    // Safe by now: these events are not written once more when the next file fails.
    onSafe(last);
  }
}
