import type { Context } from "hono";
import { isIdentifier } from "../../events/base-event.ts";
import { toErrorName } from "../../util/logger.ts";
import type { PlatformContext } from "../platform-context.ts";
import { ProblemError } from "../problem.ts";
import { noteAct, writeAudit } from "../write-audit.ts";
import { ROLES, type Role } from "../review/roles.ts";
import type { Transaction } from "../store/sql-database.ts";
import type { Steps } from "../turns.ts";
import { ProviderUnavailableError } from "./oidc-client.ts";
import type { Oidc } from "./oidc-options.ts";

/** Where the provider sends people back to. */
export const CALLBACK_PATH = "/login/callback";

function requireProvider({ signIn }: PlatformContext) {
  if (signIn.provider) return signIn.provider;
  throw new ProblemError("not_found", "no identity provider is configured");
}

function unavailable(): ProblemError {
  const headers = { "retry-after": "10" };
  return new ProblemError("unavailable", "the identity provider does not respond", { headers });
}

/** Says how people sign in: `GET /api/login`. */
export function answerLogin({ signIn }: PlatformContext, context: Context): Response {
  return context.json({ oidc: signIn.provider !== undefined });
}

/** Begins a sign-in; the page goes to the address: `POST /api/login/start`. */
export async function beginSignIn(platform: PlatformContext, context: Context): Promise<Response> {
  const { client } = requireProvider(platform);
  const { publicUrl, logger } = platform.options;
  const origin = publicUrl ?? new URL(context.req.url).origin;
  try {
    const { url, pending } = await client.begin(new URL(CALLBACK_PATH, origin).href);
    const cookie = await platform.signIn.pending.add(pending);
    return context.json({ url }, 200, { "set-cookie": cookie });
  } catch (error) {
    if (!(error instanceof ProviderUnavailableError)) throw error;
    logger.warn(`sign-in: the identity provider can't be read (${toErrorName(error.cause)})`);
    throw unavailable();
  }
}

/** Returns the highest role of a user's groups. */
function findRole(groups: unknown, { roles }: Oidc): Role | undefined {
  const names: readonly unknown[] = Array.isArray(groups) ? groups : [groups];
  const held = names.map((name) =>
    typeof name === "string" && Object.hasOwn(roles, name) ? roles[name] : undefined,
  );
  return ROLES.findLast((role) => held.includes(role));
}

async function readClaims(platform: PlatformContext, context: Context) {
  const { client } = requireProvider(platform);
  const pending = await platform.signIn.pending.take(context.req.raw);
  if (!pending)
    throw new ProblemError("unauthorized", "this sign-in has ended, or began elsewhere: try again");
  try {
    return await client.finish(new URL(context.req.url).searchParams, pending);
  } catch (error) {
    if (error instanceof ProviderUnavailableError) throw unavailable();
    // The library's message may have parts of the token.
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    platform.options.logger.warn(`sign-in: refused (${toErrorName(error)} ${code.slice(0, 64)})`);
    throw new ProblemError("unauthorized", "the identity provider's answer is not accepted");
  }
}

/** Ends a sign-in, and begins a session: `GET /login/callback`, to which the provider sends the browser. */
export async function finishSignIn(platform: PlatformContext, context: Context): Promise<Response> {
  const claims = await readClaims(platform, context);
  const { oidc } = requireProvider(platform);
  const name = claims[oidc.nameClaim];
  if (!isIdentifier(name))
    throw new ProblemError("forbidden", `the ID token has no claim ${oidc.nameClaim}`);
  const role = findRole(claims[oidc.groupsClaim], oidc);
  if (!role) {
    const detail = { because: "no_group" };
    await writeAudit(platform, { name, role: "none" }, { action: "sign_in.refused", detail });
    throw new ProblemError("forbidden", "none of your groups has a role on this platform");
  }
  const { sessions, pending } = platform.signIn;
  const cookie = await platform.store.write(function* (transaction) {
    const act = { action: "sign_in.begin", detail: {} };
    yield* noteAct(platform, transaction, { name, role }, act);
    return yield* sessions.start(transaction, { name, role });
  });
  const response = context.redirect("/", 303);
  response.headers.append("set-cookie", cookie);
  response.headers.append("set-cookie", pending.endedCookie);
  return response;
}

/** Ends the session of who asks: `POST /api/logout`. */
export async function signOut(platform: PlatformContext, context: Context): Promise<Response> {
  const { sessions } = platform.signIn;
  // Who has no session can't have others wait for a transaction.
  const isSignedIn = (await sessions.find(context.req.raw)) !== undefined;
  const end = function* (transaction: Transaction): Steps<void> {
    const actor = yield* sessions.end(transaction, context.req.raw);
    if (actor) yield* noteAct(platform, transaction, actor, { action: "sign_in.end", detail: {} });
  };
  if (isSignedIn) await platform.store.write(end);
  return context.json({}, 200, { "set-cookie": sessions.endedCookie });
}
