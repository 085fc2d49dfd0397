import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startPlatform } from "../../src/platform/index.ts";
import { createRandom } from "../faults/support/random.ts";
import { pause } from "../faults/support/until.ts";
import { startChildPlatform } from "./child-platform.ts";
import {
  type ConversationTelemetry,
  createConversation,
  createToolTurn,
  sendTelemetry,
} from "./conversation-telemetry.ts";
import { START } from "./helpers.ts";
import { openStored } from "./stored-database.ts";

const KILLS = 8;
/** Longer than it takes for events to be made of a trace. */
const LIFE_MILLIS = 4000;
const TURNS = 5;

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "agent-monitor-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Reads all events that were stored, each as JSON. */
async function readEvents(file: string): Promise<string[]> {
  const database = await openStored(file);
  const rows = await database.all<{ json: string }>("SELECT json FROM body");
  await database.close();
  return rows.map(({ json }) => json).toSorted();
}

/** Returns the events that a platform makes which nobody kills. */
async function makeExpected(conversations: readonly ConversationTelemetry[]): Promise<string[]> {
  const file = join(directory, "expected.db");
  const platform = await startPlatform({ port: 0, database: file });
  for (const { requests } of conversations)
    for (const request of requests) expect(await sendTelemetry(platform, request)).toBe(200);
  await platform.close();
  return readEvents(file);
}

it(`makes each event of acknowledged telemetry once, whenever it is killed, ${KILLS} times`, async () => {
  const random = createRandom();
  const file = join(directory, "platform.db");
  const conversations: ConversationTelemetry[] = [];
  /** Sends conversations until the platform is killed; a request that was not answered is sent again by the next life. */
  const createWorker = () => {
    let open: ConversationTelemetry["requests"][number][] = [];
    return async (platform: { readonly url: string }, isOver: () => boolean): Promise<void> => {
      while (!isOver() || open.length > 0) {
        if (open.length === 0) {
          const number = conversations.length + 1;
          const conversation =
            number % 3 === 0
              ? createToolTurn(number, START)
              : createConversation(number, TURNS, START);
          conversations.push(conversation);
          open = [...conversation.requests];
        }
        const [request] = open;
        try {
          if (request) expect(await sendTelemetry(platform, request)).toBe(200);
        } catch (error) {
          if (error instanceof TypeError) return;
          throw error;
        }
        open.shift();
        await pause(random.below(30));
      }
    };
  };
  const workers = [createWorker(), createWorker(), createWorker()];
  for (let kill = 0; kill < KILLS; kill++) {
    const child = await startChildPlatform(["--db", file]);
    const ended = workers.map((work) => work(child, () => false));
    await pause(random.below(LIFE_MILLIS));
    await child.end("SIGKILL");
    await Promise.all(ended);
  }
  const platform = await startPlatform({ port: 0, database: file });
  await Promise.all(workers.map((work) => work(platform, () => true)));
  const count = conversations.reduce((sum, { eventCount }) => sum + eventCount, 0);
  await expect
    .poll(async () => (await platform.stats()).events, { timeout: 60_000 })
    .toBeGreaterThanOrEqual(count);
  const stats = await platform.stats();
  await platform.close();
  const expected = await makeExpected(conversations);
  expect(expected).toHaveLength(count);
  expect(await readEvents(file), `seed ${random.seed}`).toEqual(expected);
  expect(stats).toMatchObject({ events: count, duplicates: 0 });
}, 240_000);
