import { environmentSchema } from "../events/base-event.ts";
import { complianceCategorySchema } from "../events/compliance.ts";
import {
  BEFORE,
  choiceMember,
  CURSOR,
  LIST_LIMIT,
  RISK,
  searchMember,
  textMember,
} from "./read-query.ts";
import { DISPOSITIONS } from "./review/review-policy.ts";
import { REVIEW_ORIGINS, REVIEW_STATES } from "./review/review-item.ts";
import { QUEUE_ORDERS } from "./review/queue-orders.ts";
import { SEVERITIES } from "./severities.ts";

/** Members of the query of the queue. */
export const QUEUE_QUERY = {
  limit: LIST_LIMIT,
  after: CURSOR,
  order: choiceMember(QUEUE_ORDERS),
  state: choiceMember([...REVIEW_STATES, "any"]),
  assignee: textMember,
  origin: choiceMember(REVIEW_ORIGINS),
  disposition: choiceMember(DISPOSITIONS),
  tier: choiceMember(["confirmed", "contradicted"]),
  severity: choiceMember(SEVERITIES),
  risk: RISK,
  overdue: choiceMember(["true", "false"]),
  agent: textMember,
  rule: textMember,
  category: choiceMember(complianceCategorySchema.options),
  version: textMember,
  environment: choiceMember(environmentSchema.options),
  q: searchMember,
  customer: textMember,
  channel: textMember,
  model: textMember,
  tool: textMember,
  error: choiceMember(["true", "call"]),
};

/** Members of the query of the audit trail. */
export const AUDIT_QUERY = {
  limit: LIST_LIMIT,
  before: BEFORE,
  subject: textMember,
  actor: textMember,
  action: textMember,
};
