import type { PurgedBatch } from "../delivery/chain/purged-batch.ts";
import { type PurgeDetail, purgeDetailSchema } from "../events/purged-event.ts";
import { countNoun } from "../util/count-noun.ts";
import { countIntegers, cutRange, mergeRanges, type IntegerRange } from "../util/ranges.ts";
import { type JsonRecord, parseJson } from "../util/values.ts";
import { joinParts } from "./spool/output.ts";

/** A batch of which the purge is not as its records say. */
export interface PurgeBreak {
  readonly organizationId: string;
  readonly batchId: string;
  readonly detail: string;
}

/** What is known of purges. */
export interface PurgeReport {
  readonly status: "verified" | "broken" | "incomplete";
  /** Batches of which events were purged. */
  readonly batches: number;
  /** Events that were purged. */
  readonly events: number;
  /** The first broken places. */
  readonly breaks: readonly PurgeBreak[];
  readonly breakCount: number;
  readonly doubts: readonly string[];
}

/** What records say of a batch. */
interface Recorded {
  readonly organizationId: string;
  readonly batchId: string;
  readonly seals: ReadonlySet<string>;
  readonly places: readonly IntegerRange[];
  readonly isIntact: boolean;
}

/** Where batches and records come from. */
interface PurgeSource {
  readonly isPlatform: boolean;
  /** The only one whose batches were given. */
  readonly organizationId: string | undefined;
}

const MAX_BREAKS = 20;

function toId({ organizationId, batchId }: Pick<Recorded, "batchId" | "organizationId">): string {
  return JSON.stringify([organizationId, batchId]);
}

function judge(batch: PurgedBatch, recorded: Recorded | undefined): string | undefined {
  if (!recorded) return "events of it are gone, and no record of a purge says why";
  if (recorded.seals.size > 1) return "records of its purges contradict each other";
  if (!recorded.seals.has(batch.seal))
    return "its events, there or purged, are not those that the record of the purge has sealed";
  if (!recorded.isIntact) return "its events had been changed before they were purged";
  const unnamed = batch.places.flatMap((range) =>
    recorded.places.reduce((rest, known) => rest.flatMap((each) => cutRange(each, known)), [range]),
  );
  if (unnamed.length === 0) return undefined;
  const missing = countNoun(countIntegers(unnamed), "event");
  return `${missing} of it ${missing.startsWith("1 ") ? "is" : "are"} gone that no record of a purge names`;
}

type RecordedBatch = PurgeDetail["batches"][number];

function addRecorded(
  records: Map<string, Recorded>,
  organizationId: string,
  { batchId, seal, places, isIntact = true }: RecordedBatch,
): void {
  const id = toId({ organizationId, batchId });
  const known = records.get(id);
  const ranges = places.map(([first, last]) => ({ first, last }));
  records.set(id, {
    organizationId,
    batchId,
    seals: new Set([...(known?.seals ?? []), seal]),
    places: mergeRanges([...(known?.places ?? []), ...ranges]),
    isIntact: isIntact && known?.isIntact !== false,
  });
}

function describeAbsent(absent: number): string {
  const batches = countNoun(absent, "batch", "batches");
  return `${batches} of which events were purged ${absent === 1 ? "is" : "are"} not there, or whole`;
}

/** Compares batches of which events were purged with the records of the purges. */
export function createPurgeCheck() {
  const batches = new Map<string, PurgedBatch>();
  const records = new Map<string, Recorded>();
  let hasRecords = false;

  const findBreaks = (): PurgeBreak[] =>
    [...batches].flatMap(([id, batch]) => {
      const detail = judge(batch, records.get(id));
      const { organizationId, batchId } = batch;
      return detail === undefined ? [] : [{ organizationId, batchId, detail }];
    });
  const countAbsent = (organizationId: string | undefined): number =>
    [...records].filter(
      ([id, record]) =>
        !batches.has(id) &&
        (organizationId === undefined || record.organizationId === organizationId),
    ).length;

  return {
    addBatch: (batch: PurgedBatch): void => void batches.set(toId(batch), batch),
    /** Adds a record of the audit trail. */
    addRecord: ({ organizationId, action, detail }: JsonRecord): void => {
      hasRecords = true;
      if (action !== "records.purge" || typeof organizationId !== "string") return;
      const parsed = purgeDetailSchema.safeParse(parseJson(String(detail)));
      for (const batch of parsed.data?.batches ?? []) addRecorded(records, organizationId, batch);
    },
    /** @param source - What was read: a platform has a trail, if only an empty one. */
    finish: ({ isPlatform, organizationId }: PurgeSource): PurgeReport => {
      const hasTrail = hasRecords || isPlatform;
      const breaks = hasTrail ? findBreaks() : [];
      const absent = countAbsent(organizationId);
      const doubts = [
        ...(batches.size > 0 && !hasTrail ? [TRAIL_NEEDED] : []),
        ...(absent > 0 ? [describeAbsent(absent)] : []),
      ];
      return {
        status: breaks.length > 0 ? "broken" : doubts.length > 0 ? "incomplete" : "verified",
        batches: batches.size,
        events: [...batches.values()].reduce((sum, { count }) => sum + count, 0),
        breaks: breaks.slice(0, MAX_BREAKS),
        breakCount: breaks.length,
        doubts,
      };
    },
  };
}

const TRAIL_NEEDED = "the audit trail, which has the records of the purges, is needed";

/** Writes the result for people; nothing where nothing was purged. */
export function formatPurgeReport(report: PurgeReport): string {
  const { status, batches, events, breaks, breakCount, doubts } = report;
  if (batches === 0 && doubts.length === 0) return "";
  const [first] = breaks;
  const more = breakCount > 1 ? `, and ${breakCount - 1} more` : "";
  const finding = first
    ? `BROKEN at batch ${first.batchId}: ${first.detail}${more}`
    : status === "verified"
      ? "as the audit trail has it"
      : `not proven: ${doubts.join("; ")}`;
  const counts = joinParts([
    countNoun(batches, "purged batch", "purged batches"),
    countNoun(events, "event"),
  ]);
  return `purges: ${finding}; ${counts}\n`;
}
