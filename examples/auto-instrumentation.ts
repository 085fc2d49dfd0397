import { AgentMonitor } from "agent-monitor";
import OpenAI from "openai";

const monitor = new AgentMonitor({
  environment: "development",
  instrumentations: ["fetch"],
  // Your contract's rates, in USD per million tokens; without them `cost` stays unknown.
  priceTable: { openai: { "gpt-5": { input: 1.25, output: 10, cacheRead: 0.125 } } },
});
const openai = new OpenAI();

/** Answers a customer; not a line of it is about monitoring. */
async function answer(question: string): Promise<void> {
  const stream = await openai.chat.completions.create({
    model: "gpt-5",
    messages: [{ role: "user", content: question }],
    stream: true,
    stream_options: { include_usage: true },
  });
  for await (const { choices } of stream) process.stdout.write(choices[0]?.delta.content ?? "");
}

// What is called inside belongs to this conversation: on the platform it is a question and a checked answer.
const conversation = {
  agentId: "personal-banking",
  sessionId: "session-2045",
  userId: "customer-88213",
};
await monitor.conversation(conversation, () => answer("When does the Delft branch open?"));

await monitor.shutdown();
const { tracked, acked } = monitor.stats();
console.log(`\n${tracked} events tracked, ${acked} delivered`);
