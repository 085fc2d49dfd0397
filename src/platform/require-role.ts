import type { Context } from "hono";
import type { PlatformContext } from "./platform-context.ts";
import { ProblemError } from "./problem.ts";
import { type Actor, mayActAs, type Role } from "./review/roles.ts";
import { type AuditedAct, writeAudit } from "./write-audit.ts";

/** What somebody wants to do: `conversation.unmask`. */
export type Intent = Omit<AuditedAct, "detail">;

/**
 * Returns who sends a request, if the role may do it. What it may not is written down, as `<noun>.refused`.
 *
 * @throws ProblemError 401 or 403
 */
export async function requireRole(
  platform: PlatformContext,
  context: Context,
  needed: Role,
  { action, ...rest }: Intent,
): Promise<Actor> {
  const actor = platform.authenticator.readerOf(context.req.raw);
  if (mayActAs(actor.role, needed)) return actor;
  const [noun, verb] = action.split(".");
  await writeAudit(platform, actor, {
    ...rest,
    action: `${noun}.refused`,
    detail: { action: verb },
  });
  throw new ProblemError("forbidden", `this needs the role ${needed}`);
}
