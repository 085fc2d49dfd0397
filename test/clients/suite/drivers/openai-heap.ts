import { beginningOf } from "../event-line.ts";
import type { Kit, Scenario } from "../scenario.ts";
import { OPENS_AT, withWords } from "../talk.ts";

/** Characters of the answer, in pieces of a thousand. */
const SIZE = 40_000_000;
const QUESTION = withWords(`size=${SIZE},piece=1000`);
const PIECES = SIZE / 1000;
const READ = 5;
const PAUSE_MILLIS = 300;
/** Bytes that may be kept of an answer that nobody reads. */
const MAX_GROWTH = 8 * 1024 * 1024;

/** Gives the bytes in use. Only with `--expose-gc` they are told from rubbish. */
function measureHeap(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Reads a little of a long answer, and pauses: neither may the server go on, nor may the answer gather here. */
async function pause(client: any, kit: Kit): Promise<unknown> {
  const messages = [{ role: "user", content: QUESTION }];
  const stream = await client.chat.completions.create({ model: "gpt-5", messages, stream: true });
  const before = measureHeap();
  let count = 0;
  let seen: unknown;
  for await (const _ of stream) {
    if (++count < READ) continue;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLIS));
    const isBounded = globalThis.gc === undefined || measureHeap() - before < MAX_GROWTH;
    const isStopped = kit.server.requests[0]!.frames < PIECES / 2;
    seen = { isBounded, isStopped };
    break;
  }
  return seen;
}

/** What is kept of a stream whose consumer pauses. */
export function toHeapScenarios(create: (kit: Kit) => unknown): Scenario[] {
  const text = beginningOf(OPENS_AT.repeat(SIZE / OPENS_AT.length));
  return [
    {
      name: "paused consumer",
      run: (kit) => pause(create(kit), kit),
      events: [
        ["user_message", QUESTION],
        ["agent_response", text],
      ],
      outcome: "cancelled",
    },
  ];
}
