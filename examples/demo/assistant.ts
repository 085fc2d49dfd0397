import type { AgentInfo } from "agent-monitor";
import { APIError, type OpenAI } from "openai";
import type {
  ChatCompletion,
  ChatCompletionMessageFunctionToolCall,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import { runTool } from "./bank.ts";

const MAX_TOOL_CALLS = 5;

/** What the assistant works with; it knows nothing of the monitor. */
export interface AssistantOptions {
  readonly openai: OpenAI;
  readonly agent: AgentInfo;
  /** Whether the customer sees answers as they come. */
  readonly isStreamed: boolean;
}

/** Asks the model; the client asks again when the provider is overloaded. */
function askModel(
  { openai, agent, isStreamed }: AssistantOptions,
  messages: ChatCompletionMessageParam[],
): Promise<ChatCompletion> {
  const { completions } = openai.chat;
  const request = { model: agent.model, messages };
  if (!isStreamed) return completions.create(request);
  return completions
    .stream({ ...request, stream_options: { include_usage: true } })
    .finalChatCompletion();
}

async function callTool({
  id,
  function: { name, arguments: parameters },
}: ChatCompletionMessageFunctionToolCall): Promise<ChatCompletionMessageParam> {
  const content = await runTool(name, JSON.parse(parameters) as Record<string, unknown>).then(
    (result) => JSON.stringify(result),
    (error: Error) => `The tool failed: ${error.message}`,
  );
  return { role: "tool", tool_call_id: id, content };
}

/** Answers the customer's last message, calling tools until the model has what it needs. */
async function answer(
  options: AssistantOptions,
  messages: ChatCompletionMessageParam[],
): Promise<void> {
  for (let calls = 0; calls <= MAX_TOOL_CALLS; calls++) {
    const { choices } = await askModel(options, messages);
    const message = choices[0]?.message;
    if (!message) throw new Error("the model gave no answer");
    messages.push(message);
    const toolCall = message.tool_calls?.[0];
    if (toolCall?.type !== "function") return;
    messages.push(await callTool(toolCall));
  }
  throw new Error(`the model called more than ${MAX_TOOL_CALLS} tools`);
}

/** Answers what a customer says, one message after the other. */
export async function talk(options: AssistantOptions, questions: readonly string[]): Promise<void> {
  const messages: ChatCompletionMessageParam[] = [
    { role: "system", content: options.agent.systemPrompt ?? "" },
  ];
  for (const content of questions) {
    messages.push({ role: "user", content });
    try {
      await answer(options, messages);
    } catch (error) {
      if (!(error instanceof APIError)) throw error;
      messages.push({ role: "assistant", content: "I can't answer that at the moment." });
    }
  }
}
