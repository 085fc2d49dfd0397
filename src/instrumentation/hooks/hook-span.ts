import {
  context as contextApi,
  SpanKind,
  trace,
  type Attributes,
  type Context,
  type HrTime,
} from "@opentelemetry/api";
import {
  activeTurnContext,
  isInActiveTurn,
  isUnobserved,
  sharedStorage,
} from "../../scope/scopes.ts";
import * as semconv from "../../semconv.ts";
import { toErrorName } from "../../util/logger.ts";
import type { FetchObserverHost } from "../host.ts";
import { assign, isOpenCall, SpanTime, toHrTime, unwrapSpan } from "../spans/observed-span.ts";
import { SpanPair, type SpanPairOptions } from "../spans/span-pair.ts";

const storage = sharedStorage<Context>("hook-context");

/**
 * Runs a function, and all that it starts, inside the span of a hook, even without a context manager; with one the span
 * is active for OpenTelemetry as well.
 */
export function runInside<T>(context: Context, run: () => T): T {
  return storage.run(context, () => contextApi.with(context, run));
}

/** Returns the parent context of new spans: that of the active span, of a hook's span, or of the turn. */
export function activeHookContext(): Context {
  if (trace.getSpan(contextApi.active())) return activeTurnContext();
  const around = storage.getStore();
  return around && isInActiveTurn(around) ? around : activeTurnContext();
}

/**
 * An operation of a library; `chain` only holds other operations together, and the bridge skips it.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-agent-spans/
 */
export type HookOperation = "chat" | "execute_tool" | "invoke_agent" | "invoke_workflow" | "chain";

/** Options of a hook's span. */
export interface HookSpanOptions {
  readonly operation: HookOperation;
  /** Tool, agent or model for the span's name. @defaultValue from the attributes */
  readonly name?: string | undefined;
  /** Attributes of the conventions, without content. */
  readonly attributes: Attributes;
  /**
   * Attributes of the conventions with content: unfiltered for the bridge, filtered by the policy on the public span.
   */
  readonly content?: Attributes | undefined;
  /** @defaultValue the active context */
  readonly parent?: Context | undefined;
  /** Milliseconds since the Unix epoch, or an `HrTime`. @defaultValue now */
  readonly startTime?: HrTime | number | undefined;
  /** Library name in the scope of the bridge's span. @defaultValue `hook` */
  readonly library?: string | undefined;
  /** Skips the public span: the fetch observer makes those of the same calls. @defaultValue false */
  readonly isPrivate?: boolean | undefined;
}

/** The spans of one run of a library, for the bridge and in public. No method ever throws. */
export type HookSpan = Pick<SpanPair, "context" | "set" | "fail" | "end" | "abandon">;

const NAMES: Readonly<Partial<Record<HookOperation, string>>> = {
  chat: semconv.ATTR_GEN_AI_REQUEST_MODEL,
  execute_tool: semconv.ATTR_GEN_AI_TOOL_NAME,
  invoke_agent: semconv.ATTR_GEN_AI_AGENT_NAME,
};

/** Runs an action; logs its errors, which must not reach a library, and returns `undefined` then. */
export type Guard = <T>(action: () => T) => T | undefined;

/** Creates a guard. @param key - Names the burst that its log lines belong to. */
export function createGuard(
  { log }: FetchObserverHost,
  key: string,
  message: string,
  about?: { readonly library: string },
): Guard {
  return (action) => {
    try {
      return action();
    } catch (error) {
      log?.log("warn", key, message, { ...about, error: toErrorName(error) });
      return undefined;
    }
  };
}

/** Creates the spans of a library's run. @param more - What depends on the source of the run. */
export function makeHookPair(
  host: FetchObserverHost,
  options: HookSpanOptions,
  more: Pick<SpanPairOptions, "parent" | "scope" | "guard" | "onOver">,
): SpanPair {
  const { operation, content, isPrivate = false } = options;
  const time = new SpanTime(host.clock);
  const around = unwrapSpan(trace.getSpan(more.parent));
  const isCall = operation === "chat";
  const attributes = assign(
    { [semconv.ATTR_GEN_AI_OPERATION_NAME]: operation },
    options.attributes,
  );
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

/** Returns the no-op span of a run that is not recorded. */
function toNothing(context: Context): HookSpan {
  const pass = (): void => undefined;
  return { context, set: pass, fail: pass, end: pass, abandon: pass };
}

/** Starts the spans of a library's run: one with all content for the bridge, one in public. */
export function startHookSpan(host: FetchObserverHost, options: HookSpanOptions): HookSpan {
  const { parent = activeTurnContext(), library = "hook" } = options;
  if (isUnobserved()) return toNothing(parent);
  const guard = createGuard(host, "hook", "a run that a library told of could not be recorded");
  const scope = { name: `${semconv.SCOPE_NAME}/${library}` };
  const pair = guard(() => makeHookPair(host, options, { parent, scope, guard }));
  if (!pair) return toNothing(parent);
  guard(() => host.onStart(() => pair.bridged, parent));
  return pair;
}
