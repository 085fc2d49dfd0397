import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createSeed } from "../../src/cli/seed/seed-bank.ts";
import { startFilledPlatform } from "../../src/platform/index.ts";
import { runCommand } from "../helpers/command.ts";
import { startChildPlatform } from "../platform/child-platform.ts";
import { createBatch, get, type JsonObject, postBatch, START } from "../platform/helpers.ts";

const COUNT = 150;
const directory = mkdtempSync(join(tmpdir(), "agent-monitor-seed-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Fills a platform in this process, and reads what is in it. */
async function fill(seed: number) {
  const facts = { seed, conversations: COUNT, organizationId: "lakeside-bank", now: START };
  const filling = createSeed({ ...facts, onProgress: () => undefined });
  const platform = await startFilledPlatform({ port: 0 }, filling);
  const list = async (path: string, name: string): Promise<JsonObject[]> =>
    (await get(platform, path)).body[name] as JsonObject[];
  try {
    const audit = await list("/api/audit?limit=200", "records");
    return {
      conversations: await list("/api/conversations?limit=200", "conversations"),
      items: await list("/api/reviews?state=any&limit=200", "items"),
      agents: await list("/api/agents", "agents"),
      audit: audit.filter(({ action }) => action !== "platform.fill"),
      stats: await platform.stats(),
    };
  } finally {
    await platform.close();
  }
}

describe("the bank that is made up", () => {
  it("is the same for the same number, and another one for another", async () => {
    const [one, same, other] = [await fill(7), await fill(7), await fill(8)];
    expect(same).toEqual(one);
    expect(other.conversations).not.toEqual(one.conversations);
  });

  it("has agents in versions, findings of the rules, and decisions at their times", async () => {
    const { conversations, items, agents, audit, stats } = await fill(7);
    expect(conversations).toHaveLength(COUNT);
    expect(stats).toMatchObject({ batches: COUNT, rejected: 0, duplicates: 0, agents: 5 });
    expect(agents).toHaveLength(5);
    const share = items.length / COUNT;
    expect(share).toBeGreaterThan(0.03);
    expect(share).toBeLessThan(0.25);
    expect(new Set(items.map(({ state }) => state)).size).toBeGreaterThan(2);
    expect(new Set(audit.map(({ actor }) => actor)).size).toBeGreaterThan(1);
    const times = audit.map(({ at }) => Number(at));
    expect(times).toEqual(times.toSorted((first, second) => second - first));
    expect(Math.max(...times)).toBeLessThan(START);
    expect(Math.min(...times)).toBeGreaterThan(START - 31 * 86_400_000);
  });
});

describe("dev --seed", () => {
  const file = join(directory, "bank.db");
  const args = ["--db", file, "--seed", "7", "--conversations", String(COUNT)];

  it("fills a database once, and verify proves it", async () => {
    const first = await startChildPlatform(args);
    expect(first.output()).toContain(`filled with seed 7, ${COUNT} conversations\n`);
    const { code, out } = await runCommand(["verify", first.url, "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      status: "verified",
      batches: COUNT,
      audit: { status: "verified" },
    });
    await first.end("SIGTERM");
    const again = await startChildPlatform(args);
    expect(again.output()).toContain(`has already seed 7, ${COUNT} conversations\n`);
    expect((await get(again, "/api/stats")).body).toMatchObject({ batches: COUNT });
    await again.end("SIGTERM");
  });

  it("refuses a database with another bank, or with data", async () => {
    const other = await runCommand(["dev", "--port", "0", "--db", file, "--seed", "8"]);
    expect(other.err).toMatch(/filled before, with seed 7, 150 conversations: take a new file/);
    expect(other.code).toBe(1);
    const used = join(directory, "used.db");
    const child = await startChildPlatform(["--db", used]);
    await postBatch(child, createBatch());
    await child.end("SIGTERM");
    const refused = await runCommand(["dev", "--port", "0", "--db", used, "--seed"]);
    expect(refused.err).toMatch(/has data already: take a new file/);
    expect(refused.code).toBe(1);
  });

  it.each([
    [["--seed=x"], /--seed must be 0 to 4294967295 \(got x\)/],
    [["--seed", "--conversations", "0"], /--conversations must be 1 to 20000 \(got 0\)/],
    [["--conversations", "5"], /--conversations is for --seed/],
  ])("refuses %j", async (given, message) => {
    const { code, err } = await runCommand(["dev", ...given]);
    expect(err).toMatch(message);
    expect(code).toBe(2);
  });

  it("begins on the queue, and its users have no access", async () => {
    const child = await startChildPlatform(["--seed", "--conversations", "300"]);
    await expect.poll(() => child.output()).toMatch(/viewer +http:\S+\/#\/queue\n/);
    expect((await get(child, "/api/me")).body).toMatchObject({ name: "local" });
    await child.end("SIGTERM");
  });
});
