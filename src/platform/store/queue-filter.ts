import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import type { JudgedTier } from "../../events/judge-result.ts";
import type { ReviewOrigin, ReviewState } from "../review/review-item.ts";
import type { Disposition } from "../review/review-policy.ts";
import { TIERS } from "./review-store.ts";
import { SEVERITIES, type MaxSeverity } from "../severities.ts";
import type { Tables } from "./tables.ts";

/** Filter of the queue; an absent member matches all. */
export interface QueueFilter {
  /** @defaultValue every one but `closed` */
  readonly state?: ReviewState | "any" | undefined;
  readonly assignee?: string | undefined;
  readonly origin?: ReviewOrigin | undefined;
  readonly disposition?: Disposition | undefined;
  readonly tier?: JudgedTier | undefined;
  readonly minSeverity?: MaxSeverity | undefined;
  readonly minRisk?: number | undefined;
  readonly onlyOverdue?: boolean | undefined;
  readonly agentId?: string | undefined;
  readonly rule?: string | undefined;
  readonly category?: string | undefined;
  readonly version?: string | undefined;
  readonly environment?: string | undefined;
}

/** Writes conditions on an item and its conversation. */
export type QueueBuilder = ExpressionBuilder<Tables, "review_item" | "conversation">;
/** Writes conditions on an item alone. */
export type ItemBuilder = ExpressionBuilder<Tables, "review_item">;

function isClaimed(eb: ItemBuilder, now: number): Expression<SqlBool> {
  return eb.and([
    eb("review_item.queue", "!=", "closed"),
    eb("review_item.assignee", "is not", null),
    eb.or([
      eb("review_item.claim_expires_at", "is", null),
      eb("review_item.claim_expires_at", ">", now),
    ]),
  ]);
}

/** Matches items in a state. */
export function isInState(eb: ItemBuilder, state: ReviewState, now: number): Expression<SqlBool> {
  if (state === "claimed") return isClaimed(eb, now);
  return eb.and([eb("review_item.queue", "=", state), eb.not(isClaimed(eb, now))]);
}

/** Matches items that somebody works on. */
export function isAssignedTo(eb: ItemBuilder, name: string, now: number): Expression<SqlBool> {
  return eb.and([eb("review_item.assignee", "=", name), isClaimed(eb, now)]);
}

/** Matches items with a finding of a rule, a category, a version and an environment: all of it said of one finding. */
function hasFinding(eb: ItemBuilder, filter: QueueFilter): Expression<SqlBool> | undefined {
  const { rule, category, version, environment } = filter;
  const wanted = { rule, category, agent_version: version, environment };
  const names = ["rule", "category", "agent_version", "environment"] as const;
  const wantedNames = names.filter((name) => wanted[name] !== undefined);
  if (wantedNames.length === 0) return undefined;
  let found = eb.selectFrom("finding").select("finding.conversation_key");
  for (const name of wantedNames) found = found.where(`finding.${name}`, "=", wanted[name] ?? "");
  // Looked up once where there is an index of them: asked for each item, SQLite would read all findings of the rule each time.
  if (rule !== undefined || category !== undefined) return eb("review_item.key", "in", found);
  return eb.exists(found.whereRef("finding.conversation_key", "=", "review_item.key"));
}

/** Writes the condition of a member of the filter; none where it is absent. */
function given<Value>(
  value: Value | undefined,
  write: (value: Value) => Expression<SqlBool>,
): Expression<SqlBool>[] {
  return value === undefined ? [] : [write(value)];
}

function isDue(eb: ItemBuilder, now: number): Expression<SqlBool> {
  return eb.and([eb("review_item.due_at", "<", now), eb("review_item.queue", "!=", "closed")]);
}

/** Returns the conditions of a filter on an item: all but its agent, which its conversation has. */
export function listItemConditions(
  eb: ItemBuilder,
  filter: QueueFilter,
  now: number,
): Expression<SqlBool>[] {
  const { state = "todo" } = filter;
  const found = hasFinding(eb, filter);
  return [
    ...(state === "todo" ? [eb("review_item.queue", "!=", "closed")] : []),
    ...(state === "todo" || state === "any" ? [] : [isInState(eb, state, now)]),
    ...given(filter.assignee, (name) => isAssignedTo(eb, name, now)),
    ...given(filter.origin, (origin) => eb("review_item.origin", "=", origin)),
    ...given(filter.disposition, (value) => eb("review_item.disposition", "=", value)),
    ...given(filter.tier, (tier) => eb("review_item.tier", "=", TIERS.indexOf(tier))),
    ...given(filter.minSeverity, (least) =>
      eb("review_item.severity", ">=", SEVERITIES.indexOf(least)),
    ),
    ...given(filter.minRisk, (least) => eb("review_item.risk_score", ">=", least)),
    ...(filter.onlyOverdue === true ? [isDue(eb, now)] : []),
    ...(found ? [found] : []),
  ];
}

/** Returns the conditions of a filter. */
export function listConditions(
  eb: QueueBuilder,
  filter: QueueFilter,
  now: number,
): Expression<SqlBool>[] {
  return [
    ...given(filter.agentId, (agentId) => eb("conversation.agent_id", "=", agentId)),
    ...listItemConditions(eb, filter, now),
  ];
}
