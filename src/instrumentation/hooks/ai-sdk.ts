import type { AsyncLocalStorage } from "node:async_hooks";
import { tracingChannel } from "node:diagnostics_channel";
import { context as contextApi, trace, type Context, type Tracer } from "@opentelemetry/api";
import { activeTurnContext } from "../../scope/scopes.ts";
import { BoundedMap } from "../../util/bounded-map.ts";
import { systemClock } from "../../util/clock.ts";
import { isRecord, toArray, toRecord, toText, type JsonRecord } from "../../util/values.ts";
import type { FetchObserverHost } from "../host.ts";
import {
  AI_SDK_SPANS,
  endTool,
  startAiSdkSpan,
  toAiSdkOutcome,
  toAiSdkOutput,
  type AiSdkOperation,
} from "./ai-sdk-spans.ts";
import {
  activeHookContext,
  createGuard,
  runInside,
  type Guard,
  type HookSpan,
} from "./hook-span.ts";
import { createLibraryTracer } from "./library-tracer.ts";

/** Burst of log lines. */
const KEY = "hook:ai-sdk";
/** Most open spans at a time; above it the least recently used one is abandoned. */
const MAX_OPEN = 1000;

/** Argument of `registerTelemetryIntegration` of the AI SDK 6; only the events that are read. */
export interface AiSdkIntegration {
  /** Starts the run of a tool. */
  onToolCallStart(event: unknown): void;
  /** Ends the run of a tool, with its result or its failure. */
  onToolCallFinish(event: unknown): void;
}

/** Returns whether the AI SDK has made a span of its own for the tool. */
function isRecorded(): boolean {
  const active = trace.getSpan(contextApi.active()) as { attributes?: unknown } | undefined;
  return toRecord(active?.attributes)["ai.operationId"] === "ai.toolCall";
}

/**
 * Creates an integration that records the tools of the AI SDK 6, whether a call enables telemetry or not.
 *
 * Only tools: the AI SDK notifies an integration neither of a failed call nor of an aborted one, so that spans of runs
 * would stay open. The fetch observer records model calls, the tracer records runs.
 */
function createAiSdkIntegration(host: FetchObserverHost): AiSdkIntegration {
  const open = new BoundedMap<unknown, HookSpan>(MAX_OPEN, (span) => span.abandon());
  const guard = createGuard(host, KEY, "a tool of the AI SDK could not be recorded");
  return {
    onToolCallStart: (given) =>
      guard(() => {
        const event = toRecord(given);
        if (isRecorded()) return;
        const span = startAiSdkSpan(host, "execute_tool", event, activeTurnContext());
        open.set(event["toolCall"], span);
      }),
    onToolCallFinish: (given) =>
      guard(() => {
        const event = toRecord(given);
        const span = open.get(event["toolCall"]);
        open.delete(event["toolCall"]);
        if (span) endTool(span, event);
      }),
  };
}

const CHANNEL = "ai:telemetry";

/** The AI SDK never ends a stream that its reader leaves; a run is abandoned this long after a stream began. */
const MAX_STREAM_MILLIS = 10 * 60_000;

/** A message of the AI SDK; `result` and `error` are set as its operation proceeds. */
interface ChannelMessage {
  readonly type?: unknown;
  readonly event?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** A run of an agent and its open calls; the end of those that stream is not published. */
interface Run {
  readonly message: ChannelMessage;
  readonly agent: HookSpan;
  readonly open: Set<ChannelMessage>;
  cancelTimer?: () => void;
}

/** Types of the messages at whose start spans begin. */
const OPERATIONS: ReadonlyMap<unknown, AiSdkOperation> = new Map([
  ["generateText", "invoke_agent"],
  ["streamText", "invoke_agent"],
  ["languageModelCall", "chat"],
  ["executeTool", "execute_tool"],
]);

function readCallId({ event }: ChannelMessage): string {
  return toText(toRecord(event)["callId"]) ?? "";
}

/** Reads the events of the AI SDK 7, which are published on a tracing channel of Node's. */
class AiSdkChannel {
  readonly #host: FetchObserverHost;
  readonly #guard: Guard;
  readonly #open = new BoundedMap<ChannelMessage, HookSpan>(MAX_OPEN, (span) => span.abandon());
  readonly #runs = new BoundedMap<string, Run>(MAX_OPEN, (run) => run.cancelTimer?.());
  readonly #channel = tracingChannel<Context, ChannelMessage>(CHANNEL);
  /** Makes the spans of every instrumentation inside an operation its children. */
  readonly #store = { run: runInside } as unknown as AsyncLocalStorage<Context>;
  readonly #subscribers = {
    start: (message: ChannelMessage) => void this.#enter(message),
    end: () => undefined,
    asyncStart: () => undefined,
    error: (message: ChannelMessage) =>
      this.#guard(() => this.#open.get(message)?.fail(message.error)),
    asyncEnd: (message: ChannelMessage) => this.#guard(() => this.#leave(message)),
  };
  #isEnabled = false;

  constructor(host: FetchObserverHost) {
    this.#host = host;
    this.#guard = createGuard(host, KEY, "a message of the AI SDK could not be read");
  }

  enable(): void {
    if (this.#isEnabled) return;
    this.#isEnabled = true;
    this.#channel.start.bindStore(this.#store, (message) => this.#enter(message));
    this.#channel.subscribe(this.#subscribers);
  }

  disable(): void {
    if (!this.#isEnabled) return;
    this.#isEnabled = false;
    this.#channel.start.unbindStore(this.#store);
    this.#channel.unsubscribe(this.#subscribers);
    for (const span of this.#open.values()) span.abandon();
    for (const run of this.#runs.values()) run.cancelTimer?.();
    this.#open.clear();
    this.#runs.clear();
  }

  /** Returns the context of the operation that a message starts; the first reader of a message starts its spans. */
  #enter(message: ChannelMessage): Context {
    const around = activeHookContext();
    return (
      this.#guard(() => (this.#open.get(message) ?? this.#start(message, around))?.context) ??
      around
    );
  }

  #start(message: ChannelMessage, around: Context): HookSpan | undefined {
    const operation = OPERATIONS.get(message.type);
    if (!operation) return undefined;
    const callId = readCallId(message);
    const run = this.#runs.get(callId);
    const isAgent = operation === "invoke_agent";
    const parent = isAgent ? around : (run?.agent.context ?? around);
    const span = startAiSdkSpan(this.#host, operation, toRecord(message.event), parent);
    this.#open.set(message, span);
    if (isAgent) this.#runs.set(callId, { message, agent: span, open: new Set() });
    else run?.open.add(message);
    return span;
  }

  #leave(message: ChannelMessage): void {
    const callId = readCallId(message);
    const result = toRecord(message.result);
    switch (message.type) {
      case "languageModelCall":
        // A stream has only begun: its call ends with its step, or with the run.
        if (isRecord(result["stream"])) this.#limit(callId);
        else this.#endCall(message, result);
        break;
      case "executeTool": {
        const span = this.#take(message);
        // Without `recordOutputs` the message has no output.
        if (span) endTool(span, toRecord(result["output"]));
        break;
      }
      case "step":
        this.#endOpen(callId, "languageModelCall");
        break;
      case "generateText":
      case "streamText":
        this.#endOpen(callId, undefined, message.error);
        this.#runs.get(callId)?.cancelTimer?.();
        this.#runs.delete(callId);
        this.#endCall(message, toRecord(toArray(result["steps"]).at(-1)), true);
        break;
      default:
    }
  }

  /** Abandons a run that goes on for too long after a stream has begun. */
  #limit(callId: string): void {
    const run = this.#runs.get(callId);
    if (!run) return;
    run.cancelTimer?.();
    run.cancelTimer = (this.#host.clock ?? systemClock).schedule(() => {
      for (const message of [...run.open, run.message]) this.#take(message)?.abandon();
      this.#runs.delete(callId);
    }, MAX_STREAM_MILLIS);
  }

  #take(message: ChannelMessage): HookSpan | undefined {
    const span = this.#open.get(message);
    this.#open.delete(message);
    this.#runs.get(readCallId(message))?.open.delete(message);
    return span;
  }

  #endCall(message: ChannelMessage, result: JsonRecord, isAgent = false): void {
    const span = this.#take(message);
    // Tokens belong to the calls.
    span?.set(isAgent ? {} : toAiSdkOutcome(result), toAiSdkOutput(result));
    span?.end();
  }

  /** Ends the open operations of a run. @param type - Only operations of this type. */
  #endOpen(callId: string, type: string | undefined, error?: unknown): void {
    for (const message of this.#runs.get(callId)?.open ?? []) {
      if (type !== undefined && message.type !== type) continue;
      const span = this.#take(message);
      if (error !== undefined) span?.fail(error);
      span?.end();
    }
  }
}

/** Entry points for the AI SDK, one for each of its versions. */
export interface AiSdkHook {
  /**
   * Reads all runs of version 7 in the process: agents, steps, tools. Needs nothing else; a call with
   * `telemetry: { isEnabled: false }` is left out.
   */
  enable(): void;
  /** Stops reading; open runs are abandoned. */
  disable(): void;
  /** For `experimental_telemetry: { isEnabled: true, tracer }` of versions 5 and 6: whole runs, call by call. */
  readonly tracer: Tracer;
  /** For `registerTelemetryIntegration(integration)` of version 6: the tools of all calls. */
  readonly integration: AiSdkIntegration;
}

/**
 * Creates the hook of Vercel's AI SDK (`ai` 5, 6 and 7).
 *
 * Records agents and tools, and nests the model calls that the fetch observer sees in them. Version 7 does not publish
 * the content of streams, which only the fetch observer records.
 */
export function createAiSdkHook(host: FetchObserverHost): AiSdkHook {
  const channel = new AiSdkChannel(host);
  return {
    enable: () => channel.enable(),
    disable: () => channel.disable(),
    tracer: createLibraryTracer(host, AI_SDK_SPANS),
    integration: createAiSdkIntegration(host),
  };
}
