import { afterEach, beforeEach, expect, it } from "vitest";
import { startPlatform, type Platform } from "../../src/platform/index.ts";
import { createBatch, createEvent, get, type JsonObject, postBatch, START } from "./helpers.ts";

let platform: Platform;
beforeEach(async () => {
  platform = await startPlatform({ port: 0 });
});
afterEach(() => platform.close());

async function post(events: readonly JsonObject[]): Promise<string> {
  await postBatch(platform, createBatch(events));
  const { body } = await get(platform, "/api/conversations");
  return String((body["conversations"] as JsonObject[])[0]?.["key"]);
}

const FLAG = {
  rule: "consumer-protection-no-risk",
  category: "consumer_protection",
  severity: "info",
  description: "A promise.",
};

it("lists the findings of a conversation that is not in the queue, and of none that is not there", async () => {
  const key = await post([createEvent("agent_response", { complianceFlags: [FLAG] })]);
  const { status, body } = await get(platform, `/api/conversations/${key}/findings`);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    item: null,
    history: [],
    findings: [{ rule: FLAG.rule, decision: null }],
  });
  expect((await get(platform, "/api/conversations/none/findings")).status).toBe(404);
  expect((await get(platform, `/api/conversations/${key}/findings?x=1`)).status).toBe(400);
});

it("links a conversation to the traces that its events name, once their spans are there, and back", async () => {
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  const key = await post([
    createEvent("user_message", { content: "Which rate?", metadata: { traceId } }),
    createEvent("agent_response", { metadata: { traceId } }),
    createEvent("tool_call", { metadata: { traceId: "not one" } }),
  ]);
  const readTraces = async () =>
    ((await get(platform, `/api/conversations/${key}`)).body["conversation"] as JsonObject)[
      "traces"
    ];
  expect(await readTraces()).toEqual([]);
  const span = {
    traceId,
    spanId: "1".repeat(16),
    name: "chat",
    startTimeUnixNano: `${START}000000`,
    endTimeUnixNano: `${START + 1}000000`,
  };
  for (const organization of ["first-bank", "other-bank"])
    await fetch(`${platform.url}/v1/traces`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-organization-id": organization },
      body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }),
    });
  expect(await readTraces()).toEqual([traceId]);
  const readConversations = async (organization: string) => {
    const { body } = await get(platform, `/api/traces/${traceId}?organization=${organization}`);
    return (body["trace"] as JsonObject)["conversations"];
  };
  expect(await readConversations("first-bank")).toEqual([{ key, title: "Which rate?" }]);
  expect(await readConversations("other-bank")).toEqual([]);
});
