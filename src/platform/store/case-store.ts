import type { DetailedEvent } from "../../events/detailed-event.ts";
import { type DecidedAnswer, toCase, toCaseLabel } from "../quality/case.ts";
import type { Period } from "../quality/period.ts";
import { listEventsOf } from "./event-store.ts";
import { listFindings, type StoredFinding } from "./finding-store.ts";
import { db, readRows } from "./query.ts";
import { listSampledAnswers } from "./sampled-answers.ts";
import type { SqlDatabase } from "./sql-database.ts";
import { type Steps, followSteps } from "../turns.ts";

/** Filter of cases; an absent member matches all. */
export interface CaseFilter extends Period {
  readonly agentId?: string | undefined;
  readonly rule?: string | undefined;
}

const CHUNK = 100;

/** Yields the keys of conversations in which something was decided. */
async function* listDecided(database: SqlDatabase): AsyncGenerator<string> {
  for (let after = ""; ;) {
    const query = db
      .selectFrom("disposition")
      .select("conversation_key as key")
      .distinct()
      .where("conversation_key", ">", after)
      .where("finding_id", "!=", "")
      .orderBy("conversation_key")
      .limit(CHUNK);
    const rows = await followSteps(readRows(database, query));
    for (const { key } of rows) yield key;
    if (rows.length < CHUNK) return;
    after = rows.at(-1)?.key ?? after;
  }
}

function groupByAnswer(findings: readonly StoredFinding[]): Map<string, StoredFinding[]> {
  const groups = new Map<string, StoredFinding[]>();
  for (const finding of findings)
    groups.set(finding.answerId, [...(groups.get(finding.answerId) ?? []), finding]);
  return groups;
}

/** Reads what was decided about the answers of a conversation, by their events. */
function* readDecided(
  database: SqlDatabase,
  key: string,
): Steps<{ readonly decided: Map<string, DecidedAnswer>; readonly flagged: ReadonlySet<string> }> {
  const findings = yield* listFindings(database, key);
  const byAnswer = groupByAnswer(findings);
  const decided = new Map<string, DecidedAnswer>();
  for (const [eventId, ofAnswer] of byAnswer) {
    const decisions = ofAnswer.map(({ rule, category, decision }) => ({
      rule,
      category,
      disposition: decision?.disposition ?? null,
    }));
    decided.set(eventId, { eventId, findings: decisions, sampled: null });
  }
  for (const { eventId, decision } of yield* listSampledAnswers(database, key, findings)) {
    const known = decided.get(eventId) ?? { eventId, findings: [], sampled: null };
    decided.set(eventId, { ...known, sampled: decision?.disposition ?? null });
  }
  return { decided, flagged: new Set(byAnswer.keys()) };
}

const PAGE = 500;

async function* listEvents(database: SqlDatabase, key: string): AsyncGenerator<DetailedEvent> {
  for (let offset = 0; ;) {
    const page = { limit: PAGE, offset };
    const { rows, hasMore } = await followSteps(listEventsOf(database, key, page));
    for (const { json } of rows) yield JSON.parse(json) as DetailedEvent;
    if (!hasMore) return;
    offset += rows.length;
  }
}

/** Events before an answer that a case has at most. */
const MAX_BEFORE = 40;

function isWanted(
  event: DetailedEvent,
  { findings }: DecidedAnswer,
  { from, to, agentId, rule }: CaseFilter,
): boolean {
  const isInPeriod = event.timestamp >= from && event.timestamp < to;
  const isOfAgent = agentId === undefined || event.agentId === agentId;
  return (
    isInPeriod && isOfAgent && (rule === undefined || findings.some((one) => one.rule === rule))
  );
}

async function* listCasesOf(
  database: SqlDatabase,
  key: string,
  filter: CaseFilter,
): AsyncGenerator<object> {
  const { decided, flagged } = await followSteps(readDecided(database, key));
  let before: DetailedEvent[] = [];
  for await (const event of listEvents(database, key)) {
    const decision = decided.get(event.eventId);
    if (
      event.interactionType === "agent_response" &&
      decision &&
      isWanted(event, decision, filter)
    ) {
      const label = toCaseLabel(decision);
      if (label) yield toCase(event, before, label);
    }
    // What was found in an earlier answer would be found again, and is not what the label is about.
    before = flagged.has(event.eventId) ? [] : [...before.slice(1 - MAX_BEFORE), event];
  }
}

/** Yields the answers about which people have decided, as labelled cases. One conversation at a time is in memory. */
export async function* listCases(
  database: SqlDatabase,
  filter: CaseFilter,
): AsyncGenerator<object> {
  for await (const key of listDecided(database)) yield* listCasesOf(database, key, filter);
}
