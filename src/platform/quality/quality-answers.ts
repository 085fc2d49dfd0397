import {
  COUNT,
  listOf,
  NUMBER,
  nullable,
  OBJECT,
  objectOf,
  TEXT,
  TIME,
  wordOf,
} from "../openapi/json-schema.ts";
import type { AnswerCount } from "../store/quality-store.ts";
import type { Quality, SampleProgress } from "./quality.ts";
import type { Report } from "./report.ts";
import type { Suppression } from "./suppression.ts";

const SAMPLE = objectOf<SampleProgress>({
  answers: COUNT,
  flagged: COUNT,
  population: COUNT,
  sampled: COUNT,
  reviewed: COUNT,
  violations: COUNT,
  insufficientEvidence: COUNT,
  unreviewed: COUNT,
  flaggedSince: COUNT,
  elusion: nullable(OBJECT),
});

/** What the rules find rightly, and what they miss. */
export const QUALITY = objectOf<Quality>({
  from: TIME,
  to: TIME,
  sample: SAMPLE,
  flagged: OBJECT,
  recall: nullable(OBJECT),
  agents: listOf(OBJECT),
  rules: listOf(OBJECT),
});

/** Answers of an agent that were sampled in one way. */
export const ANSWER_COUNT = objectOf<AnswerCount>({
  organizationId: TEXT,
  agentId: TEXT,
  seed: TEXT,
  rate: NUMBER,
  from: TIME,
  to: TIME,
  answers: COUNT,
  flagged: COUNT,
  population: COUNT,
  sampled: COUNT,
});

/** A suppression, as lists show it. */
export const SUPPRESSION = objectOf<Suppression>({
  id: TEXT,
  organizationId: TEXT,
  rule: TEXT,
  agentId: nullable(TEXT),
  phrase: TEXT,
  reason: TEXT,
  conversationKey: TEXT,
  findingId: TEXT,
  createdAt: TIME,
  createdBy: TEXT,
  until: TIME,
  revokedAt: nullable(TIME),
  revokedBy: nullable(TEXT),
  state: wordOf(["active", "expired", "revoked"]),
  heldBack: COUNT,
  lastHeldBackAt: nullable(TIME),
});

/** A suppression alone. */
export const ONE_SUPPRESSION = objectOf<{ readonly suppression: Suppression }>({
  suppression: SUPPRESSION,
});

/** The supervision report. */
export const REPORT = objectOf<Report>({
  period: OBJECT,
  writtenAt: TIME,
  population: OBJECT,
  flagged: OBJECT,
  sample: SAMPLE,
  recall: nullable(OBJECT),
  decided: OBJECT,
  reviewers: listOf(OBJECT),
  waiting: OBJECT,
  rules: listOf(OBJECT),
  suppressions: listOf(OBJECT),
  changes: listOf(OBJECT),
  auditSequence: COUNT,
});
