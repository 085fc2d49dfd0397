import type { Attributes } from "@opentelemetry/api";
import * as semconv from "../../semconv.ts";
import { BoundedMap } from "../../util/bounded-map.ts";
import { readMember, readText } from "../../util/untrusted-values.ts";
import { toArray, toNumber, toText } from "../../util/values.ts";
import { toUsageAttributes } from "../completion.ts";
import type { FetchObserverHost } from "../host.ts";
import * as genAi from "../message.ts";
import { HookRuns, makeSafe } from "./hook-runs.ts";
import type { HookSpan } from "./hook-span.ts";

/** The part of a trace of `@openai/agents` that is used. */
export interface AgentsTrace {
  /** Id of the trace. */
  readonly traceId: string;
  /** Name of the workflow. */
  readonly name?: string;
  /** Id by which the application joins the traces of one conversation. */
  readonly groupId?: string | null;
}

/** The part of a span of `@openai/agents` that is used. */
export interface AgentsSpan {
  /** Id of the span's trace. */
  readonly traceId: string;
  /** Id of the span. */
  readonly spanId: string;
  /** Id of the parent span; `null` for the outermost. */
  readonly parentId: string | null;
  /** Data by type: `agent`, `function`, `generation`, `response` and others, each with members of its own. */
  readonly spanData: { readonly type: string };
  /** Error of the span; `null` when it did not fail. */
  readonly error: { readonly message: string; readonly data?: Record<string, unknown> } | null;
}

/**
 * A `TracingProcessor` of `@openai/agents`, for `addTraceProcessor`.
 *
 * @see https://openai.github.io/openai-agents-js/guides/tracing/
 */
export interface AgentsTraceProcessor {
  /** Starts the trace of a workflow. */
  onTraceStart(trace: AgentsTrace): Promise<void>;
  /** Ends the trace of a workflow. */
  onTraceEnd(trace: AgentsTrace): Promise<void>;
  /** Starts the run of an agent, a tool or a model. */
  onSpanStart(span: AgentsSpan): Promise<void>;
  /** Ends the run, with its result or its error. */
  onSpanEnd(span: AgentsSpan): Promise<void>;
  /** Does nothing: the application shuts the monitor down. */
  shutdown(): Promise<void>;
  /** Does nothing: the application flushes the monitor. */
  forceFlush(): Promise<void>;
}

/** Options of {@link createAgentsTraceProcessor}. */
export interface AgentsHookOptions {
  /**
   * Creates public spans of model calls as well. Leave it off while the fetch observer is on, which creates them; the
   * platform's events are the same either way.
   *
   * @defaultValue false
   */
  readonly publishModelCalls?: boolean | undefined;
}

const LIBRARY = "openai-agents";
const PROVIDER = "openai";
const MAX_TRACES = 5000;

/** The name of an error, if its text starts with one, and its message. */
const ERROR_TEXT = /^(?<name>[A-Z]\w{0,100}): (?<message>[\s\S]*)$/;

function toError({ message, data }: NonNullable<AgentsSpan["error"]>): object {
  const text = readText(data, "error");
  const { name, message: detail } = ERROR_TEXT.exec(text ?? "")?.groups ?? {};
  return { name, message: detail ?? text ?? message };
}

/**
 * Reads an item of the Responses API, of chat completions, or a text; `undefined` for other items than messages and
 * calls.
 */
function toItem(item: unknown, defaultRole: string): genAi.Message | undefined {
  if (typeof item === "string") return { role: defaultRole, parts: [genAi.toTextPart(item)] };
  const type = readText(item, "type");
  const name = readMember(item, "name");
  const id = readText(item, "callId", "call_id", "tool_call_id");
  if (type === "function_call") {
    const call = genAi.toCallPart(id, name, readMember(item, "arguments"));
    return genAi.toMessage("assistant", [call]);
  }
  if (type === "function_call_result" || type === "function_call_output") {
    const output = readMember(item, "output");
    const result = readText(output, "text") ?? genAi.toResult(output);
    return genAi.toMessage("tool", [genAi.toResultPart(id, result, name)]);
  }
  const content = readMember(item, "content");
  const role = readText(item, "role");
  if (role === undefined) return undefined;
  if (role === "tool")
    return genAi.toMessage("tool", [genAi.toResultPart(id, genAi.toResult(content), name)]);
  return genAi.toMessage(role === "developer" ? "system" : role, [
    ...genAi.toParts(content),
    ...genAi.readToolCalls(item),
  ]);
}

/** Reads the input of a model. */
function toAgentsInput(input: unknown): genAi.Message[] {
  const items = typeof input === "string" ? [input] : toArray(input);
  return items.map((item) => toItem(item, "user")).filter((message) => message !== undefined);
}

/** Reads the output of a model: items of the Responses API, or whole chat completions. */
function toAgentsOutput(output: unknown): genAi.OutputMessage[] {
  const answers = toArray(output).flatMap((item) => {
    const choices = toArray(readMember(item, "choices"));
    return choices.length === 0 ? [{ message: item }] : choices;
  });
  return answers.flatMap((answer) => {
    const message = toItem(readMember(answer, "message"), "assistant");
    const calls = message?.parts.some(({ type }) => type === "tool_call") === true;
    const reason = readText(answer, "finish_reason");
    const finish = reason ?? (calls ? "tool_call" : "stop");
    return message ? [{ ...message, finish_reason: finish }] : [];
  });
}

function readUsage(usage: unknown): Attributes {
  const count = (...names: string[]): number | undefined =>
    names.map((name) => toNumber(readMember(usage, name))).find((value) => value !== undefined);
  const details =
    readMember(usage, "input_tokens_details") ?? readMember(usage, "prompt_tokens_details");
  return toUsageAttributes({
    input: count("input_tokens", "prompt_tokens"),
    output: count("output_tokens", "completion_tokens"),
    cacheRead: readMember(details, "cached_tokens"),
  });
}

function endCall(span: HookSpan, data: unknown): void {
  const isResponse = readMember(data, "type") === "response";
  const response = isResponse
    ? readMember(data, "_response")
    : toArray(readMember(data, "output"))[0];
  const output = isResponse ? readMember(response, "output") : readMember(data, "output");
  const messages = toAgentsOutput(output);
  const model = readText(response, "model");
  const settings = readMember(data, "model_config");
  span.set(
    {
      [semconv.ATTR_GEN_AI_REQUEST_MODEL]: readText(data, "model") ?? model,
      [semconv.ATTR_GEN_AI_REQUEST_TEMPERATURE]: toNumber(readMember(settings, "temperature")),
      [semconv.ATTR_GEN_AI_REQUEST_MAX_TOKENS]: toNumber(readMember(settings, "max_tokens")),
      [semconv.ATTR_GEN_AI_RESPONSE_MODEL]: model,
      [semconv.ATTR_GEN_AI_RESPONSE_ID]: readText(response, "id") ?? readText(data, "response_id"),
      ...readUsage(readMember(response, "usage") ?? readMember(data, "usage")),
      ...(messages.length > 0 && {
        [semconv.ATTR_GEN_AI_RESPONSE_FINISH_REASONS]: messages.map(
          (message) => message.finish_reason,
        ),
      }),
    },
    {
      ...genAi.toInputContent(toAgentsInput(readMember(data, isResponse ? "_input" : "input"))),
      ...genAi.toOutputContent(messages),
    },
  );
}

/** Creates the processor's functions, without promises. */
function createMethods(host: FetchObserverHost, isPrivate: boolean) {
  const runs = new HookRuns(host, LIBRARY);
  const owners = new BoundedMap<string, Attributes>(MAX_TRACES);
  return {
    startTrace({ traceId, name, groupId }: AgentsTrace): void {
      const attributes = { [semconv.ATTR_GEN_AI_CONVERSATION_ID]: toText(groupId) };
      owners.set(traceId, attributes);
      runs.start(traceId, undefined, { operation: "chain", name, attributes });
    },
    endTrace({ traceId }: AgentsTrace): void {
      owners.delete(traceId);
      runs.end(traceId);
    },
    startSpan({ spanId, parentId, traceId, spanData }: AgentsSpan): void {
      const parent = runs.has(parentId) ? parentId : traceId;
      const owner = owners.get(traceId);
      const name = readText(spanData, "name");
      if (spanData.type === "agent") {
        const attributes = { ...owner, [semconv.ATTR_GEN_AI_AGENT_NAME]: name };
        runs.start(spanId, parent, { operation: "invoke_agent", attributes });
      } else if (spanData.type === "function") {
        const attributes = { ...owner, [semconv.ATTR_GEN_AI_TOOL_NAME]: name ?? "tool" };
        runs.start(spanId, parent, { operation: "execute_tool", attributes });
      } else if (spanData.type === "generation" || spanData.type === "response") {
        const attributes = { ...owner, [semconv.ATTR_GEN_AI_PROVIDER_NAME]: PROVIDER };
        runs.start(spanId, parent, { operation: "chat", attributes, isPrivate });
      } else runs.pass(spanId, parent);
    },
    endSpan({ spanId, parentId, traceId, spanData, error }: AgentsSpan): void {
      runs.end(spanId, (span) => {
        if (error) span.fail(toError(error));
        if (spanData.type === "function") {
          const result = readMember(spanData, "output");
          const args = genAi.toArgumentsContent(readMember(spanData, "input"));
          // A failed tool's output is the text that the model gets.
          span.set({}, { ...args, ...genAi.toResultContent(result) });
        } else if (spanData.type !== "agent") endCall(span, spanData);
      });
      // The SDK never ends the trace of a failed run.
      if (error && parentId === null) runs.settle(traceId, (span) => span.fail(toError(error)));
    },
  };
}

/**
 * Creates a trace processor for the OpenAI Agents SDK: `addTraceProcessor(processor)`.
 *
 * Records agents, the tools they run and their model calls; consecutive agents under one trace are a hand-off. The
 * `groupId` of a run becomes the conversation's id. The processor sends nothing anywhere, and leaves the SDK's own
 * exporter alone.
 */
export function createAgentsTraceProcessor(
  host: FetchObserverHost,
  { publishModelCalls = false }: AgentsHookOptions = {},
): AgentsTraceProcessor {
  const safe = makeSafe(createMethods(host, !publishModelCalls), host, LIBRARY);
  return {
    onTraceStart: async (trace) => safe.startTrace(trace),
    onTraceEnd: async (trace) => safe.endTrace(trace),
    onSpanStart: async (span) => safe.startSpan(span),
    onSpanEnd: async (span) => safe.endSpan(span),
    shutdown: async () => undefined,
    forceFlush: async () => undefined,
  };
}
