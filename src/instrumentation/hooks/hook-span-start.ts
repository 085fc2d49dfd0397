import {
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type HrTime,
  type Span,
} from "@opentelemetry/api";
import type { BridgeSpan } from "../../bridge/bridge-span.ts";
import {
  ATTR_GEN_AI_AGENT_NAME,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_TOOL_NAME,
  SCOPE_NAME,
} from "../../semconv.ts";
import { addScope } from "../spans/call-attributes.ts";
import type { FetchObserverHost } from "../host.ts";
import { makeIds, readIds } from "../spans/span-ids.ts";
import { unwrapSpan, type SdkSpan } from "../spans/unwrap-span.ts";

/**
 * What a library's hook tells of: `chain` only holds together what it called, which the bridge passes over.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-agent-spans/
 */
export type HookOperation = "chat" | "execute_tool" | "invoke_agent" | "invoke_workflow" | "chain";

/** What a span of a hook begins with. */
export interface HookSpanOptions {
  readonly operation: HookOperation;
  /** Of the tool, the agent or the model, for the span's name. @defaultValue what the attributes say */
  readonly name?: string | undefined;
  /** Names of the conventions, without content. */
  readonly attributes: Attributes;
  /** Names of the conventions that carry content: whole for the bridge, by the policy in public. */
  readonly content?: Attributes | undefined;
  /** @defaultValue the active context */
  readonly parent?: Context | undefined;
  /** Milliseconds since the Unix epoch, or as OpenTelemetry writes it. @defaultValue now */
  readonly startTime?: HrTime | number | undefined;
  /** The library, as the scope of the bridge's span names it. @defaultValue `hook` */
  readonly library?: string | undefined;
  /** Leaves the telemetry path out: the fetch observer makes the public spans of the same calls. @defaultValue false */
  readonly isPrivate?: boolean | undefined;
}

/** The span that the bridge gets. */
export interface HookBridgeSpan extends BridgeSpan {
  endTime: HrTime;
  readonly attributes: Attributes;
  status: { code: SpanStatusCode; message?: string };
  readonly kind: SpanKind;
}

/** Both spans of a run. */
export interface HookSpans {
  readonly bridged: HookBridgeSpan;
  readonly shown: Span | undefined;
  /** The context of what runs inside. */
  readonly context: Context;
}

const NAMES: Readonly<Partial<Record<HookOperation, string>>> = {
  chat: ATTR_GEN_AI_REQUEST_MODEL,
  execute_tool: ATTR_GEN_AI_TOOL_NAME,
  invoke_agent: ATTR_GEN_AI_AGENT_NAME,
};

/** Gives a time as OpenTelemetry writes it. */
export function toHrTime(time: HrTime | number): HrTime {
  if (typeof time !== "number") return time;
  const seconds = Math.floor(time / 1e3);
  return [seconds, Math.round((time - seconds * 1e3) * 1e6)];
}

/** Adds what is known; values of `undefined` would reach readers as attributes. */
export function assign(target: Attributes, values: Attributes | undefined): void {
  for (const [name, value] of Object.entries(values ?? {})) {
    if (value !== undefined) target[name] = value;
  }
}

function toName({ operation, name }: HookSpanOptions, attributes: Attributes): string {
  const label = name ?? attributes[NAMES[operation] ?? ""];
  return label === undefined ? operation : `${operation} ${String(label)}`;
}

/** Tells whether another public span stands for the same call. */
function isShown(
  host: FetchObserverHost,
  { operation, isPrivate = false }: HookSpanOptions,
  around: SdkSpan | undefined,
): boolean {
  if (isPrivate) return true;
  if (operation !== "chat" || !around?.attributes || !around.isRecording()) return false;
  return host.isModelCall(around as SdkSpan & BridgeSpan);
}

function show(
  host: FetchObserverHost,
  { name, kind, attributes }: Pick<HookBridgeSpan, "name" | "kind" | "attributes">,
  startTime: HrTime,
  parent: Context,
): SdkSpan | undefined {
  const start = { kind, attributes: addScope({ ...attributes }), startTime };
  return host.tracer()?.startSpan(name, start, parent);
}

/** Makes both spans. */
export function makeHookSpans(
  host: FetchObserverHost,
  options: HookSpanOptions,
  parent: Context,
  startTime: HrTime,
): HookSpans {
  const { operation, library = "hook" } = options;
  const around = unwrapSpan(trace.getSpan(parent));
  const above = readIds(around);
  const attributes: Attributes = { [ATTR_GEN_AI_OPERATION_NAME]: operation };
  assign(attributes, options.attributes);
  const name = toName(options, attributes);
  const kind = operation === "chat" ? SpanKind.CLIENT : SpanKind.INTERNAL;
  const isTold = isShown(host, options, around);
  const shown = isTold ? undefined : show(host, { name, kind, attributes }, startTime, parent);
  const ids = readIds(shown, above);
  const spanContext = ids ?? makeIds(above);
  assign(attributes, options.content);
  const resource = shown?.resource ?? around?.resource;
  const bridged: HookBridgeSpan = {
    name,
    kind,
    spanContext: () => spanContext,
    parentSpanContext: above,
    startTime,
    endTime: [0, 0],
    attributes,
    status: { code: SpanStatusCode.UNSET },
    events: [],
    instrumentationScope: { name: `${SCOPE_NAME}/${library}` },
    ...(resource && { resource }),
  };
  const inner = ids && shown ? shown : trace.wrapSpanContext(spanContext);
  return { bridged, shown, context: trace.setSpan(parent, inner) };
}
