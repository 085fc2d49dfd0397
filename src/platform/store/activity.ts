import type { DetailedEvent } from "../../events/detailed-event.ts";
import { createMeasures, isMeasured, measureEvent, type Measures } from "../insight/measures.ts";
import { LATENCY_CLASSES } from "../insight/latencies.ts";
import { toBucket, type Width, WIDTHS } from "../insight/period.ts";
import type { Appearances, Facts } from "./appearances.ts";
import { changeAll } from "./change-all.ts";
import { createStatement, db } from "./query.ts";
import type { SqlDatabase, Transaction } from "./sql-database.ts";
import type { LatencyColumn } from "./count-tables.ts";
import type { Steps } from "../turns.ts";

/** What a count is of: an agent in a version and an environment. */
interface Subject {
  readonly organizationId: string;
  readonly agentId: string;
  readonly agentVersion: string;
  readonly environment: string;
}

interface Addition {
  readonly subject: Subject;
  /** Start of the hour. */
  readonly hour: number;
  readonly measures: Measures;
}

/** What the events of a batch add to the counts, by subject and hour. */
export type Activity = Map<string, Addition>;

const [HOUR, DAY] = WIDTHS;

function findMeasures(activity: Activity, subject: Subject, at: number): Measures {
  const { organizationId, agentId, agentVersion, environment } = subject;
  const hour = toBucket(at, HOUR);
  // None of them has a line break, and JSON would take longer than all the counting.
  const id = `${hour}\n${agentId}\n${agentVersion}\n${environment}\n${organizationId}`;
  const known = activity.get(id);
  if (known) return known.measures;
  const measures = createMeasures();
  activity.set(id, { subject, hour, measures });
  return measures;
}

/** Adds an event to the counts, or takes it out again. */
export function addActivity(
  activity: Activity,
  organizationId: string,
  event: DetailedEvent,
  { environment, agentVersion }: Pick<Facts, "environment" | "agentVersion">,
  sign: 1 | -1 = 1,
): void {
  if (!isMeasured(event)) return;
  const subject = { organizationId, agentId: event.agentId, agentVersion, environment };
  measureEvent(findMeasures(activity, subject, event.timestamp), event, sign);
}

/** Where a conversation begins: for each version and environment the time of the first event. */
type Beginnings = Map<string, number>;

const toPair = (version: string, environment: string): string =>
  JSON.stringify([version, environment]);

const FIND_BEGINNINGS = createStatement((values: { readonly key: string }) =>
  db
    .selectFrom("appearance")
    .select(["agent_version as version", "environment"])
    .select(({ fn }) => fn.min<number>("first_at").as("firstAt"))
    .where("conversation_key", "=", values.key)
    .groupBy(["environment", "agent_version"]),
);

function* findBeginnings(database: SqlDatabase, key: string): Steps<Beginnings> {
  const rows = yield* FIND_BEGINNINGS.rows(database, { key });
  return new Map(
    rows.map(({ version, environment, firstAt }) => [toPair(version, environment), firstAt]),
  );
}

/** Where conversations begin, by their key; a new one has none. */
export type AllBeginnings = ReadonlyMap<string, Beginnings>;

/** Reads where conversations begin. */
export function* readBeginnings(
  database: SqlDatabase,
  keys: Iterable<string>,
): Steps<AllBeginnings> {
  const all = new Map<string, Beginnings>();
  for (const key of keys) all.set(key, yield* findBeginnings(database, key));
  return all;
}

/** Returns where conversations begin once further appearances are merged. */
export function withAppearances(before: AllBeginnings, appearances: Appearances): AllBeginnings {
  const after = new Map([...before].map(([key, known]) => [key, new Map(known)]));
  for (const { key, facts, firstAt } of appearances.values()) {
    const beginnings = after.get(key) ?? new Map<string, number>();
    const pair = toPair(facts.agentVersion, facts.environment);
    after.set(key, beginnings.set(pair, Math.min(beginnings.get(pair) ?? Infinity, firstAt)));
  }
  return after;
}

/** Adds the conversations of an agent to the counts, or takes them out again. */
export function addConversation(
  activity: Activity,
  { organizationId, agentId }: Pick<Subject, "organizationId" | "agentId">,
  beginnings: Beginnings | undefined,
  sign: 1 | -1 = 1,
): void {
  for (const [pair, at] of beginnings ?? []) {
    const [agentVersion = "", environment = ""] = JSON.parse(pair) as string[];
    const subject = { organizationId, agentId, agentVersion, environment };
    findMeasures(activity, subject, at).conversations += sign;
  }
}

/** The columns of an activity's row that are sums. */
export const MEASURE_COLUMNS = [
  "answers",
  "alarms",
  "requires_review",
  "input_tokens",
  "output_tokens",
  "cost_nanos",
  "costed",
  "errors",
  "tool_calls",
  "tool_results",
  "failed_calls",
  "conversations",
] as const;

/** The columns of the classes of latencies. */
export const LATENCY_COLUMNS = Array.from(
  { length: LATENCY_CLASSES },
  (_, index) => `latency_${index}` as LatencyColumn,
);

const SUM_COLUMNS = [...MEASURE_COLUMNS, ...LATENCY_COLUMNS];
type Sums = Record<(typeof SUM_COLUMNS)[number], number>;

const pick = <Name extends string, Value>(
  names: readonly Name[],
  of: (name: Name) => Value,
): Record<Name, Value> =>
  Object.fromEntries(names.map((name) => [name, of(name)])) as Record<Name, Value>;

type RowValues = Sums & Subject & { width: Width; at: number };

function toRow({ subject, hour, measures }: Addition): RowValues {
  const row = {
    width: HOUR as Width,
    at: hour,
    organizationId: subject.organizationId,
    agentId: subject.agentId,
    agentVersion: subject.agentVersion,
    environment: subject.environment,
    answers: measures.answers,
    alarms: measures.alarms,
    requires_review: measures.requiresReview,
    input_tokens: measures.inputTokens,
    output_tokens: measures.outputTokens,
    cost_nanos: measures.costNanos,
    costed: measures.costed,
    errors: measures.errors,
    tool_calls: measures.toolCalls,
    tool_results: measures.toolResults,
    failed_calls: measures.failedCalls,
    conversations: measures.conversations,
  } as RowValues;
  for (const [index, column] of LATENCY_COLUMNS.entries())
    row[column] = measures.latencies[index] ?? 0;
  return row;
}

const ADD = createStatement((values: RowValues) =>
  db
    .insertInto("activity")
    .values({
      width: values.width,
      at: values.at,
      organization_id: values.organizationId,
      agent_id: values.agentId,
      agent_version: values.agentVersion,
      environment: values.environment,
      ...pick(SUM_COLUMNS, (name) => values[name]),
    })
    .onConflict((conflict) =>
      conflict
        .columns(["width", "at", "agent_id", "agent_version", "environment", "organization_id"])
        .doUpdateSet((eb) =>
          pick(SUM_COLUMNS, (name) => eb(`activity.${name}`, "+", eb.ref(`excluded.${name}`))),
        ),
    ),
);

/** Sums rows of hours by their day. */
function sumDays(hours: readonly RowValues[]): RowValues[] {
  const days = new Map<string, RowValues>();
  for (const hour of hours) {
    const { organizationId, agentId, agentVersion, environment } = hour;
    const at = toBucket(hour.at, DAY);
    const id = `${at}\n${agentId}\n${agentVersion}\n${environment}\n${organizationId}`;
    const day = days.get(id);
    if (day) for (const name of SUM_COLUMNS) day[name] += hour[name];
    else days.set(id, { ...hour, width: DAY, at });
  }
  return [...days.values()];
}

/** Stores what was added to the counts. In the transaction of the events. */
export function* saveActivity(database: Transaction, activity: Activity): Steps<void> {
  const hours = Array.from(activity.values(), toRow);
  yield* changeAll(database, ADD, hours);
  yield* changeAll(database, ADD, sumDays(hours));
}
