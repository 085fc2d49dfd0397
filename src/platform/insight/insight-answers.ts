import {
  COUNT,
  listOf,
  NUMBER,
  nullable,
  OBJECT,
  objectOf,
  TEXT,
  TIME,
} from "../openapi/json-schema.ts";
import type { Figures, VersionFigures } from "../store/version-figures.ts";
import type { Share } from "./intervals.ts";
import type { Overview } from "./overview.ts";
import type { Period } from "./period.ts";

const SHARE = nullable(objectOf<Share>({ value: NUMBER, low: NUMBER, high: NUMBER, cases: COUNT }));
const PERIOD = objectOf<Period>({ from: TIME, to: TIME, width: COUNT });

const FIGURE_MEMBERS = {
  answers: COUNT,
  alarms: COUNT,
  alarmShare: SHARE,
  requiresReview: COUNT,
  conversations: COUNT,
  inputTokens: NUMBER,
  outputTokens: NUMBER,
  cost: nullable(NUMBER),
  errors: COUNT,
  errorShare: SHARE,
  toolCalls: COUNT,
  failedCalls: COUNT,
  failedCallShare: SHARE,
  latencyP50: nullable(NUMBER),
  latencyP95: nullable(NUMBER),
};

const VERSION = objectOf<VersionFigures>({
  ...FIGURE_MEMBERS,
  agentId: TEXT,
  version: nullable(TEXT),
  environments: listOf(TEXT),
  firstAt: TIME,
  lastAt: TIME,
});

/** What a supervisor sees of a period. */
export const OVERVIEW = objectOf<Overview>({
  period: PERIOD,
  total: nullable(objectOf<Figures>(FIGURE_MEMBERS)),
  buckets: listOf(OBJECT),
  findings: OBJECT,
  decisions: listOf(OBJECT),
  queue: OBJECT,
  precision: SHARE,
  rules: listOf(OBJECT),
  versions: listOf(VERSION),
});

/** Figures of versions. */
export const VERSIONS = objectOf<Pick<Overview, "period" | "versions">>({
  period: PERIOD,
  versions: listOf(VERSION),
});
