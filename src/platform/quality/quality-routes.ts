import type { Context } from "hono";
import { BATCH_LINES_MEDIA_TYPE } from "../../events/wire.ts";
import { changeOnce } from "../change-once.ts";
import type { PlatformContext } from "../platform-context.ts";
import { pageOf } from "../openapi/json-schema.ts";
import { jsonOf, textOf } from "../openapi/route-doc.ts";
import type { Customers } from "../customers/customers.ts";
import { maskJsonSteps } from "../masking.ts";
import { ProblemError } from "../problem.ts";
import { readAction } from "../read-action.ts";
import type { BodyLease } from "../read-body.ts";
import {
  choiceMember,
  CURSOR,
  formatCursor,
  LIST_LIMIT,
  type Query,
  textMember,
} from "../read-query.ts";
import { get, receive, type Route } from "../route.ts";
import { listCases } from "../store/case-store.ts";
import { type CountCursor, listAnswerCounts } from "../store/quality-store.ts";
import {
  createSuppression,
  type DeskContext,
  endSuppression,
  type SuppressionResult,
} from "../store/suppression-desk.ts";
import { listSuppressions, type SuppressionCursor } from "../store/suppression-store.ts";
import { AGENT_PERIOD, PERIOD, toPeriod } from "./period.ts";
import { ANSWER_COUNT, ONE_SUPPRESSION, QUALITY, REPORT, SUPPRESSION } from "./quality-answers.ts";
import { measureQuality } from "./quality.ts";
import { writeReport } from "./report.ts";
import { REPORT_POLICY, toReportHtml } from "./report-html.ts";
import { revocationSchema, suppressionSchema } from "./suppression.ts";
import { type Steps, followSteps } from "../turns.ts";
import type { Transaction } from "../store/sql-database.ts";

/** Checks the cursor of a list: one of another list has other values. */
function verifyCursor(given: readonly unknown[] | undefined, kinds: readonly string[]): void {
  if (given === undefined) return;
  const isOurs =
    given.length === kinds.length && given.every((value, index) => typeof value === kinds[index]);
  if (!isOurs)
    throw new ProblemError("invalid_query", "the query's after must be `next` of the page before");
}

const QUALITY_QUERY = { ...AGENT_PERIOD, rule: textMember };

/** Measures findings against decisions: `GET /api/quality`. */
function* answerQuality(
  { store, options }: PlatformContext,
  context: Context,
  { agent, rule, ...period }: Query<typeof QUALITY_QUERY>,
): Steps<Response> {
  const filter = { ...toPeriod(period, options.clock.now()), agentId: agent, rule };
  return context.json(yield* measureQuality(store.database, filter));
}

const SAMPLES_QUERY = { ...AGENT_PERIOD, limit: LIST_LIMIT, after: CURSOR };

/** Says out of what the samples were taken, so that they can be taken again: `GET /api/samples`. */
function* answerSamples(
  { store, options }: PlatformContext,
  context: Context,
  { agent, limit, after, ...period }: Query<typeof SAMPLES_QUERY>,
): Steps<Response> {
  const filter = { ...toPeriod(period, options.clock.now()), agentId: agent };
  verifyCursor(after, ["string", "string", "string", "number"]);
  const page = { limit: limit + 1, after: after as CountCursor | undefined };
  const rows = yield* listAnswerCounts(store.database, filter, page);
  const samples = rows.slice(0, limit);
  const last = rows.length > limit ? samples.at(-1) : undefined;
  const next = last && [last.organizationId, last.agentId, last.seed, last.rate];
  return context.json({ samples, next: formatCursor(next) });
}

const SUPPRESSIONS_QUERY = {
  limit: LIST_LIMIT,
  after: CURSOR,
  state: choiceMember(["active", "expired", "revoked"]),
  rule: textMember,
};

/** Lists suppressions: `GET /api/suppressions`. */
function* answerSuppressions(
  { store, options }: PlatformContext,
  context: Context,
  { after, ...query }: Query<typeof SUPPRESSIONS_QUERY>,
): Steps<Response> {
  verifyCursor(after, ["number", "string"]);
  const cursor = after as SuppressionCursor | undefined;
  const filter = { ...query, after: cursor, now: options.clock.now() };
  const { suppressions, next } = yield* listSuppressions(store.database, filter);
  return context.json({ suppressions, next: formatCursor(next) });
}

const INVALID = { code: "invalid_suppression", detail: "the request is invalid" } as const;

/** Does something with suppressions, and answers with the one. */
function answerResult(
  platform: PlatformContext,
  context: Context,
  { status, request }: { readonly status: 200 | 201; readonly request: object },
  work: (transaction: Transaction, desk: DeskContext) => Steps<SuppressionResult>,
): Promise<Response> {
  const { store, options, authenticator } = platform;
  const actor = authenticator.readerOf(context.req.raw);
  return changeOnce(platform, context, { actor, request }, function* (transaction) {
    const desk = { actor, now: options.clock.now(), settings: store.review };
    const result = yield* work(transaction, desk);
    if (result.status === "missing")
      return new ProblemError("not_found", "there is no such suppression");
    if (result.status === "refused")
      return new ProblemError(result.refusal.code, result.refusal.detail);
    const { suppression } = result;
    const { organizationId, conversationKey } = suppression;
    return { status, body: { suppression }, organizationId, conversationKey };
  });
}

/** Makes a suppression out of a false positive: `POST /api/suppressions`. */
async function takeSuppression(
  platform: PlatformContext,
  context: Context,
  lease: BodyLease,
): Promise<Response> {
  const request = await readAction(platform, context, lease, suppressionSchema, INVALID);
  return answerResult(platform, context, { status: 201, request }, (transaction, desk) =>
    createSuppression(transaction, request, desk),
  );
}

/** Ends a suppression: `POST /api/suppressions/{id}/revoke`. */
async function takeRevocation(
  platform: PlatformContext,
  context: Context,
  lease: BodyLease,
): Promise<Response> {
  const request = await readAction(platform, context, lease, revocationSchema, INVALID);
  const { reason } = request;
  const id = context.req.param("id") ?? "";
  return answerResult(platform, context, { status: 200, request }, (transaction, desk) =>
    endSuppression(transaction, { id, reason }, desk),
  );
}

const CASES_QUERY = { ...AGENT_PERIOD, rule: textMember };

async function* toLines(
  cases: AsyncIterable<object>,
  customers: Customers | undefined,
): AsyncGenerator<Buffer> {
  for await (const each of cases) {
    const json = JSON.stringify(each);
    const shown = customers ? await followSteps(maskJsonSteps(json, customers)) : json;
    yield Buffer.from(`${shown}\n`);
  }
}

/** Returns the answers about which people have decided, a labelled case a line, for `check`: `GET /api/cases`. */
function answerCases(
  { store, options, customers }: PlatformContext,
  context: Context,
  { agent, rule, ...period }: Query<typeof CASES_QUERY>,
): Response {
  const filter = { ...toPeriod(period, options.clock.now()), agentId: agent, rule };
  const lines = ReadableStream.from(toLines(listCases(store.database, filter), customers));
  return context.body(lines, 200, { "content-type": BATCH_LINES_MEDIA_TYPE });
}

const REPORT_QUERY = { ...PERIOD, format: choiceMember(["json", "html"]) };

/** Writes the supervision report: `GET /api/report`. */
async function answerReport(
  { store, options, turns }: PlatformContext,
  context: Context,
  { format, ...period }: Query<typeof REPORT_QUERY>,
): Promise<Response> {
  const now = options.clock.now();
  const report = await turns.take(writeReport(store.database, toPeriod(period, now), now));
  if (format !== "html") return context.json(report);
  return context.body(toReportHtml(report), 200, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": `${REPORT_POLICY}; frame-ancestors 'none'`,
  });
}

/** Routes of what the rules miss and of what they find wrongly. Below /api/, so that the key is asked for. */
export const QUALITY_ROUTES: readonly Route[] = [
  get(
    "/api/quality",
    QUALITY_QUERY,
    { summary: "Measures findings against decisions.", answers: { 200: jsonOf(QUALITY) } },
    answerQuality,
  ),
  get(
    "/api/samples",
    SAMPLES_QUERY,
    {
      summary: "Says out of what the samples were taken.",
      answers: { 200: jsonOf(pageOf("samples", ANSWER_COUNT)) },
    },
    answerSamples,
  ),
  get(
    "/api/cases",
    CASES_QUERY,
    {
      summary: "Returns answers about which people have decided, a labelled case a line.",
      answers: { 200: textOf(BATCH_LINES_MEDIA_TYPE) },
    },
    answerCases,
  ),
  get(
    "/api/report",
    REPORT_QUERY,
    {
      summary: "Returns the supervision report.",
      answers: { 200: { ...jsonOf(REPORT), ...textOf("text/html") } },
    },
    answerReport,
  ),
  get(
    "/api/suppressions",
    SUPPRESSIONS_QUERY,
    {
      summary: "Lists suppressions, the newest first.",
      answers: { 200: jsonOf(pageOf("suppressions", SUPPRESSION)) },
    },
    answerSuppressions,
  ),
  receive(
    "POST",
    "/api/suppressions",
    {
      summary: "Makes a suppression out of a false positive.",
      body: suppressionSchema,
      answers: { 201: jsonOf(ONE_SUPPRESSION) },
      problems: ["invalid_suppression"],
      role: "supervisor",
      isOnce: true,
    },
    takeSuppression,
  ),
  receive(
    "POST",
    "/api/suppressions/:id/revoke",
    {
      summary: "Ends a suppression.",
      body: revocationSchema,
      answers: { 200: jsonOf(ONE_SUPPRESSION) },
      problems: ["invalid_suppression", "not_found", "review_conflict"],
      role: "supervisor",
      isOnce: true,
    },
    takeRevocation,
  ),
];
