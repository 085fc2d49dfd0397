import { createHash } from "node:crypto";
import type { AgentResponseEvent, DetailedEvent } from "../../events/detailed-event.ts";
import { readJudgeResult } from "../../events/judge-result.ts";
import { readEventVerdict } from "../../events/late-finding.ts";
import { cutString } from "../../util/cut-string.ts";
import { SEVERITY_RANKS } from "../severities.ts";
import type { Steps } from "../turns.ts";
import { type Appearances, addAppearance, mergeAppearances, readFacts } from "./appearances.ts";
import { EVENT_WITH_BODY } from "./event-store.ts";
import { changeAll } from "./change-all.ts";
import { change, createStatement, db, greatest, least } from "./query.ts";
import type { Transaction } from "./sql-database.ts";

const MAX_TITLE_LENGTH = 160;

/** Columns of the list of conversations; merged with the stored ones. */
export interface ConversationSummary {
  readonly key: string;
  readonly organizationId: string;
  readonly agentId: string;
  readonly conversationId: string;
  /** First user message, cut to one line. */
  title: string | null;
  titleAt: number | null;
  eventCount: number;
  findingCount: number;
  maxSeverity: number;
  maxRiskScore: number | null;
  requiresReview: boolean;
  startedAt: number;
  lastAt: number;
}

/** Returns the columns that events change. */
function toColumns(summary: ConversationSummary) {
  return {
    title: summary.title,
    title_at: summary.titleAt,
    event_count: summary.eventCount,
    finding_count: summary.findingCount,
    max_severity: summary.maxSeverity,
    max_risk_score: summary.maxRiskScore,
    requires_review: summary.requiresReview ? 1 : 0,
    started_at: summary.startedAt,
    last_at: summary.lastAt,
  };
}

/** Returns the key of a conversation as one token that fits into a URL. */
export function toConversationKey(organizationId: string, event: DetailedEvent): string {
  const identity = [organizationId, event.agentId, event.conversationId ?? event.sessionId];
  return createHash("sha256").update(JSON.stringify(identity)).digest("base64url").slice(0, 22);
}

/** Creates a function that returns the key of an event's conversation; each is computed once. */
export function createKeyFinder(organizationId: string): (event: DetailedEvent) => string {
  const known = new Map<string, string>();
  return (event) => {
    // Neither has a line break.
    const id = `${event.agentId}\n${event.conversationId ?? event.sessionId}`;
    const key = known.get(id) ?? toConversationKey(organizationId, event);
    known.set(id, key);
    return key;
  };
}

// A title is one line, and SQLite would end it at NUL.
// oxlint-disable-next-line no-control-regex -- control characters are what this looks for
const SPACES_AND_CONTROLS = /[\u0000-\u001f\u007f\s]+/g;

function toTitle(content: string): string {
  const start = content.slice(0, 4 * MAX_TITLE_LENGTH);
  return cutString(start.replaceAll(SPACES_AND_CONTROLS, " ").trim(), MAX_TITLE_LENGTH);
}

function addFinding(summary: ConversationSummary, severity: string): void {
  summary.findingCount++;
  summary.maxSeverity = Math.max(summary.maxSeverity, SEVERITY_RANKS[severity] ?? 0);
}

function addVerdict(
  summary: ConversationSummary,
  { riskScore, requiresReview }: Pick<AgentResponseEvent, "riskScore" | "requiresReview">,
): void {
  if (riskScore !== undefined)
    summary.maxRiskScore = Math.max(summary.maxRiskScore ?? 0, riskScore);
  summary.requiresReview ||= requiresReview === true;
}

/** Starts a summary without events. */
export function createSummary(
  key: string,
  organizationId: string,
  event: DetailedEvent,
): ConversationSummary {
  return {
    key,
    organizationId,
    agentId: event.agentId,
    conversationId: event.conversationId ?? event.sessionId,
    title: null,
    titleAt: null,
    eventCount: 0,
    findingCount: 0,
    maxSeverity: 0,
    maxRiskScore: null,
    requiresReview: false,
    startedAt: event.timestamp,
    lastAt: event.timestamp,
  };
}

/** Adds an event to a summary. */
export function addToSummary(summary: ConversationSummary, event: DetailedEvent): void {
  summary.eventCount++;
  summary.startedAt = Math.min(summary.startedAt, event.timestamp);
  summary.lastAt = Math.max(summary.lastAt, event.timestamp);
  switch (event.interactionType) {
    case "user_message":
      if (summary.titleAt === null || event.timestamp < summary.titleAt) {
        summary.title = toTitle(event.content);
        summary.titleAt = event.timestamp;
      }
      break;
    case "agent_response":
      for (const flag of event.complianceFlags ?? []) addFinding(summary, flag.severity);
      addVerdict(summary, event);
      break;
    case "compliance_violation":
      // An opinion restates a finding that was counted with its answer.
      if (readJudgeResult(event)?.isOpinion !== true) addFinding(summary, event.severity);
      addVerdict(summary, readEventVerdict(event));
      break;
    default:
  }
}

type ConversationValues = Pick<
  ConversationSummary,
  "agentId" | "conversationId" | "key" | "organizationId"
> &
  ReturnType<typeof toColumns>;

const MERGE_CONVERSATION = createStatement((values: ConversationValues) =>
  db
    .insertInto("conversation")
    .values({
      key: values.key,
      organization_id: values.organizationId,
      agent_id: values.agentId,
      conversation_id: values.conversationId,
      title: values.title,
      title_at: values.title_at,
      event_count: values.event_count,
      finding_count: values.finding_count,
      max_severity: values.max_severity,
      max_risk_score: values.max_risk_score,
      requires_review: values.requires_review,
      started_at: values.started_at,
      last_at: values.last_at,
    })
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet((eb) => {
        const isTitle = eb.or([
          eb("conversation.title_at", "is", null),
          eb("excluded.title_at", "<", eb.ref("conversation.title_at")),
        ]);
        const title = eb.case().when(isTitle).then(eb.ref("excluded.title"));
        const titleAt = eb.case().when(isTitle).then(eb.ref("excluded.title_at"));
        return {
          title: title.else(eb.ref("conversation.title")).end(),
          title_at: titleAt.else(eb.ref("conversation.title_at")).end(),
          event_count: eb("conversation.event_count", "+", eb.ref("excluded.event_count")),
          finding_count: eb("conversation.finding_count", "+", eb.ref("excluded.finding_count")),
          max_severity: greatest(
            eb.ref("conversation.max_severity"),
            eb.ref("excluded.max_severity"),
          ),
          max_risk_score: greatest(
            eb.fn.coalesce("conversation.max_risk_score", "excluded.max_risk_score"),
            eb.fn.coalesce("excluded.max_risk_score", "conversation.max_risk_score"),
          ),
          requires_review: greatest(
            eb.ref("conversation.requires_review"),
            eb.ref("excluded.requires_review"),
          ),
          started_at: least(eb.ref("conversation.started_at"), eb.ref("excluded.started_at")),
          last_at: greatest(eb.ref("conversation.last_at"), eb.ref("excluded.last_at")),
        };
      }),
    ),
);

/** Adds the events of a summary to the stored ones of its conversation. */
export function mergeConversations(
  database: Transaction,
  summaries: Iterable<ConversationSummary>,
): Steps<void> {
  const rows = Array.from(summaries, (summary) => {
    const { key, organizationId, agentId, conversationId } = summary;
    return { key, organizationId, agentId, conversationId, ...toColumns(summary) };
  });
  return changeAll(database, MERGE_CONVERSATION, rows);
}

const CHUNK = 100;

const READ = createStatement((values: { key: string; after: number }) =>
  EVENT_WITH_BODY.select(["event.seq", "agent_name as agentName", "body.json"])
    .where("conversation_key", "=", values.key)
    .where("event.seq", ">", values.after)
    .orderBy("event.seq")
    .limit(CHUNK),
);

/**
 * Computes a conversation's summary anew from its events: the contribution of a replaced copy
 * can't be subtracted.
 *
 * @param summary - Summary of the conversation, without events.
 */
export function* summariseAgain(database: Transaction, summary: ConversationSummary): Steps<void> {
  const { key } = summary;
  const appearances: Appearances = new Map();
  let after = 0;
  let isFirst = true;
  for (;;) {
    const rows = yield* READ.rows(database, { key, after });
    for (const { seq, agentName, json } of rows) {
      yield;
      const event = JSON.parse(json) as DetailedEvent;
      if (isFirst) summary.startedAt = summary.lastAt = event.timestamp;
      isFirst = false;
      addToSummary(summary, event);
      addAppearance(appearances, key, readFacts(event, agentName), event.timestamp);
      after = seq;
    }
    if (rows.length < CHUNK) break;
  }
  const columns = toColumns(summary);
  yield* change(database, db.updateTable("conversation").set(columns).where("key", "=", key));
  yield* change(database, db.deleteFrom("appearance").where("conversation_key", "=", key));
  yield* mergeAppearances(database, appearances);
}
