import type { AgentMonitor } from "agent-monitor";
import OpenAI from "openai";
import { holdConversation } from "./assistant.ts";
import { AGENTS } from "./bank.ts";
import type { DemoConversation } from "./conversations.ts";

/** Registers the agents and holds conversations with the model, all at once. */
export async function holdConversations(
  monitor: AgentMonitor,
  modelUrl: string,
  conversations: readonly DemoConversation[],
): Promise<void> {
  const openai = new OpenAI({ baseURL: modelUrl, apiKey: "scripted", maxRetries: 0 });
  for (const agent of AGENTS) await monitor.registerAgent(agent);
  await Promise.all(
    conversations.map(async (conversation) => {
      const { agentId, sessionId } = conversation;
      const agent = AGENTS.find(({ id }) => id === agentId);
      if (!agent) throw new Error(`there is no agent ${agentId}`);
      await holdConversation({ monitor, openai, agent, sessionId }, conversation);
    }),
  );
}
