import type { AgentMonitor } from "agent-monitor";
import { APIError, type OpenAI } from "openai";
import type {
  ChatCompletion,
  ChatCompletionMessage,
  ChatCompletionMessageFunctionToolCall,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import type { AgentInfo } from "agent-monitor";
import { runTool } from "./bank.ts";
import type { DemoConversation } from "./conversations.ts";

const MAX_TOOL_CALLS = 5;

/** What the assistant works with. */
export interface AssistantOptions {
  readonly monitor: AgentMonitor;
  readonly openai: OpenAI;
  readonly agent: AgentInfo;
  readonly sessionId: string;
}

/** What the model took for one answer, over all its calls. */
interface ModelUsage {
  llmLatency: number;
  readonly tokensUsed: { input: number; output: number; total: number };
}

/** Asks the model, a second time when it fails; every failure is tracked. */
async function askModel(
  { monitor, openai, agent, sessionId }: AssistantOptions,
  messages: ChatCompletionMessageParam[],
): Promise<ChatCompletion> {
  const ask = () => openai.chat.completions.create({ model: agent.model, messages });
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof APIError)) throw error;
    monitor.trackError(agent.id, sessionId, error, {
      severity: "medium",
      recoverable: true,
      userImpact: "minimal",
      errorSource: "external",
    });
    return ask();
  }
}

async function callTool(
  { monitor, agent, sessionId }: AssistantOptions,
  call: ChatCompletionMessageFunctionToolCall,
): Promise<ChatCompletionMessageParam> {
  const { name } = call.function;
  const parameters = JSON.parse(call.function.arguments) as Record<string, unknown>;
  const startedAt = performance.now();
  const result = await runTool(name, parameters).catch((error: Error) => error);
  const executionTime = Math.round(performance.now() - startedAt);
  monitor.trackToolCall(agent.id, sessionId, name, parameters, result, executionTime, {
    toolCallId: call.id,
  });
  const content =
    result instanceof Error ? `The tool failed: ${result.message}` : JSON.stringify(result);
  return { role: "tool", tool_call_id: call.id, content };
}

async function nextMessage(
  options: AssistantOptions,
  messages: ChatCompletionMessageParam[],
  used: ModelUsage,
): Promise<ChatCompletionMessage> {
  const startedAt = performance.now();
  const { choices, usage } = await askModel(options, messages);
  used.llmLatency += Math.round(performance.now() - startedAt);
  if (usage) {
    used.tokensUsed.input += usage.prompt_tokens;
    used.tokensUsed.output += usage.completion_tokens;
    used.tokensUsed.total += usage.total_tokens;
  }
  const message = choices[0]?.message;
  if (!message) throw new Error("the model gave no answer");
  return message;
}

/** Answers the customer's last message, calling tools until the model has what it needs. */
async function answer(
  options: AssistantOptions,
  messages: ChatCompletionMessageParam[],
): Promise<void> {
  const { monitor, agent, sessionId } = options;
  const used: ModelUsage = { llmLatency: 0, tokensUsed: { input: 0, output: 0, total: 0 } };
  for (let calls = 0; calls <= MAX_TOOL_CALLS; calls++) {
    const message = await nextMessage(options, messages, used);
    messages.push(message);
    const toolCall = message.tool_calls?.[0];
    if (toolCall?.type !== "function") {
      monitor.trackAgentResponse(agent.id, sessionId, message.content ?? "", { ...used });
      return;
    }
    messages.push(await callTool(options, toolCall));
  }
  throw new Error(`the model called more than ${MAX_TOOL_CALLS} tools`);
}

/** Holds a conversation with a customer and tracks all of it. */
export async function holdConversation(
  options: AssistantOptions,
  conversation: DemoConversation,
): Promise<void> {
  const { monitor, agent } = options;
  const { sessionId, userId, channel, turns, resolutionStatus, userSatisfaction } = conversation;
  const messages: ChatCompletionMessageParam[] = [
    { role: "system", content: agent.systemPrompt ?? "" },
  ];
  monitor.trackConversationStart(agent.id, sessionId, userId, { channel });
  for (const { user } of turns) {
    monitor.trackUserMessage(agent.id, sessionId, user, userId);
    messages.push({ role: "user", content: user });
    await answer(options, messages);
  }
  monitor.trackConversationEnd(agent.id, sessionId, {
    resolutionStatus,
    endReason: "user_initiated",
    ...(userSatisfaction !== undefined && { userSatisfaction }),
  });
}
