import type { Context } from "hono";
import type { PlatformContext } from "../delivery-routes.ts";
import { get, type Route } from "../route.ts";
import { readOperations } from "./read-operations.ts";

/** Returns how the platform does: `GET /api/operations`. */
async function answerOperations(platform: PlatformContext, context: Context): Promise<Response> {
  return context.json(await readOperations(platform));
}

/** Routes of the page of operations. */
export const OPERATION_ROUTES: readonly Route[] = [get("/api/operations", {}, answerOperations)];
