import type { Context } from "hono";
import type { PlatformContext } from "./delivery-routes.ts";
import { ProblemError } from "./problem.ts";
import { type Actor, mayActAs, type Role } from "./review/roles.ts";
import { appendAudit } from "./store/audit-store.ts";

/** What somebody wants to do. */
export interface Intent {
  /** As the audit trail names it: `conversation.unmask`. */
  readonly action: string;
  /** What it is done to; empty where it is nothing in particular. */
  readonly subject?: string;
  readonly organizationId?: string;
}

/** Organization of what concerns none in particular. */
export const NO_ORGANIZATION = "";

/**
 * Returns who sends a request, if the role may do it. What it may not is written down, as `<noun>.refused`.
 *
 * @throws ProblemError 401 or 403
 */
export async function requireRole(
  { authenticator, options, store }: PlatformContext,
  context: Context,
  needed: Role,
  { action, subject = "", organizationId = options.organizationId ?? NO_ORGANIZATION }: Intent,
): Promise<Actor> {
  const { name, role } = authenticator.authenticateReading(context.req.raw);
  if (mayActAs(role, needed)) return { name, role };
  const [noun, verb] = action.split(".");
  const entry = { organizationId, at: options.clock.now(), actor: name, role, subject };
  const refused = { ...entry, action: `${noun}.refused`, detail: JSON.stringify({ action: verb }) };
  // oxlint-disable-next-line require-yield -- one statement, done in one turn
  await store.write(function* () {
    return appendAudit(store.database, refused, { key: store.review.auditKey });
  });
  throw new ProblemError("forbidden", `this needs the role ${needed}`);
}
