import { expect, it } from "vitest";
import type { LifePlan } from "../fixtures/faults/life.ts";
import { makeDirectory, recover, startLife, type Child } from "./support/child.ts";
import { inParallel } from "./support/pool.ts";
import { createRandom, type Random } from "./support/random.ts";
import { startReceiver, type Fault, type Receiver } from "./support/receiver.ts";
import { pause } from "./support/until.ts";
import { expectEmptySpool, expectNothingLost } from "./support/verdict.ts";

const LIVES = 60;
const SPOOL_KEY = "a key of at least thirty-two bytes";
/** Lives at one time, all on one spool directory. */
const WIDTH = 3;
const EVENTS_PER_LIFE = 300;
/** A process starts and tracks everything within about this time, in ms. */
const STARTING_MILLIS = 200;
const TRACKING_MILLIS = 300;

/** A platform of which half the answers are bad. */
function makeUnreliable(receiver: Receiver, random: Random): void {
  const faults: (() => Fault)[] = [
    () => ({ status: 503 }),
    () => ({ status: 429, headers: { "retry-after": "0" } }),
    () => ({ status: 500, body: { unexpected: true } }),
    () => ({ after: pause(random.below(200)) }),
    () => "reset",
    () => "reset_after_commit",
    () => "cut_answer",
    () => "hang",
    () => "hang_after_commit",
    () => "drip",
  ];
  receiver.script = () => (random.below(2) === 0 ? undefined : random.pick(faults)());
  receiver.cut = () => random.pick([false, false, false, false, false, false, true, "body"]);
}

async function liveAndDie(
  receiver: Receiver,
  spool: Pick<LifePlan["monitor"], "spoolDirectory" | "spoolKey">,
  life: number,
  random: Random,
): Promise<Child> {
  const child = startLife({
    name: `life${life}`,
    monitor: {
      ...spool,
      endpoint: receiver.url,
      durability: random.pick(["process", "power"] as const),
      enableLogging: false,
      batchSize: 1 + random.below(50),
      flushInterval: 100,
      retryAttempts: random.below(3),
      retryDelay: 5,
      requestTimeout: 150,
    },
    count: EVENTS_PER_LIFE,
    groupSize: 1 + random.below(40),
    pauseMillis: 5,
    end: "stay",
  });
  // Now and then while it starts, mostly while it tracks and sends.
  if (random.below(5) > 0) await child.reported("started");
  else await pause(random.below(STARTING_MILLIS));
  await pause(random.below(TRACKING_MILLIS));
  child.kill("SIGKILL");
  const { signal, stderr } = await child.ended;
  expect({ signal, stderr }).toEqual({ signal: "SIGKILL", stderr: "" });
  return child;
}

it.each([
  ["as it is", {}],
  ["encrypted", { spoolKey: SPOOL_KEY }],
])(
  `loses nothing to ${LIVES} kills at random moments, while the platform fails in every way and the spool is %s`,
  async (_name, settings) => {
    const random = createRandom();
    const receiver = await startReceiver();
    const spoolDirectory = makeDirectory();
    const spool = { ...settings, spoolDirectory };
    makeUnreliable(receiver, random);
    const numbers = Array.from({ length: LIVES }, (_, index) => index);
    const lives = await inParallel(numbers, WIDTH, (life) =>
      liveAndDie(receiver, spool, life, random),
    );
    receiver.script = () => undefined;
    receiver.cut = () => false;
    const last = await recover({
      ...spool,
      endpoint: receiver.url,
      enableLogging: false,
    });
    try {
      await expectNothingLost(receiver, lives, last);
      expectEmptySpool(spoolDirectory);
      expect(receiver.ids.length).toBeGreaterThan(LIVES);
    } catch (error) {
      throw new Error(`with FAULT_SEED=${random.seed}`, { cause: error });
    }
  },
);
