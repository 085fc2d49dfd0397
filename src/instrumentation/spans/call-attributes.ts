import type { Attributes, AttributeValue } from "@opentelemetry/api";
import { currentConversationScope } from "../../scope/conversation-scope.ts";
import {
  ATTR_ERROR_TYPE,
  ATTR_GEN_AI_AGENT_ID,
  ATTR_GEN_AI_CONVERSATION_ID,
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_RESPONSE_FINISH_REASONS,
  ATTR_GEN_AI_RESPONSE_ID,
  ATTR_GEN_AI_RESPONSE_MODEL,
  ATTR_GEN_AI_SYSTEM_INSTRUCTIONS,
  ATTR_GEN_AI_TOOL_DEFINITIONS,
  ATTR_GEN_AI_USAGE_CACHE_CREATION_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
  ATTR_HTTP_REQUEST_RESEND_COUNT,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
  ATTR_SESSION_ID,
  ATTR_USER_ID,
} from "../../semconv.ts";
import { toArray } from "../../util/values.ts";
import type { Completion } from "../completion.ts";
import type { CallFailure } from "../fetch/call-failure.ts";
import { toInputJson, toOtherJson, toOutputJson } from "../message.ts";
import type { CallRequest, Protocol, Target } from "../protocol.ts";

/** A call as its request describes it, as far as the body could be read. */
export interface KnownCall {
  readonly protocol: Protocol;
  readonly target: Target;
  readonly request: CallRequest | undefined;
}

/** Outcome of a call. */
export interface CallOutcome {
  /** `cancelled` by the caller; `abandoned` when the response was not read. */
  readonly kind: "complete" | "failed" | "cancelled" | "abandoned";
  readonly answer: Completion | undefined;
  readonly failure: CallFailure | undefined;
  readonly status: number | undefined;
  readonly resends: number;
}

const FINISH_REASONS = {
  complete: undefined,
  failed: "error",
  cancelled: "cancelled",
  abandoned: "incomplete",
} as const;

function set(attributes: Attributes, name: string, value: AttributeValue | undefined): void {
  if (value !== undefined) attributes[name] = value;
}

/** Returns the model that the request names. */
export function toModel({ protocol, target, request }: KnownCall): string | undefined {
  return request?.model ?? protocol.readTarget?.(target).model;
}

/** Returns the attributes at the start of a call. */
export function toStartAttributes(call: KnownCall): Attributes {
  const { protocol, target, request } = call;
  const attributes: Attributes = { ...request?.settings };
  attributes[ATTR_GEN_AI_OPERATION_NAME] = protocol.operation ?? "chat";
  attributes[ATTR_GEN_AI_PROVIDER_NAME] = target.provider ?? protocol.provider;
  attributes[ATTR_SERVER_ADDRESS] = target.host;
  set(attributes, ATTR_GEN_AI_REQUEST_MODEL, toModel(call));
  set(attributes, ATTR_SERVER_PORT, target.port);
  return attributes;
}

/**
 * Adds agent, session, conversation and user to a public span, which the bridge does not read; nothing outside of a
 * conversation. Returns its argument.
 */
export function addScope(attributes: Attributes): Attributes {
  const scope = currentConversationScope();
  if (!scope) return attributes;
  attributes[ATTR_GEN_AI_AGENT_ID] = scope.agentId;
  attributes[ATTR_SESSION_ID] = scope.sessionId;
  set(attributes, ATTR_GEN_AI_CONVERSATION_ID, scope.conversationId);
  set(attributes, ATTR_USER_ID, scope.userId);
  return attributes;
}

function setAnswer(attributes: Attributes, { id, model, usage, finishReasons }: Completion): void {
  if (finishReasons.length > 0) attributes[ATTR_GEN_AI_RESPONSE_FINISH_REASONS] = finishReasons;
  set(attributes, ATTR_GEN_AI_RESPONSE_ID, id);
  set(attributes, ATTR_GEN_AI_RESPONSE_MODEL, model);
  set(attributes, ATTR_GEN_AI_USAGE_INPUT_TOKENS, usage.input);
  set(attributes, ATTR_GEN_AI_USAGE_OUTPUT_TOKENS, usage.output);
  set(attributes, ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS, usage.cacheRead);
  set(attributes, ATTR_GEN_AI_USAGE_CACHE_CREATION_INPUT_TOKENS, usage.cacheWrite);
}

/** Returns the attributes at the end of a call, without content. */
export function toEndAttributes({
  kind,
  answer,
  failure,
  status,
  resends,
}: CallOutcome): Attributes {
  const attributes: Attributes = {};
  if (answer) setAnswer(attributes, answer);
  const fallback = FINISH_REASONS[kind];
  if (fallback !== undefined && kind !== "failed") {
    attributes[ATTR_GEN_AI_RESPONSE_FINISH_REASONS] ??= [fallback];
  }
  set(attributes, ATTR_ERROR_TYPE, failure?.type);
  set(attributes, ATTR_HTTP_RESPONSE_STATUS_CODE, status);
  if (resends > 0) attributes[ATTR_HTTP_REQUEST_RESEND_COUNT] = resends;
  return attributes;
}

/** Returns the content attributes, input and output. */
export function toContentAttributes(
  { request }: KnownCall,
  { kind, answer }: Pick<CallOutcome, "kind" | "answer">,
): Attributes {
  const attributes: Attributes = {};
  if (request) {
    const { input, system = [], tools } = request.toContent();
    attributes[ATTR_GEN_AI_INPUT_MESSAGES] = toInputJson(input);
    if (system.length > 0) set(attributes, ATTR_GEN_AI_SYSTEM_INSTRUCTIONS, toOtherJson(system));
    if (toArray(tools).length > 0)
      set(attributes, ATTR_GEN_AI_TOOL_DEFINITIONS, toOtherJson(tools));
  }
  if (answer && !answer.isEmpty) {
    const isPartial = answer.isCut || !answer.isComplete;
    const messages = answer.toMessages(FINISH_REASONS[kind]);
    attributes[ATTR_GEN_AI_OUTPUT_MESSAGES] = toOutputJson(messages, isPartial);
  }
  return attributes;
}
