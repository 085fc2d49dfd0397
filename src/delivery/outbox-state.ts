import type { DroppedReport, Predecessor } from "../events/chain.ts";
import { cutRange, findGaps, toSingle, type IntegerRange } from "../util/ranges.ts";
import { toChainSequence, type BatchPlan } from "./batch.ts";
import type { StoredEvent } from "./event-store.ts";

/** Maximum number of named writers; beyond it the last added are kept. */
export const MAX_PREDECESSORS = 100;

/** Joins lists of ended writers; for a writer in both, the later end counts. */
export function joinPredecessors(
  known: readonly Predecessor[],
  added: readonly Predecessor[],
): Predecessor[] {
  const byWriter = new Map(known.map((one) => [one.writerId, one]));
  for (const one of added) {
    const other = byWriter.get(one.writerId);
    if (!other || other.sequence < one.sequence) byWriter.set(one.writerId, one);
  }
  return [...byWriter.values()].slice(-MAX_PREDECESSORS);
}

/** A change of an outbox, as the journal keeps it. */
export type OutboxRecord =
  /** The next unplanned events become a batch. */
  | { readonly type: "plan"; readonly plan: BatchPlan }
  /** A batch is replaced by others. */
  | { readonly type: "replace"; readonly replaced: number; readonly plans: readonly BatchPlan[] }
  /** A batch is settled: accepted or given up; events of it that were dropped are reported. */
  | ({
      readonly type: "settle";
      readonly batch: number;
      readonly dropped: readonly DroppedReport[];
      /** URL of the platform that accepted it; absent when it will never arrive. */
      readonly takenBy?: string;
      /** Writers that it would have named, when it will never arrive. */
      readonly predecessors?: readonly Predecessor[];
    } & IntegerRange)
  /** Events in no batch yet are dropped, or the newest events of a batch, the others of which go as another batch. */
  | ({ readonly type: "drop"; readonly reason: string } & IntegerRange)
  /** Ended writers hand over their reports and predecessors to this one. */
  | ({ readonly type: "report" } & Legacy);

/** Reports and predecessors of writers that have no more events, for another writer's batch to carry. */
export interface Legacy {
  readonly reports: readonly DroppedReport[];
  readonly predecessors?: readonly Predecessor[];
}

/** State of an outbox that must survive a restart. */
export interface OutboxState {
  /** Sequence of the first event that was in no batch yet. */
  next: number;
  /** Ranges before `next` that are in no known batch: only after damage to the journal. */
  holes: IntegerRange[];
  /** The batch that was planned last. */
  chain: { sequence: number; hash: string | null };
  /** Batches that are not settled, in the order of their events. */
  open: BatchPlan[];
  /** Events dropped since the last report. */
  unreported: DroppedReport[];
  /** Ended writers that no batch names yet; absent in files of earlier versions. */
  predecessors?: readonly Predecessor[];
  /** The newest batch that a platform has accepted; absent before the first, and in files of earlier versions. */
  taken?: { readonly sequence: number; readonly hash: string; readonly platform: string };
}

/** Above this number of entries, reports of one reason are summed up. */
const MAX_UNREPORTED = 100;

export function createOutboxState(firstSequence = 1): OutboxState {
  return {
    next: firstSequence,
    holes: [],
    chain: { sequence: 0, hash: null },
    open: [],
    unreported: [],
  };
}

function join(a: DroppedReport, b: DroppedReport): DroppedReport {
  const { firstSequence = Infinity, lastSequence = -Infinity } = a;
  const first = Math.min(firstSequence, b.firstSequence ?? Infinity);
  const last = Math.max(lastSequence, b.lastSequence ?? -Infinity);
  return {
    ...(a.writerId !== undefined && { writerId: a.writerId }),
    reason: a.reason,
    count: a.count + b.count,
    ...(first <= last && { firstSequence: first, lastSequence: last }),
  };
}

/** Adds a report to a list, joined with the report that it continues if there is one. */
export function addReport(reports: DroppedReport[], report: DroppedReport): void {
  const isFull = reports.length >= MAX_UNREPORTED;
  const index = reports.findLastIndex(
    (other) =>
      other.reason === report.reason &&
      other.writerId === report.writerId &&
      (isFull ||
        (other.lastSequence === undefined
          ? report.firstSequence === undefined
          : other.lastSequence + 1 === report.firstSequence)),
  );
  const continued = reports[index];
  if (continued) reports[index] = join(continued, report);
  else reports.push(report);
}

/** Removes a range from the unplanned events; events skipped before it become a hole, which is still to be planned. */
function takeRange(state: OutboxState, { first, last }: IntegerRange): void {
  state.holes = state.holes.flatMap((hole) => cutRange(hole, { first, last }));
  if (first > state.next) state.holes.push({ first: state.next, last: first - 1 });
  state.next = Math.max(state.next, last + 1);
}

function addPlan(state: OutboxState, plan: BatchPlan): void {
  takeRange(state, plan);
  const { chain, dropped } = plan.metadata;
  const { sequence, hash } = chain;
  if (sequence > state.chain.sequence) state.chain = { sequence, hash };
  if (dropped) state.unreported = [];
  if (chain.predecessors) state.predecessors = [];
  const index = state.open.findIndex(({ first }) => first > plan.first);
  state.open.splice(index === -1 ? state.open.length : index, 0, plan);
}

/** Removes the newest events from a batch if a range has them; its bytes can't be made any more. */
function cutOff(plan: BatchPlan, { first, last }: IntegerRange): BatchPlan {
  if (first <= plan.first || first > plan.last || last < plan.last) return plan;
  return { ...plan, last: first - 1, eventCount: plan.eventCount - (plan.last - first + 1) };
}

function removePlan(state: OutboxState, sequence: number): void {
  state.open = state.open.filter((plan) => toChainSequence(plan) !== sequence);
}

function addPredecessors(state: OutboxState, added: readonly Predecessor[] = []): void {
  if (added.length === 0) return;
  state.predecessors = joinPredecessors(state.predecessors ?? [], added);
}

function noteTaken(state: OutboxState, batch: number, platform: string | undefined): void {
  const plan = state.open.find((open) => toChainSequence(open) === batch);
  if (!plan || platform === undefined) return;
  const { sequence, hash } = plan.metadata.chain;
  if (sequence > (state.taken?.sequence ?? 0)) state.taken = { sequence, hash, platform };
}

/** Applies a record: the only way in which a state changes, while running and after a restart. */
export function applyRecord(state: OutboxState, record: OutboxRecord): void {
  switch (record.type) {
    case "plan":
      addPlan(state, record.plan);
      break;
    case "replace":
      removePlan(state, record.replaced);
      for (const plan of record.plans) addPlan(state, plan);
      break;
    case "settle":
      noteTaken(state, record.batch, record.takenBy);
      addPredecessors(state, record.predecessors);
      removePlan(state, record.batch);
      takeRange(state, record);
      for (const report of record.dropped) addReport(state.unreported, report);
      break;
    case "report":
      for (const report of record.reports) addReport(state.unreported, report);
      addPredecessors(state, record.predecessors);
      break;
    case "drop":
      state.open = state.open.map((plan) => cutOff(plan, record));
      takeRange(state, record);
      addReport(state.unreported, toReport(record.reason, record));
      break;
  }
}

/** Returns the sequence up to which events are settled, so that they are never read again. */
export function toSettledSequence({ next, holes, open }: OutboxState): number {
  const firsts = [...open, ...holes].map(({ first }) => first);
  return Math.min(next, ...firsts) - 1;
}

/** Returns the sequences of a range that no event has. */
export function findLost(
  events: readonly StoredEvent[],
  { first, last }: IntegerRange,
): IntegerRange[] {
  return findGaps(
    events.map(({ sequence }) => toSingle(sequence)),
    last,
    first,
  );
}

/** Creates the report to the platform that the events of a range were dropped. */
export function toReport(reason: string, { first, last }: IntegerRange): DroppedReport {
  return { reason, count: last - first + 1, firstSequence: first, lastSequence: last };
}
