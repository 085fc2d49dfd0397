import { environmentSchema } from "../events/base-event.ts";
import { complianceCategorySchema } from "../events/compliance.ts";
import { BEFORE, choiceMember, LIST_LIMIT, type QueryMember, textMember } from "./read-query.ts";
import { DISPOSITIONS } from "./review/review-policy.ts";
import { REVIEW_ORIGINS, REVIEW_STATES } from "./review/review-item.ts";
import { QUEUE_ORDERS, type QueueCursor } from "./store/review-queue.ts";
import { SEVERITIES } from "./severities.ts";

function parseCursor(text: string): QueueCursor | undefined {
  if (!/^[\w-]{1,400}$/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(text, "base64url").toString());
    const isCursor =
      Array.isArray(value) &&
      value.length <= 8 &&
      value.every((part) => typeof part === "string" || typeof part === "number");
    return isCursor ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Start of a list's next page, where it is ordered by several values. */
export const AFTER: QueryMember<QueueCursor | undefined> = {
  expected: "`next` of the page before",
  absent: undefined,
  parse: parseCursor,
};

const RISK: QueryMember<number | undefined> = {
  expected: "0 to 100",
  absent: undefined,
  parse(text) {
    const value = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
    return value <= 100 ? value : undefined;
  },
};

/** Members of the query of the queue. */
export const QUEUE_QUERY = {
  limit: LIST_LIMIT,
  after: AFTER,
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
};

/** Members of the query of the audit trail. */
export const AUDIT_QUERY = {
  limit: LIST_LIMIT,
  before: BEFORE,
  subject: textMember,
  actor: textMember,
  action: textMember,
};
