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
import type { BridgeSpan } from "../../bridge/bridge-span.ts";
import { FETCH_SCOPE_NAME } from "../../semconv.ts";
import { beginInTurn } from "../../scope/turn-scope.ts";
import { VERSION } from "../../version.ts";
import {
  addScope,
  toContentAttributes,
  toEndAttributes,
  toModel,
  toStartAttributes,
  type CallOutcome,
  type KnownCall,
} from "./call-attributes.ts";
import { endInTime } from "./end-in-time.ts";
import type { FetchObserverHost } from "../host.ts";
import { toIds } from "./span-ids.ts";
import { unwrapSpan, type SdkSpan } from "./unwrap-span.ts";

/** Another name than that of the telemetry path's spans, which the bridge passes over. */
const SCOPE = { name: FETCH_SCOPE_NAME, version: VERSION };
const ERROR_MESSAGE = "exception.message";

interface ObservedSpan extends BridgeSpan {
  endTime: HrTime;
  readonly attributes: Attributes;
  status: { code: SpanStatusCode; message?: string };
  readonly kind: SpanKind;
}

function toName(call: KnownCall): string {
  const operation = call.protocol.operation ?? "chat";
  const model = toModel(call);
  return model === undefined ? operation : `${operation} ${model}`;
}

/** Gives the span that stands for the same call already: an active one, or one that nobody made active. */
function findOuter(
  active: SdkSpan | undefined,
  call: KnownCall,
  host: FetchObserverHost,
): Pick<BridgeSpan, "spanContext" | "resource"> | undefined {
  if (
    active?.attributes &&
    active.isRecording() &&
    host.isModelCall(active as SdkSpan & BridgeSpan)
  )
    return active;
  return host.findOpenCall?.(() => {
    const outcome = { kind: "complete", answer: undefined } as const;
    const content = toContentAttributes(call, outcome);
    return { name: "", attributes: { ...toStartAttributes(call), ...content } };
  });
}

/** The spans of one call: the one with all content for the bridge, and one for the telemetry path. */
export class CallSpan {
  /** The context that the request is sent in. */
  readonly context: Context;
  readonly #host: FetchObserverHost;
  readonly #call: KnownCall;
  readonly #name: string;
  readonly #startTime: HrTime;
  readonly #around: Pick<BridgeSpan, "spanContext" | "resource"> | undefined;
  readonly #public: SdkSpan | undefined;
  readonly #leaveTurn: () => void;
  #bridgeSpan: ObservedSpan | undefined;

  constructor(host: FetchObserverHost, call: KnownCall, context: Context, startTime: HrTime) {
    this.#host = host;
    this.#call = call;
    this.#name = toName(call);
    this.#startTime = startTime;
    const active = unwrapSpan(trace.getSpan(context));
    const outer = findOuter(active, call, host);
    this.#around = outer ?? active;
    if (!outer) this.#public = this.#startPublic(context);
    this.context = this.#public ? trace.setSpan(context, this.#public) : context;
    this.#leaveTurn = beginInTurn(context);
    host.onStart(() => this.#bridged, context);
  }

  /**
   * Ends both. The public one ends at once, whatever the rest does; what was said is read later if the public one
   * needn't have it, because the application waits here for its answer. It does not wait for a long one to be read
   * and judged: the public one ends as soon as it has gone on.
   */
  end(outcome: CallOutcome, endTime: HrTime): void {
    const { toPublicContent, annotate, defer } = this.#host;
    const isNeeded = this.#public?.isRecording() === true && (toPublicContent ?? annotate);
    if (defer && !isNeeded) this.#endEarly(outcome, endTime, defer);
    else {
      const length = outcome.answer?.length ?? 0;
      endInTime(this.#host, length, () => this.#endNow(outcome, endTime));
    }
  }

  /** Ends the public one now and the other one later. */
  #endEarly(
    outcome: CallOutcome,
    endTime: HrTime,
    defer: NonNullable<FetchObserverHost["defer"]>,
  ): void {
    const told = toEndAttributes(outcome);
    try {
      if (this.#public?.isRecording() === true) this.#recordPublic(this.#public, outcome, told, {});
    } finally {
      this.#endPublic(endTime);
      defer(() => {
        this.#finish(outcome, endTime, told, toContentAttributes(this.#call, outcome));
        this.#host.onEnd(this.#bridged);
      });
    }
  }

  #endNow(outcome: CallOutcome, endTime: HrTime): void {
    try {
      const told = toEndAttributes(outcome);
      const content = toContentAttributes(this.#call, outcome);
      this.#finish(outcome, endTime, told, content);
      if (this.#public?.isRecording() === true) {
        this.#recordPublic(this.#public, outcome, told, content);
      }
      this.#host.onEnd(this.#bridged);
    } finally {
      this.#endPublic(endTime);
    }
  }

  #endPublic(endTime: HrTime): void {
    try {
      this.#public?.end(endTime);
    } finally {
      this.#leaveTurn();
    }
  }

  #startPublic(context: Context): Span | undefined {
    const attributes = addScope(toStartAttributes(this.#call));
    const start = { kind: SpanKind.CLIENT, attributes, startTime: this.#startTime };
    return this.#host.tracer()?.startSpan(this.#name, start, context);
  }

  /** The bridge's span, made when somebody asks for it: the application has gone on by then. */
  get #bridged(): ObservedSpan {
    return (this.#bridgeSpan ??= this.#makeBridged());
  }

  #makeBridged(): ObservedSpan {
    const parent = this.#around?.spanContext();
    const spanContext = toIds(this.#public, parent);
    const resource = this.#public?.resource ?? this.#around?.resource;
    return {
      name: this.#name,
      kind: SpanKind.CLIENT,
      spanContext: () => spanContext,
      parentSpanContext: parent && isSpanContextValid(parent) ? parent : undefined,
      startTime: this.#startTime,
      endTime: [0, 0],
      attributes: toStartAttributes(this.#call),
      status: { code: SpanStatusCode.UNSET },
      events: [],
      instrumentationScope: SCOPE,
      ...(resource && { resource }),
    };
  }

  #finish({ failure }: CallOutcome, endTime: HrTime, told: Attributes, content: Attributes): void {
    const span = this.#bridged;
    Object.assign(span.attributes, told, content);
    span.endTime = endTime;
    if (failure) span.status = { code: SpanStatusCode.ERROR, message: failure.message };
  }

  #recordPublic(
    target: Span,
    { failure }: CallOutcome,
    told: Attributes,
    content: Attributes,
  ): void {
    const { toPublicContent, annotate } = this.#host;
    target.setAttributes(told);
    if (toPublicContent) {
      // What a provider says of a request may repeat it.
      const message = failure ? { [ERROR_MESSAGE]: failure.message } : {};
      const { [ERROR_MESSAGE]: shown, ...rest } = toPublicContent({ ...content, ...message });
      target.setAttributes(rest);
      if (failure) target.setStatus({ code: SpanStatusCode.ERROR, message: String(shown ?? "") });
    } else if (failure) target.setStatus({ code: SpanStatusCode.ERROR });
    const more = annotate?.(this.#bridged);
    if (more) target.setAttributes(more);
  }
}
