import type {
  Dialect,
  ExchangeContent,
  ExchangeIdentity,
  SpanExchange,
  SpanLike,
  SpanRole,
} from "../span-exchange.ts";
import { langfuse } from "./langfuse.ts";
import { mastra } from "./mastra.ts";
import { openInference } from "./openinference.ts";
import { otelGenAi } from "./otel-gen-ai.ts";
import { traceloop } from "./traceloop.ts";
import { vercelAiSdk } from "./vercel-ai-sdk.ts";

/** Every dialect, the one with the surest evidence first: many write attributes of the conventions beside their own. */
export const dialects: readonly Dialect[] = [
  openInference,
  vercelAiSdk,
  langfuse,
  mastra,
  traceloop,
  otelGenAi,
];

/** Fills what one source leaves open with what another one says. */
function fill<T extends object>(one: T, other: T): T {
  const known = Object.entries(one).filter(([, value]) => value !== undefined);
  return { ...other, ...(Object.fromEntries(known) as T) };
}

/** Tells what a span stands for; `undefined` when it is of no known instrumentation. */
export function readRole(span: SpanLike): SpanRole | undefined {
  for (const dialect of dialects) {
    const role = dialect.toRole(span);
    if (role !== undefined) return role;
  }
  return undefined;
}

/** Reads who takes part, of any span: an application sets `session.id` and the like on spans of its own as well. */
export function readIdentity(span: SpanLike): ExchangeIdentity {
  let identity = otelGenAi.toIdentity(span);
  for (const dialect of dialects.toReversed()) {
    if (dialect.toRole(span) !== undefined) identity = fill(dialect.toIdentity(span), identity);
  }
  return identity;
}

/**
 * Reads a span of any known instrumentation; `undefined` when it is of none.
 *
 * A span may speak several dialects (a framework's own beside the conventions): the first says what it stands for,
 * the others fill in what it lacks.
 */
export function readSpan(span: SpanLike): SpanExchange | undefined {
  const role = readRole(span);
  if (role === undefined) return undefined;
  let content: ExchangeContent = {};
  if (role === "call" || role === "agent") {
    for (const dialect of dialects) {
      if (dialect.toRole(span) !== role) continue;
      content = fill(content, dialect.toContent(span, role));
      if (content.agentResponse !== undefined) break;
    }
  }
  return { role, ...readIdentity(span), ...content };
}
