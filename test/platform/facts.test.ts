import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AgentMonitor } from "../../src/index.ts";
import { startPlatform, type Platform } from "../../src/platform/index.ts";
import {
  createAgent,
  createBatch,
  createEvent,
  get,
  postBatch,
  putAgent,
  START,
  type Answer,
  type JsonObject,
} from "./helpers.ts";

let platform: Platform;
beforeEach(async () => {
  platform = await startPlatform({ port: 0 });
});
afterEach(() => platform.close());

async function list(query = ""): Promise<JsonObject[]> {
  const { body } = await get(platform, `/api/conversations${query}`);
  return body["conversations"] as JsonObject[];
}

async function listIds(query: string): Promise<unknown[]> {
  return (await list(query)).map((row) => row["conversationId"]);
}

const said = (version: string, environment = "production") => ({
  agentVersion: version,
  agentCategory: "tool_calling",
  agentSpecialty: "personal_banking",
  environment,
});

describe("what an event says of its agent", () => {
  it("is what the conversation shows, whatever was registered since", async () => {
    await putAgent(platform, createAgent({ version: "1.0", name: "Teller" }), "agent-1");
    await postBatch(platform, createBatch([createEvent("user_message", said("1.0"))]));
    const before = await list();
    expect(before).toMatchObject([
      {
        agentName: "Teller",
        appearances: [
          {
            version: "1.0",
            category: "tool_calling",
            specialty: "personal_banking",
            environment: "production",
            eventCount: 1,
          },
        ],
      },
    ]);
    const next = createAgent({ version: "2.0", name: "Adviser", category: "autonomous" });
    await putAgent(platform, next, "agent-1");
    expect(await list()).toEqual(before);
    const key = String(before[0]?.["key"]);
    expect((await get(platform, `/api/conversations/${key}`)).body["conversation"]).toEqual({
      ...before[0],
      traces: [],
    });
  });

  it("shows both versions of a conversation that two handled, in the order in which they did", async () => {
    const events = [
      createEvent("user_message", { ...said("1.0"), timestamp: START }),
      createEvent("agent_response", { ...said("2.0"), timestamp: START + 2 }),
      createEvent("user_message", { ...said("1.0"), timestamp: START + 1 }),
      createEvent("user_message", { environment: "production", timestamp: START + 3 }),
    ];
    for (const event of events) await postBatch(platform, createBatch([event]));
    const [row] = await list();
    expect(row?.["appearances"]).toMatchObject([
      { version: "1.0", eventCount: 2, firstAt: START, lastAt: START + 1 },
      { version: "2.0", eventCount: 1 },
      { version: null, category: null, eventCount: 1 },
    ]);
  });

  it("counts once when it comes again", async () => {
    const event = createEvent("user_message", said("1.0"));
    await postBatch(platform, createBatch([event]));
    await postBatch(platform, createBatch([event]));
    expect((await list())[0]).toMatchObject({ appearances: [{ eventCount: 1 }] });
  });

  it("has the name that the version had when it came, whatever the same version is called later", async () => {
    await putAgent(platform, createAgent({ version: "1.0", name: "Teller" }), "agent-1");
    const first = createEvent("user_message", { ...said("1.0"), metadata: { captured: false } });
    await postBatch(platform, createBatch([first]));
    await putAgent(platform, createAgent({ version: "1.0", name: "Adviser" }), "agent-1");
    expect((await list())[0]).toMatchObject({ agentName: "Teller" });
    // Nor does the fuller copy of what was said before bring a name that came in between.
    const { metadata: _, ...whole } = first;
    await postBatch(platform, createBatch([whole]));
    expect((await list())[0]).toMatchObject({
      agentName: "Teller",
      appearances: [{ name: "Teller", eventCount: 1 }],
    });
    const later = { ...said("1.0"), timestamp: START + 1 };
    await postBatch(platform, createBatch([createEvent("agent_response", later)]));
    expect((await list())[0]).toMatchObject({
      agentName: "Adviser",
      appearances: [
        { version: "1.0", name: "Teller", eventCount: 1 },
        { version: "1.0", name: "Adviser", eventCount: 1 },
      ],
    });
  });

  it("has the first name of a version that was registered behind it", async () => {
    await postBatch(platform, createBatch([createEvent("user_message", said("1.0"))]));
    for (const name of ["Teller", "Adviser"])
      await putAgent(platform, createAgent({ version: "1.0", name }), "agent-1");
    expect((await list())[0]).toMatchObject({ agentName: "Teller", appearances: [{ name: null }] });
  });

  it("names no agent by a name that only another version may have", async () => {
    await postBatch(platform, createBatch([createEvent()]));
    await putAgent(platform, createAgent({ version: "1.0", name: "Teller" }), "agent-1");
    expect((await list())[0]).toMatchObject({ agentName: "Teller" });
    await putAgent(platform, createAgent({ version: "2.0", name: "Adviser" }), "agent-1");
    expect((await list())[0]).toMatchObject({ agentName: null });
  });

  it("reaches the platform from the SDK, where a registered agent changes in the middle", async () => {
    const monitor = new AgentMonitor({
      apiKey: "k",
      organizationId: "bank",
      endpoint: platform.url,
      environment: "staging",
      enableLogging: false,
    });
    await monitor.registerAgent(createAgent({ version: "1.0" }));
    monitor.trackUserMessage("agent-1", "first", "Hello", "u");
    monitor.trackUserMessage("agent-1", "second", "Hello", "u");
    await monitor.flush();
    await monitor.registerAgent(createAgent({ version: "2.0" }));
    monitor.trackUserMessage("agent-1", "second", "Are you new?", "u");
    await monitor.shutdown();
    const versions = (await list()).map((row) => [
      row["conversationId"],
      (row["appearances"] as JsonObject[]).map(({ version }) => version),
    ]);
    expect(Object.fromEntries(versions)).toEqual({ first: ["1.0"], second: ["1.0", "2.0"] });
    expect(await listIds("?environment=staging&version=2.0")).toEqual(["second"]);
  });
});

describe("a filter", () => {
  beforeEach(async () => {
    await postBatch(
      platform,
      createBatch([
        createEvent("user_message", { ...said("1.0", "production"), sessionId: "live" }),
        createEvent("user_message", { ...said("2.0", "staging"), sessionId: "test" }),
        createEvent("agent_response", { ...said("2.0", "production"), sessionId: "both" }),
        createEvent("user_message", { ...said("1.0", "staging"), sessionId: "both" }),
      ]),
    );
  });

  it.each([
    ["?environment=production", ["both", "live"]],
    ["?environment=staging", ["both", "test"]],
    ["?environment=development", []],
    ["?version=1.0", ["both", "live"]],
    ["?version=1", []],
    ["?environment=production&version=2.0", ["both"]],
    ["?environment=staging&version=2.0&agent=agent-1", ["test"]],
  ])("of conversations leaves those that have such an event: %s", async (query, expected) => {
    expect(await listIds(query)).toEqual(expected);
  });

  it.each([
    ["?environment=production", 2],
    ["?version=2.0", 2],
    ["?environment=staging&version=1.0&type=user_message", 1],
    ["?type=agent_response", 1],
    ["?organization=other", 0],
    ["", 4],
  ])("of events leaves those: %s", async (query, count) => {
    const { body } = await get(platform, `/api/events${query}`);
    expect(body["events"]).toHaveLength(count);
  });

  it("of events goes through pages, the newest first, each event as it came", async () => {
    const seen: unknown[] = [];
    let place = "";
    for (;;) {
      const { body } = await get(platform, `/api/events?limit=3${place}`);
      const events = body["events"] as {
        event: JsonObject;
        seq: number;
        conversationKey: string;
      }[];
      seen.push(...events.map(({ event }) => event["sessionId"]));
      if (body["next"] === null) break;
      place = `&before=${body["next"] as number}`;
    }
    expect(seen).toEqual(["both", "both", "test", "live"]);
  });

  it.each(["/api/conversations", "/api/events"])(
    "of %s names the environments there are",
    async (path) => {
      const { status, body } = await get(platform, `${path}?environment=prod`);
      expect(status).toBe(400);
      expect(body["detail"]).toMatch(/environment must be production or staging or development/);
    },
  );
});

it("gives large events in smaller pages", async () => {
  const content = "x".repeat(900_000);
  for (let index = 0; index < 8; index++)
    await postBatch(platform, createBatch([createEvent("user_message", { content })]));
  const [row] = await list();
  const sizes: number[] = [];
  let offset: number | null = 0;
  while (offset !== null) {
    const path = `/api/conversations/${String(row?.["key"])}?offset=${offset}`;
    const { body }: Answer = await get(platform, path);
    sizes.push((body["events"] as unknown[]).length);
    offset = body["next"] as number | null;
  }
  expect(sizes).toEqual([5, 3]);
});
