import assert from "node:assert/strict";
import { prepareCollector } from "./collector.ts";
import { startOtherBackend } from "./other-backend.ts";
import type { Scenario } from "./scenario.ts";
import { until } from "./wait.ts";

const SPAN = {
  traceId: "0af7651916cd43dd8448eb211c80319c",
  spanId: "b7ad6b7169203331",
  name: "chat gpt-5",
  startTimeUnixNano: "1",
  endTimeUnixNano: "2",
};

/** Sends one span; gives the status, or 0 when the connection broke. */
async function sendOne(url: string): Promise<number> {
  const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [SPAN] }] }] });
  const headers = { "content-type": "application/json" };
  try {
    return (await fetch(`${url}/v1/traces`, { method: "POST", headers, body })).status;
  } catch {
    return 0;
  }
}

/** The promise in small: no answer while the last hop has not answered, hence nothing to lose. */
export const unansweredScenario: Scenario = {
  name: "a sender is not answered before the platform has answered",
  isSmall: true,
  async run(binary) {
    const platform = await startOtherBackend();
    const environment = { OTLP_ENCODING: "json" };
    const gateway = await prepareCollector(binary, "gateway.yaml", {
      ...environment,
      OTLP_PLATFORM: platform.url,
    });
    const agent = await prepareCollector(binary, "agent.yaml", {
      ...environment,
      OTLP_GATEWAY: gateway.url,
    });
    try {
      await gateway.start();
      await agent.start();
      platform.manner = "hang";
      let status: number | undefined;
      const sending = sendOne(agent.url).then((result) => (status = result));
      await until("the platform was asked", () => platform.requests > 0);
      assert.equal(status, undefined, "nothing is promised yet");
      await agent.kill();
      await gateway.kill();
      assert.equal(await sending, 0, "the sender knows that it has to send again");
      platform.manner = "take";
      await gateway.start();
      await agent.start();
      assert.equal(await sendOne(agent.url), 200);
      assert.equal(platform.spans, 1);
      return "not taken before, taken after both were killed";
    } finally {
      await agent.kill();
      await gateway.kill();
      await platform.close();
    }
  },
};
