import { propagation, trace, type Context } from "@opentelemetry/api";
import { isAgentId, isIdentifier, MAX_IDENTIFIER_LENGTH } from "../events/base-event.ts";
import type { Interaction } from "../events/event-builder.ts";
import { type ConversationScope, currentConversationScope } from "../scope/scopes.ts";
import { cutString } from "../util/cut-string.ts";
import { fill } from "./dialects/index.ts";
import { readGenAiIdentity } from "./dialects/otel-gen-ai.ts";
import type { ExchangeIdentity, SpanLike, SpanRecord, StartIdentity } from "./span-record.ts";

/** Who a bridged event belongs to. */
export type BridgedIdentity = Pick<
  Interaction,
  "agentId" | "agentVersion" | "sessionId" | "conversationId" | "userId" | "requestId"
>;

/** Reads baggage whose entries are named as the attributes are. */
function readBaggage(context: Context): ExchangeIdentity | undefined {
  const baggage = propagation.getBaggage(context);
  if (!baggage) return undefined;
  const entries = baggage.getAllEntries().map(([key, { value }]) => [key, value] as const);
  return readGenAiIdentity(Object.fromEntries(entries));
}

function readAttributes(context: Context): ExchangeIdentity | undefined {
  const around = trace.getSpan(context) as Partial<SpanLike> | undefined;
  return around?.attributes && readGenAiIdentity(around.attributes);
}

/** Reads who takes part when a span starts; cheap, for it runs in the application's call. */
export function readStartIdentity(context: Context | undefined): StartIdentity {
  const scope = currentConversationScope();
  if (!context) return { scope };
  const [carried, attributes] = [readBaggage(context), readAttributes(context)];
  const around = attributes && carried ? fill(attributes, carried) : (attributes ?? carried);
  return { scope, around: around && { ...around, model: undefined, responseId: undefined } };
}

// oxlint-disable-next-line no-control-regex -- control characters are what this looks for
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f]+/g;

/** Makes an identifier of what a span says; `undefined` when nothing is left. */
function toIdentifier(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text: string = value;
  if (isIdentifier(value)) return value;
  const clean = cutString(text.replaceAll(CONTROL_CHARACTERS, " ").trim(), MAX_IDENTIFIER_LENGTH);
  const whole = clean.toWellFormed();
  return isIdentifier(whole) ? whole : undefined;
}

type Fallback = Pick<SpanRecord, "traceId" | "serviceName">;

function toAgentId(identity: ExchangeIdentity, { serviceName }: Fallback): string {
  const candidates = [identity.agentId, identity.agentName, serviceName].map(toIdentifier);
  return candidates.find(isAgentId) ?? "unknown";
}

/** Returns whom events belong to: the running conversation, else the spans, else the trace and the service. */
export function toBridgedIdentity(
  identity: ExchangeIdentity,
  running: ConversationScope | undefined,
  fallback: Fallback,
): BridgedIdentity {
  const scope: Partial<ConversationScope> = running ?? {};
  const conversationId = scope.conversationId ?? toIdentifier(identity.conversationId);
  const sessionId = scope.sessionId ?? toIdentifier(identity.sessionId) ?? conversationId;
  const agentId = toAgentId(identity, fallback);
  // Of another agent than the running conversation's, the version says nothing.
  const isNamed = scope.agentId === undefined || scope.agentId === agentId;
  return {
    agentId: scope.agentId ?? agentId,
    agentVersion: isNamed ? toIdentifier(identity.agentVersion) : undefined,
    sessionId: sessionId ?? toIdentifier(fallback.traceId) ?? "unknown",
    conversationId,
    userId: scope.userId ?? toIdentifier(identity.userId),
    requestId: scope.requestId,
  };
}
