import { trace, type Context } from "@opentelemetry/api";
import { activeTurnContext, currentConversationScope } from "../../scope/scopes.ts";
import * as semconv from "../../semconv.ts";
import { BoundedMap } from "../../util/bounded-map.ts";
import { systemClock, type Clock } from "../../util/clock.ts";
import { isRecord, parseJson, toText } from "../../util/values.ts";
import type { FetchObserverHost } from "../host.ts";
import { createGuard, startHookSpan, type HookSpan, type HookSpanOptions } from "./hook-span.ts";

/** A running tool of a framework. */
interface OpenTool {
  readonly name: string;
  /** The framework's arguments; `undefined` or empty when they are known only at the end. */
  readonly args: unknown;
  readonly callId: string | undefined;
  /** Context for spans inside the tool. */
  readonly context: Context;
  readonly sessionId: string | undefined;
  /** Whether an MCP call was made for the tool. */
  isTaken: boolean;
}

/**
 * Keeps the running tools of frameworks, so that an MCP call finds the tool that it is made for: callbacks of
 * frameworks leave no trace in the active context.
 */
type OpenTools = BoundedMap<string, OpenTool>;

const MAX_TOOLS = 2000;
/** Separator between a server's name and a tool's name in frameworks. */
const PREFIX = "__";

/** Serializes arguments independently of the order of their members. */
function sign(args: unknown): string | undefined {
  const value = typeof args === "string" ? parseJson(args) : args;
  if (!isRecord(value)) return undefined;
  try {
    return JSON.stringify(
      Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    );
  } catch {
    return undefined;
  }
}

function isSameRun(open: OpenTool, name: string, signature: string | undefined): boolean {
  if (open.isTaken || (open.name !== name && !open.name.endsWith(PREFIX + name))) return false;
  const known = sign(open.args);
  return known === undefined || known === signature;
}

const ofHosts = new WeakMap<FetchObserverHost, OpenTools>();

/** Returns the open tools that the hooks of one host share. */
function openToolsOf(host: FetchObserverHost): OpenTools {
  const tools = ofHosts.get(host) ?? new BoundedMap(MAX_TOOLS);
  ofHosts.set(host, tools);
  return tools;
}

/**
 * Returns the running tool that an MCP call is made for, once: a run of the same trace; without a trace, the only
 * matching run if it is of the same session.
 */
export function takeOpenTool(
  host: FetchObserverHost,
  name: string,
  args: unknown,
  active: Context,
): OpenTool | undefined {
  const tools = openToolsOf(host);
  if (tools.size === 0) return undefined;
  const signature = sign(args);
  const same = [...tools.values()].filter((open) => isSameRun(open, name, signature));
  const traceId = trace.getSpanContext(active)?.traceId;
  const near = same.find(({ context }) => trace.getSpanContext(context)?.traceId === traceId);
  const sessionId = currentConversationScope()?.sessionId;
  const isAlone = traceId === undefined && same.length === 1 && same[0]?.sessionId === sessionId;
  const found = near ?? (isAlone ? same[0] : undefined);
  if (found) found.isTaken = true;
  return found;
}

/** A run of a library; a run without a span only has the context of its parent. */
interface Run {
  readonly context: Context;
  readonly span?: HookSpan;
  /** Monotonic ms at which the last piece of the response came. */
  seenAt?: number | undefined;
}

const MAX_RUNS = 20_000;
/** Idle time after which an unread stream ends, before the bridge emits its other knowledge of the same call. */
const IDLE_MILLIS = 30_000;
const SWEEP_MILLIS = 10_000;

/** Keeps the open runs of a library by the library's ids; above the limit the oldest run is abandoned. */
export class HookRuns {
  readonly #host: FetchObserverHost;
  readonly #library: string;
  readonly #runs: BoundedMap<unknown, Run>;
  readonly #clock: Clock;
  readonly #tools: OpenTools;
  #isSweeping = false;

  constructor(host: FetchObserverHost, library: string, maxRuns = MAX_RUNS) {
    this.#host = host;
    this.#library = library;
    this.#clock = host.clock ?? systemClock;
    this.#tools = openToolsOf(host);
    this.#runs = new BoundedMap(maxRuns, ({ span }) => span?.abandon());
  }

  /** Starts a run with spans inside its parent if that is known, else in the active context. */
  start(id: string, parentId: unknown, options: HookSpanOptions): void {
    const parent = this.#contextOf(parentId);
    const span = startHookSpan(this.#host, { library: this.#library, ...options, parent });
    this.#runs.set(id, { context: span.context, span });
    if (options.operation === "execute_tool") this.#noteTool(id, options, span.context);
  }

  /** Starts a run without spans, which only connects its children to its parent. */
  pass(id: string, parentId: unknown): void {
    this.#runs.set(id, { context: this.#contextOf(parentId) });
  }

  has(id: unknown): boolean {
    return this.#runs.get(id) !== undefined;
  }

  /** Records a piece of a response. A stream without further pieces for 30 s counts as left by its reader. */
  see(id: string): void {
    const run = this.#runs.get(id);
    if (!run) return;
    run.seenAt = this.#clock.monotonic();
    this.#schedule();
  }

  /** Ends the spans of a run in which more runs may start. */
  settle(id: string, record?: (span: HookSpan) => void): void {
    const span = this.#runs.get(id)?.span;
    if (!span) return;
    try {
      record?.(span);
    } finally {
      span.end();
    }
  }

  /** Ends a run. @param record - Records the result; the run ends even if this throws. */
  end(id: string, record?: (span: HookSpan) => void): void {
    try {
      this.settle(id, record);
    } finally {
      this.#runs.delete(id);
      this.#tools.delete(`${this.#library} ${id}`);
    }
  }

  #noteTool(id: string, { attributes, content }: HookSpanOptions, context: Context): void {
    this.#tools.set(`${this.#library} ${id}`, {
      name: toText(attributes[semconv.ATTR_GEN_AI_TOOL_NAME]) ?? "",
      args: content?.[semconv.ATTR_GEN_AI_TOOL_CALL_ARGUMENTS],
      callId: toText(attributes[semconv.ATTR_GEN_AI_TOOL_CALL_ID]),
      context,
      sessionId: currentConversationScope()?.sessionId,
      isTaken: false,
    });
  }

  #schedule(): void {
    if (this.#isSweeping) return;
    this.#isSweeping = true;
    this.#clock.schedule(() => {
      this.#isSweeping = false;
      this.#sweep();
    }, SWEEP_MILLIS);
  }

  #sweep(): void {
    const oldest = this.#clock.monotonic() - IDLE_MILLIS;
    let hasMore = false;
    for (const run of this.#runs.values()) {
      if (run.seenAt === undefined) continue;
      if (run.seenAt > oldest) hasMore = true;
      else {
        run.seenAt = undefined;
        run.span?.set({ [semconv.ATTR_GEN_AI_RESPONSE_FINISH_REASONS]: ["incomplete"] });
        run.span?.end();
      }
    }
    if (hasMore) this.#schedule();
  }

  #contextOf(parentId: unknown): Context {
    return this.#runs.get(parentId)?.context ?? activeTurnContext();
  }
}

/** Wraps the functions of a hook, its own members, so that their errors never reach the library. */
export function makeSafe<T extends object>(
  methods: T,
  host: FetchObserverHost,
  library: string,
): Pick<T, keyof T> {
  const about = { library };
  const guard = createGuard(host, "hook", "a run that a library told of could not be read", about);
  const safe = Object.entries(methods).map(([name, method]) => [
    name,
    (...args: unknown[]) => guard(() => (method as (...given: unknown[]) => void)(...args)),
  ]);
  return Object.fromEntries(safe) as T;
}
