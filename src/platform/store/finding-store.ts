import type { DetailedEvent } from "../../events/detailed-event.ts";
import {
  readFindings,
  type Finding,
  type FindingOrigin,
  type Opinion,
} from "../review/findings.ts";
import type { Disposition } from "../review/review-policy.ts";
import type { Facts } from "./appearances.ts";
import { createStatement, db, readRows } from "./query.ts";
import type { SqlDatabase } from "./sql-database.ts";
import { SEVERITIES, type MaxSeverity } from "../severities.ts";

/** Where a finding has come from. */
export interface FindingSource {
  readonly organizationId: string;
  /** Key of the conversation. */
  readonly key: string;
  readonly event: DetailedEvent;
  readonly facts: Facts;
}

type Row = Omit<Finding, "answerId" | "ruleVersion" | "packVersion"> & {
  readonly organizationId: string;
  readonly key: string;
  readonly eventId: string;
  readonly answerId: string;
  readonly ruleVersion: string;
  readonly packVersion: string;
  readonly at: number;
  readonly environment: string;
  readonly agentId: string;
  readonly agentVersion: string;
};

// A fuller copy of an event has the findings of the thinner one.
const PUT = createStatement((row: Row) =>
  db
    .insertInto("finding")
    .values({
      id: row.id,
      organization_id: row.organizationId,
      conversation_key: row.key,
      event_id: row.eventId,
      answer_id: row.answerId,
      at: row.at,
      rule: row.rule,
      category: row.category,
      severity: row.severity,
      description: row.description,
      quote: row.quote,
      confidence: row.confidence,
      pattern: row.pattern,
      rule_version: row.ruleVersion,
      pack_version: row.packVersion,
      origin: row.origin,
      tier: row.tier,
      offence: row.offence,
      environment: row.environment,
      agent_id: row.agentId,
      agent_version: row.agentVersion,
    })
    .onConflict((conflict) => conflict.columns(["id", "organization_id"]).doNothing()),
);

const JUDGE = createStatement((given: Opinion & { readonly organizationId: string }) =>
  db
    .updateTable("finding")
    .set({ tier: given.tier })
    .where("id", "=", given.findingId)
    .where("organization_id", "=", given.organizationId),
);

/** What was new in an event. */
export interface NewFindings {
  /** Who has found or said it last; `undefined` where nothing is new. */
  readonly origin: FindingOrigin | undefined;
  readonly findings: readonly Finding[];
}

/** Stores what an event has found, and what the judge says in it. In a transaction. */
export function putFindings(database: SqlDatabase, source: FindingSource): NewFindings {
  const { organizationId, key, event, facts } = source;
  const { findings, opinion } = readFindings(event);
  const shared = {
    organizationId,
    key,
    eventId: event.eventId,
    at: event.timestamp,
    environment: facts.environment,
    agentId: event.agentId,
    agentVersion: facts.agentVersion,
  };
  const added = findings.filter((finding) => PUT.change(database, { ...finding, ...shared }) > 0);
  const isJudged = opinion && JUDGE.change(database, { ...opinion, organizationId }) > 0;
  return { origin: isJudged ? "judge" : added[0]?.origin, findings: added };
}

/** A decision about a finding. */
export interface Decision {
  readonly disposition: Disposition;
  readonly reasonCode: string | null;
  readonly comment: string | null;
  readonly actor: string;
  readonly at: number;
}

/** A finding as the queue shows it. */
export interface StoredFinding extends Omit<Finding, "severity"> {
  readonly eventId: string;
  readonly at: number;
  readonly severity: MaxSeverity;
  readonly environment: string;
  readonly agentVersion: string;
  /** What was decided last. */
  readonly decision: Decision | null;
}

const MAX_FINDINGS = 1000;

const DECISIONS = createStatement((given: { readonly key: string }) =>
  db
    .selectFrom("disposition")
    .select([
      "finding_id as findingId",
      "disposition",
      "reason_code as reasonCode",
      "comment",
      "actor",
      "at",
    ])
    .where("conversation_key", "=", given.key)
    .where("finding_id", "!=", "")
    .orderBy("seq"),
);

/** Lists a conversation's findings in order of time, each with what was decided about it last. */
export function listFindings(database: SqlDatabase, key: string): StoredFinding[] {
  const decisions = new Map(
    DECISIONS.rows(database, { key }).map(({ findingId, ...decision }) => [
      findingId,
      { ...decision, disposition: decision.disposition as Disposition },
    ]),
  );
  const rows = readRows(
    database,
    db
      .selectFrom("finding")
      .select([
        "id",
        "event_id as eventId",
        "answer_id as answerId",
        "at",
        "rule",
        "category",
        "severity",
        "description",
        "quote",
        "confidence",
        "pattern",
        "rule_version as ruleVersion",
        "pack_version as packVersion",
        "origin",
        "tier",
        "offence",
        "environment",
        "agent_version as agentVersion",
      ])
      .where("conversation_key", "=", key)
      .orderBy("at")
      .orderBy("seq")
      .limit(MAX_FINDINGS),
  );
  return rows.map(({ origin, tier, severity, ...row }) => ({
    ...row,
    origin: origin as Finding["origin"],
    tier: tier as Finding["tier"],
    severity: SEVERITIES[severity] ?? "none",
    decision: decisions.get(row.id) ?? null,
  }));
}
