import type { HrTime } from "@opentelemetry/api";
import type { BridgedEvent } from "../../../src/bridge/bridged-event.ts";
import type { BridgeRecord, BridgeSpan } from "../../../src/bridge/bridge-span.ts";
import { EventBridge } from "../../../src/bridge/event-bridge.ts";

/** A span as a producer would write it. */
export interface SpanGiven {
  readonly id: string;
  readonly parent?: string;
  readonly name?: string;
  readonly scope?: string;
  /** Milliseconds after the beginning. */
  readonly at: number;
  /** `Infinity` for one that never ends. */
  readonly until: number;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly events?: NonNullable<BridgeSpan["events"]>;
  /** Message of a status that is an error. */
  readonly failed?: string;
  readonly trace?: string;
}

/** A log record that belongs to a span. */
export interface LogGiven {
  readonly span: string;
  readonly event: string;
  readonly at: number;
  readonly body?: unknown;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly scope?: string;
}

const toId = (text: string, length: number): string =>
  Buffer.from(text).toString("hex").padEnd(length, "0").slice(0, length);
const toTime = (millis: number): HrTime => [1_700_000_000, millis * 1e6];

function toSpan(given: SpanGiven): BridgeSpan {
  const traceId = toId(given.trace ?? "trace", 32);
  const contextOf = (id: string) => ({ traceId, spanId: toId(id, 16), traceFlags: 1 });
  return {
    name: given.name ?? given.id,
    spanContext: () => contextOf(given.id),
    parentSpanContext: given.parent === undefined ? undefined : contextOf(given.parent),
    startTime: toTime(given.at),
    endTime: toTime(given.until === Infinity ? 0 : given.until),
    status: given.failed === undefined ? { code: 0 } : { code: 2, message: given.failed },
    attributes: given.attributes ?? {},
    events: given.events ?? [],
    instrumentationScope: { name: given.scope ?? "client" },
    resource: { attributes: { "service.name": "bank" } },
  };
}

function toRecord({ span, event, at, body, attributes = {}, scope }: LogGiven): BridgeRecord {
  const spanContext = { traceId: toId("trace", 32), spanId: toId(span, 16), traceFlags: 1 };
  return {
    hrTime: toTime(at),
    eventName: event,
    body,
    attributes,
    spanContext,
    instrumentationScope: { name: scope ?? "client" },
  };
}

function toLine({ interaction, metadata }: BridgedEvent): string {
  const { kind, content, toolName, toolResult, toolParameters } = interaction;
  if (kind === "error") return `error ${String(metadata["errorCode"])}`;
  const text = metadata["captured"] === false && !content ? "(not captured)" : (content ?? "");
  if (kind === "tool_call") return `tool_call ${toolName} ${JSON.stringify(toolParameters)}`;
  if (kind === "tool_result") return `tool_result ${toolName} ${JSON.stringify(toolResult)}`;
  return `${kind} ${text}`;
}

/** What was told: a line for each event, and the tokens of all of them. */
export interface Told {
  readonly lines: readonly string[];
  /** Input and output. */
  readonly tokens: readonly [number, number];
  readonly events: readonly BridgedEvent[];
}

/** Replays spans as the application ran them: what happened first comes first. */
export function replaySpans(given: readonly SpanGiven[], logs: readonly LogGiven[] = []): Told {
  const events: BridgedEvent[] = [];
  const bridge = new EventBridge({ onEvent: (event) => events.push(event) });
  const spans = given.map(toSpan);
  const steps = [
    ...spans.map((span, index) => ({
      at: given[index]?.at ?? 0,
      run: () => bridge.onStart(span),
    })),
    ...logs.map((log) => ({ at: log.at, run: () => bridge.onLogRecord(toRecord(log)) })),
    ...spans.map((span, index) => ({
      at: (given[index]?.until ?? 0) + 0.5,
      run: () => bridge.onEnd(span),
    })),
  ];
  for (const { at, run } of steps.toSorted((one, other) => one.at - other.at)) {
    if (at < Infinity) run();
  }
  return finish(bridge, events);
}

/** Hands decoded spans on in the given order, without their starts, as a receiver does. */
export function exportSpans(given: readonly SpanGiven[]): Told {
  const events: BridgedEvent[] = [];
  const bridge = new EventBridge({ onEvent: (event) => events.push(event) });
  for (const span of given) bridge.onEnd(toSpan(span));
  return finish(bridge, events);
}

function finish(bridge: EventBridge, events: readonly BridgedEvent[]): Told {
  bridge.shutdown();
  const tokens: [number, number] = [0, 0];
  for (const { metadata } of events) {
    const used = metadata["tokensUsed"] as { input: number; output: number } | undefined;
    tokens[0] += used?.input ?? 0;
    tokens[1] += used?.output ?? 0;
  }
  return { lines: events.map(toLine), tokens, events };
}
