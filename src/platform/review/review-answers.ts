import {
  COUNT,
  FLAG,
  type JsonSchema,
  listOf,
  NUMBER,
  nullable,
  OBJECT,
  objectOf,
  TEXT,
  TIME,
  wordOf,
} from "../openapi/json-schema.ts";
import { SEVERITIES } from "../severities.ts";
import type { Decision, StoredFinding } from "../store/finding-store.ts";
import type { QuotedFinding, ShownItem } from "../store/review-queue.ts";
import type { SampledAnswer } from "../store/sampled-answers.ts";
import type { AuditRecord } from "./audit-trail.ts";
import { FINDING_ORIGINS } from "./findings.ts";
import { type Outcome, type Proposal, REVIEW_ORIGINS, REVIEW_STATES } from "./review-item.ts";
import { DISPOSITIONS, type ReviewPolicy } from "./review-policy.ts";
import { ROLES } from "./roles.ts";

const SEVERITY = wordOf(SEVERITIES);
const TIER = wordOf(["confirmed", "contradicted", ""]);
const OUTCOME = { disposition: wordOf(DISPOSITIONS), reasonCode: nullable(TEXT) };
const RISK = nullable(NUMBER);

const DECISION = objectOf<Decision>({ ...OUTCOME, comment: nullable(TEXT), actor: TEXT, at: TIME });

/** An item of the queue, as lists and pages show it. */
export const ITEM = objectOf<ShownItem>({
  key: TEXT,
  organizationId: TEXT,
  origin: wordOf(REVIEW_ORIGINS),
  assignee: nullable(TEXT),
  claimExpiresAt: nullable(TIME),
  openedAt: TIME,
  dueAt: TIME,
  closedAt: nullable(TIME),
  proposal: nullable(objectOf<Proposal>({ ...OUTCOME, by: TEXT })),
  outcome: nullable(objectOf<Outcome>(OUTCOME)),
  riskScore: RISK,
  tier: TIER,
  version: COUNT,
  state: wordOf(REVIEW_STATES),
  severity: SEVERITY,
  isOverdue: FLAG,
  agentId: TEXT,
  conversationId: TEXT,
  title: nullable(TEXT),
  lastAt: TIME,
  findingCount: COUNT,
  offenceCount: COUNT,
  finding: nullable(
    objectOf<QuotedFinding>({
      id: TEXT,
      rule: TEXT,
      category: TEXT,
      severity: SEVERITY,
      description: TEXT,
      quote: TEXT,
      tier: TIER,
      agentVersion: TEXT,
      environment: TEXT,
    }),
  ),
});

const FINDING = objectOf<StoredFinding>({
  id: TEXT,
  answerId: TEXT,
  rule: TEXT,
  category: TEXT,
  severity: SEVERITY,
  description: TEXT,
  quote: TEXT,
  confidence: nullable(NUMBER),
  pattern: TEXT,
  ruleVersion: TEXT,
  packVersion: TEXT,
  origin: wordOf(FINDING_ORIGINS),
  tier: TIER,
  offence: TEXT,
  eventId: TEXT,
  at: TIME,
  environment: TEXT,
  agentVersion: TEXT,
  isConfidential: FLAG,
  suppressedBy: nullable(TEXT),
  decision: nullable(DECISION),
});

/** A record of the audit trail. */
export const AUDIT_RECORD = objectOf<AuditRecord>({
  sequence: COUNT,
  organizationId: TEXT,
  at: TIME,
  actor: TEXT,
  role: TEXT,
  action: TEXT,
  subject: TEXT,
  detail: { ...TEXT, description: "JSON." },
  previous: TEXT,
  hash: TEXT,
});

const SAMPLED = objectOf<SampledAnswer>({
  id: TEXT,
  eventId: TEXT,
  at: TIME,
  seed: TEXT,
  rate: NUMBER,
  isFlagged: FLAG,
  decision: nullable(DECISION),
});

/** An item alone. */
export const ONE_ITEM = objectOf<{ readonly item: ShownItem }>({ item: ITEM });

const contents = (item: JsonSchema) => ({
  item,
  findings: listOf(FINDING),
  history: listOf(AUDIT_RECORD),
});

/** What is known of a conversation that may be in the queue. */
export const FINDINGS = objectOf<ReturnType<typeof contents>>(contents(nullable(ITEM)));

/** An item with all that reviewers need. */
export const WHOLE_ITEM = objectOf<ReturnType<typeof contents> & { readonly sampled: unknown }>({
  ...contents(ITEM),
  sampled: listOf(SAMPLED),
});

/** What became of each of many items. */
export const RESULTS: JsonSchema = objectOf<{ readonly results: unknown }>({
  results: listOf({
    type: "object",
    required: ["key", "status"],
    properties: {
      key: TEXT,
      status: wordOf(["done", "refused", "missing", "outdated"]),
      code: TEXT,
      detail: TEXT,
    },
  }),
});

/** Who asks, and the rules of the review. */
export const ME = objectOf<Readonly<Record<"isSignedIn" | "name" | "review" | "role", unknown>>>({
  name: TEXT,
  role: wordOf(ROLES),
  isSignedIn: FLAG,
  review: objectOf<ReviewPolicy>({
    reasonCodes: OBJECT,
    commentRequired: listOf(wordOf(DISPOSITIONS)),
    secondReviewFor: listOf(TEXT),
    claimMinutes: COUNT,
    dueHours: OBJECT,
    sampling: OBJECT,
    suppressionDays: COUNT,
  }),
});
