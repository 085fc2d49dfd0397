import type { Attributes, Tracer } from "@opentelemetry/api";
import { SCOPE_NAME } from "../../semconv.ts";
import type { FetchObserverHost } from "../host.ts";
import type { HookOperation } from "./hook-span.ts";
import type { SpanLibrary } from "./library-span.ts";
import { createLibraryTracer } from "./library-tracer.ts";

const SECRET = /^ai\.request\.headers\b/;
/** What was said, in the names of versions 5 and 6. */
const CONTENT =
  /^ai\.(?:prompt|response\.(?:text|object|reasoning|toolCalls|files)|toolCall\.(?:args|input|result|output)|values?|embeddings?|documents|schema)\b/;

/** Attributes that say what an operation is done by. */
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
export function createAiSdkTracer(host: FetchObserverHost): Tracer {
  return createLibraryTracer(host, AI_SDK);
}
