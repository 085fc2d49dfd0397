import { EventBridge } from "../../src/bridge/event-bridge.ts";
import type { BridgedEvent } from "../../src/bridge/bridged-event.ts";
import type { BridgeSpan } from "../../src/bridge/bridge-span.ts";
import { readRole } from "../../src/bridge/dialects/index.ts";
import { FetchObserver } from "../../src/instrumentation/fetch/fetch-observer.ts";
import type { FetchObserverHost } from "../../src/instrumentation/host.ts";
import { createBurstLogger } from "../../src/util/logger.ts";
import { systemClock, type Clock } from "../../src/util/clock.ts";
import { createProviders } from "../helpers/otel.ts";

/** An event without what differs from run to run. */
export interface ToldEvent {
  readonly kind: string;
  readonly [member: string]: unknown;
}

const VARYING = new Set([
  "traceId",
  "spanId",
  "llmLatency",
  "agentId",
  "sessionId",
  "executionTime",
]);

function toTold({ interaction, metadata }: BridgedEvent): ToldEvent {
  const entries = Object.entries({ ...interaction, ...metadata });
  const known = entries.filter(([name, value]) => !VARYING.has(name) && value !== undefined);
  return Object.fromEntries(known) as unknown as ToldEvent;
}

/** A fetch observer whose host is real: the bridge, and OpenTelemetry's SDK. */
export interface Observed {
  readonly observer: FetchObserver;
  readonly fetch: typeof fetch;
  /** Model calls that have ended, as the bridge gets them. */
  readonly ended: BridgeSpan[];
  readonly started: BridgeSpan[];
  readonly warnings: unknown[];
  readonly providers: ReturnType<typeof createProviders>;
  /** Ends what waits, and gives the events. */
  events(): ToldEvent[];
  /** Gives the attributes of the one call that has ended, content parsed. */
  call(): Record<string, any>;
}

/** Parses the content of a call; an answer that is marked as a part by a missing end as well. */
function toContent(attributes: Readonly<Record<string, unknown>>): Record<string, any> {
  const parsed: Record<string, any> = { ...attributes };
  for (const name of [
    "gen_ai.input.messages",
    "gen_ai.output.messages",
    "gen_ai.system_instructions",
    "gen_ai.tool.definitions",
  ]) {
    const json = parsed[name];
    if (typeof json !== "string") continue;
    try {
      parsed[name] = JSON.parse(json);
    } catch {
      parsed[name] = { partial: JSON.parse(`${json}]`) };
    }
  }
  return parsed;
}

export function observe(
  options: Partial<FetchObserverHost> & {
    readonly clock?: Clock;
    readonly through?: typeof fetch;
  } = {},
): Observed {
  const providers = createProviders();
  const [ended, started]: [BridgeSpan[], BridgeSpan[]] = [[], []];
  const told: ToldEvent[] = [];
  const warnings: unknown[] = [];
  const push = (...line: unknown[]) => void warnings.push(line);
  const logger = { debug: push, info: push, warn: push, error: push };
  const clock = options.clock ?? systemClock;
  const bridge = new EventBridge({ onEvent: (event) => void told.push(toTold(event)) });
  const observer = new FetchObserver({
    tracer: () => providers.tracerProvider.getTracer("agent-monitor"),
    onStart: (toSpan, context) => {
      const span = toSpan();
      started.push(span);
      bridge.onStart(span, context);
    },
    onEnd: (span) => {
      ended.push(span);
      bridge.onEnd(span);
    },
    onAbandon: (span) => bridge.onAbandoned(span),
    isModelCall: (span) => readRole(span) === "call",
    log: createBurstLogger(logger, clock),
    clock,
    ...options,
  });
  return {
    observer,
    fetch: observer.observe(options.through ?? globalThis.fetch),
    ended,
    started,
    warnings,
    providers,
    events() {
      observer.flush();
      bridge.flush();
      return told;
    },
    call() {
      if (ended.length !== 1) throw new Error(`${ended.length} calls have ended, not one`);
      return toContent(ended[0]!.attributes);
    },
  };
}
