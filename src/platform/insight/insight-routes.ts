import { environmentSchema } from "../../events/base-event.ts";
import type { PlatformContext } from "../platform-context.ts";
import { COUNT } from "../openapi/json-schema.ts";
import { jsonOf } from "../openapi/route-doc.ts";
import { ProblemError } from "../problem.ts";
import { choiceMember, type Query, type QueryMember, textMember } from "../read-query.ts";
import { get, type Route } from "../route.ts";
import type { InsightFilter } from "../store/insight-filter.ts";
import { readVersionFigures } from "../store/version-figures.ts";
import { OVERVIEW, VERSIONS } from "./insight-answers.ts";
import { readOverview } from "./overview.ts";
import { MAX_DAYS, toPeriod } from "./period.ts";

const TIME: QueryMember<number | undefined> = {
  expected: "milliseconds since the Unix epoch",
  absent: undefined,
  schema: COUNT,
  parse: (text) => (/^\d{1,15}$/.test(text) ? Number(text) : undefined),
};

const PERIOD = { from: TIME, to: TIME } as const;
const VERSIONS_QUERY = {
  ...PERIOD,
  agent: textMember,
  environment: choiceMember(environmentSchema.options),
};
const AGENT_VERSIONS_QUERY = {
  ...PERIOD,
  environment: choiceMember(environmentSchema.options),
};
const OVERVIEW_QUERY = { ...VERSIONS_QUERY, version: textMember };

/** Reads the filter of a query; without a period the last 7 days. */
function toFilter(
  { options }: PlatformContext,
  query: Partial<Query<typeof OVERVIEW_QUERY>>,
): InsightFilter {
  const { from, to, agent, environment, version } = query;
  const period = toPeriod(from, to ?? options.clock.now());
  if (!period) {
    const detail = `the query's from must be before its to, at most ${MAX_DAYS} days`;
    throw new ProblemError("invalid_query", detail);
  }
  return { period, agentId: agent, environment, version };
}

/** Routes of what is counted. */
export const INSIGHT_ROUTES: readonly Route[] = [
  get(
    "/api/overview",
    OVERVIEW_QUERY,
    { summary: "Returns the figures of a period.", answers: { 200: jsonOf(OVERVIEW) } },
    function* (platform, context, query) {
      const filter = toFilter(platform, query);
      const now = platform.options.clock.now();
      return context.json(yield* readOverview(platform.store.database, filter, now));
    },
  ),
  get(
    "/api/versions",
    VERSIONS_QUERY,
    {
      summary: "Returns the figures of all versions of the agents.",
      answers: { 200: jsonOf(VERSIONS) },
    },
    function* (platform, context, query) {
      const filter = toFilter(platform, query);
      const { versions } = yield* readVersionFigures(platform.store.database, filter);
      return context.json({ period: filter.period, versions });
    },
  ),
  get(
    "/api/agents/:id/versions",
    AGENT_VERSIONS_QUERY,
    {
      summary: "Returns the figures of the versions of an agent.",
      answers: { 200: jsonOf(VERSIONS) },
    },
    function* (platform, context, query) {
      const filter = toFilter(platform, { ...query, agent: context.req.param("id") ?? "" });
      const { versions } = yield* readVersionFigures(platform.store.database, filter);
      return context.json({ period: filter.period, versions });
    },
  ),
];
