import { afterEach, expect, it } from "vitest";
import { startPlatform, type Platform } from "../../src/platform/index.ts";
import { systemClock } from "../../src/util/clock.ts";
import { createLoad, type LoadEvent, VERSIONS } from "../bench/platform-load.ts";
import { createBatch, get, postBatch } from "./helpers.ts";

const NOW = Date.UTC(2026, 10, 20, 14);
const CONVERSATIONS = 40;
const PARTS = 30;

const platforms: Platform[] = [];
afterEach(async () => {
  for (const platform of platforms.splice(0)) await platform.close();
});

async function start(): Promise<Platform> {
  const clock = { ...systemClock, now: () => NOW };
  const review = { sampling: { default: 0.2 } };
  const platform = await startPlatform({ port: 0, clock, review });
  platforms.push(platform);
  return platform;
}

/** Batches in which each conversation's events are far apart, some of them twice, and some without what they say first. */
function createBatches(): Record<string, unknown>[] {
  const load = createLoad({ seed: 3, findings: 0.3 });
  const parts: LoadEvent[][] = Array.from({ length: PARTS }, () => []);
  for (let number = 0; number < CONVERSATIONS; number++) {
    const events = load.createConversation(number, NOW - 3_600_000 + number);
    for (const [index, event] of events.entries()) {
      parts[(number * 7 + index * 3) % PARTS]?.push(event);
      if ((number + index) % 5 === 0) parts[(number * 7 + index * 3 + 11) % PARTS]?.push(event);
    }
  }
  return parts.map((events) => createBatch(events as never[]));
}

const PATHS = [
  "/api/conversations?limit=200&order=age",
  "/api/conversations/counts",
  "/api/conversations/counts?category=privacy",
  "/api/conversations?q=mortgage&limit=200&order=age",
  `/api/conversations?version=${VERSIONS[0]}&limit=200&order=age`,
  `/api/overview?from=${NOW - 86_400_000}&to=${NOW}`,
  `/api/versions?from=${NOW - 86_400_000}&to=${NOW}`,
  `/api/quality?from=${NOW - 86_400_000}&to=${NOW + 1}`,
  `/api/report?from=${NOW - 86_400_000}&to=${NOW + 1}`,
];

/** What does not say in which order batches came. */
async function readAll(platform: Platform): Promise<unknown[]> {
  const answers = await Promise.all(PATHS.map((path) => get(platform, path)));
  const { body } = await get(platform, "/api/reviews?state=any&limit=200&order=age");
  const items = (body["items"] as Record<string, unknown>[])
    .map(({ key, severity, origin, riskScore, findings }) => ({
      key,
      severity,
      origin,
      riskScore,
      findings,
    }))
    .toSorted((one, other) => (String(one.key) < String(other.key) ? -1 : 1));
  // A hit is the message that came first.
  const withoutOrder = (name: string, value: unknown): unknown =>
    ["seq", "writtenAt", "hit"].includes(name) ? undefined : value;
  const bodies = answers.map((answer) => answer.body);
  return [...bodies, items].map(
    (each) => JSON.parse(JSON.stringify(each, withoutOrder)) as unknown,
  );
}

it("stores batches that come at once as those that come one behind the other", async () => {
  const batches = createBatches();
  const [one, other] = [await start(), await start()];
  for (const batch of batches) await postBatch(one, batch);
  const answers = await Promise.all(batches.map((batch) => postBatch(other, batch)));
  const sum = (name: string): number =>
    answers.reduce((total, { body }) => total + Number(body[name]), 0);
  expect(sum("accepted")).toBe(CONVERSATIONS * 10);
  expect(sum("duplicates")).toBe(CONVERSATIONS * 2);
  expect(await readAll(other)).toEqual(await readAll(one));
});

it("answers each for itself, where one of them can't be stored", async () => {
  const platform = await start();
  const [first = {}, ...others] = createBatches();
  expect((await postBatch(platform, first)).status).toBe(202);
  const conflict = { ...createBatch(), batchId: first["batchId"] };
  const given = [...others.slice(0, 10), conflict, ...others.slice(10)];
  const answers = await Promise.all(given.map((batch) => postBatch(platform, batch)));
  expect(answers.map(({ status }) => status)).toEqual(
    given.map((batch) => (batch === conflict ? 409 : 202)),
  );
  const alone = await start();
  for (const batch of [first, ...others]) await postBatch(alone, batch);
  expect(await readAll(platform)).toEqual(await readAll(alone));
});
