import { context as contextApi, trace, type Attributes, type Tracer } from "@opentelemetry/api";
import { activeTurnContext } from "../../scope/scopes.ts";
import { SCOPE_NAME } from "../../semconv.ts";
import { BoundedMap } from "../../util/bounded-map.ts";
import { toErrorName } from "../../util/logger.ts";
import { toRecord, type JsonRecord } from "../../util/values.ts";
import type { FetchObserverHost } from "../host.ts";
import { AiSdkChannel } from "./ai-sdk-channel.ts";
import { endTool, startTool } from "./ai-sdk-spans.ts";
import type { HookOperation, HookSpan } from "./hook-span.ts";
import { createLibraryTracer, type SpanLibrary } from "./library-tracer.ts";

/** Most open runs of tools at a time; above it the oldest run is abandoned. */
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
  const guard = (event: unknown, action: (event: JsonRecord) => void): void => {
    try {
      action(toRecord(event));
    } catch (error) {
      host.log?.log("warn", "hook:ai-sdk", "a tool of the AI SDK could not be recorded", {
        error: toErrorName(error),
      });
    }
  };
  return {
    onToolCallStart: (given) =>
      guard(given, (event) => {
        if (isRecorded()) return;
        open.set(event["toolCall"], startTool(host, event, activeTurnContext()));
      }),
    onToolCallFinish: (given) =>
      guard(given, (event) => {
        const span = open.get(event["toolCall"]);
        open.delete(event["toolCall"]);
        if (span) endTool(span, event);
      }),
  };
}

const SECRET = /^ai\.request\.headers\b/;
/** Content attributes of versions 5 and 6. */
const CONTENT =
  /^ai\.(?:prompt|response\.(?:text|object|reasoning|toolCalls|files)|toolCall\.(?:args|input|result|output)|values?|embeddings?|documents|schema)\b/;

/** Attributes that name an operation's model, tool or agent. */
const LABELS: Readonly<Partial<Record<HookOperation, string>>> = {
  chat: "ai.model.id",
  execute_tool: "ai.toolCall.name",
  invoke_agent: "ai.telemetry.functionId",
};

const AI_SDK: SpanLibrary = {
  name: "ai-sdk",
  scope: `${SCOPE_NAME}/ai-sdk`,
  isContent: (attribute) => CONTENT.test(attribute),
  isSecret: (attribute) => SECRET.test(attribute),
  toOperation(name) {
    if (/\.do(?:Generate|Stream)$/.test(name)) return "chat";
    if (name === "ai.toolCall") return "execute_tool";
    return /^ai\.(?:generate|stream)(?:Text|Object)$/.test(name) ? "invoke_agent" : "chain";
  },
  toName(operation: HookOperation, name: string, attributes: Attributes) {
    const label = attributes[LABELS[operation] ?? ""];
    return operation === "chain" ? name : typeof label === "string" ? label : undefined;
  },
};

/**
 * Creates a tracer for `experimental_telemetry: { isEnabled: true, tracer }` of the AI SDK 5 and 6.
 *
 * Headers of requests, which the AI SDK writes on its spans, are left out.
 */
function createAiSdkTracer(host: FetchObserverHost): Tracer {
  return createLibraryTracer(host, AI_SDK);
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
    tracer: createAiSdkTracer(host),
    integration: createAiSdkIntegration(host),
  };
}
