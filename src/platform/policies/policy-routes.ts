import type { Context } from "hono";
import type * as z from "zod";
import { ValidationError } from "../../events/validation-error.ts";
import { changeOnce } from "../change-once.ts";
import type { PlatformContext } from "../platform-context.ts";
import { FLAG, objectOf } from "../openapi/json-schema.ts";
import { jsonOf } from "../openapi/route-doc.ts";
import { ProblemError } from "../problem.ts";
import { readJsonBody, type BodyLease } from "../read-body.ts";
import { requireRole } from "../require-role.ts";
import { type AuditedAct, noteAct, writeAudit } from "../write-audit.ts";
import { get, receive, remove, type Route } from "../route.ts";
import { toProblemDetails } from "../validate-batch.ts";
import { createTrial } from "./back-test.ts";
import { backTestSchema } from "./back-test-schema.ts";
import type { BackTest } from "./back-tests.ts";
import { evaluateText, textSchema } from "./evaluate-text.ts";
import { BACK_TEST, BACK_TESTS, POLICIES, RULE, TRIED } from "./policy-answers.ts";
import { loadCatalog, loadRule } from "./policy-catalog.ts";
import { listPolicyChanges, listSeenVersions, POLICY_SUBJECT } from "./policy-store.ts";
import { loadPacks } from "./rule-engine.ts";
import { followSteps } from "../turns.ts";

const MAX_TEXT_BODY_BYTES = 256 * 1024;
const MAX_PACK_BODY_BYTES = 2 * 1024 * 1024;
const NEEDED = "supervisor";

interface Reading<Value> {
  readonly lease: BodyLease;
  readonly schema: z.ZodType<Value>;
  readonly maxBytes: number;
  /** What is read, for the problem. */
  readonly noun: string;
}

async function readBody<Value>(
  { options, turns }: PlatformContext,
  context: Context,
  { lease, schema, maxBytes, noun }: Reading<Value>,
): Promise<Value> {
  const limits = { maxBytes: Math.min(options.maxBodyBytes, maxBytes), lease, turns };
  const parsed = schema.safeParse((await readJsonBody(context.req.raw, limits)).value);
  if (parsed.success) return parsed.data;
  const errors = toProblemDetails(parsed.error.issues);
  throw new ProblemError("invalid_action", `the ${noun} is invalid`, { errors });
}

/** Lists the rules of the engine, the versions that findings name, and what has changed: `GET /api/policies`. */
async function answerPolicies({ store }: PlatformContext, context: Context): Promise<Response> {
  const seen = await followSteps(listSeenVersions(store.database));
  const changes = await followSteps(listPolicyChanges(store.database, seen));
  return context.json({ ...(await loadCatalog()), seen, changes });
}

/** Returns everything that is known of a rule: `GET /api/policies/rules/{id}`. */
async function answerRule(_: PlatformContext, context: Context): Promise<Response> {
  const rule = await loadRule(context.req.param("id") ?? "");
  if (!rule) throw new ProblemError("not_found", "the engine has no such rule");
  return context.json({ rule });
}

/** Evaluates a text, of which nothing is kept: `POST /api/policies/evaluate`. */
async function evaluate(
  platform: PlatformContext,
  context: Context,
  lease: BodyLease,
): Promise<Response> {
  const reading = { lease, schema: textSchema, maxBytes: MAX_TEXT_BODY_BYTES, noun: "text" };
  return context.json(await evaluateText(await readBody(platform, context, reading)));
}

function invalidPack(details: readonly string[]): ProblemError {
  const errors = details.map((detail) => ({ pointer: "/pack", code: "pack", detail }));
  return new ProblemError("invalid_action", "the pack is invalid", { errors });
}

/** Reads a pack, and makes engines with it and without; its problems name line, column and member. */
async function readPack(text: string) {
  const { PackError, readRulePack } = await loadPacks();
  try {
    const pack = readRulePack({ path: "pack", text });
    return { pack, trial: await createTrial(pack) };
  } catch (error) {
    if (error instanceof PackError)
      throw invalidPack(
        error.problems.map(
          ({ line, column, message }) => `line ${line}, column ${column}: ${message}`,
        ),
      );
    if (error instanceof ValidationError)
      throw invalidPack(error.details.map(({ field, message }) => `${field}: ${message}`));
    throw error;
  }
}

/** What the audit trail says of a test; no word of an answer. */
function toRecord({ id, pack, from, to, limit, state, result }: BackTest): object {
  const { id: packId, version, sha256 } = pack;
  const given = { backTest: id, packId, version, sha256, from, to, limit };
  if (!result) return state === "running" ? given : { ...given, state };
  const { answers, alarms, alarmsBefore } = result;
  return { ...given, state, answers, alarms, alarmsBefore };
}

/** Tries a pack on what is stored: `POST /api/policies/backtests`. */
async function startBackTest(
  platform: PlatformContext,
  context: Context,
  lease: BodyLease,
): Promise<Response> {
  const actor = await requireRole(platform, context, NEEDED, {
    action: "policy.backtest",
    subject: `${POLICY_SUBJECT}backtests`,
  });
  const reading = {
    lease,
    schema: backTestSchema,
    maxBytes: MAX_PACK_BODY_BYTES,
    noun: "back-test",
  };
  const given = await readBody(platform, context, reading);
  const { pack, trial } = await readPack(given.pack);
  const { from, to = platform.options.clock.now() + 1, limit } = given;
  const toAct = (action: string, test: BackTest): AuditedAct => ({
    action,
    subject: POLICY_SUBJECT + pack.id,
    detail: toRecord(test),
  });
  return changeOnce(platform, context, { actor, request: given }, function* (transaction) {
    const backTest = platform.backTests.start({
      pack,
      trial,
      period: { from, to, limit },
      startedBy: actor.name,
      onEnd: (ended) => writeAudit(platform, actor, toAct("policy.backtested", ended)),
    });
    if (!backTest)
      return new ProblemError("review_conflict", "another back-test is running: wait or cancel it");
    yield* noteAct(platform, transaction, actor, toAct("policy.backtest", backTest));
    return { status: 202, body: { backTest } };
  });
}

function findBackTest({ backTests }: PlatformContext, context: Context): BackTest {
  const test = backTests.find(context.req.param("id") ?? "");
  if (test) return test;
  throw new ProblemError("not_found", "there is no such back-test; only the newest are remembered");
}

/** Ends a test that is running: `DELETE /api/policies/backtests/{id}`. */
async function cancelBackTest(platform: PlatformContext, context: Context): Promise<Response> {
  const { id } = findBackTest(platform, context);
  const subject = `${POLICY_SUBJECT}backtests`;
  await requireRole(platform, context, NEEDED, { action: "policy.cancel", subject });
  return context.json({ cancelled: platform.backTests.cancel(id) });
}

/** Routes of the page of policies. */
export const POLICY_ROUTES: readonly Route[] = [
  get(
    "/api/policies",
    {},
    {
      summary: "Lists the rules of the engine, and what has changed.",
      answers: { 200: jsonOf(POLICIES) },
    },
    answerPolicies,
  ),
  get(
    "/api/policies/rules/:id",
    {},
    {
      summary: "Returns everything that is known of a rule.",
      answers: { 200: jsonOf(RULE) },
      problems: ["not_found"],
    },
    answerRule,
  ),
  receive(
    "POST",
    "/api/policies/evaluate",
    {
      summary: "Evaluates a text, of which nothing is kept.",
      body: textSchema,
      answers: { 200: jsonOf(TRIED) },
      problems: ["invalid_action"],
    },
    evaluate,
  ),
  get(
    "/api/policies/backtests",
    {},
    {
      summary: "Lists the back-tests that are remembered, the newest first.",
      answers: { 200: jsonOf(BACK_TESTS) },
    },
    ({ backTests }, context) =>
      context.json({ backTests: backTests.list().map(({ result: _result, ...test }) => test) }),
  ),
  receive(
    "POST",
    "/api/policies/backtests",
    {
      summary: "Tries a pack on what is stored.",
      body: backTestSchema,
      answers: { 202: jsonOf(BACK_TEST) },
      problems: ["review_conflict"],
      role: NEEDED,
      isOnce: true,
    },
    startBackTest,
  ),
  get(
    "/api/policies/backtests/:id",
    {},
    {
      summary: "Returns a back-test, with its result when it is done.",
      answers: { 200: jsonOf(BACK_TEST) },
      problems: ["not_found"],
    },
    (platform, context) => context.json({ backTest: findBackTest(platform, context) }),
  ),
  remove(
    "/api/policies/backtests/:id",
    {
      summary: "Cancels a back-test that is running.",
      answers: { 200: jsonOf(objectOf<{ readonly cancelled: boolean }>({ cancelled: FLAG })) },
      problems: ["not_found"],
      role: NEEDED,
    },
    cancelBackTest,
  ),
];
