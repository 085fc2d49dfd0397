import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startPlatform, type Platform } from "../../src/platform/index.ts";
import { createAgent, get, putAgent } from "./helpers.ts";

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform({ port: 0 });
});
afterAll(() => platform.close());

describe("registering an agent", () => {
  it("creates it, then updates it, and keeps every profile of every version", async () => {
    const first = createAgent({ id: "versioned", version: "1" });
    expect(await putAgent(platform, first, "versioned")).toMatchObject({
      status: 201,
      body: { ...first },
    });
    expect((await putAgent(platform, { ...first, version: "2" }, "versioned")).status).toBe(200);
    expect(
      (await putAgent(platform, { ...first, version: "2", name: "Renamed" }, "versioned")).status,
    ).toBe(200);
    const { body } = await get(platform, "/api/agents/versioned");
    expect(body["versions"]).toMatchObject([
      { agent: { version: "2", name: "Renamed" } },
      { agent: { version: "2", name: first.name } },
      { agent: { version: "1" } },
    ]);
  });

  it.each(["a/b", "100%", "%41", "grüße 😀", "a?b#c", "..x", "a b"])(
    "takes the id %s from the path",
    async (id) => {
      expect((await putAgent(platform, createAgent({ id }), id)).status).toBe(201);
      expect((await get(platform, `/api/agents/${encodeURIComponent(id)}`)).body).toMatchObject({
        versions: [{ agent: { id } }],
      });
    },
  );

  it("keeps a profile once that is registered again as it was, as the latest", async () => {
    const one = createAgent({ id: "repeated", version: "1" });
    const two = { ...one, version: "2" };
    for (const agent of [one, two, two, one, one]) await putAgent(platform, agent, "repeated");
    const { body } = await get(platform, "/api/agents/repeated");
    expect(body["versions"]).toMatchObject([
      { agent: { version: "1" } },
      { agent: { version: "2" } },
    ]);
    expect(body["versions"]).toHaveLength(2);
  });

  it("tells when a version is registered with another profile, by the names of its members", async () => {
    const lines: string[] = [];
    const write = (line: string): void => void lines.push(line);
    const logger = { debug: write, info: () => undefined, warn: write, error: write };
    const told = await startPlatform({ port: 0, logger });
    try {
      const agent = { ...createAgent({ id: "a" }), secretive: 1 };
      for (const one of [agent, agent, { ...agent, model: "gpt-6", name: "Other", secretive: 2 }])
        await putAgent(told, one, "a");
      await putAgent(told, { ...agent, version: "3" }, "a");
      expect(lines).toEqual([
        "agent a: this version was registered before with another profile (name, model, other members); both are kept",
      ]);
    } finally {
      await told.close();
    }
  });

  it("is new in each organization", async () => {
    const agent = createAgent({ id: "shared" });
    const before = (await platform.stats()).agents;
    expect((await putAgent(platform, agent, "shared")).status).toBe(201);
    expect(
      (await putAgent(platform, agent, "shared", { organizationId: "second-bank" })).status,
    ).toBe(201);
    expect((await platform.stats()).agents).toBe(before + 2);
  });

  it("refuses an invalid profile and an id that differs from the path", async () => {
    const invalid = await putAgent(platform, { ...createAgent(), category: "robot" }, "agent-1");
    expect(invalid).toMatchObject({
      status: 422,
      body: { code: "invalid_agent", errors: [{ pointer: "/category" }] },
    });
    const other = await putAgent(platform, createAgent(), "agent-2");
    expect(other).toMatchObject({
      status: 422,
      body: { code: "invalid_agent", errors: [{ pointer: "/id" }] },
    });
    const broken = await fetch(`${platform.url}/v1/agents/%zz`, {
      method: "PUT",
      headers: {
        authorization: "Bearer k",
        "x-organization-id": "o",
        "content-type": "application/json",
      },
      body: JSON.stringify(createAgent({ id: "%zz" })),
    });
    expect(broken.status).toBe(422);
  });

  it("lists agents in their latest version", async () => {
    await putAgent(platform, createAgent({ id: "listed", version: "1" }), "listed");
    await putAgent(platform, createAgent({ id: "listed", version: "2" }), "listed");
    const { body } = await get(platform, "/api/agents?limit=1");
    expect(body["agents"]).toMatchObject([
      { organizationId: "first-bank", agent: { id: "listed", version: "2" } },
    ]);
  });
});
