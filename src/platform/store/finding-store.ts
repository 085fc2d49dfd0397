import type { DetailedEvent } from "../../events/detailed-event.ts";
import {
  readFindings,
  type Finding,
  type FindingOrigin,
  type Opinion,
} from "../review/findings.ts";
import type { Disposition } from "../review/review-policy.ts";
import type { Facts } from "./appearances.ts";
import { countFinding } from "./finding-count.ts";
import { createStatement, db, readRows } from "./query.ts";
import type { SqlDatabase, Transaction } from "./sql-database.ts";
import { findSuppression, noteHeldBack } from "./suppression-store.ts";
import { SEVERITIES, type MaxSeverity } from "../severities.ts";
import { type Steps, mapSteps } from "../turns.ts";

/** Where a finding has come from. */
export interface FindingSource {
  readonly organizationId: string;
  /** Key of the conversation. */
  readonly key: string;
  readonly event: DetailedEvent;
  readonly facts: Facts;
  readonly receivedAt: number;
}

type Row = Omit<Finding, "answerId" | "isConfidential" | "ruleVersion" | "packVersion"> & {
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
  readonly suppressedBy: string;
  readonly confidential: 0 | 1;
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
      suppressed_by: row.suppressedBy,
      confidential: row.confidential,
    })
    .onConflict((conflict) => conflict.columns(["id", "organization_id"]).doNothing()),
);

const MARK_SEVERAL = createStatement((about: { readonly key: string; readonly answerId: string }) =>
  db
    .updateTable("finding")
    .set({ of_several: 1 })
    .where("conversation_key", "=", about.key)
    .where("answer_id", "=", about.answerId)
    .where("of_several", "=", 0)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("finding as other")
          .select("other.seq")
          .whereRef("other.conversation_key", "=", "finding.conversation_key")
          .whereRef("other.answer_id", "=", "finding.answer_id")
          .whereRef("other.seq", "!=", "finding.seq"),
      ),
    ),
);

const JUDGE = createStatement((given: Opinion & { readonly organizationId: string }) =>
  db
    .updateTable("finding")
    .set({ tier: given.tier })
    .where("id", "=", given.findingId)
    .where("organization_id", "=", given.organizationId),
);

const FIND_SUPPRESSED = createStatement(
  (given: { readonly findingId: string; readonly organizationId: string }) =>
    db
      .selectFrom("finding")
      .select("suppressed_by as suppressedBy")
      .where("id", "=", given.findingId)
      .where("organization_id", "=", given.organizationId),
);

/** What an event has brought. */
interface PutFindings {
  /** Who has found or said it; `undefined` where nothing is new. */
  readonly origin: FindingOrigin | undefined;
  /** The answer that the findings are about. */
  readonly answerId: string;
  /** The new findings that are not held back. */
  readonly shown: readonly Finding[];
  /** Whether all that it says is held back by suppressions. */
  readonly isHeldBack: boolean;
}

function* putOpinion(
  database: Transaction,
  opinion: Opinion,
  { organizationId, event }: FindingSource,
): Steps<PutFindings> {
  const given = { ...opinion, organizationId };
  const [about] = yield* FIND_SUPPRESSED.rows(database, given);
  return {
    origin: (yield* JUDGE.change(database, given)) > 0 ? "judge" : undefined,
    answerId: event.eventId,
    shown: [],
    isHeldBack: about !== undefined && about.suppressedBy !== "",
  };
}

/** Stores what an event has found, and what the judge says in it. In a transaction. */
export function* putFindings(database: Transaction, source: FindingSource): Steps<PutFindings> {
  const { organizationId, key, event, facts, receivedAt } = source;
  const { findings, opinion } = readFindings(event);
  if (opinion) return yield* putOpinion(database, opinion, source);
  const { agentId, eventId, timestamp: at } = event;
  const { environment, agentVersion } = facts;
  const shared = { organizationId, key, eventId, at, environment, agentId, agentVersion };
  const put = yield* mapSteps(findings, function* (finding) {
    const { rule, quote, isConfidential } = finding;
    const candidate = { organizationId, rule, agentId, quote };
    const suppressedBy = (yield* findSuppression(database, candidate, receivedAt)) ?? "";
    const confidential = isConfidential ? 1 : 0;
    const values = { ...finding, ...shared, suppressedBy, confidential } as const;
    const isNew = (yield* PUT.change(database, values)) > 0;
    if (isNew) yield* countFinding(database, { ...finding, ...shared });
    if (isNew && suppressedBy !== "") yield* noteHeldBack(database, suppressedBy, receivedAt);
    return { finding, isNew, isHeldBack: suppressedBy !== "" };
  });
  const answerId = findings[0]?.answerId ?? eventId;
  const first = put.find(({ isNew }) => isNew);
  if (first) yield* MARK_SEVERAL.send(database, { key, answerId });
  return {
    origin: first?.finding.origin,
    answerId,
    shown: put
      .filter(({ isNew, isHeldBack }) => isNew && !isHeldBack)
      .map(({ finding }) => finding),
    isHeldBack: put.length > 0 && put.every(({ isHeldBack }) => isHeldBack),
  };
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
  /** Id of the suppression that holds it back; `null` for none. */
  readonly suppressedBy: string | null;
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
export function* listFindings(database: SqlDatabase, key: string): Steps<StoredFinding[]> {
  const decisions = new Map(
    (yield* DECISIONS.rows(database, { key })).map(({ findingId, ...decision }) => [
      findingId,
      { ...decision, disposition: decision.disposition as Disposition },
    ]),
  );
  const rows = yield* readRows(
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
        "suppressed_by as suppressedBy",
        "confidential",
      ])
      .where("conversation_key", "=", key)
      .orderBy("at")
      .orderBy("seq")
      .limit(MAX_FINDINGS),
  );
  return rows.map(({ origin, tier, severity, suppressedBy, confidential, ...row }) => ({
    ...row,
    isConfidential: confidential === 1,
    origin: origin as Finding["origin"],
    tier: tier as Finding["tier"],
    severity: SEVERITIES[severity] ?? "none",
    suppressedBy: suppressedBy === "" ? null : suppressedBy,
    decision: decisions.get(row.id) ?? null,
  }));
}
