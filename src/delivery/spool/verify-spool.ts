import type { KeyObject } from "node:crypto";
import type { DroppedReport } from "../../events/chain.ts";
import { countNoun } from "../../util/count-noun.ts";
import { rebuildBatch, toChainSequence, type BatchPlan } from "../batch.ts";
import { readChainRecord, type Verdict } from "../chain/chain-record.ts";
import {
  toAnchor,
  type ChainAnchor,
  type ChainBreak,
  type ChainFault,
  type ChainReport,
  type ChainStatus,
  type VerifyOptions,
  type WriterReport,
} from "../chain/chain.ts";
import { createOutboxState, type OutboxState } from "../outbox-state.ts";
import type { SpoolSource } from "./frame-file.ts";
import { toErrorCode } from "./file-system.ts";
import { readMachine, type Machine } from "./machine.ts";
import { SegmentSet } from "./segment-set.ts";
import {
  countPending,
  openSpoolView,
  readWhole,
  toOutboxState,
  viewWriter,
  type PendingFindings,
  type WriterView,
} from "./spool-view.ts";

const MAX_BREAKS = 20;

type Keys = NonNullable<VerifyOptions["keys"]>;

/** Findings about the chain of a writer. */
interface ChainFindings {
  breaks: ChainBreak[];
  readonly doubts: Set<string>;
  /** Number of batches whose hash could not be recomputed. */
  unverified: number;
}

/** Rebuilds a batch from its plan and its events, as it would be sent, and checks it. */
async function judgeBatch(
  plan: BatchPlan,
  segments: SegmentSet,
  organizationId: string,
  keys: Keys,
): Promise<Verdict> {
  const { first, last, eventCount } = plan;
  const range = { first, last, maxCount: Infinity, maxBytes: Infinity };
  const { events } = await segments.read(range);
  const batch = rebuildBatch(plan, events, organizationId);
  if (!batch) {
    const lost = eventCount - events.length;
    if (lost > 0)
      return { fault: { kind: "event_missing", detail: `${lost} of its events can't be read` } };
    const detail = "its events are not those that it was planned with";
    return { fault: { kind: "events_changed", detail } };
  }
  const envelope: unknown = JSON.parse(batch.body.toString());
  const reading = readChainRecord({ batch: envelope }, keys);
  if (reading.status === "chained") return reading.record;
  return { fault: { kind: "malformed", detail: "its chain can't be read" } };
}

/** Checks that the batches follow each other, and that the newest is the one the journal names. */
function findBrokenLinks({ open, chain }: OutboxState): (ChainFault & { plan: BatchPlan })[] {
  const plans = open.toSorted((a, b) => toChainSequence(a) - toChainSequence(b));
  return plans.flatMap((plan, index) => {
    const { sequence, previous, hash } = plan.metadata.chain;
    const before = plans[index - 1]?.metadata.chain;
    if (before?.sequence === sequence - 1 && before.hash !== previous) {
      const detail = `what it says of batch ${sequence - 1}, which it follows, is not so`;
      return [{ kind: "link_broken", detail, plan } as const];
    }
    const isTip = sequence === chain.sequence && hash === chain.hash;
    if (isTip || sequence < chain.sequence) return [];
    return [{ kind: "link_broken", detail: "the journal names another newest batch", plan }];
  });
}

/** Compares the chain of a writer with the anchor of its end. */
function judgeAnchor({ open, chain }: OutboxState, { sequence, hash }: ChainAnchor): Verdict {
  if (chain.sequence < sequence) {
    const detail = `the chain ends before it, although there was a batch ${sequence}`;
    return { fault: { kind: "truncated", detail } };
  }
  if (hash === undefined || sequence === 0) return {};
  const plan = open.find((other) => toChainSequence(other) === sequence);
  const known = sequence === chain.sequence ? chain.hash : plan?.metadata.chain.hash;
  if (known === undefined) return { doubt: `batch ${sequence}, which is expected, is not here` };
  if (known === hash) return {};
  return { fault: { kind: "anchor_differs", detail: "it is not the batch that was expected" } };
}

/**
 * Checks the planned batches of a writer that are not settled, as they would be sent.
 *
 * @throws the error of the file system.
 */
async function judgeBatches(
  source: SpoolSource,
  { entry, record }: WriterView,
  state: OutboxState,
  keys: Keys,
  found: ChainFindings,
): Promise<void> {
  const { writerId } = entry;
  if (record.status !== "valid") {
    found.doubts.add("writer.json can't be read");
    return;
  }
  const note = (plan: BatchPlan, { kind, detail }: ChainFault): void => {
    const { batchId } = plan;
    found.breaks.push({ kind, detail, writerId, sequence: toChainSequence(plan), batchId });
  };
  const segments = new SegmentSet({ ...source, directory: entry.path });
  segments.load();
  try {
    for (const plan of state.open) {
      const { fault, doubt } = await judgeBatch(plan, segments, record.record.organizationId, keys);
      if (fault) note(plan, fault);
      if (doubt === undefined) continue;
      found.unverified++;
      found.doubts.add(doubt);
    }
  } finally {
    segments.close();
  }
  for (const { plan, ...fault } of findBrokenLinks(state)) note(plan, fault);
}

function judgeEvents(
  writerId: string,
  { chain }: OutboxState,
  pending: PendingFindings,
  { breaks, doubts }: ChainFindings,
): void {
  const { locked, missing, damagedBytes, newerFrames, unreadable } = pending;
  if (locked > 0) doubts.add(`the key of the spool is needed for ${countNoun(locked, "event")}`);
  if (damagedBytes > 0) doubts.add(`${countNoun(damagedBytes, "byte is", "bytes are")} damaged`);
  if (newerFrames > 0) doubts.add("a newer version is needed");
  if (unreadable.length > 0) doubts.add(`${countNoun(unreadable.length, "file")} can't be read`);
  const [gap] = missing;
  if (!gap || breaks.some(({ kind }) => kind === "event_missing")) return;
  const detail = `events ${gap.first} to ${gap.last}, which wait for it, are in no file`;
  const place = { writerId, sequence: chain.sequence + 1, eventSequence: gap.first };
  breaks.push({ kind: "event_missing", detail, ...place });
}

function sumDropped({ open, unreported }: OutboxState): Record<string, number> {
  const sums = new Map<string, number>();
  const reports: DroppedReport[] = open.flatMap(({ metadata }) => metadata.dropped ?? []);
  for (const { reason, count } of [...reports, ...unreported])
    sums.set(reason, (sums.get(reason) ?? 0) + count);
  return Object.fromEntries(sums);
}

function toReport(
  writerId: string,
  state: OutboxState,
  pending: PendingFindings,
  { breaks, doubts, unverified }: ChainFindings,
): WriterReport {
  const { sequence, hash } = state.chain;
  const ordered = breaks.toSorted((a, b) => (a.sequence ?? Infinity) - (b.sequence ?? Infinity));
  return {
    writerId,
    status: breaks.length > 0 ? "broken" : doubts.size > 0 ? "incomplete" : "verified",
    batches: state.open.length,
    repeated: 0,
    absent: 0,
    events: pending.pending - pending.locked,
    dropped: sumDropped(state),
    last: hash === null ? undefined : { sequence, hash },
    firstBreak: ordered[0],
    breaks: ordered.slice(0, MAX_BREAKS),
    breakCount: breaks.length,
    unverified,
    doubts: [...doubts],
  };
}

async function verifyView(
  source: SpoolSource,
  view: WriterView,
  machine: Machine,
  keys: Keys,
  anchor: ChainAnchor | undefined,
): Promise<WriterReport> {
  const { writerId } = view.entry;
  const found: ChainFindings = { breaks: [], doubts: new Set(), unverified: 0 };
  const pending = await countPending(source, view);
  const state = toOutboxState(view);
  if (!state) {
    const isLocked = view.journal.kind === "locked";
    found.doubts.add(`its journal can't be read${isLocked ? " without the key" : ""}`);
    return toReport(writerId, createOutboxState(), pending, found);
  }
  try {
    await judgeBatches(source, view, state, keys, found);
  } catch (error) {
    found.doubts.add(`its files can't be read (${toErrorCode(error)})`);
  }
  if (view.owner !== "dead") {
    // Batches of a living writer that were delivered while they were read are no fault.
    const open = toOutboxState(await viewWriter(source, view.entry, machine))?.open ?? [];
    const isLeft = (id: string): boolean => open.some(({ batchId }) => batchId === id);
    found.breaks = found.breaks.filter(({ batchId }) => batchId === undefined || isLeft(batchId));
  }
  judgeEvents(writerId, state, pending, found);
  const { fault, doubt } = anchor ? judgeAnchor(state, anchor) : {};
  if (fault && anchor) found.breaks.push({ ...fault, writerId, sequence: anchor.sequence });
  if (doubt !== undefined) found.doubts.add(doubt);
  return toReport(writerId, state, pending, found);
}

function toStatus(writers: readonly WriterReport[]): ChainStatus {
  if (writers.some(({ status }) => status === "broken")) return "broken";
  return writers.every(({ status }) => status === "verified") ? "verified" : "incomplete";
}

/**
 * Verifies a spool directory without claiming anything: the batches that are planned and not settled, their links,
 * and that every pending event is there.
 *
 * Delivered batches are with the platform; `last` of a writer is the anchor to verify them with.
 *
 * @param spoolKey - Key under which the files are encrypted, if they are.
 * @returns `undefined` when there is no spool.
 */
export async function verifySpool(
  directory: string,
  spoolKey: KeyObject | undefined,
  { keys = new Map(), expectLast = new Map() }: VerifyOptions,
): Promise<ChainReport | undefined> {
  const opening = await openSpoolView(directory, spoolKey);
  if (opening.status !== "open") return undefined;
  const { source, listing } = opening;
  const { ownerIds, endedIds } = listing;
  if (listing.writers.length + ownerIds.length + endedIds.length === 0) return undefined;
  const machine = readMachine();
  const writers: WriterReport[] = [];
  for (const entry of listing.writers) {
    const anchor = toAnchor(expectLast.get(entry.writerId));
    const whole = await readWhole(
      async () => {
        const view = await viewWriter(source, entry, machine);
        return { view, report: await verifyView(source, view, machine, keys, anchor) };
      },
      ({ view, report }) => view.owner !== "dead" && report.status === "incomplete",
    );
    writers.push(whole.report);
  }
  const batches = writers.reduce((sum, writer) => sum + writer.batches, 0);
  return { status: toStatus(writers), batches, unchained: 0, writers };
}
