import { afterEach, describe, expect, it } from "vitest";
import type { AgentResponseEvent } from "../../src/events/detailed-event.ts";
import { agentInfo, startMonitor, type TestMonitor } from "../helpers/monitor.ts";

describe("a tool that is high-risk in the profile of an autonomous agent", () => {
  let monitor: TestMonitor | undefined;
  afterEach(() => monitor?.close());

  async function flagsOf(metadata: Record<string, unknown>): Promise<string[]> {
    monitor = await startMonitor();
    await monitor.monitor.registerAgent({ ...agentInfo, category: "autonomous" });
    monitor.monitor.trackToolCall(
      "assistant",
      "s",
      "transfer",
      { amount: 20 },
      { ok: true },
      12,
      metadata,
    );
    monitor.monitor.trackAgentResponse("assistant", "s", "Done.");
    const events = await monitor.delivered();
    const answer = events.find(
      (event): event is AgentResponseEvent => event.interactionType === "agent_response",
    );
    return answer?.complianceFlags?.map(({ rule }) => rule) ?? [];
  }

  it("is flagged when nobody approved the call", async () => {
    expect(await flagsOf({})).toEqual(["sr-11-7-high-risk-tool"]);
  });

  it("is flagged when an approval was asked for, and not given", async () => {
    const approval = { status: "asked", by: "k.osei", reason: "unknown payee" };
    expect(await flagsOf({ approval })).toEqual(["sr-11-7-high-risk-tool"]);
  });

  it("is fine when a person approved it", async () => {
    const approval = { status: "approved", by: "k.osei", reason: "known payee" };
    expect(await flagsOf({ approval })).toEqual([]);
  });
});
