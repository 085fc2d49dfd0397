import type { Context } from "hono";
import type * as z from "zod";
import type { PlatformContext } from "./platform-context.ts";
import { ProblemError } from "./problem.ts";
import { readJsonBody, type BodyLease } from "./read-body.ts";
import { toProblemDetails } from "./validate-batch.ts";

/** What is said of a body that is something else. */
interface Refusal {
  readonly code: "invalid_action" | "invalid_suppression";
  readonly detail: string;
}

const INVALID_ACTION: Refusal = { code: "invalid_action", detail: "the action is invalid" };

/** Reads what somebody wants to be done. @throws ProblemError 422 where the body is something else */
export async function readAction<Action>(
  { options, turns }: PlatformContext,
  context: Context,
  lease: BodyLease,
  schema: z.ZodType<Action>,
  { code, detail }: Refusal = INVALID_ACTION,
): Promise<Action> {
  const limits = { maxBytes: options.maxBodyBytes, lease, turns };
  const body = await readJsonBody(context.req.raw, limits);
  const parsed = schema.safeParse(body.value);
  if (parsed.success) return parsed.data;
  throw new ProblemError(code, detail, { errors: toProblemDetails(parsed.error.issues) });
}
