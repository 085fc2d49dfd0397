import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startPlatform } from "../../src/platform/index.ts";
import type { AuditRecord } from "../../src/platform/review/audit-trail.ts";
import { runCommand } from "../helpers/command.ts";
import { createRandom, type Random } from "../faults/support/random.ts";
import { pause } from "../faults/support/until.ts";
import { type ChildPlatform, startChildPlatform } from "./child-platform.ts";
import { createBatch, createEvent, get, type JsonObject, postBatch, toAnswer } from "./helpers.ts";

const KILLS = 50;
/** A process takes requests for up to so many ms. */
const LIFE_MILLIS = 120;

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "agent-monitor-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** What the platform has acknowledged, and the requests that got no answer. */
interface Ledger {
  readonly events: Set<string>;
  /** Conversations with a finding. */
  readonly flagged: Set<string>;
  /** Comments by the key of their request. */
  readonly actions: Map<string, JsonObject>;
  readonly unanswered: { readonly path: string; readonly key: string; readonly body: JsonObject }[];
  /** Items of the queue that may be acted on. */
  readonly items: string[];
  count: number;
}

function createFlaggedAnswer(number: number): JsonObject {
  return createEvent("agent_response", {
    sessionId: `session-${number}`,
    riskScore: 80,
    requiresReview: true,
    complianceFlags: [
      {
        rule: "consumer-protection-guaranteed-returns",
        category: "consumer_protection",
        severity: "violation",
        description: "A return is promised.",
        confidence: 0.97,
        context: { detectedContent: "a sure return", detectedPattern: "promised" },
      },
    ],
  });
}

async function deliver(platform: ChildPlatform, ledger: Ledger): Promise<void> {
  const events = [createFlaggedAnswer(ledger.count++), createEvent()];
  const answer = await postBatch(platform, createBatch(events));
  if (answer.status !== 202) throw new Error(`unexpected status ${answer.status}`);
  for (const { eventId } of events) ledger.events.add(String(eventId));
  ledger.flagged.add(String(events[0]?.["sessionId"]));
}

async function send(
  platform: { readonly url: string },
  { path, key, body }: Ledger["unanswered"][number],
  ledger: Ledger,
): Promise<void> {
  const headers = { "content-type": "application/json", "idempotency-key": key };
  const init = { method: "POST", headers, body: JSON.stringify(body) };
  const { status } = await toAnswer(await fetch(platform.url + path, init));
  if (status !== 200) throw new Error(`unexpected status ${status}`);
  ledger.actions.set(key, body);
}

async function decide(platform: ChildPlatform, ledger: Ledger, random: Random): Promise<void> {
  const item = random.pick(ledger.items);
  const key = `request-${ledger.count++}`;
  const comment = `comment of ${key}`;
  const body = random.pick<JsonObject>([
    { action: "comment", comment },
    { action: "escalate", comment },
  ]);
  const request = { path: `/api/reviews/${item}/actions`, key, body };
  ledger.unanswered.push(request);
  await send(platform, request, ledger);
  ledger.unanswered.splice(ledger.unanswered.indexOf(request), 1);
}

/** Sends until the platform is killed. */
async function work(isOver: () => boolean, task: () => Promise<void>): Promise<void> {
  while (!isOver()) {
    try {
      await task();
    } catch (error) {
      // The connection breaks when the process is killed: nothing else may fail.
      if (!isOver() || !(error instanceof TypeError)) throw error;
    }
  }
}

async function liveAndDie(database: string, ledger: Ledger, random: Random): Promise<void> {
  const platform = await startChildPlatform(["--db", database]);
  for (const request of ledger.unanswered.splice(0)) await send(platform, request, ledger);
  let isKilled = false;
  const isOver = () => isKilled;
  const tasks = [
    () => deliver(platform, ledger),
    () => decide(platform, ledger, random),
    () => decide(platform, ledger, random),
  ];
  const workers = tasks.map((task) => work(isOver, task));
  await pause(random.below(LIFE_MILLIS));
  isKilled = true;
  await platform.end("SIGKILL");
  await Promise.all(workers);
}

async function listQueued(platform: { readonly url: string }): Promise<string[]> {
  const found: string[] = [];
  for (let after: string | null = ""; after !== null;) {
    const query = after === "" ? "" : `&after=${after}`;
    const { body } = await get(platform, `/api/reviews?state=any&limit=200${query}`);
    const page = body as { items: { conversationId: string }[]; next: string | null };
    found.push(...page.items.map(({ conversationId }) => conversationId));
    after = page.next;
  }
  return found;
}

it(`loses no acknowledged event and no decision to ${KILLS} kills, and makes none twice`, async () => {
  const random = createRandom();
  const database = join(directory, "platform.db");
  const ledger: Ledger = {
    events: new Set(),
    flagged: new Set(),
    actions: new Map(),
    unanswered: [],
    items: [],
    count: 0,
  };
  const first = await startChildPlatform(["--db", database]);
  for (let number = 0; number < 5; number++) await deliver(first, ledger);
  const { items } = (await get(first, "/api/reviews")).body as { items: { key: string }[] };
  ledger.items.push(...items.map(({ key }) => key));
  await first.end("SIGKILL");

  for (let kill = 0; kill < KILLS; kill++) await liveAndDie(database, ledger, random);

  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  const logger = { debug: write, info: write, warn: write, error: write };
  const platform = await startPlatform({ port: 0, database, logger });
  try {
    for (const request of ledger.unanswered.splice(0)) await send(platform, request, ledger);
    for (const eventId of ledger.events)
      expect((await get(platform, `/api/events/${eventId}`)).status, `seed ${random.seed}`).toBe(
        200,
      );
    const exported = await (await fetch(`${platform.url}/api/audit/export`)).text();
    const records = exported
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as AuditRecord);
    const comments = records
      .map(({ detail }) => (JSON.parse(detail) as { comment?: string }).comment)
      .filter((comment) => comment !== undefined);
    const expected = [...ledger.actions.values()].map(({ comment }) => String(comment));
    expect(comments.toSorted(), `seed ${random.seed}`).toEqual(expected.toSorted());
    expect(ledger.actions.size).toBeGreaterThan(KILLS);
    expect(await runCommand(["verify", platform.url])).toMatchObject({
      out: expect.stringMatching(/audit trail: verified/) as string,
    });
    expect(await listQueued(platform)).toEqual(expect.arrayContaining([...ledger.flagged]));
  } finally {
    await platform.close();
  }
}, 240_000);
