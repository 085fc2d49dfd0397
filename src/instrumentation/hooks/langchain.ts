import { ATTR_GEN_AI_TOOL_CALL_ID, ATTR_GEN_AI_TOOL_NAME } from "../../semconv.ts";
import { readMember, readText } from "../../util/untrusted-values.ts";
import { toArray, toText } from "../../util/values.ts";
import type { FetchObserverHost } from "../host.ts";
import * as genAi from "../message.ts";
import { HookRuns, makeSafe } from "./hook-runs.ts";
import type { HookSpan } from "./hook-span.ts";
import type {
  CallMethods,
  CallStartArgs,
  ChainMethods,
  ChainStartArgs,
  LangChainHandler,
  ToolMethods,
  ToolStartArgs,
} from "./langchain-register.ts";
import * as langChain from "./langchain-run.ts";

/** Options of {@link createLangChainHandler}. */
export interface LangChainHookOptions {
  /**
   * Creates public spans of model calls as well. Leave it off while the fetch observer is on, which creates them; the
   * platform's events are the same either way.
   *
   * @defaultValue false
   */
  readonly publishModelCalls?: boolean | undefined;
}

const LIBRARY = "langchain";
/** Errors by which LangGraph interrupts a node or moves to another one. */
const CONTROL_FLOW = /^(?:GraphInterrupt|NodeInterrupt|GraphBubbleUp|ParentCommand)$/;

function isControlFlow(error: unknown): boolean {
  if (readMember(error, "is_bubble_up") === true) return true;
  return CONTROL_FLOW.test(readText(error, "name") ?? "");
}

function startChain(runs: HookRuns, args: ChainStartArgs): void {
  const [serialized, inputs, runId, parentRunId, , metadata, , runName] = args;
  if (langChain.isAgentRun(serialized)) {
    const attributes = langChain.readAgent(runName, metadata);
    const content = genAi.toInputContent(langChain.toQuestion(inputs));
    runs.start(runId, parentRunId, { operation: "invoke_agent", attributes, content });
  } else if (runs.has(parentRunId)) runs.pass(runId, parentRunId);
  else {
    const name = toText(runName) ?? toText(toArray(readMember(serialized, "id")).at(-1));
    const attributes = langChain.readOwner(metadata);
    runs.start(runId, parentRunId, { operation: "chain", name, attributes });
  }
}

function startTool(runs: HookRuns, args: ToolStartArgs): void {
  const [serialized, input, runId, parentRunId, , metadata, runName, toolCallId] = args;
  const name = toText(runName) ?? readText(serialized, "name");
  const attributes = {
    ...langChain.readOwner(metadata),
    [ATTR_GEN_AI_TOOL_NAME]: name ?? "tool",
    [ATTR_GEN_AI_TOOL_CALL_ID]: toText(toolCallId),
  };
  const content = genAi.toArgumentsContent(input);
  runs.start(runId, parentRunId, { operation: "execute_tool", attributes, content });
}

/** Finds the message of the tool, bare or inside a command to the graph. */
function findToolMessage(output: unknown): unknown {
  const isMessage = (value: unknown): boolean => readMember(value, "tool_call_id") !== undefined;
  if (isMessage(output)) return output;
  return toArray(readMember(readMember(output, "update"), "messages")).find(isMessage);
}

function recordToolResult(span: HookSpan, output: unknown): void {
  const message = findToolMessage(output);
  const result = message === undefined ? output : readMember(message, "content");
  const id = readText(message, "tool_call_id");
  span.set({ [ATTR_GEN_AI_TOOL_CALL_ID]: id }, genAi.toResultContent(result));
  if (readMember(message, "status") === "error") span.fail(result);
}

function createMethods(
  runs: HookRuns,
  isPrivate: boolean,
): CallMethods & ChainMethods & ToolMethods {
  const startCall = (messages: readonly genAi.Message[], args: CallStartArgs): void => {
    const [, , runId, parentRunId, extra, , metadata] = args;
    const attributes = langChain.readCall(extra, metadata);
    const content = genAi.toInputContent(messages);
    runs.start(runId, parentRunId, { operation: "chat", attributes, content, isPrivate });
  };
  const endFailed = (error: unknown, runId: string): void =>
    runs.end(runId, (span) => {
      if (!isControlFlow(error)) span.fail(error);
    });
  return {
    handleChatModelStart: (...args) =>
      startCall(langChain.toLangChainMessages(toArray(args[1])[0]), args),
    handleLLMStart: (...args) =>
      startCall(toArray(args[1]).slice(0, 1).map(langChain.toLangChainMessage), args),
    handleLLMNewToken: (_token, _place, runId) => runs.see(runId),
    handleLLMEnd: (output, runId) =>
      runs.end(runId, (span) => span.set(...langChain.readAnswer(output))),
    handleLLMError: endFailed,
    handleChainStart: (...args) => startChain(runs, args),
    handleChainEnd: (outputs, runId) =>
      runs.end(runId, (span) => span.set({}, genAi.toOutputContent(langChain.toReply(outputs)))),
    handleChainError: endFailed,
    handleToolStart: (...args) => startTool(runs, args),
    handleToolEnd: (output, runId) => runs.end(runId, (span) => recordToolResult(span, output)),
    handleToolError: endFailed,
  };
}

/**
 * Creates a callback handler for LangChain and LangGraph: `callbacks: [handler]`.
 *
 * Graphs and agent executors become agents, with the tools and the model calls inside; other chains and the nodes of
 * graphs only hold them together. Conversation, session and user come from `thread_id`, `session_id` and `user_id` of
 * the run's metadata and configuration. LangChain does not report a stream that its consumer leaves early: such a call
 * counts as incomplete after 30 s, and its partial response is known only if the fetch observer has seen it.
 */
export function createLangChainHandler(
  host: FetchObserverHost,
  { publishModelCalls = false }: LangChainHookOptions = {},
): LangChainHandler {
  const runs = new HookRuns(host, LIBRARY);
  const handler: LangChainHandler = {
    name: "agent_monitor_handler",
    awaitHandlers: true,
    raiseError: false,
    ignoreLLM: false,
    ignoreChain: false,
    ignoreAgent: false,
    ignoreRetriever: true,
    ignoreCustomEvent: true,
    copy: () => handler,
    ...makeSafe(createMethods(runs, !publishModelCalls), host, LIBRARY),
  };
  return handler;
}
