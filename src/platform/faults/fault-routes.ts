import type { Context } from "hono";
import * as z from "zod";
import { changeOnce } from "../change-once.ts";
import type { PlatformContext } from "../platform-context.ts";
import { COUNT, listOf, objectOf, optional, TEXT, TIME, wordOf } from "../openapi/json-schema.ts";
import { jsonOf } from "../openapi/route-doc.ts";
import { ProblemError } from "../problem.ts";
import { readJsonBody, type BodyLease } from "../read-body.ts";
import type { Actor } from "../review/roles.ts";
import { requireRole } from "../require-role.ts";
import { noteAct, writeAudit } from "../write-audit.ts";
import { get, receive, remove, type Route } from "../route.ts";
import { toProblemDetails } from "../validate-batch.ts";
import { type Fault, FAULT_KINDS, type Faults } from "./faults.ts";

const MAX_COUNT = 1000;
const MAX_SECONDS = 60;
const MAX_BODY_BYTES = 4096;

const faultSchema = z.strictObject({
  kind: z.enum(FAULT_KINDS),
  count: z.int().min(1).max(MAX_COUNT).default(1),
  seconds: z.int().min(1).max(MAX_SECONDS).default(1),
  path: z
    .string()
    .max(256)
    .regex(/^\/v1\/[\w/.-]*$/, "expected a path of deliveries, /v1/...")
    .optional(),
});

const FAULT = objectOf<Fault>({
  id: COUNT,
  kind: wordOf(FAULT_KINDS),
  count: COUNT,
  seconds: COUNT,
  path: optional(TEXT),
  left: COUNT,
  setBy: TEXT,
  setAt: TIME,
  endsAt: TIME,
});

const NEEDED = "admin";

function findFaults({ faults }: PlatformContext): Faults {
  if (faults) return faults;
  throw new ProblemError("not_found", "faults can be set only where the platform was started so");
}

function allow(platform: PlatformContext, context: Context): Promise<Actor> {
  return requireRole(platform, context, NEEDED, { action: "fault.set" });
}

/** Lists the faults that are set: `GET /api/faults`. */
function answerFaults(platform: PlatformContext, context: Context): Response {
  return context.json({ faults: findFaults(platform).list() });
}

/** Sets a fault: `POST /api/faults`. */
async function setFault(
  platform: PlatformContext,
  context: Context,
  lease: BodyLease,
): Promise<Response> {
  const faults = findFaults(platform);
  const actor = await allow(platform, context);
  const limits = { maxBytes: MAX_BODY_BYTES, lease, turns: platform.turns };
  const parsed = faultSchema.safeParse((await readJsonBody(context.req.raw, limits)).value);
  if (!parsed.success) {
    const errors = toProblemDetails(parsed.error.issues);
    throw new ProblemError("invalid_action", "the fault is invalid", { errors });
  }
  const request = parsed.data;
  return changeOnce(platform, context, { actor, request }, function* (transaction) {
    const fault = faults.add(request, actor.name);
    if (!fault) return new ProblemError("review_conflict", "too many faults are set: clear them");
    yield* noteAct(platform, transaction, actor, {
      action: "fault.set",
      subject: "faults",
      detail: request,
    });
    return { status: 201, body: { fault } };
  });
}

/** Takes all faults away: `DELETE /api/faults`. */
async function clearFaults(platform: PlatformContext, context: Context): Promise<Response> {
  const faults = findFaults(platform);
  const actor = await allow(platform, context);
  const cleared = faults.clear();
  if (cleared > 0)
    await writeAudit(platform, actor, {
      action: "fault.clear",
      subject: "faults",
      detail: { cleared },
    });
  return context.json({ cleared });
}

/** Routes of the faults; without the option of the platform there is nothing behind them. */
export const FAULT_ROUTES: readonly Route[] = [
  get(
    "/api/faults",
    {},
    {
      summary: "Lists the faults that are set.",
      answers: { 200: jsonOf(objectOf<{ readonly faults: unknown }>({ faults: listOf(FAULT) })) },
      problems: ["not_found"],
    },
    answerFaults,
  ),
  receive(
    "POST",
    "/api/faults",
    {
      summary: "Sets a fault, which meets deliveries.",
      body: faultSchema,
      answers: { 201: jsonOf(objectOf<{ readonly fault: Fault }>({ fault: FAULT })) },
      problems: ["not_found", "review_conflict"],
      role: NEEDED,
      isOnce: true,
    },
    setFault,
  ),
  remove(
    "/api/faults",
    {
      summary: "Takes all faults away.",
      answers: { 200: jsonOf(objectOf<{ readonly cleared: number }>({ cleared: COUNT })) },
      problems: ["not_found"],
      role: NEEDED,
    },
    clearFaults,
  ),
];
