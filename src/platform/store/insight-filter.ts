import { type Expression, expressionBuilder, type SqlBool } from "kysely";
import type { Period } from "../insight/period.ts";
import type { Tables } from "./tables.ts";

/** Whose figures, and of when; an absent member matches all. */
export interface InsightFilter {
  readonly period: Period;
  readonly agentId?: string | undefined;
  readonly environment?: string | undefined;
  readonly version?: string | undefined;
}

/** Writes a filter for a table of sums: all of them name agent, version, environment and time alike. */
export function isWithin({
  period,
  agentId,
  environment,
  version,
}: InsightFilter): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, "activity">();
  return eb.and([
    eb("width", "=", period.width),
    eb("at", ">=", period.from),
    eb("at", "<", period.to),
    ...(agentId === undefined ? [] : [eb("agent_id", "=", agentId)]),
    ...(environment === undefined ? [] : [eb("environment", "=", environment)]),
    ...(version === undefined ? [] : [eb("agent_version", "=", version)]),
  ]);
}
