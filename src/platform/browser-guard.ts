import type { MiddlewareHandler } from "hono";
import { isLoopback } from "./loopback.ts";
import type { ResolvedOptions } from "./options.ts";
import { ProblemError } from "./problem.ts";

const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

const WILDCARD_HOSTS = new Set(["0.0.0.0", "::", "[::]"]);

function toHostName(hostHeader: string): string {
  return hostHeader.replace(/:\d*$/, "").toLowerCase();
}

function refuse(detail: string): ProblemError {
  return new ProblemError("unauthorized", detail, { status: 403 });
}

/**
 * Creates the guard against pages of other sites in the developer's browser.
 *
 * A site that resolves its own name to 127.0.0.1 (DNS rebinding) is recognised by `Host`, a site that calls
 * us directly by `Origin`. On a wildcard address any name may be right; there the key, which is required
 * then, keeps strangers out.
 */
export function createBrowserGuard({
  host: boundHost,
  publicUrl,
}: Pick<ResolvedOptions, "host" | "publicUrl">): MiddlewareHandler {
  const publicName = publicUrl === undefined ? undefined : new URL(publicUrl).hostname;
  const boundName =
    boundHost.includes(":") && !boundHost.startsWith("[") ? `[${boundHost}]` : boundHost;
  const isAnyHost = WILDCARD_HOSTS.has(boundHost);

  return async (context, next) => {
    const host = context.req.header("host") ?? "";
    const name = toHostName(host);
    const isOwn = isLoopback(name) || name === boundName.toLowerCase() || name === publicName;
    if (!isAnyHost && !isOwn) {
      throw refuse("the Host header names another machine");
    }
    const origin = context.req.header("origin");
    if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) {
      throw refuse("pages of other origins are not accepted");
    }
    await next();
  };
}

/** Adds the headers that keep a browser from running, framing, sniffing or caching a response. */
export const secureAnswer: MiddlewareHandler = async (context, next) => {
  await next();
  for (const [name, value] of Object.entries(SECURITY_HEADERS))
    // A document that brings its own style has a policy of its own.
    if (!context.res.headers.has(name)) context.res.headers.set(name, value);
  context.res.headers.set("cache-control", "no-store");
};
