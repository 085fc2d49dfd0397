import {
  SpanKind,
  trace,
  type Attributes,
  type AttributeValue,
  type Context,
  type HrTime,
} from "@opentelemetry/api";
import type { BridgeSpan } from "../../bridge/bridge-span.ts";
import * as semconv from "../../semconv.ts";
import { toArray } from "../../util/values.ts";
import { VERSION } from "../../version.ts";
import type { Completion } from "../completion.ts";
import type { CallFailure } from "../fetch/call-failure.ts";
import type { FetchObserverHost } from "../host.ts";
import { toInputJson, toOtherJson, toOutputJson } from "../message.ts";
import type { CallRequest, Protocol, Target } from "../protocol.ts";
import { isOpenCall, unwrapSpan, type SdkSpan, type SpanTime } from "./observed-span.ts";
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

function set(attributes: Attributes, name: string, value: AttributeValue | undefined): void {
  if (value !== undefined) attributes[name] = value;
}

/** Returns the model that the request names. */
function toModel({ protocol, target, request }: KnownCall): string | undefined {
  return request?.model ?? protocol.readTarget?.(target).model;
}

/** Returns the attributes at the start of a call. */
export function toStartAttributes(call: KnownCall): Attributes {
  const { protocol, target, request } = call;
  const attributes: Attributes = { ...request?.settings };
  attributes[semconv.ATTR_GEN_AI_OPERATION_NAME] = protocol.operation ?? "chat";
  attributes[semconv.ATTR_GEN_AI_PROVIDER_NAME] = target.provider ?? protocol.provider;
  attributes[semconv.ATTR_SERVER_ADDRESS] = target.host;
  set(attributes, semconv.ATTR_GEN_AI_REQUEST_MODEL, toModel(call));
  set(attributes, semconv.ATTR_SERVER_PORT, target.port);
  return attributes;
}

function setAnswer(attributes: Attributes, { id, model, usage, finishReasons }: Completion): void {
  if (finishReasons.length > 0)
    attributes[semconv.ATTR_GEN_AI_RESPONSE_FINISH_REASONS] = finishReasons;
  set(attributes, semconv.ATTR_GEN_AI_RESPONSE_ID, id);
  set(attributes, semconv.ATTR_GEN_AI_RESPONSE_MODEL, model);
  set(attributes, semconv.ATTR_GEN_AI_USAGE_INPUT_TOKENS, usage.input);
  set(attributes, semconv.ATTR_GEN_AI_USAGE_OUTPUT_TOKENS, usage.output);
  set(attributes, semconv.ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS, usage.cacheRead);
  set(attributes, semconv.ATTR_GEN_AI_USAGE_CACHE_CREATION_INPUT_TOKENS, usage.cacheWrite);
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
    attributes[semconv.ATTR_GEN_AI_RESPONSE_FINISH_REASONS] ??= [fallback];
  }
  set(attributes, semconv.ATTR_ERROR_TYPE, failure?.type);
  set(attributes, semconv.ATTR_HTTP_RESPONSE_STATUS_CODE, status);
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
    attributes[semconv.ATTR_GEN_AI_INPUT_MESSAGES] = toInputJson(input);
    if (system.length > 0)
      set(attributes, semconv.ATTR_GEN_AI_SYSTEM_INSTRUCTIONS, toOtherJson(system));
    if (toArray(tools).length > 0)
      set(attributes, semconv.ATTR_GEN_AI_TOOL_DEFINITIONS, toOtherJson(tools));
  }
  if (answer && !answer.isEmpty) {
    const isPartial = answer.isCut || !answer.isComplete;
    const messages = answer.toMessages(FINISH_REASONS[kind]);
    attributes[semconv.ATTR_GEN_AI_OUTPUT_MESSAGES] = toOutputJson(messages, isPartial);
  }
  return attributes;
}

/** Differs from the scope of public spans, which the bridge skips. */
const SCOPE = { name: semconv.FETCH_SCOPE_NAME, version: VERSION };

function toName(call: KnownCall): string {
  const operation = call.protocol.operation ?? "chat";
  const model = toModel(call);
  return model === undefined ? operation : `${operation} ${model}`;
}

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

/** The spans of one call over HTTP. */
export class CallSpan {
  /** The context that the request is sent in. */
  readonly context: Context;
  readonly #call: KnownCall;
  readonly #pair: SpanPair;

  constructor(host: FetchObserverHost, call: KnownCall, context: Context, time: SpanTime) {
    this.#call = call;
    const active = unwrapSpan(trace.getSpan(context));
    const outer = findOuter(active, call, host);
    const pair = new SpanPair(host, {
      name: toName(call),
      kind: SpanKind.CLIENT,
      attributes: toStartAttributes(call),
      scope: SCOPE,
      parent: context,
      startTime: time.start,
      around: outer ?? active,
      isPrivate: outer !== undefined,
      time,
    });
    this.#pair = pair;
    this.context = pair.shown ? trace.setSpan(context, pair.shown) : context;
    host.onStart(() => pair.bridged, context);
  }

  /** Ends both spans. */
  end(outcome: CallOutcome, endTime: HrTime): void {
    this.#pair.end(endTime, {
      attributes: toEndAttributes(outcome),
      failure: outcome.failure,
      answerLength: outcome.answer?.length ?? 0,
      toContent: () => toContentAttributes(this.#call, outcome),
    });
  }
}
