import {
  COUNT,
  FLAG,
  listOf,
  NUMBER,
  nullable,
  OBJECT,
  objectOf,
  TEXT,
  TIME,
  wordOf,
} from "../openapi/json-schema.ts";
import type { BackTest } from "./back-tests.ts";
import type { TriedResult } from "./evaluate-text.ts";
import type { loadCatalog, PolicyDetail, PolicyEntry } from "./policy-catalog.ts";
import type { SeenVersion } from "./policy-store.ts";

const ENTRY_MEMBERS = {
  id: TEXT,
  name: TEXT,
  version: nullable(TEXT),
  category: TEXT,
  severity: TEXT,
  description: TEXT,
  law: {},
  threshold: {},
  alwaysReview: FLAG,
  confidential: FLAG,
  hasSecondLook: FLAG,
};

type Policies = Awaited<ReturnType<typeof loadCatalog>> &
  Readonly<Record<"changes" | "seen", unknown>>;

/** The rules, the versions that findings name, and what has changed. */
export const POLICIES = objectOf<Policies>({
  pack: nullable(OBJECT),
  secondLook: nullable(OBJECT),
  rules: listOf(objectOf<PolicyEntry>(ENTRY_MEMBERS)),
  seen: listOf(
    objectOf<SeenVersion>({
      rule: TEXT,
      ruleVersion: TEXT,
      packVersion: TEXT,
      count: COUNT,
      firstAt: TIME,
      lastAt: TIME,
    }),
  ),
  changes: listOf(OBJECT),
});

/** Everything that is known of a rule. */
export const RULE = objectOf<{ readonly rule: PolicyDetail }>({
  rule: objectOf<PolicyDetail>({
    ...ENTRY_MEMBERS,
    explanation: TEXT,
    notes: nullable(TEXT),
    recommendation: TEXT,
    patterns: listOf(OBJECT),
    measured: OBJECT,
    cases: OBJECT,
  }),
});

/** What the rules say of a text. */
export const TRIED = objectOf<TriedResult>({
  findings: listOf(OBJECT),
  riskScore: NUMBER,
  requiresReview: FLAG,
  rulesEvaluated: {},
  riskThreshold: NUMBER,
  truncated: FLAG,
});

const TEST_MEMBERS = {
  id: TEXT,
  pack: OBJECT,
  from: TIME,
  to: TIME,
  limit: COUNT,
  startedBy: TEXT,
  startedAt: TIME,
  state: wordOf(["running", "done", "cancelled", "stopped", "failed"]),
  endedAt: nullable(TIME),
  progress: OBJECT,
};

/** A back-test. */
export const BACK_TEST = objectOf<{ readonly backTest: BackTest }>({
  backTest: objectOf<BackTest>({ ...TEST_MEMBERS, result: nullable(OBJECT) }),
});

/** Back-tests without their results. */
export const BACK_TESTS = objectOf<{ readonly backTests: unknown }>({
  backTests: listOf(objectOf<Omit<BackTest, "result">>(TEST_MEMBERS)),
});
