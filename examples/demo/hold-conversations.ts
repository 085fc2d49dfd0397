import type { AgentMonitor } from "agent-monitor";
import OpenAI from "openai";
import { talk } from "./assistant.ts";
import { AGENTS } from "./bank.ts";
import type { DemoConversation } from "./conversations.ts";

/**
 * Registers the agents and holds conversations with the model, all at once.
 *
 * Nothing is tracked by hand: the monitor sees the calls of the model's client, and `conversation` says whose they are.
 */
export async function holdConversations(
  monitor: AgentMonitor,
  modelUrl: string,
  conversations: readonly DemoConversation[],
): Promise<void> {
  const openai = new OpenAI({ baseURL: modelUrl, apiKey: "scripted" });
  for (const agent of AGENTS) await monitor.registerAgent(agent);
  await Promise.all(
    conversations.map(async ({ agentId, sessionId, userId, isStreamed, turns }) => {
      const agent = AGENTS.find(({ id }) => id === agentId);
      if (!agent) throw new Error(`there is no agent ${agentId}`);
      const questions = turns.map(({ user }) => user);
      await monitor.conversation({ agentId, sessionId, userId }, () =>
        talk({ openai, agent, isStreamed }, questions),
      );
    }),
  );
}
