import { SpanKind, trace, type Attributes, type Context } from "@opentelemetry/api";
import type { BridgeSpan } from "../../bridge/bridge-span.ts";
import * as semconv from "../../semconv.ts";
import { toArray } from "../../util/values.ts";
import { VERSION } from "../../version.ts";
import { toUsageAttributes, type Completion } from "../completion.ts";
import type { CallFailure } from "../fetch/call-failure.ts";
import type { FetchObserverHost } from "../host.ts";
import * as genAi from "../message.ts";
import type { CallRequest, Protocol, Target } from "../protocol.ts";
import {
  assign,
  isOpenCall,
  setDefined,
  unwrapSpan,
  type SdkSpan,
  type SpanTime,
} from "./observed-span.ts";
import { SpanPair } from "./span-pair.ts";

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

function toOperation({ protocol }: KnownCall): string {
  return protocol.operation ?? "chat";
}

/** Returns the model that the request names. */
function toModel({ protocol, target, request }: KnownCall): string | undefined {
  return request?.model ?? protocol.readTarget?.(target).model;
}

/** Returns the attributes at the start of a call. */
export function toStartAttributes(call: KnownCall): Attributes {
  const { protocol, target, request } = call;
  const attributes = assign({}, request?.settings);
  attributes[semconv.ATTR_GEN_AI_OPERATION_NAME] = toOperation(call);
  attributes[semconv.ATTR_GEN_AI_PROVIDER_NAME] = target.provider ?? protocol.provider;
  attributes[semconv.ATTR_SERVER_ADDRESS] = target.host;
  setDefined(attributes, semconv.ATTR_GEN_AI_REQUEST_MODEL, toModel(call));
  setDefined(attributes, semconv.ATTR_SERVER_PORT, target.port);
  return attributes;
}

function toAnswerAttributes({ id, model, usage, finishReasons }: Completion): Attributes {
  const attributes: Attributes = {};
  if (finishReasons.length > 0) {
    attributes[semconv.ATTR_GEN_AI_RESPONSE_FINISH_REASONS] = finishReasons;
  }
  setDefined(attributes, semconv.ATTR_GEN_AI_RESPONSE_ID, id);
  setDefined(attributes, semconv.ATTR_GEN_AI_RESPONSE_MODEL, model);
  return assign(attributes, toUsageAttributes(usage));
}

/** Returns the attributes at the end of a call, without content. */
export function toEndAttributes(outcome: CallOutcome): Attributes {
  const { kind, answer, failure, status, resends } = outcome;
  const attributes = answer ? toAnswerAttributes(answer) : {};
  const fallback = FINISH_REASONS[kind];
  if (fallback !== undefined && kind !== "failed") {
    attributes[semconv.ATTR_GEN_AI_RESPONSE_FINISH_REASONS] ??= [fallback];
  }
  setDefined(attributes, semconv.ATTR_ERROR_TYPE, failure?.type);
  setDefined(attributes, semconv.ATTR_HTTP_RESPONSE_STATUS_CODE, status);
  if (resends > 0) attributes[semconv.ATTR_HTTP_REQUEST_RESEND_COUNT] = resends;
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
    assign(attributes, {
      [semconv.ATTR_GEN_AI_INPUT_MESSAGES]: genAi.toInputJson(input),
      [semconv.ATTR_GEN_AI_SYSTEM_INSTRUCTIONS]: genAi.toListJson(system),
      [semconv.ATTR_GEN_AI_TOOL_DEFINITIONS]: genAi.toListJson(toArray(tools)),
    });
  }
  if (answer && !answer.isEmpty) {
    const isPartial = answer.isCut || !answer.isComplete;
    const messages = answer.toMessages(FINISH_REASONS[kind]);
    attributes[semconv.ATTR_GEN_AI_OUTPUT_MESSAGES] = genAi.toOutputJson(messages, isPartial);
  }
  return attributes;
}

/** Differs from the scope of public spans, which the bridge skips. */
const SCOPE = { name: semconv.FETCH_SCOPE_NAME, version: VERSION };

/** Returns an existing span of the same call: the active one, or an open one that was never made active. */
function findOuter(
  active: SdkSpan | undefined,
  call: KnownCall,
  host: FetchObserverHost,
): Pick<BridgeSpan, "spanContext" | "resource"> | undefined {
  if (isOpenCall(active, host)) return active;
  return host.findOpenCall?.(() => {
    const outcome = { kind: "complete", answer: undefined } as const;
    const content = toContentAttributes(call, outcome);
    return { name: "", attributes: { ...toStartAttributes(call), ...content } };
  });
}

/** Starts the spans of one call over HTTP. @param context - The context that the call runs in. */
export function startCallSpan(
  host: FetchObserverHost,
  call: KnownCall,
  context: Context,
  time: SpanTime,
): SpanPair {
  const active = unwrapSpan(trace.getSpan(context));
  const outer = findOuter(active, call, host);
  const model = toModel(call);
  const pair = new SpanPair(host, {
    name: model === undefined ? toOperation(call) : `${toOperation(call)} ${model}`,
    kind: SpanKind.CLIENT,
    attributes: toStartAttributes(call),
    scope: SCOPE,
    parent: context,
    startTime: time.start,
    around: outer ?? active,
    isPrivate: outer !== undefined,
    time,
  });
  host.onStart(() => pair.bridged, context);
  return pair;
}
