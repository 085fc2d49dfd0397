import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import { matchesSelector, type Selector } from "../records/legal-hold.ts";
import { db, readRows } from "./query.ts";
import { toSelectorFacts } from "./retention-store.ts";
import type { SqlDatabase } from "./sql-database.ts";
import type { Tables } from "./tables.ts";
import type { Steps } from "../turns.ts";

const SELECT = db
  .selectFrom("conversation")
  .select([
    "seq",
    "key",
    "organization_id as organizationId",
    "agent_id as agentId",
    "started_at as startedAt",
    "last_at as lastAt",
  ])
  .orderBy("seq");

function toConditions(
  eb: ExpressionBuilder<Tables, "conversation">,
  { organization, agent, conversation, from, to }: Selector,
): Expression<SqlBool>[] {
  return [
    ...(organization === undefined ? [] : [eb("organization_id", "=", organization)]),
    ...(agent === undefined ? [] : [eb("agent_id", "=", agent)]),
    ...(conversation === undefined ? [] : [eb("key", "=", conversation)]),
    ...(from === undefined ? [] : [eb("last_at", ">=", from)]),
    ...(to === undefined ? [] : [eb("started_at", "<=", to)]),
  ];
}

/** A part of the conversations that a selector means. */
export interface SelectedPart {
  readonly keys: readonly string[];
  /** Order of arrival behind which the next part begins; `undefined` behind the last one. */
  readonly next: number | undefined;
}

const CHUNK = 100;

/** Finds the next conversations that a selector means, in order of arrival; there may be none in a part that has a next one. */
export function* selectPart(
  database: SqlDatabase,
  selector: Selector,
  after: number,
): Steps<SelectedPart> {
  const rows = yield* readRows(
    database,
    SELECT.where("seq", ">", after)
      .where((eb) => eb.and(toConditions(eb, selector)))
      .limit(CHUNK),
  );
  const keys: string[] = [];
  for (const row of rows)
    if (yield* matchesSelector(selector, yield* toSelectorFacts(database, row))) keys.push(row.key);
  return { keys, next: rows.length < CHUNK ? undefined : rows.at(-1)?.seq };
}
