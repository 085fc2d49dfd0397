import type { Attributes, Tracer, TracerProvider } from "@opentelemetry/api";
import { ATTR_GEN_AI_OPERATION_NAME } from "../../semconv.ts";
import type { FetchObserverHost } from "../host.ts";
import type { HookOperation } from "./hook-span.ts";
import { createLibraryTracer, type SpanLibrary } from "./library-tracer.ts";

/** The part of the `openTelemetry` option of Anthropic's client that is set. */
export interface AnthropicTelemetry {
  /** Provides the tracers of the client's spans. */
  readonly tracerProvider: TracerProvider;
  /** Whether the client sends the ids of traces with its requests. */
  readonly propagation: boolean;
  /** Content of the client's spans. */
  readonly traces: {
    readonly enabled: true;
    readonly contentMode: "content" | "metadata_only";
    readonly maxContentBytes: number;
  };
}

/** Options of {@link createAnthropicTelemetry}. */
export interface AnthropicTelemetryOptions {
  /**
   * Whether the client's spans carry content: unfiltered to the platform, filtered by the monitor's policy to other
   * backends.
   *
   * @defaultValue false: the fetch observer records messages
   */
  readonly content?: boolean | undefined;
  /**
   * Whether the client sends the ids of your traces to Anthropic with its requests (`traceparent`).
   *
   * @defaultValue false, unlike the client's own default
   */
  readonly propagation?: boolean | undefined;
  /** Bytes of content that one span carries. @defaultValue 750,000, as the client's */
  readonly maxContentBytes?: number | undefined;
}

const SCOPE = "com.anthropic.sdk.typescript";
const CONTENT =
  /^(?:gen_ai\.(?:input\.messages|output\.messages|system_instructions|tool\.definitions|tool\.call\.(?:arguments|result)|tool\.description)|anthropic\.tool_result\.content)$/;
const OPERATIONS: ReadonlySet<unknown> = new Set(["chat", "execute_tool", "invoke_agent"]);

const createLibrary = (scope: string): SpanLibrary => ({
  name: "anthropic",
  scope,
  content: CONTENT,
  toOperation(name: string, attributes: Attributes) {
    const given = attributes[ATTR_GEN_AI_OPERATION_NAME] ?? name.split(" ")[0];
    return OPERATIONS.has(given) ? (given as HookOperation) : "chain";
  },
  toName: (operation, name) => (operation === "chain" ? name : undefined),
});

/**
 * Creates the `openTelemetry` option of `@anthropic-ai/sdk` from 0.134 on, whose clients make spans of their own.
 *
 * By default the client uses the global tracer, records no content, and sends trace ids to Anthropic with every
 * request. With this option the monitor records its spans, and no ids are sent unless `propagation` is set. Pass it at
 * construction or to `withOptions`: a client reads its options once. For clients that are built elsewhere set the
 * environment: `ANTHROPIC_OPEN_TELEMETRY_PROPAGATION=false`, `ANTHROPIC_OPEN_TELEMETRY_TRACES_CONTENT_MODE=content`.
 *
 * @example new Anthropic({ openTelemetry: createAnthropicTelemetry(host, { content: true }) })
 */
export function createAnthropicTelemetry(
  host: FetchObserverHost,
  { content, propagation = false, maxContentBytes = 750_000 }: AnthropicTelemetryOptions = {},
): AnthropicTelemetry {
  const getTracer = (scope: string): Tracer =>
    createLibraryTracer(host, createLibrary(scope.startsWith(SCOPE) ? scope : SCOPE));
  return {
    tracerProvider: { getTracer },
    propagation,
    traces: { enabled: true, contentMode: content ? "content" : "metadata_only", maxContentBytes },
  };
}
