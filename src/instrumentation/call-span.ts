import {
  isSpanContextValid,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type HrTime,
  type Span,
} from "@opentelemetry/api";
import type { BridgeSpan } from "../bridge/bridge-span.ts";
import { SCOPE_NAME } from "../otel/semconv.ts";
import { VERSION } from "../version.ts";
import {
  toContentAttributes,
  toEndAttributes,
  toModel,
  toScopeAttributes,
  toStartAttributes,
  type CallOutcome,
  type KnownCall,
} from "./call-attributes.ts";
import type { FetchObserverHost } from "./host.ts";
import { toIds } from "./span-ids.ts";

/** Another name than that of the telemetry path's spans, which the bridge passes over. */
const SCOPE = { name: `${SCOPE_NAME}/fetch`, version: VERSION };
const ERROR_MESSAGE = "exception.message";

/** A span as the SDK makes it, of which the API shows less. */
type SdkSpan = Span & Partial<Pick<BridgeSpan, "attributes" | "resource" | "name">>;

interface ObservedSpan extends BridgeSpan {
  endTime: HrTime;
  attributes: Attributes;
  status: { code: SpanStatusCode; message?: string };
  readonly kind: SpanKind;
}

/** Gives the span that stands for the same call already. */
function findOuter(active: SdkSpan | undefined, host: FetchObserverHost): SdkSpan | undefined {
  if (!active?.attributes || !active.isRecording()) return undefined;
  return host.isModelCall(active as SdkSpan & BridgeSpan) ? active : undefined;
}

/** The spans of one call: the one with all content for the bridge, and one for the telemetry path. */
export class CallSpan {
  /** The context that the request is sent in. */
  readonly context: Context;
  readonly #host: FetchObserverHost;
  readonly #call: KnownCall;
  readonly #span: ObservedSpan;
  readonly #public: Span | undefined;

  constructor(host: FetchObserverHost, call: KnownCall, context: Context, startTime: HrTime) {
    this.#host = host;
    this.#call = call;
    const attributes = toStartAttributes(call);
    const operation = call.protocol.operation ?? "chat";
    const name = [operation, toModel(call)].filter(Boolean).join(" ");
    const active: SdkSpan | undefined = trace.getSpan(context);
    const parent = active?.spanContext();
    if (!findOuter(active, host)) {
      this.#public = host.tracer()?.startSpan(
        name,
        {
          kind: SpanKind.CLIENT,
          attributes: { ...attributes, ...toScopeAttributes() },
          startTime,
        },
        context,
      );
    }
    this.context = this.#public ? trace.setSpan(context, this.#public) : context;
    const spanContext = toIds(this.#public, parent);
    const made: SdkSpan | undefined = this.#public;
    const resource = made?.resource ?? active?.resource;
    this.#span = {
      name,
      kind: SpanKind.CLIENT,
      spanContext: () => spanContext,
      parentSpanContext: parent && isSpanContextValid(parent) ? parent : undefined,
      startTime,
      endTime: [0, 0],
      attributes,
      status: { code: SpanStatusCode.UNSET },
      events: [],
      instrumentationScope: SCOPE,
      ...(resource && { resource }),
    };
    host.onStart(this.#span, context);
  }

  /**
   * Ends both. The public one ends at once, whatever the rest does; what was said is read later if the public one
   * needn't have it, because the application waits here for its answer.
   */
  end(outcome: CallOutcome, endTime: HrTime): void {
    const { toPublicContent, annotate, defer } = this.#host;
    const isNeeded = this.#public?.isRecording() === true && (toPublicContent ?? annotate);
    if (isNeeded || !defer) {
      this.#endNow(outcome, endTime);
      return;
    }
    try {
      const told = this.#finish(outcome, endTime);
      if (this.#public?.isRecording() === true) this.#tellPublic(this.#public, told, {});
    } finally {
      this.#public?.end(endTime);
      defer(() => this.#tellHost(outcome));
    }
  }

  #endNow(outcome: CallOutcome, endTime: HrTime): void {
    try {
      const told = this.#finish(outcome, endTime);
      const content = toContentAttributes(this.#call, outcome);
      Object.assign(this.#span.attributes, content);
      if (this.#public?.isRecording() === true) this.#tellPublic(this.#public, told, content);
      this.#host.onEnd(this.#span);
    } finally {
      this.#public?.end(endTime);
    }
  }

  #tellHost(outcome: CallOutcome): void {
    Object.assign(this.#span.attributes, toContentAttributes(this.#call, outcome));
    this.#host.onEnd(this.#span);
  }

  #finish(outcome: CallOutcome, endTime: HrTime): Attributes {
    const { failure } = outcome;
    const told = toEndAttributes(outcome);
    Object.assign(this.#span.attributes, told);
    this.#span.endTime = endTime;
    if (failure) this.#span.status = { code: SpanStatusCode.ERROR, message: failure.message };
    return told;
  }

  #tellPublic(target: Span, told: Attributes, content: Attributes): void {
    const { toPublicContent, annotate } = this.#host;
    target.setAttributes(told);
    const { status } = this.#span;
    const isFailed = status.code === SpanStatusCode.ERROR;
    if (toPublicContent) {
      // What a provider says of a request may repeat it.
      const message = isFailed ? { [ERROR_MESSAGE]: status.message ?? "" } : {};
      const { [ERROR_MESSAGE]: shown, ...rest } = toPublicContent({ ...content, ...message });
      target.setAttributes(rest);
      if (isFailed) target.setStatus({ code: status.code, message: String(shown ?? "") });
    } else if (isFailed) target.setStatus({ code: status.code });
    const more = annotate?.(this.#span);
    if (more) target.setAttributes(more);
  }
}
