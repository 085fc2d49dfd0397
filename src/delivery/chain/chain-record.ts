import { createHash } from "node:crypto";
import { isIdentifier } from "../../events/base-event.ts";
import { batchEnvelopeSchema, CHECKSUM_PREFIX, type BatchEnvelope } from "../../events/batch.ts";
import {
  KEYED_HASH_PREFIX,
  type Chain,
  type DroppedReport,
  type Predecessor,
} from "../../events/chain.ts";
import type { IntegerRange } from "../../util/ranges.ts";
import {
  toChainHash,
  type ChainBreak,
  type ChainFault,
  type ChainKey,
  type VerifiableBatch,
} from "./chain.ts";
import { type PurgedBatch, readPurgedEvent } from "./purged-batch.ts";

/** Dropped events of another writer. */
export interface ForeignReport extends DroppedReport {
  readonly writerId: string;
}

/** Record of a batch: of its events only their sequences. */
export interface ChainRecord {
  readonly batchId: string;
  readonly chain: Chain;
  /** Sequences of its events. */
  readonly events: readonly IntegerRange[];
  /** Dropped events of its writer. */
  readonly dropped: readonly DroppedReport[];
  /** Dropped events of other writers, if its reports about them count. */
  readonly foreign: readonly ForeignReport[];
  /** Writers that ended before it, with their last batches, if its reports about other writers count. */
  readonly predecessors: readonly Predecessor[];
  readonly fault?: ChainFault | undefined;
  /** Reason for which its hash proves nothing here. */
  readonly doubt?: string | undefined;
  /** Reason for which its reports are not proven, though they count. */
  readonly reportDoubt?: string | undefined;
}

/** Result of reading the chain of a batch. */
export type ChainReading =
  | { readonly status: "unchained" }
  | { readonly status: "malformed"; readonly fault: ChainBreak }
  | { readonly status: "chained"; readonly record: ChainRecord };

type ChainKeys = ReadonlyMap<string, ChainKey["key"]>;

const INEXACT = "the exact bytes of the events are needed";

/** Writer id of a batch whose writer can't be read. */
const UNKNOWN_WRITER = "unknown";

/** Reads an own member, unlike `readMember`: inherited members are not in the batch's JSON. */
function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function readSequence(value: unknown): number | undefined {
  const sequence = member(value, "sequence");
  return Number.isSafeInteger(sequence) ? (sequence as number) : undefined;
}

function toMalformed(batch: unknown, claimed: unknown, detail: string): ChainReading {
  const [writerId, batchId] = [member(claimed, "writerId"), member(batch, "batchId")];
  const fault: ChainBreak = {
    kind: "malformed",
    detail,
    writerId: isIdentifier(writerId) ? writerId : UNKNOWN_WRITER,
    sequence: readSequence(claimed),
    batchId: isIdentifier(batchId) ? batchId : undefined,
  };
  return { status: "malformed", fault };
}

/** Describes what is wrong with the place of an event, if anything is. */
function judgeEvent(
  event: unknown,
  sequence: number,
  after: number,
  { writerId, firstEvent, lastEvent }: Chain,
): string | undefined {
  if (member(event, "writerId") !== writerId) return `event ${sequence} is not of this writer`;
  if (sequence < firstEvent || sequence > lastEvent)
    return `event ${sequence} is none of ${firstEvent} to ${lastEvent}`;
  return sequence > after ? undefined : `event ${sequence} stands behind event ${after}`;
}

/** Returns the ranges of the events that are present, and the first fault of their order. */
function readEvents(events: readonly unknown[], chain: Chain) {
  const ranges: { first: number; last: number }[] = [];
  let fault: ChainFault | undefined;
  let after = 0;
  for (const event of events) {
    const eventSequence = readSequence(event);
    const detail =
      eventSequence === undefined
        ? "an event has no sequence"
        : judgeEvent(event, eventSequence, after, chain);
    if (detail !== undefined) fault ??= { kind: "event_order", eventSequence, detail };
    if (eventSequence === undefined) continue;
    after = eventSequence;
    const before = ranges.at(-1);
    if (before?.last === after - 1) before.last = after;
    else ranges.push({ first: after, last: after });
  }
  return { ranges, fault };
}

/** Of a batch of which events were purged, its seal takes the place of the checksum: whoever reads the audit trail compares it. */
function judgePurgedSums(envelope: BatchEnvelope, purged: PurgedBatch): ChainFault | undefined {
  const isSame =
    envelope.totalSize === purged.size && envelope.eventCount === envelope.events.length;
  return isSame ? undefined : EVENTS_CHANGED;
}

const EVENTS_CHANGED: ChainFault = {
  kind: "events_changed",
  detail: "its events are not those that were sent",
};

function judgeSums(envelope: BatchEnvelope, eventsJson: Uint8Array): ChainFault | undefined {
  const digest = CHECKSUM_PREFIX + createHash("sha256").update(eventsJson).digest("hex");
  const isSame =
    envelope.checksum === digest &&
    envelope.totalSize === eventsJson.length &&
    envelope.eventCount === envelope.events.length;
  return isSame ? undefined : EVENTS_CHANGED;
}

/** A fault or a doubt, if there is any. */
export type Verdict = Pick<ChainRecord, "fault" | "doubt">;

function judgeHash(
  envelope: BatchEnvelope,
  chain: Chain,
  checksum: string,
  keys: ChainKeys,
): Verdict {
  const { keyId, hash } = chain;
  const isKeyed = hash.startsWith(KEYED_HASH_PREFIX);
  if (isKeyed !== (keyId !== undefined))
    return {
      fault: { kind: "hash_changed", detail: "its hash and its keyId contradict each other" },
    };
  const key = keyId === undefined ? undefined : keys.get(keyId);
  if (keyId !== undefined && !key) return { doubt: `the key ${JSON.stringify(keyId)} is needed` };
  const { dropped } = envelope.metadata ?? {};
  const expected = toChainHash(
    { ...envelope, checksum, chain, dropped },
    key && keyId !== undefined ? { keyId, key } : undefined,
  );
  if (expected !== hash)
    return { fault: { kind: "hash_changed", detail: "its hash is not that of its envelope" } };
  return keys.size > 0 && !isKeyed ? { doubt: "anybody can compute a hash without a key" } : {};
}

/** Serialises the events anew; returns no bytes when they are nested too deep for that. */
function writeAgain(events: readonly unknown[]): Uint8Array {
  try {
    return Buffer.from(JSON.stringify(events));
  } catch {
    return Buffer.alloc(0);
  }
}

/**
 * Returns whether reports of a batch about other writers count: where there are keys, only those of a batch with
 * one of them.
 */
function isHeard({ fault, doubt }: Verdict, keys: ChainKeys): boolean {
  return !fault && (doubt === undefined || keys.size === 0);
}

/** Separates the reports of a batch about other writers, if they count, from those about its own. */
function sortStatements({ metadata }: BatchEnvelope, chain: Chain, counts: boolean) {
  const dropped: DroppedReport[] = [];
  const foreign: ForeignReport[] = [];
  for (const report of metadata?.dropped ?? []) {
    const { writerId } = report;
    if (writerId === undefined || writerId === chain.writerId) dropped.push(report);
    else if (counts) foreign.push({ ...report, writerId });
  }
  return { dropped, foreign, predecessors: counts ? (chain.predecessors ?? []) : [] };
}

function toRecord(
  { eventsJson }: VerifiableBatch,
  envelope: BatchEnvelope,
  chain: Chain,
  keys: ChainKeys,
  purged: PurgedBatch | undefined,
): ChainRecord {
  const { checksum = "" } = envelope;
  const placed = purged
    ? envelope.events.map((event) => readPurgedEvent(event) ?? event)
    : envelope.events;
  const events = readEvents(placed, chain);
  const hash = judgeHash(envelope, chain, checksum, keys);
  const sums = purged
    ? judgePurgedSums(envelope, purged)
    : judgeSums(envelope, eventsJson ?? writeAgain(envelope.events));
  // Serialised anew, the events may differ from the sent ones in white space only.
  const isInexact = sums !== undefined && !eventsJson;
  return {
    batchId: envelope.batchId,
    chain,
    events: events.ranges,
    ...sortStatements(envelope, chain, isHeard(hash, keys)),
    fault: hash.fault ?? events.fault ?? (isInexact ? undefined : sums),
    doubt: hash.doubt ?? (isInexact ? INEXACT : undefined),
    reportDoubt: hash.doubt,
  };
}

/**
 * Reads the chain of a batch, and checks everything that can be checked on this batch alone.
 *
 * @param purged - What was purged of it, if anything was.
 */
export function readChainRecord(
  input: VerifiableBatch,
  keys: ChainKeys,
  purged?: PurgedBatch,
): ChainReading {
  const claimed = member(member(input.batch, "metadata"), "chain");
  if (claimed === undefined) return { status: "unchained" };
  const parsed = batchEnvelopeSchema.safeParse(input.batch);
  if (!parsed.success) {
    const path = parsed.error.issues[0]?.path.join(".") ?? "";
    const detail = path === "" ? "has unknown members" : `${path} is invalid`;
    return toMalformed(input.batch, claimed, detail);
  }
  const chain = parsed.data.metadata?.chain;
  if (!chain || parsed.data.checksum === undefined)
    return toMalformed(input.batch, claimed, "has no checksum");
  return { status: "chained", record: toRecord(input, parsed.data, chain, keys, purged) };
}
