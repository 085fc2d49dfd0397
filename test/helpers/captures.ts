import { readdirSync, readFileSync } from "node:fs";
import type { HrTime } from "@opentelemetry/api";
import { type BridgedEvent, toDetailedEvent } from "../../src/bridge/bridged-event.ts";
import type { BridgeRecord, BridgeSpan } from "../../src/bridge/bridge-span.ts";
import { EventBridge } from "../../src/bridge/event-bridge.ts";
import type { DetailedEvent } from "../../src/events/detailed-event.ts";
import type { Clock } from "../../src/util/clock.ts";

/** A span as the captures hold it. */
export interface CapturedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly startTime: HrTime;
  readonly endTime?: HrTime;
  readonly status: { readonly code: number; readonly message?: string };
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events?: NonNullable<BridgeSpan["events"]>;
  readonly scope: { readonly name: string };
  readonly resource?: Readonly<Record<string, unknown>>;
}

interface CapturedRecord {
  readonly hrTime: HrTime;
  readonly eventName: string | null;
  readonly body: unknown;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly traceId: string | null;
  readonly spanId: string | null;
  readonly scope: { readonly name: string };
  readonly resource?: Readonly<Record<string, unknown>>;
}

type ExpectedEvent = readonly [kind: string, first: unknown, second?: unknown];

interface Usage {
  readonly input: number;
  readonly output: number;
}

export interface Capture {
  readonly meta: {
    readonly contentCapture: boolean;
    readonly expected: {
      readonly events: readonly ExpectedEvent[];
      readonly usage?: Usage | { readonly calls: number; readonly each: Usage };
    } | null;
  };
  readonly spans: readonly CapturedSpan[];
  readonly openSpans?: readonly CapturedSpan[];
  readonly logs: readonly CapturedRecord[];
}

/** Returns a captured span as a processor gets it. */
export function toSpan(span: CapturedSpan): BridgeSpan {
  const { traceId, spanId, parentSpanId } = span;
  return {
    name: span.name,
    spanContext: () => ({ traceId, spanId, traceFlags: 1 }),
    parentSpanContext: parentSpanId ? { traceId, spanId: parentSpanId, traceFlags: 1 } : undefined,
    startTime: span.startTime,
    endTime: span.endTime ?? [0, 0],
    status: span.status,
    attributes: span.attributes,
    events: span.events ?? [],
    instrumentationScope: span.scope,
    resource: { attributes: span.resource ?? {} },
  };
}

/** Returns a captured log record as a processor gets it. */
export function toRecord(record: CapturedRecord): BridgeRecord {
  const { traceId, spanId } = record;
  return {
    hrTime: record.hrTime,
    eventName: record.eventName ?? undefined,
    body: record.body,
    attributes: record.attributes ?? {},
    spanContext: traceId && spanId ? { traceId, spanId, traceFlags: 1 } : undefined,
    instrumentationScope: record.scope,
    resource: { attributes: record.resource ?? {} },
  };
}

const toNumber = ([seconds, nanos]: HrTime): number => seconds * 1e3 + nanos / 1e6;

/**
 * Replays a capture as the application ran it: starts and log records by time, ends in their order, the rest never.
 *
 * @param clock - Default: the system's, whose time stands on events of what never ended.
 */
export function replay(capture: Capture, clock?: Clock): DetailedEvent[] {
  const told: BridgedEvent[] = [];
  const bridge = new EventBridge({ onEvent: (event) => told.push(event), clock });
  const ended = capture.spans.map(toSpan);
  const started = [...ended, ...(capture.openSpans ?? []).map(toSpan)];
  const steps = [
    ...started.map((span) => ({ at: toNumber(span.startTime), run: () => bridge.onStart(span) })),
    ...capture.logs.map((record) => ({
      at: toNumber(record.hrTime),
      run: () => bridge.onLogRecord(toRecord(record)),
    })),
  ];
  for (const { run } of steps.toSorted((one, other) => one.at - other.at)) run();
  for (const span of ended) bridge.onEnd(span);
  bridge.shutdown();
  return told.map((event) =>
    toDetailedEvent(event, {
      eventId: event.eventId,
      environment: "production",
      maxLength: 1e6,
    }),
  );
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => one.localeCompare(other));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]));
}

/** A value, whether it came as JSON text or not. */
function normalise(value: unknown): unknown {
  if (typeof value !== "string") return sortKeys(value);
  try {
    return sortKeys(JSON.parse(value));
  } catch {
    return value;
  }
}

function toShort(event: DetailedEvent, isOff: boolean): unknown[] {
  const kind = event.interactionType;
  const hide = (value: unknown): unknown =>
    isOff && event.metadata?.["captured"] === false ? "not captured" : normalise(value);
  switch (kind) {
    case "user_message":
    case "agent_response":
      return [kind, hide(event.content)];
    case "tool_call":
      return [kind, event.toolName, hide(event.toolParameters)];
    case "tool_result":
      return [kind, event.toolName, event.success ? hide(event.toolResult) : "failed"];
    case "error":
      return [kind, event.errorCode];
    default:
      return [kind];
  }
}

function toExpected(
  [kind, first, second]: ExpectedEvent,
  got: DetailedEvent | undefined,
  isOff: boolean,
): unknown[] {
  const isHidden = isOff && got?.metadata?.["captured"] === false;
  if (kind === "error") {
    // A broken stream has no status.
    const code = got && "errorCode" in got ? got.errorCode : undefined;
    return [kind, typeof first === "number" ? String(first) : code];
  }
  if (kind === "user_message") return [kind, isHidden ? "not captured" : first];
  if (kind === "agent_response") {
    const isPart = typeof first === "string" && first.startsWith("partial:");
    const content = got && "content" in got ? got.content : undefined;
    return [kind, isHidden ? "not captured" : isPart ? content : first];
  }
  const hasFailed = typeof second === "object" && second !== null && "failed" in second;
  return [kind, first, isHidden ? "not captured" : hasFailed ? "failed" : normalise(second)];
}

function sumTokens(events: readonly DetailedEvent[]): Usage {
  let sum = { input: 0, output: 0 };
  for (const event of events) {
    const typed = "llmMetadata" in event ? event.llmMetadata?.tokensUsed : undefined;
    const used = (typed ?? event.metadata?.["tokensUsed"]) as Usage | undefined;
    if (used) sum = { input: sum.input + used.input, output: sum.output + used.output };
  }
  return sum;
}

/** What a capture holds and what was made of it, in one form. */
export function compare(capture: Capture): { readonly expected: unknown; readonly got: unknown } {
  const events = replay(capture);
  const { expected, contentCapture } = capture.meta;
  const isOff = !contentCapture;
  const wanted = expected?.events ?? [];
  const usage = expected?.usage;
  const sum = usage && "each" in usage ? usage.each : usage;
  const calls = usage && "each" in usage ? usage.calls : 1;
  return {
    got: {
      events: events.map((event) => toShort(event, isOff)),
      ...(sum && { tokens: sumTokens(events) }),
    },
    expected: {
      events: wanted.map((event, index) => toExpected(event, events[index], isOff)),
      ...(sum && { tokens: { input: sum.input * calls, output: sum.output * calls } }),
    },
  };
}

/**
 * Takes the span of the application away that held the calls together, so that each begins a trace of its own;
 * `undefined` where there is none, or nothing to hold.
 */
export function detach(capture: Capture): Capture | undefined {
  const isHolder = ({ scope }: CapturedSpan): boolean => scope.name === "test-app";
  const { spans, openSpans = [], logs } = capture;
  const kept = new Map(
    [...spans, ...openSpans].filter((span) => !isHolder(span)).map((span) => [span.spanId, span]),
  );
  if (kept.size === spans.length + openSpans.length) return undefined;
  const rootOf = (span: CapturedSpan): CapturedSpan => {
    const parent = kept.get(span.parentSpanId ?? "");
    return parent ? rootOf(parent) : span;
  };
  const roots = new Map([...kept.values()].map((span) => [span.spanId, rootOf(span).spanId]));
  if (new Set(roots.values()).size < 2) return undefined;
  const toTrace = (spanId: string): string => (roots.get(spanId) ?? "").padEnd(32, "0");
  const move = (span: CapturedSpan): CapturedSpan => ({
    ...span,
    traceId: toTrace(span.spanId),
    parentSpanId: kept.has(span.parentSpanId ?? "") ? span.parentSpanId : null,
  });
  return {
    ...capture,
    spans: spans.filter(({ spanId }) => kept.has(spanId)).map(move),
    openSpans: openSpans.filter(({ spanId }) => kept.has(spanId)).map(move),
    logs: logs.map((record) =>
      record.spanId ? { ...record, traceId: toTrace(record.spanId) } : record,
    ),
  };
}

interface NamedCapture {
  readonly name: string;
  readonly capture: Capture;
}

/** Reads the captures of a directory by name. */
export function readAllCaptures(directory: URL): NamedCapture[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith(".json"))
    .map((file) => ({
      name: file.slice(0, -".json".length),
      capture: JSON.parse(readFileSync(new URL(file, directory), "utf8")) as Capture,
    }));
}

/** Reads those captures of a directory that say what happened. */
export function readCaptures(directory: URL): NamedCapture[] {
  return readAllCaptures(directory).filter(
    ({ capture }) => capture.meta.expected?.events !== undefined,
  );
}
