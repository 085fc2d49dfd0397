import type { Context } from "hono";
import * as z from "zod";
import { changeOnce } from "./change-once.ts";
import type { PlatformContext } from "./platform-context.ts";
import { showUnmasked } from "./masked-answer.ts";
import { maskText } from "./masking.ts";
import { ProblemError } from "./problem.ts";
import { readAction } from "./read-action.ts";
import type { BodyLease } from "./read-body.ts";
import { choiceMember } from "./read-query.ts";
import { requireRole } from "./require-role.ts";
import { hasActed } from "./store/audit-store.ts";
import { findConversation } from "./store/conversation-store.ts";
import { noteAct } from "./write-audit.ts";
import { type Steps, followSteps } from "./turns.ts";

/** How long somebody who has given a reason may see a conversation unmasked, in milliseconds. */
const UNMASKED_MILLIS = 600_000;
const MAX_REASON_LENGTH = 1000;
const UNMASK = "conversation.unmask";

/** Why somebody has to see or know something. */
export const reasonSchema = z.strictObject({
  reason: z
    .string()
    .trim()
    .min(1)
    .max(MAX_REASON_LENGTH)
    .refine((text) => !text.includes("\0"), "expected a text without NUL"),
});

/** Asks for the texts as they came, of who has said why. */
export const UNMASKED_QUERY = { unmasked: choiceMember(["true", "false"]) };

const NO_REASON = { code: "invalid_action", detail: "expected a reason" } as const;

/** Lets somebody who says why see a conversation unmasked for a time: `POST /api/conversations/{key}/unmask`. */
export async function unmaskConversation(
  platform: PlatformContext,
  context: Context,
  lease: BodyLease,
): Promise<Response> {
  const { store, options } = platform;
  const key = context.req.param("key") ?? "";
  const conversation = await followSteps(findConversation(store.database, key));
  if (!conversation) throw new ProblemError("not_found", "there is no such conversation");
  const { organizationId } = conversation;
  const intent = { action: UNMASK, subject: key, organizationId };
  const actor = await requireRole(platform, context, options.unmaskRole, intent);
  const given = await readAction(platform, context, lease, reasonSchema, NO_REASON);
  // The trail is read by more people than the conversation.
  const reason = maskText(given.reason);
  const until = options.clock.now() + UNMASKED_MILLIS;
  return changeOnce(platform, context, { actor, request: given }, function* (transaction) {
    yield* noteAct(platform, transaction, actor, { ...intent, detail: { reason, until } });
    return { body: { key, until }, organizationId, conversationKey: key };
  });
}

/**
 * Shows a conversation as it is to who has said why in the last minutes; to everybody else it stays masked.
 *
 * @throws ProblemError 403 where it is asked for unmasked by somebody else
 */
export function* showConversation(
  { authenticator, options, store }: PlatformContext,
  context: Context,
  { key, unmasked }: { readonly key: string; readonly unmasked: string | undefined },
  response: Response,
): Steps<Response> {
  if (unmasked !== "true") return response;
  const { name } = authenticator.readerOf(context.req.raw);
  const since = options.clock.now() - UNMASKED_MILLIS;
  const grant = { actor: name, action: UNMASK, subject: key, since };
  if (yield* hasActed(store.database, grant)) return showUnmasked(response);
  const detail = "ask for it with a reason first: POST /api/conversations/{key}/unmask";
  throw new ProblemError("forbidden", detail);
}
