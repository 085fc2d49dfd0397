import { afterEach, expect, it } from "vitest";
import { AgentMonitor } from "../../src/monitor/monitor.ts";
import { startPlatform, type Platform } from "../../src/platform/index.ts";
import { agentInfo } from "../helpers/monitor.ts";

let platform: Platform | undefined;
afterEach(() => platform?.close());

const signing = { keyId: "s1", key: "32 bytes of text are long enough." };

it.each(["First Bank", "Zürcher Bank (三菱), 50% & more", "UTF-8''x", "'*'"])(
  "takes agents and batches of an organization that is called %s, signed as well",
  async (organizationId) => {
    const apiKey = "key-of-the-bank";
    const signingKeys = { [signing.keyId]: signing.key };
    platform = await startPlatform({ port: 0, apiKey, organizationId, signingKeys });
    const monitor = new AgentMonitor({
      apiKey,
      organizationId,
      endpoint: platform.url,
      signing,
      enableLogging: false,
    });
    await monitor.registerAgent(agentInfo);
    monitor.trackUserMessage("assistant", "session", "hello");
    await monitor.shutdown();
    expect(monitor.stats()).toMatchObject({ acked: 1, pending: 0, dropped: 0 });
    expect(await platform.stats()).toMatchObject({ agents: 1, events: 1 });
  },
);

it("refuses an organization that is encoded wrongly", async () => {
  platform = await startPlatform({ port: 0 });
  const response = await fetch(`${platform.url}/v1/batches`, {
    method: "POST",
    headers: {
      authorization: "Bearer k",
      "x-organization-id": "UTF-8''%E4%B8",
      "content-type": "application/json",
    },
    body: "{}",
  });
  expect(response.status).toBe(403);
});
