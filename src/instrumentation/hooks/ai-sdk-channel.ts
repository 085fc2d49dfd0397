import type { AsyncLocalStorage } from "node:async_hooks";
import { tracingChannel } from "node:diagnostics_channel";
import { context as contextApi, type Context } from "@opentelemetry/api";
import { BoundedMap } from "../../util/bounded-map.ts";
import { systemClock } from "../../util/clock.ts";
import { toErrorName } from "../../util/logger.ts";
import { isRecord, toArray, toRecord, toText, type JsonRecord } from "../../util/values.ts";
import type { FetchObserverHost } from "../host.ts";
import {
  endTool,
  startAgent,
  startChat,
  startTool,
  toAiSdkOutcome,
  toAiSdkOutput,
} from "./ai-sdk-spans.ts";
import { activeHookContext, withHookContext, type HookSpan } from "./hook-span.ts";

const CHANNEL = "ai:telemetry";
/** Most open spans at a time; above it the least recently used one is abandoned. */
const MAX_OPEN = 1000;

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

/** Wraps a function that runs another one in a context as a store for a channel. */
function toStore(run: <T>(context: Context, run: () => T) => T): AsyncLocalStorage<Context> {
  return { run } as unknown as AsyncLocalStorage<Context>;
}

/** Reads the events of the AI SDK 7, which are published on a tracing channel of Node's. */
export class AiSdkChannel {
  readonly #host: FetchObserverHost;
  readonly #open = new BoundedMap<ChannelMessage, HookSpan>(MAX_OPEN, (span) => span.abandon());
  readonly #runs = new BoundedMap<string, Run>(MAX_OPEN, (run) => run.cancelTimer?.());
  /** For applications without a context manager. */
  readonly #contexts = toStore(withHookContext);
  readonly #channel = tracingChannel<Context, ChannelMessage>(CHANNEL);
  /** Makes the spans of every instrumentation inside an operation its children. */
  readonly #active = toStore((context, run) => contextApi.with(context, run));
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
  }

  enable(): void {
    if (this.#isEnabled) return;
    this.#isEnabled = true;
    const { start } = this.#channel;
    start.bindStore(this.#contexts, (message) => this.#enter(message));
    start.bindStore(this.#active, (message) => this.#enter(message));
    this.#channel.subscribe(this.#subscribers);
  }

  disable(): void {
    if (!this.#isEnabled) return;
    this.#isEnabled = false;
    const { start } = this.#channel;
    start.unbindStore(this.#contexts);
    start.unbindStore(this.#active);
    this.#channel.unsubscribe(this.#subscribers);
    for (const span of this.#open.values()) span.abandon();
    for (const run of this.#runs.values()) run.cancelTimer?.();
    this.#open.clear();
    this.#runs.clear();
  }

  /** Returns the context of the operation that a message starts; the first reader of a message starts its spans. */
  #enter(message: ChannelMessage): Context {
    const around = activeHookContext();
    let inside = around;
    this.#guard(() => {
      inside = (this.#open.get(message) ?? this.#start(message, around))?.context ?? around;
    });
    return inside;
  }

  #start(message: ChannelMessage, around: Context): HookSpan | undefined {
    const event = toRecord(message.event);
    const callId = toText(event["callId"]) ?? "";
    const run = this.#runs.get(callId);
    const parent = run?.agent.context ?? around;
    const span = this.#startSpan(message.type, event, parent, around);
    if (!span) return undefined;
    this.#open.set(message, span);
    if (message.type === "generateText" || message.type === "streamText") {
      this.#runs.set(callId, { message, agent: span, open: new Set() });
    } else run?.open.add(message);
    return span;
  }

  #startSpan(
    type: unknown,
    event: JsonRecord,
    parent: Context,
    around: Context,
  ): HookSpan | undefined {
    switch (type) {
      case "generateText":
      case "streamText":
        return startAgent(this.#host, event, around);
      case "languageModelCall":
        return startChat(this.#host, event, parent);
      case "executeTool":
        return startTool(this.#host, event, parent);
      default:
        return undefined;
    }
  }

  #leave(message: ChannelMessage): void {
    const event = toRecord(message.event);
    const callId = toText(event["callId"]) ?? "";
    const result = toRecord(message.result);
    switch (message.type) {
      case "languageModelCall":
        // A stream has only begun: its call ends with its step, or with the run.
        if (isRecord(result["stream"])) this.#limit(callId);
        else this.#endCall(message, result);
        break;
      case "executeTool": {
        const span = this.#take(message, callId);
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
      for (const message of [...run.open, run.message]) this.#take(message, callId)?.abandon();
      this.#runs.delete(callId);
    }, MAX_STREAM_MILLIS);
  }

  #take(message: ChannelMessage, callId: string): HookSpan | undefined {
    const span = this.#open.get(message);
    this.#open.delete(message);
    this.#runs.get(callId)?.open.delete(message);
    return span;
  }

  #endCall(message: ChannelMessage, result: JsonRecord, isAgent = false): void {
    const span = this.#take(message, toText(toRecord(message.event)["callId"]) ?? "");
    // Tokens belong to the calls.
    span?.set(isAgent ? {} : toAiSdkOutcome(result), toAiSdkOutput(result));
    span?.end();
  }

  /** Ends the open operations of a run. @param type - Only operations of this type. */
  #endOpen(callId: string, type: string | undefined, error?: unknown): void {
    for (const message of this.#runs.get(callId)?.open ?? []) {
      if (type !== undefined && message.type !== type) continue;
      const span = this.#take(message, callId);
      if (error !== undefined) span?.fail(error);
      span?.end();
    }
  }

  #guard(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#host.log?.log("warn", "hook:ai-sdk", "a message of the AI SDK could not be read", {
        error: toErrorName(error),
      });
    }
  }
}
