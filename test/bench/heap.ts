import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { devNull } from "node:os";
import { writeHeapSnapshot } from "node:v8";
import { AgentMonitor } from "agent-monitor";

const CONVERSATIONS = 100_000;
/** Events of a conversation: start, three turns of two messages, a tool call with its result, end. */
const EVENTS_PER_CONVERSATION = 10;
const FLUSH_EVERY = 500;
const MEBIBYTE = 1024 * 1024;

function trackConversation(monitor: AgentMonitor, number: number): void {
  const session = `session-${number}`;
  monitor.trackConversationStart("assistant", session, `user-${number}`);
  for (let turn = 0; turn < 3; turn++) {
    monitor.trackUserMessage("assistant", session, `Question ${turn} of conversation ${number}`);
    monitor.trackAgentResponse("assistant", session, `Answer ${turn} of conversation ${number}`);
  }
  monitor.trackToolCall(
    "assistant",
    session,
    "get_balance",
    { account: number },
    { balance: 1 },
    3,
  );
  monitor.trackConversationEnd("assistant", session);
}

/** Only a snapshot collects everything first: a forced collection leaves tens of MB for a later one. */
function heapMegabytes(): number {
  writeHeapSnapshot(devNull);
  return process.memoryUsage().heapUsed / MEBIBYTE;
}

/** Measures how much the heap grows from 100,000 events to 1,000,000, all conversations ended. */
export async function benchHeap(): Promise<{ growthMb: number }> {
  const server = createServer((incoming, response) => {
    incoming.resume().on("end", () => response.end("{}"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const monitor = new AgentMonitor({
    apiKey: "key",
    organizationId: "bank",
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    enableLogging: false,
    compression: "none",
    batchSize: 1000,
  });
  let after100k = 0;
  for (let number = 1; number <= CONVERSATIONS; number++) {
    trackConversation(monitor, number);
    if (number % FLUSH_EVERY === 0) await monitor.flush();
    if (number * EVENTS_PER_CONVERSATION === 100_000) after100k = heapMegabytes();
  }
  const growthMb = heapMegabytes() - after100k;
  const { tracked, acked, conversations } = monitor.stats();
  const expected = CONVERSATIONS * EVENTS_PER_CONVERSATION;
  if (tracked !== expected || acked !== expected || conversations !== 0) {
    throw new Error(
      `bench: ${tracked} tracked, ${acked} acked of ${expected}, ${conversations} conversations open`,
    );
  }
  await monitor.shutdown();
  server.close();
  return { growthMb };
}
