import { afterEach, beforeEach, expect, it } from "vitest";
import { startPlatform, type Platform } from "../../src/platform/index.ts";
import { runCommand } from "../helpers/command.ts";
import { createBatch, createEvent, get, type JsonObject, postBatch } from "../platform/helpers.ts";

const RULE = "consumer-protection-guaranteed-returns";
const CARD = "4111 1111 1111 1111";
let platform: Platform;

beforeEach(async () => {
  platform = await startPlatform({ port: 0 });
});
afterEach(() => platform.close());

/** Has items arrive, each of a rule of its own number: `<rule>-1` … */
async function flag(count: number): Promise<void> {
  const events = Array.from({ length: count }, (_, index) =>
    createEvent("agent_response", {
      sessionId: `session-${index}`,
      content: `Your card ${CARD} wins ${index + 1} % for sure.`,
      riskScore: 60 + index,
      requiresReview: true,
      complianceFlags: [
        {
          rule: `${RULE}-${index + 1}`,
          category: "consumer_protection",
          severity: index === 0 ? "warning" : "violation",
          description: "A return is promised.",
          context: { detectedContent: `card ${CARD} wins ${index + 1} % for sure` },
        },
      ],
    }),
  );
  await postBatch(platform, createBatch(events));
}

async function listKeys(query = ""): Promise<string[]> {
  const { items } = (await get(platform, `/api/reviews?${query}`)).body;
  return (items as JsonObject[]).map(({ key }) => String(key));
}

const review = (command: string, ...args: string[]) =>
  runCommand(["review", command, platform.url, ...args]);
const CLOSE = ["--disposition", "false_positive", "--reason-code", "definition"];

it("lists the queue by the filter, with identifiers masked", async () => {
  await flag(3);
  const all = await review("ls");
  expect(all).toMatchObject({ code: 0, err: "" });
  expect(all.out.trim().split("\n")).toHaveLength(4);
  expect(all.out).toMatch(/^KEY +STATE +SEVERITY +RISK +AGE +AGENT +RULE +QUOTE\n/);
  expect(all.out).toContain("wins 3 % for sure");
  expect(all.out).not.toContain(CARD);
  const some = await review("ls", "--severity", "violation", "--risk", "62", "--json");
  expect(some.out).not.toContain(CARD);
  const { items } = JSON.parse(some.out) as { items: JsonObject[] };
  expect(items.map(({ riskScore }) => riskScore)).toEqual([62]);
  expect(await review("ls", "--state", "closed")).toMatchObject({ code: 0, out: "no items\n" });
});

it("shows an item with its findings and its history", async () => {
  await flag(1);
  const [key = ""] = await listKeys();
  await review("close", key, ...CLOSE, "--comment", "It explains the word.", "--yes");
  const { out } = await review("show", key);
  expect(out).toContain(`warning ${RULE}-1\n`);
  expect(out).toMatch(/decided: false_positive, local\n/);
  expect(out).toMatch(/ {2}local {2}review.close {2}false_positive {2}definition {2}It explains/);
  expect(out).not.toContain(CARD);
  const { out: json } = await review("show", key, "--json");
  expect(JSON.parse(json)).toMatchObject({ item: { key, state: "closed" } });
});

it("closes items by key, shows them, and needs a word where nobody can be asked", async () => {
  await flag(3);
  const [first = "", second = ""] = await listKeys();
  const unasked = await review("close", first, ...CLOSE);
  expect(unasked).toMatchObject({ code: 2, out: "" });
  expect(unasked.err).toMatch(/review close needs --yes where nobody can be asked/);
  const { code, out, err } = await review("close", first, second, ...CLOSE, "--yes");
  expect({ code, out }).toEqual({ code: 0, out: "2 of 2 items closed\n" });
  expect(err).toContain(first);
  expect(await listKeys("state=closed")).toHaveLength(2);
});

it("closes what a filter chooses", async () => {
  await flag(3);
  const { code, out } = await review("close", "--rule", `${RULE}-2`, ...CLOSE, "--yes", "--json");
  expect(code).toBe(0);
  const { results } = JSON.parse(out) as { results: JsonObject[] };
  expect(results).toEqual([{ key: expect.any(String) as string, status: "closed" }]);
  expect(await listKeys()).toHaveLength(2);
});

it("refuses what somebody else works on, and ends with 1", async () => {
  await platform.close();
  const users = ["Ann", "Ben"].map((name) => ({
    name,
    role: "reviewer" as const,
    key: `key-of-${name}-0123456789`,
  }));
  platform = await startPlatform({ port: 0, users });
  const [ann, ben] = users.map(({ key }) => key);
  await flag(1);
  const headers = { authorization: `Bearer ${ann}`, "content-type": "application/json" };
  const listed = await fetch(`${platform.url}/api/reviews`, { headers });
  const [item] = ((await listed.json()) as { items: JsonObject[] }).items;
  const key = String(item?.["key"]);
  const body = '{"action":"claim"}';
  await fetch(`${platform.url}/api/reviews/${key}/actions`, { method: "POST", headers, body });
  const result = await review("close", key, ...CLOSE, "--yes", "--api-key", ben ?? "");
  expect(result.out).toBe(
    `${key}: refused, status 409: the item is claimed by Ann\n0 of 1 item closed\n`,
  );
  expect(result.code).toBe(1);
  expect(await review("ls")).toMatchObject({
    code: 1,
    err: "agent-monitor: status 401: the API key is not accepted\n",
  });
});

it.each([
  [["ls", "--state", "opne"], /--state must be open, .*\(got opne\): did you mean open\?/],
  [["ls", "--sevrity", "x"], /unknown option --sevrity: did you mean --severity\?/],
  [["lst"], /review needs a command: did you mean ls\?/],
  [["ls", "stray"], /review ls takes a URL and options \(got stray\)/],
  [["show"], /review show needs the key of one item/],
  [["close", "k", "--yes"], /review close needs --disposition violation\|false_positive/],
  [["close", ...CLOSE, "--yes"], /needs the keys of items, or a filter, not both/],
  [["close", "k", "--disposition", "acceptible", "--yes"], /did you mean acceptable\?/],
  [
    ["close", "k", "--disposition", "acceptable", "--reason-code", "disclosd", "--yes"],
    /--reason-code of acceptable must be disclosed, .*: did you mean disclosed\?/,
  ],
])("ends with 2 and says what is wrong: %j", async ([command = "", ...args], message) => {
  const { code, err } = await review(command, ...args);
  expect(err).toMatch(message);
  expect(code).toBe(2);
});

it("says that there is no such item, and no platform", async () => {
  expect(await review("show", "nothing")).toMatchObject({
    code: 1,
    err: "agent-monitor: status 404: the conversation is not in the queue\n",
  });
  const { code, err } = await runCommand(["review", "ls", "http://127.0.0.1:9"]);
  expect(err).toMatch(/^agent-monitor: http:\/\/127.0.0.1:9: can't be read/);
  expect(code).toBe(1);
});
