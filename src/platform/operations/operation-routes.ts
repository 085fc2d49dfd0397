import type { Context } from "hono";
import type { PlatformContext } from "../platform-context.ts";
import { jsonOf } from "../openapi/route-doc.ts";
import { get, type Route } from "../route.ts";
import { OPERATIONS } from "./operation-answers.ts";
import { readOperations } from "./read-operations.ts";

/** Returns how the platform does: `GET /api/operations`. */
async function answerOperations(platform: PlatformContext, context: Context): Promise<Response> {
  return context.json(await readOperations(platform));
}

/** Routes of the page of operations. */
export const OPERATION_ROUTES: readonly Route[] = [
  get(
    "/api/operations",
    {},
    { summary: "Returns how the platform does.", answers: { 200: jsonOf(OPERATIONS) } },
    answerOperations,
  ),
];
