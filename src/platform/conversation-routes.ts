import type { Context } from "hono";
import { environmentSchema } from "../events/base-event.ts";
import { complianceCategorySchema } from "../events/compliance.ts";
import type { PlatformContext } from "./platform-context.ts";
import { ProblemError } from "./problem.ts";
import {
  choiceMember,
  CURSOR,
  formatCursor,
  LIST_LIMIT,
  type Query,
  RISK,
  searchMember,
  textMember,
  timeMember,
} from "./read-query.ts";
import { REVIEW_STATES } from "./review/review-item.ts";
import { SEVERITIES } from "./severities.ts";
import { countConversations } from "./store/conversation-counts.ts";
import type { ConversationFilter } from "./store/conversation-filter.ts";
import { CONVERSATION_ORDERS, isCursorOf, listConversations } from "./store/conversation-search.ts";
import type { Steps } from "./turns.ts";

/** Members of the filter of conversations. */
export const CONVERSATION_FILTER = {
  q: searchMember,
  from: timeMember,
  to: timeMember,
  agent: textMember,
  version: textMember,
  environment: choiceMember(environmentSchema.options),
  customer: textMember,
  channel: textMember,
  model: textMember,
  tool: textMember,
  error: choiceMember(["true", "call"]),
  rule: textMember,
  category: choiceMember(complianceCategorySchema.options),
  severity: choiceMember(SEVERITIES),
  risk: RISK,
  review: choiceMember(["true", "false"]),
  state: choiceMember(REVIEW_STATES),
  assignee: textMember,
};

/** Members of the query of the list. */
export const CONVERSATIONS_QUERY = {
  limit: LIST_LIMIT,
  before: CURSOR,
  order: choiceMember(CONVERSATION_ORDERS),
  ...CONVERSATION_FILTER,
};

function toFilter({
  agent,
  severity,
  risk,
  review,
  ...rest
}: Query<typeof CONVERSATION_FILTER>): ConversationFilter {
  return {
    ...rest,
    agentId: agent,
    minSeverity: severity,
    minRisk: risk,
    onlyReview: review === "true",
  };
}

/** Lists conversations: `GET /api/conversations`. */
export function* answerConversations(
  { store, options }: PlatformContext,
  context: Context,
  { limit, before: after, order = "time", ...given }: Query<typeof CONVERSATIONS_QUERY>,
): Steps<Response> {
  if (after && !isCursorOf(order, after))
    throw new ProblemError("invalid_query", "the query's before must be of the same order");
  const page = { filter: toFilter(given), order, after, limit, now: options.clock.now() };
  const { conversations, next } = yield* listConversations(store.database, page);
  return context.json({ conversations, next: formatCursor(next) });
}

/** Counts conversations: `GET /api/conversations/counts`. */
export function* answerCounts(
  { store, options }: PlatformContext,
  context: Context,
  given: Query<typeof CONVERSATION_FILTER>,
): Steps<Response> {
  const now = options.clock.now();
  return context.json(yield* countConversations(store.database, toFilter(given), now));
}
