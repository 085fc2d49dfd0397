import { context, type Context } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import type { BridgedEvent } from "../../../src/bridge/bridged-event.ts";
import type { BridgeSpan } from "../../../src/bridge/bridge-span.ts";
import { readRole } from "../../../src/bridge/dialects/index.ts";
import { EventBridge } from "../../../src/bridge/event-bridge.ts";
import type { FetchObserverHost } from "../../../src/instrumentation/host.ts";
import { systemClock, type Clock } from "../../../src/util/clock.ts";
import { createProviders } from "../../helpers/otel.ts";

/** A clock that goes on a millisecond whenever it is read: what is told at once would have no order otherwise. */
function createTickingClock(): Clock {
  let millis = 1_700_000_000_000;
  const tick = (): number => ++millis;
  return { ...systemClock, now: tick, monotonic: tick };
}

/** A host of hooks with a real bridge and real providers of OpenTelemetry. */
export function createHookHost(options: Partial<FetchObserverHost> = {}) {
  const { tracerProvider, spans } = createProviders();
  const events: BridgedEvent[] = [];
  const bridge = new EventBridge({ onEvent: (event) => events.push(event) });
  const lines: string[] = [];
  const opened: BridgeSpan[] = [];
  const ended: BridgeSpan[] = [];
  const host: FetchObserverHost = {
    tracer: () => tracerProvider.getTracer("agent-monitor"),
    onStart(toSpan: () => BridgeSpan, around: Context) {
      const span = toSpan();
      opened.push(span);
      bridge.onStart(span, around);
    },
    onEnd(span: BridgeSpan) {
      ended.push(span);
      bridge.onEnd(span);
    },
    onAbandon: (span) => bridge.onAbandoned(span),
    isModelCall: (span) => readRole(span) === "call",
    log: {
      log: (_level, _code, message) => void lines.push(message),
      flush: () => undefined,
    },
    clock: createTickingClock(),
    ...options,
  };
  return {
    host,
    bridge,
    events,
    opened,
    ended,
    /** What was logged. */
    lines,
    tracer: tracerProvider.getTracer("app"),
    /** The public spans as `name < parent`, with the type of their error. */
    shown: (): string[] => {
      const names = new Map(spans().map((span) => [span.spanContext().spanId, span.name]));
      return spans().map(({ name, parentSpanContext, attributes }) => {
        const parent = names.get(parentSpanContext?.spanId ?? "");
        const type = attributes["error.type"];
        const failed = type === undefined ? "" : ` !${JSON.stringify(type)}`;
        return `${name}${parent === undefined ? "" : ` < ${parent}`}${failed}`;
      });
    },
    publicSpans: spans,
    /** What the bridge told, everything that waits included, as `kind agent text`. */
    told: (): string[] => {
      bridge.shutdown();
      return events.map(({ interaction }) => {
        const { kind, agentId, content, error, toolName, toolResult, toolParameters } = interaction;
        const text = content ?? (error as Error | undefined)?.message ?? toolName ?? "";
        const value = toolResult === undefined ? toolParameters : toolResult;
        return `${kind} ${agentId}: ${text}${value === undefined ? "" : ` ${JSON.stringify(value)}`}`;
      });
    },
  };
}

/** Runs a test with a context manager, as an application with OpenTelemetry's SDK has. */
export async function withContextManager<T>(run: () => Promise<T>): Promise<T> {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  try {
    return await run();
  } finally {
    context.disable();
  }
}
