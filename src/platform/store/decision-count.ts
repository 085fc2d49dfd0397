import { toBucket, type Width, WIDTHS } from "../insight/period.ts";
import { createStatement, db, type RowOf } from "./query.ts";
import type { Transaction } from "./sql-database.ts";
import type { Steps } from "../turns.ts";

/** A decision about a finding. */
interface CountedDecision {
  readonly organizationId: string;
  /** Key of the conversation. */
  readonly key: string;
  readonly findingId: string;
}

// The decision and the one that it takes back.
const LAST_TWO = createStatement((values: CountedDecision) =>
  db
    .selectFrom("disposition")
    .select(["at", "disposition"])
    .where("conversation_key", "=", values.key)
    .where("finding_id", "=", values.findingId)
    .where("organization_id", "=", values.organizationId)
    .orderBy("seq", "desc")
    .limit(2),
);

const FIND = createStatement((values: CountedDecision) =>
  db
    .selectFrom("finding")
    .select([
      "rule",
      "agent_id as agentId",
      "agent_version as agentVersion",
      "environment",
      "organization_id as organizationId",
    ])
    .where("id", "=", values.findingId)
    .where("organization_id", "=", values.organizationId),
);

type Values = RowOf<typeof FIND> & {
  readonly width: Width;
  readonly at: number;
  readonly disposition: string;
  readonly findings: 1 | -1;
};

const ADD = createStatement((values: Values) =>
  db
    .insertInto("decision_count")
    .values({
      width: values.width,
      at: values.at,
      organization_id: values.organizationId,
      agent_id: values.agentId,
      agent_version: values.agentVersion,
      environment: values.environment,
      rule: values.rule,
      disposition: values.disposition,
      findings: values.findings,
    })
    .onConflict((conflict) =>
      conflict
        .columns([
          "width",
          "at",
          "agent_id",
          "agent_version",
          "environment",
          "rule",
          "disposition",
          "organization_id",
        ])
        .doUpdateSet((eb) => ({
          findings: eb("decision_count.findings", "+", eb.ref("excluded.findings")),
        })),
    ),
);

/** Counts a decision that was stored as the last one about its finding. In its transaction. */
export function* countDecision(database: Transaction, decision: CountedDecision): Steps<void> {
  const [finding] = yield* FIND.rows(database, decision);
  if (!finding) return;
  for (const [index, { at, disposition }] of (yield* LAST_TWO.rows(database, decision)).entries())
    for (const width of WIDTHS)
      yield* ADD.send(database, {
        ...finding,
        width,
        at: toBucket(at, width),
        disposition,
        findings: index === 0 ? 1 : -1,
      });
}
