import type { PlatformContext } from "./platform-context.ts";
import { maskJsonSteps } from "./masking.ts";
import { readMediaType } from "./read-body.ts";

/** Answers that their reader may see as they are. */
const unmasked = new WeakSet<Response>();

/** Lets an answer out as it is; that somebody sees it has to stand in the audit trail. */
export function showUnmasked(response: Response): Response {
  unmasked.add(response);
  return response;
}

/** Masks an answer, unless it may be seen as it is. What is no JSON is masked by who writes it. */
export async function maskAnswer(
  { turns, customers }: Pick<PlatformContext, "customers" | "turns">,
  response: Response,
): Promise<Response> {
  if (unmasked.has(response) || readMediaType(response) !== "application/json") return response;
  const json = await response.text();
  const { status, headers } = response;
  return new Response(await turns.take(maskJsonSteps(json, customers)), { status, headers });
}
