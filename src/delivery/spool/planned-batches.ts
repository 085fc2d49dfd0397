import { rebuildBatch, toChainSequence, type BatchPlan } from "../batch.ts";
import { readChainRecord } from "../chain/chain-record.ts";
import type { ChainAnchor, ChainBreak, ChainFault, VerifyOptions } from "../chain/chain.ts";
import type { OutboxState } from "../outbox-state.ts";
import { SpoolBudget } from "./budget.ts";
import type { SpoolSource } from "./event-scan.ts";
import { readOnlyFileSystem } from "./file-system.ts";
import { SegmentSet } from "./segment-set.ts";
import type { WriterView } from "./writer-view.ts";

/** Findings about the chain of a writer. */
export interface ChainFindings {
  readonly breaks: ChainBreak[];
  readonly doubts: Set<string>;
  /** Number of batches whose hash could not be recomputed. */
  unverified: number;
}

type Keys = NonNullable<VerifyOptions["keys"]>;

function openSegments({ cipherOf }: SpoolSource, directory: string): SegmentSet {
  const budget = new SpoolBudget(Infinity);
  const onDamage = (): void => undefined;
  const segments = new SegmentSet({
    directory,
    fs: readOnlyFileSystem,
    cipherOf,
    budget,
    onDamage,
  });
  segments.load();
  return segments;
}

/** Rebuilds a batch from its plan and its events, as it would be sent, and checks it. */
async function judgeBatch(
  plan: BatchPlan,
  segments: SegmentSet,
  organizationId: string,
  keys: Keys,
): Promise<{ fault?: ChainFault | undefined; doubt?: string | undefined }> {
  const { first, last, eventCount } = plan;
  const range = { first, last, maxCount: Infinity, maxBytes: Infinity };
  const { events } = await segments.read(range);
  const batch = rebuildBatch(plan, events, organizationId);
  if (!batch) {
    const lost = eventCount - events.length;
    const isLost = lost > 0;
    const detail = isLost
      ? `${lost} of its events can't be read`
      : "its events are not those that it was planned with";
    return { fault: { kind: isLost ? "event_missing" : "events_changed", detail } };
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
    const before = plans[index - 1];
    const isNext = before !== undefined && toChainSequence(before) === sequence - 1;
    if (isNext && before.metadata.chain.hash !== previous) {
      const detail = `what it says of batch ${sequence - 1}, which it follows, is not so`;
      return [{ kind: "link_broken", detail, plan } as const];
    }
    const isTip = sequence === chain.sequence && hash === chain.hash;
    if (isTip || sequence < chain.sequence) return [];
    return [{ kind: "link_broken", detail: "the journal names another newest batch", plan }];
  });
}

/** Compares the chain of a writer with the anchor of its end. */
export function judgeAnchor(
  { open, chain }: OutboxState,
  { sequence, hash }: ChainAnchor,
): { fault?: ChainFault; doubt?: string } {
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
export async function judgeBatches(
  source: SpoolSource,
  view: WriterView,
  state: OutboxState,
  keys: Keys,
  found: ChainFindings,
): Promise<void> {
  const { entry, record } = view;
  const { writerId } = entry;
  if (record.status !== "valid") {
    found.doubts.add("writer.json can't be read");
    return;
  }
  const note = (plan: BatchPlan, { kind, detail }: ChainFault): void => {
    const { batchId } = plan;
    found.breaks.push({ kind, detail, writerId, sequence: toChainSequence(plan), batchId });
  };
  const segments = openSegments(source, entry.path);
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
