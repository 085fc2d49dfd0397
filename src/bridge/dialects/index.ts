import { fillSides, NO_MESSAGES, toContent } from "../reading/read-messages.ts";
import type {
  Dialect,
  ExchangeIdentity,
  SpanExchange,
  SpanLike,
  SpanMessages,
  SpanRole,
} from "../span-record.ts";
import { agent365 } from "./agent-365.ts";
import { anthropicSdk } from "./anthropic-sdk.ts";
import { genkit } from "./genkit.ts";
import { googleAdk } from "./google-adk.ts";
import { langfuse } from "./langfuse.ts";
import { langsmith } from "./langsmith.ts";
import { mastra } from "./mastra.ts";
import { mcp } from "./mcp.ts";
import { mistral } from "./mistral.ts";
import { openInference } from "./openinference.ts";
import { openlit } from "./openlit.ts";
import { otelGenAi, readGenAiIdentity, readSpanMessages } from "./otel-gen-ai.ts";
import { sentry } from "./sentry.ts";
import { strands } from "./strands.ts";
import { traceloop } from "./traceloop.ts";
import { vercelAiSdk7 } from "./vercel-ai-sdk-7.ts";
import { vercelAiSdk } from "./vercel-ai-sdk.ts";
import { voltagent } from "./voltagent.ts";

/** Every dialect, the one with the surest evidence first: many write attributes of the conventions beside their own. */
export const dialects: readonly Dialect[] = [
  openInference,
  vercelAiSdk,
  anthropicSdk,
  vercelAiSdk7,
  langsmith,
  langfuse,
  mastra,
  googleAdk,
  genkit,
  strands,
  agent365,
  sentry,
  traceloop,
  openlit,
  mistral,
  mcp,
  voltagent,
  otelGenAi,
];

/** Fills what one source leaves open with what another one says. */
export function fill<T extends object>(one: T, other: T): T {
  const filled: T = { ...other };
  for (const name in one) {
    if (one[name] !== undefined) filled[name] = one[name];
  }
  return filled;
}

/** Returns whether spans of a role carry messages. */
export const carriesMessages = (role: SpanRole): boolean => role === "call" || role === "agent";

/** Returns the dialects that a span speaks, the surest first, with what each takes it for. */
export function findDialects(
  span: SpanLike,
): { readonly dialect: Dialect; readonly role: SpanRole }[] {
  const found = [];
  for (const dialect of dialects) {
    const role = dialect.toRole(span);
    if (role !== undefined) found.push({ dialect, role });
  }
  return found;
}

/** Returns what a span stands for; `undefined` when it is of no known instrumentation. */
export function readRole(span: SpanLike): SpanRole | undefined {
  for (const dialect of dialects) {
    const role = dialect.toRole(span);
    if (role !== undefined) return role;
  }
  return undefined;
}

/** Reads who takes part, of any span: an application sets `session.id` and the like on spans of its own as well. */
export function readIdentity(span: SpanLike, spoken = findDialects(span)): ExchangeIdentity {
  const conventions = readGenAiIdentity(span.attributes);
  let identity = conventions;
  for (let index = spoken.length - 1; index >= 0; index--) {
    const own = spoken[index]?.dialect.toIdentity?.(span, conventions) ?? conventions;
    if (own !== identity) identity = fill(own, identity);
  }
  return identity;
}

/** Reads the messages of a model call or of an agent: the surest dialect that has them, side by side. */
export function readSpanSides(
  span: SpanLike,
  role: SpanRole,
  spoken = findDialects(span),
): SpanMessages {
  let sides: SpanMessages = { input: NO_MESSAGES, output: NO_MESSAGES };
  for (const { dialect, role: taken } of spoken) {
    if (taken !== role) continue;
    sides = fillSides(sides, dialect.toMessages?.(span) ?? readSpanMessages(span));
    if (sides.input.messages.length * sides.output.messages.length > 0) break;
  }
  return sides;
}

/**
 * Reads a span of any known instrumentation; `undefined` when it is of none.
 *
 * A span may speak several dialects (a framework's own beside the conventions): the first says what it stands for,
 * the others fill in what it lacks.
 */
export function readSpan(span: SpanLike): SpanExchange | undefined {
  const spoken = findDialects(span);
  const role = spoken[0]?.role;
  if (role === undefined) return undefined;
  const identity = readIdentity(span, spoken);
  if (!carriesMessages(role)) return { role, ...identity };
  return { role, ...identity, ...toContent(readSpanSides(span, role, spoken)) };
}
