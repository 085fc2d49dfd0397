import type { StoredEvent } from "../event-store.ts";
import { toDeliveredMembers, writeDeliveredJson, type EventJson } from "../pending-event.ts";
import type { SegmentSet } from "./segment-set.ts";
import type { SegmentWriter } from "./segment-writer.ts";

/** Bytes that are read at a time when events are written again. */
const CHUNK_BYTES = 1024 * 1024;

/** The files of one writer. */
export interface WriterFiles {
  readonly writerId: string;
  readonly writer: SegmentWriter;
  readonly segments: SegmentSet;
}

function toStored(members: string, form: EventJson, { sequence, timestamp }: StoredEvent) {
  const end = `${members}${sequence}}`;
  const json = Buffer.allocUnsafe(form.bytes - 1 + end.length);
  writeDeliveredJson(form, end, json, 0);
  return { sequence, timestamp, json };
}

/** Gives the events of a file, in their last form as far as there is one. */
async function* readAll(
  { segments, writerId }: WriterFiles,
  forms: ReadonlyMap<number, EventJson>,
  first: number,
  last: number,
): AsyncGenerator<StoredEvent> {
  const members = toDeliveredMembers(writerId);
  for (let next = first; next <= last;) {
    const bounds = { maxCount: Infinity, maxBytes: CHUNK_BYTES };
    const { events, end } = await segments.read({ first: next, last, ...bounds });
    for (const event of events) {
      const form = forms.get(event.sequence);
      yield form ? toStored(members, form, event) : event;
    }
    next = end + 1;
  }
}

/**
 * Puts the last form of events into the files that hold a provisional one.
 *
 * The files are written again, whole, synced, and the old ones removed behind that: a process that is killed in between leaves
 * each event in one form or in both, and nobody has planned a batch of it.
 *
 * @param newest - Sequence of the newest event that is in the files.
 */
export async function writeForms(
  files: WriterFiles,
  forms: ReadonlyMap<number, EventJson>,
  newest: number,
): Promise<void> {
  const { writer, segments } = files;
  const sequences = [...forms.keys()];
  const old = segments.segments.filter(({ first }) => first <= newest);
  for (const first of new Set(old.map((file) => file.first))) {
    const last = (old.find((file) => file.first > first)?.first ?? newest + 1) - 1;
    if (!sequences.some((sequence) => sequence >= first && sequence <= last)) continue;
    await writer.writeApart(first, readAll(files, forms, first, last));
    await segments.retire(old.filter((file) => file.first === first));
  }
}
