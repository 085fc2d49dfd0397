import { createHash } from "node:crypto";
import { isIdentifier } from "../../events/base-event.ts";
import { type PurgedEvent, purgedEventSchema } from "../../events/purged-event.ts";
import { findElements } from "../../util/json-span.ts";
import { mergeRanges, toSingle, type IntegerRange } from "../../util/ranges.ts";
import { toRecord } from "../../util/values.ts";

/** Domain separation: the digest can't be taken for that of anything else. */
const SEAL_FORMAT = "agent-monitor/purge/1";
const DIGEST_PREFIX = "sha256:";

/** An event without its content: the same of an event that is there and of one that was purged. */
export type EventTrace = PurgedEvent["purged"];

function toDigest(data: Uint8Array | string): string {
  return DIGEST_PREFIX + createHash("sha256").update(data).digest("hex");
}

/** Returns what is left of an event that is purged. */
export function toTrace(json: Uint8Array, event: unknown): EventTrace {
  const { writerId, sequence } = toRecord(event);
  return {
    digest: toDigest(json),
    length: json.length,
    ...(isIdentifier(writerId) && { writerId }),
    ...(Number.isSafeInteger(sequence) && Number(sequence) > 0 && { sequence: Number(sequence) }),
  };
}

/** Reads what stands in the place of a purged event; `undefined` for anything else. */
export function readPurgedEvent(value: unknown): EventTrace | undefined {
  if (!Object.hasOwn(toRecord(value), "purged")) return undefined;
  return purgedEventSchema.safeParse(value).data?.purged;
}

/** What a seal is about. */
export interface SealedBatch {
  readonly organizationId: string;
  readonly batchId: string;
  readonly checksum?: string | undefined;
}

/**
 * Computes the seal of a batch: a digest over all its events that stays the same, whichever of them are purged.
 *
 * The purge writes it to the audit trail while the bytes are there that prove the checksum.
 */
export function toSeal(
  { organizationId, batchId, checksum }: SealedBatch,
  traces: readonly EventTrace[],
): string {
  const events = traces.map(({ digest, length, writerId, sequence }) => [
    digest,
    length,
    writerId ?? null,
    sequence ?? null,
  ]);
  // An array, since its order is certain in every language.
  return toDigest(JSON.stringify([SEAL_FORMAT, organizationId, batchId, checksum ?? null, events]));
}

/** A batch of which events were purged. */
export interface PurgedBatch {
  readonly organizationId: string;
  readonly batchId: string;
  readonly seal: string;
  /** Places of the purged events in the batch, from 0. */
  readonly places: readonly IntegerRange[];
  readonly count: number;
  /** Bytes that the `events` array had before. */
  readonly size: number;
}

function toSealedBatch(batch: unknown) {
  const { organizationId, batchId, checksum, events } = toRecord(batch);
  if (!isIdentifier(organizationId) || !isIdentifier(batchId) || !Array.isArray(events))
    return undefined;
  const sum = typeof checksum === "string" ? checksum : undefined;
  return { organizationId, batchId, checksum: sum, events: events as readonly unknown[] };
}

/**
 * Reads a batch of which events were purged, whatever else is true of it.
 *
 * @returns `undefined` where nothing was purged.
 */
export function readPurgedBatch({
  batch,
  eventsJson,
}: {
  readonly batch: unknown;
  readonly eventsJson?: Uint8Array | undefined;
}): PurgedBatch | undefined {
  const sealed = toSealedBatch(batch);
  if (!sealed || !eventsJson) return undefined;
  const purged = sealed.events.map(readPurgedEvent);
  if (purged.every((each) => each === undefined)) return undefined;
  // Events that only look like purged ones: the sender's own bytes are all there.
  if (sealed.checksum === toDigest(eventsJson)) return undefined;
  let size = eventsJson.length;
  const spans = findElements(eventsJson, { start: 0, end: eventsJson.length });
  const traces = spans.map(({ start, end }, place) => {
    const trace = purged[place];
    if (trace) size += trace.length - (end - start);
    return trace ?? toTrace(eventsJson.subarray(start, end), sealed.events[place]);
  });
  const places = purged.flatMap((trace, place) => (trace ? [place] : []));
  const { organizationId, batchId } = sealed;
  const seal = toSeal(sealed, traces);
  const ranges = mergeRanges(places.map(toSingle));
  return { organizationId, batchId, seal, places: ranges, count: places.length, size };
}
