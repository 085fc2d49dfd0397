import { createStatement, db, readNumber, readRow, readRows } from "../store/query.ts";
import type { SqlDatabase } from "../store/sql-database.ts";
import { toMinute } from "./intake.ts";
import type { Steps } from "../turns.ts";

const MINUTE_MILLIS = 60_000;
const MINUTES_PER_HOUR = 60;
const HOURS_PER_DAY = 24;

/** What arrived in a span of time. */
export interface IntakeCounts {
  readonly batches: number;
  readonly events: number;
  readonly duplicates: number;
  readonly rejected: number;
}

/** What arrived from a time on. */
export interface IntakePoint extends IntakeCounts {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

const NOTHING: IntakeCounts = { batches: 0, events: 0, duplicates: 0, rejected: 0 };

const SUMS = db
  .selectFrom("intake")
  .select((eb) => [
    eb.fn.sum<number>("batches").as("batches"),
    eb.fn.sum<number>("events").as("events"),
    eb.fn.sum<number>("duplicates").as("duplicates"),
    eb.fn.sum<number>("rejected").as("rejected"),
  ]);

const BY_MINUTE = createStatement((values: { from: number }) =>
  SUMS.select("minute").where("minute", ">=", values.from).groupBy("minute"),
);

type MinuteRow = IntakeCounts & { readonly minute: number };

/** Fills the gaps of a series: `count` spans of `size` minutes from the first one on. */
function toPoints(
  rows: readonly MinuteRow[],
  first: number,
  size: number,
  count: number,
): IntakePoint[] {
  const sums = Array.from({ length: count }, (): Record<string, number> => ({ ...NOTHING }));
  for (const { minute, ...counts } of rows) {
    const sum = sums[Math.floor((minute - first) / size)];
    if (!sum) continue;
    for (const [name, value] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + value;
  }
  return sums.map((sum, index) => ({
    ...NOTHING,
    ...sum,
    at: (first + index * size) * MINUTE_MILLIS,
  }));
}

/** Returns what arrived in each minute of the last hour, and in each hour of the last day; the current one is the last. */
export function* readIntake(database: SqlDatabase, now: number) {
  const minute = toMinute(now);
  const firstMinute = minute - MINUTES_PER_HOUR + 1;
  const hour = minute - (minute % MINUTES_PER_HOUR);
  const firstHour = hour - (HOURS_PER_DAY - 1) * MINUTES_PER_HOUR;
  const rows = yield* BY_MINUTE.rows(database, { from: firstHour });
  return {
    minutes: toPoints(rows, firstMinute, 1, MINUTES_PER_HOUR),
    hours: toPoints(rows, firstHour, MINUTES_PER_HOUR, HOURS_PER_DAY),
  };
}

const MAX_ORGANIZATIONS = 100;

const NEXT_ORGANIZATION = createStatement((values: { after: string }) =>
  db
    .selectFrom("intake")
    .select((eb) => eb.fn.min("organization_id").as("organizationId"))
    .where("organization_id", ">", values.after),
);

const LAST_MINUTE = createStatement((values: { organizationId: string }) =>
  db
    .selectFrom("intake")
    .select((eb) => eb.fn.max("minute").as("minute"))
    .where("organization_id", "=", values.organizationId),
);

const OF_ORGANIZATION = createStatement((values: { organizationId: string; from: number }) =>
  SUMS.where("organization_id", "=", values.organizationId).where("minute", ">=", values.from),
);

/** An organization, and what came from it within the last day. */
export interface OrganizationIntake extends IntakeCounts {
  readonly organizationId: string;
  /** The minute of its newest batch, in milliseconds since the Unix epoch. */
  readonly lastAt: number;
}

/** Sums up what came from an organization; a sum of no rows is `null`. */
function* readSums(
  database: SqlDatabase,
  organizationId: string,
  from: number,
): Steps<IntakeCounts> {
  const [row] = yield* OF_ORGANIZATION.rows(database, { organizationId, from });
  const sums: Partial<Record<keyof IntakeCounts, number | null>> = row ?? {};
  const { batches, events, duplicates, rejected } = sums;
  return {
    batches: batches ?? 0,
    events: events ?? 0,
    duplicates: duplicates ?? 0,
    rejected: rejected ?? 0,
  };
}

/** Lists the organizations that have ever sent something, the first hundred by name. */
export function* listOrganizations(
  database: SqlDatabase,
  now: number,
): Steps<OrganizationIntake[]> {
  const from = toMinute(now) - HOURS_PER_DAY * MINUTES_PER_HOUR;
  const found: OrganizationIntake[] = [];
  // Name by name: the minutes of a year would have to be read to find them at once.
  for (let after = ""; found.length < MAX_ORGANIZATIONS;) {
    const organizationId = (yield* NEXT_ORGANIZATION.rows(database, { after }))[0]?.organizationId;
    if (organizationId === undefined || organizationId === null) break;
    const [last] = yield* LAST_MINUTE.rows(database, { organizationId });
    const sums = yield* readSums(database, organizationId, from);
    found.push({ organizationId, ...sums, lastAt: (last?.minute ?? 0) * MINUTE_MILLIS });
    after = organizationId;
  }
  return found;
}

const LISTED = 50;

const REJECTIONS = db
  .selectFrom("rejection")
  .select([
    "organization_id as organizationId",
    "code",
    "member",
    "count",
    "first_at as firstAt",
    "last_at as lastAt",
    "pointer",
    "detail",
    "batch_id as batchId",
  ])
  .orderBy("last_at", "desc")
  .orderBy("organization_id")
  .orderBy("code")
  .orderBy("member")
  .limit(LISTED);

const LOSSES = db
  .selectFrom("loss")
  .select([
    "seq",
    "organization_id as organizationId",
    "writer_id as writerId",
    "reason",
    "count",
    "batch_id as batchId",
    "received_at as receivedAt",
  ])
  .orderBy("seq", "desc")
  .limit(LISTED);

const LOSSES_BY_REASON = db
  .selectFrom("loss")
  .select((eb) => [
    "reason",
    eb.fn.sum<number>("count").as("count"),
    eb.fn.max("received_at").as("lastAt"),
  ])
  .groupBy("reason")
  .orderBy("count", "desc")
  .orderBy("reason")
  .limit(LISTED);

/** Lists why events were rejected, each kind once with an example, the newest first. */
export function* listRejections(database: SqlDatabase) {
  return yield* readRows(database, REJECTIONS);
}

/** Lists events that SDKs have reported as lost: the newest reports, and sums by reason. */
export function* listLosses(database: SqlDatabase) {
  return {
    byReason: yield* readRows(database, LOSSES_BY_REASON),
    recent: yield* readRows(database, LOSSES),
  };
}

const MISSING = db
  .selectFrom("writer")
  .select((eb) =>
    eb("last_event", "-", eb.parens("events", "+", eb.ref("given_up"))).as("missing"),
  );

const WRITERS = MISSING.select([
  "organization_id as organizationId",
  "writer_id as writerId",
  "batches",
  "events",
  "given_up as givenUp",
  "last_sequence as lastSequence",
  "last_event as lastEvent",
  "first_at as firstAt",
  "last_at as lastAt",
])
  .orderBy("last_at", "desc")
  .orderBy("organization_id")
  .orderBy("writer_id")
  .limit(LISTED);

const COUNT_WRITERS = db.selectFrom("writer").select((eb) => eb.fn.countAll<number>().as("count"));

const COUNT_GAPS = db
  .selectFrom(MISSING.as("each"))
  .select((eb) => [
    eb.fn.countAll<number>().as("withGaps"),
    eb.fn.coalesce(eb.fn.sum<number>("missing"), eb.lit(0)).as("missingEvents"),
  ])
  .where("missing", ">", 0);

/**
 * Counts writers, and the events that none of their batches has brought and no report explains. Some may be on their way; `verify`
 * says what is proven.
 */
export function* countWriters(database: SqlDatabase) {
  const gaps = (yield* readRow(database, COUNT_GAPS)) ?? { withGaps: 0, missingEvents: 0 };
  return { count: yield* readNumber(database, COUNT_WRITERS), ...gaps };
}

/** Lists the writers whose batches came last. */
export function* listWriters(database: SqlDatabase) {
  return (yield* readRows(database, WRITERS)).map(({ missing, ...writer }) => ({
    ...writer,
    missingEvents: Math.max(0, missing),
  }));
}

const COUNT_LOSSES = db
  .selectFrom("loss")
  .select((eb) => eb.fn.coalesce(eb.fn.sum<number>("count"), eb.lit(0)).as("count"));

/** Counts the events that SDKs have reported as lost. */
export function* countLosses(database: SqlDatabase): Steps<number> {
  return yield* readNumber(database, COUNT_LOSSES);
}
