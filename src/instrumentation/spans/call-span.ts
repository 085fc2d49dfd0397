import { SpanKind, trace, type Context, type HrTime } from "@opentelemetry/api";
import type { BridgeSpan } from "../../bridge/bridge-span.ts";
import { FETCH_SCOPE_NAME } from "../../semconv.ts";
import { VERSION } from "../../version.ts";
import type { FetchObserverHost } from "../host.ts";
import {
  toContentAttributes,
  toEndAttributes,
  toModel,
  toStartAttributes,
  type CallOutcome,
  type KnownCall,
} from "./call-attributes.ts";
import { isOpenCall, unwrapSpan, type SdkSpan, type SpanTime } from "./observed-span.ts";
import { SpanPair } from "./span-pair.ts";

/** Differs from the scope of public spans, which the bridge skips. */
const SCOPE = { name: FETCH_SCOPE_NAME, version: VERSION };

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
