import type { DroppedReport } from "../../events/chain.ts";
import type {
  ChainAnchor,
  ChainReport,
  ChainStatus,
  VerifyOptions,
  WriterReport,
} from "../chain/chain.ts";
import { createOutboxState, type OutboxState } from "../outbox-state.ts";
import type { SpoolSource } from "./event-scan.ts";
import { toErrorCode } from "./file-system.ts";
import { readMachine, type Machine } from "./machine.ts";
import { judgeAnchor, judgeBatches, type ChainFindings } from "./planned-batches.ts";
import {
  createPendingFindings,
  readPending,
  readWhole,
  toOutboxState,
  viewWriter,
  type PendingFindings,
  type WriterView,
} from "./writer-view.ts";
import type { WriterEntry } from "./writers.ts";
import { countNoun } from "../../util/count-noun.ts";

const MAX_BREAKS = 20;

function judgeEvents(
  writerId: string,
  { chain }: OutboxState,
  pending: PendingFindings,
  found: ChainFindings,
): void {
  const { locked, missing, damagedBytes, newerFrames, unreadable } = pending;
  if (locked > 0)
    found.doubts.add(`the key of the spool is needed for ${countNoun(locked, "event")}`);
  if (damagedBytes > 0)
    found.doubts.add(`${countNoun(damagedBytes, "byte is", "bytes are")} damaged`);
  if (newerFrames > 0) found.doubts.add("a newer version is needed");
  if (unreadable.length > 0)
    found.doubts.add(`${countNoun(unreadable.length, "file")} can't be read`);
  const [gap] = missing;
  const isKnown = found.breaks.some(({ kind }) => kind === "event_missing");
  if (!gap || isKnown) return;
  const detail = `events ${gap.first} to ${gap.last}, which wait for it, are in no file`;
  const sequence = chain.sequence + 1;
  const eventSequence = gap.first;
  found.breaks.push({ kind: "event_missing", detail, writerId, sequence, eventSequence });
}

function sumDropped({ open, unreported }: OutboxState): Record<string, number> {
  const sums = new Map<string, number>();
  const reports: DroppedReport[] = open.flatMap(({ metadata }) => metadata.dropped ?? []);
  for (const { reason, count } of [...reports, ...unreported])
    sums.set(reason, (sums.get(reason) ?? 0) + count);
  return Object.fromEntries(sums);
}

/** Removes breaks that are no fault: batches of a living writer that were delivered while they were read. */
async function removeDelivered(
  source: SpoolSource,
  entry: WriterEntry,
  machine: Machine,
  found: ChainFindings,
): Promise<void> {
  const state = toOutboxState(await viewWriter(source, entry, machine));
  const open = new Set(state?.open.map(({ batchId }) => batchId));
  const left = found.breaks.filter(({ batchId }) => batchId === undefined || open.has(batchId));
  found.breaks.splice(0, found.breaks.length, ...left);
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
  keys: NonNullable<VerifyOptions["keys"]>,
  anchor: ChainAnchor | undefined,
): Promise<WriterReport> {
  const { entry } = view;
  const { writerId } = entry;
  const found: ChainFindings = { breaks: [], doubts: new Set(), unverified: 0 };
  const pending = createPendingFindings();
  const events = readPending(source, view, pending);
  while ((await events.next()).done !== true);
  const state = toOutboxState(view);
  if (!state) {
    found.doubts.add(
      `its journal can't be read${view.journal.kind === "locked" ? " without the key" : ""}`,
    );
    return toReport(writerId, createOutboxState(), pending, found);
  }
  try {
    await judgeBatches(source, view, state, keys, found);
  } catch (error) {
    found.doubts.add(`its files can't be read (${toErrorCode(error)})`);
  }
  if (view.owner !== "dead") await removeDelivered(source, entry, machine, found);
  judgeEvents(writerId, state, pending, found);
  const { fault, doubt } = anchor ? judgeAnchor(state, anchor) : {};
  if (fault && anchor) found.breaks.push({ ...fault, writerId, sequence: anchor.sequence });
  if (doubt !== undefined) found.doubts.add(doubt);
  return toReport(writerId, state, pending, found);
}

async function verifyWriter(
  source: SpoolSource,
  entry: WriterEntry,
  machine: Machine,
  keys: NonNullable<VerifyOptions["keys"]>,
  anchor: ChainAnchor | undefined,
): Promise<WriterReport> {
  const whole = await readWhole(
    async () => {
      const view = await viewWriter(source, entry, machine);
      const report = await verifyView(source, view, machine, keys, anchor);
      return { report, mayBeTorn: view.owner !== "dead" };
    },
    ({ report, mayBeTorn }) => mayBeTorn && report.status === "incomplete",
  );
  return whole.report;
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
 */
export async function verifySpool(
  source: SpoolSource,
  entries: readonly WriterEntry[],
  { keys = new Map(), expectLast = new Map() }: VerifyOptions = {},
): Promise<ChainReport> {
  const machine = readMachine();
  const writers: WriterReport[] = [];
  for (const entry of entries) {
    const expected = expectLast.get(entry.writerId);
    const anchor = typeof expected === "number" ? { sequence: expected } : expected;
    writers.push(await verifyWriter(source, entry, machine, keys, anchor));
  }
  const batches = writers.reduce((sum, writer) => sum + writer.batches, 0);
  return { status: toStatus(writers), batches, unchained: 0, writers };
}
