import { AsyncLocalStorage } from "node:async_hooks";
import {
  context as contextApi,
  SpanKind,
  trace,
  type Attributes,
  type Context,
  type HrTime,
} from "@opentelemetry/api";
import { activeTurnContext, isInActiveTurn } from "../../scope/turn-scope.ts";
import { isUnobserved } from "../../scope/unobserved.ts";
import {
  ATTR_GEN_AI_AGENT_NAME,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_TOOL_NAME,
  SCOPE_NAME,
} from "../../semconv.ts";
import { toErrorName } from "../../util/logger.ts";
import type { FetchObserverHost } from "../host.ts";
import { assign, isOpenCall, SpanTime, toHrTime, unwrapSpan } from "../spans/observed-span.ts";
import { SpanPair, type SpanPairOptions } from "../spans/span-pair.ts";

// The ESM and the CommonJS build of one process share one store.
const STORAGE = Symbol.for("agent-monitor.hook-context");

const storage = ((globalThis as { [STORAGE]?: AsyncLocalStorage<Context> })[STORAGE] ??=
  new AsyncLocalStorage());

/** Runs a function, and all that it starts, inside the span of a hook, also where no context manager hands spans on. */
export function withHookContext<T>(context: Context, run: () => T): T {
  return storage.run(context, run);
}

/** Runs a function inside the span of a hook, for everybody: for those that ask OpenTelemetry as well. */
export function runInside<T>(context: Context, run: () => T): T {
  return withHookContext(context, () => contextApi.with(context, run));
}

/** Gives the context that what starts now is inside of: that of the active span, of a hook's, or of the turn. */
export function activeHookContext(): Context {
  if (trace.getSpan(contextApi.active())) return activeTurnContext();
  const around = storage.getStore();
  return around && isInActiveTurn(around) ? around : activeTurnContext();
}

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

/** One run that a library tells of, on both paths. No method ever throws. */
export type HookSpan = Pick<SpanPair, "context" | "set" | "fail" | "end" | "abandon">;

const NAMES: Readonly<Partial<Record<HookOperation, string>>> = {
  chat: ATTR_GEN_AI_REQUEST_MODEL,
  execute_tool: ATTR_GEN_AI_TOOL_NAME,
  invoke_agent: ATTR_GEN_AI_AGENT_NAME,
};

/** Makes what runs something that must not fail a library: what goes wrong is logged. */
export function createGuard(
  host: FetchObserverHost,
  message: string,
  about?: { readonly library: string },
): (action: () => void) => void {
  return (action) => {
    try {
      action();
    } catch (error) {
      host.log?.log("warn", "hook", message, { ...about, error: toErrorName(error) });
    }
  };
}

/** Makes the spans of a run that a library tells of. @param more - What the way it is told of adds. */
export function makeHookPair(
  host: FetchObserverHost,
  options: HookSpanOptions,
  more: Pick<SpanPairOptions, "parent" | "scope" | "guard" | "onOver">,
): SpanPair {
  const { operation, content, isPrivate = false } = options;
  const time = new SpanTime(host.clock);
  const around = unwrapSpan(trace.getSpan(more.parent));
  const isCall = operation === "chat";
  const attributes = assign({ [ATTR_GEN_AI_OPERATION_NAME]: operation }, options.attributes);
  const label = options.name ?? attributes[NAMES[operation] ?? ""];
  return new SpanPair(host, {
    ...more,
    name: label === undefined ? operation : `${operation} ${String(label)}`,
    kind: isCall ? SpanKind.CLIENT : SpanKind.INTERNAL,
    attributes,
    content,
    around,
    isPrivate: isPrivate || (isCall && isOpenCall(around, host)),
    time,
    startTime: options.startTime === undefined ? time.start : toHrTime(options.startTime),
    keepOpen: host.keepOpen,
  });
}

/** What stands for a run that is not recorded. */
function toNothing(context: Context): HookSpan {
  const pass = (): void => undefined;
  return { context, set: pass, fail: pass, end: pass, abandon: pass };
}

/** Starts the spans of a run that a library's hook tells of: one with all content for the bridge, one in public. */
export function startHookSpan(host: FetchObserverHost, options: HookSpanOptions): HookSpan {
  const { parent = activeTurnContext(), library = "hook" } = options;
  if (isUnobserved()) return toNothing(parent);
  const guard = createGuard(host, "a run that a library told of could not be recorded");
  let span: HookSpan | undefined;
  guard(() => {
    const scope = { name: `${SCOPE_NAME}/${library}` };
    const pair = makeHookPair(host, options, { parent, scope, guard });
    span = pair;
    host.onStart(() => pair.bridged, parent);
  });
  return span ?? toNothing(parent);
}
