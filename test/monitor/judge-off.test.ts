import { afterEach, expect, it } from "vitest";
import type { AgentMonitoringConfig } from "../../src/config/config.ts";
import type { DetailedEvent } from "../../src/events/detailed-event.ts";
import { readJudgeResult } from "../../src/events/judge-result.ts";
import { agentInfo, startMonitor, type TestMonitor } from "../helpers/monitor.ts";
import { createScriptedJudge } from "../helpers/scripted-judge.ts";

let open: TestMonitor[] = [];
afterEach(async () => {
  for (const test of open) await test.close();
  open = [];
});

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[78][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const CHANGING = new Set(["timestamp", "sequence", "duration", "avgResponseTime"]);

const toStory = (events: readonly DetailedEvent[]): string =>
  JSON.stringify(events, (name, value: unknown) => (CHANGING.has(name) ? 0 : value)).replaceAll(
    ID,
    "id",
  );

async function tell(config: Partial<AgentMonitoringConfig>): Promise<DetailedEvent[]> {
  const test = await startMonitor(config);
  open.push(test);
  const { monitor } = test;
  await monitor.ready();
  await monitor.registerAgent(agentInfo);
  monitor.trackUserMessage("assistant", "s", "Is the fund safe?", "u");
  monitor.trackToolCall("assistant", "s", "get_balance", { account: "1" }, { balance: 12 }, 5);
  monitor.trackAgentResponse("assistant", "s", "You can't lose money in this fund.");
  monitor.trackUserMessage("assistant", "s", "My card is 4111 1111 1111 1111");
  monitor.trackAgentResponse("assistant", "s", "Thanks. A report was filed about your account.");
  monitor.trackConversationEnd("assistant", "s");
  return test.delivered();
}

it("is the same without a judge as with one whose own events are left out", async () => {
  const { model } = createScriptedJudge();
  const without = await tell({});
  const withOne = await tell({ judge: { model, gate: "everything" } });
  const others = withOne.filter((event) => readJudgeResult(event) === undefined);
  expect(withOne.length).toBeGreaterThan(others.length);
  expect(toStory(others)).toBe(toStory(without));
  for (const { monitor } of open.slice(0, 1)) expect(monitor.stats()).not.toHaveProperty("judge");
});
