import type { Logger } from "../../events/utility.ts";
import type { PolicyPack } from "../../packs.ts";
import type { Clock } from "../../util/clock.ts";
import { uuidV7 } from "../../util/ids.ts";
import { toErrorName } from "../../util/logger.ts";
import type { Store } from "../store/store.ts";
import type { Steps, Turns } from "../turns.ts";
import { backTest, type BackTestProgress, type BackTestResult, type Trial } from "./back-test.ts";
import type { AnswerPeriod } from "./stored-answers.ts";

/** Tests that are remembered, the newest. */
const MAX_KEPT = 20;
const MAX_MILLIS = 5 * 60_000;

/** Where a test stands: `stopped` when its time was over. */
export type BackTestState = "running" | "done" | "cancelled" | "stopped" | "failed";

/** A test of a pack on stored answers. */
export interface BackTest extends AnswerPeriod {
  readonly id: string;
  readonly pack: Pick<PolicyPack, "id" | "sha256" | "title" | "version">;
  readonly startedBy: string;
  readonly startedAt: number;
  readonly state: BackTestState;
  readonly endedAt: number | null;
  readonly progress: Readonly<BackTestProgress>;
  /** `null` until it is done. */
  readonly result: BackTestResult | null;
}

/** What is to be tested. */
export interface BackTestOrder {
  readonly pack: PolicyPack;
  readonly trial: Trial;
  readonly period: AnswerPeriod;
  readonly startedBy: string;
  /** Called when it has ended. */
  readonly onEnd: (test: BackTest) => Promise<void>;
}

interface Running {
  readonly done: Promise<void>;
  cancel(): void;
}

/** What the tests work with. */
interface BackTestTools {
  readonly store: Store;
  readonly turns: Turns;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Ends work early. */
function* untilStopped<Result>(
  steps: Steps<Result>,
  isStopped: () => boolean,
): Steps<Result | undefined> {
  for (let answer: unknown; ;) {
    if (isStopped()) return undefined;
    const step = steps.next(answer);
    if (step.done === true) return step.value;
    answer = yield step.value;
  }
}

/** Runs a test to its end, or until it is stopped. */
async function run(
  { store, turns, clock, logger }: BackTestTools,
  { pack, trial, period }: BackTestOrder,
  progress: BackTestProgress,
  isCancelled: () => boolean,
): Promise<Pick<BackTest, "result" | "state">> {
  const end = clock.monotonic() + MAX_MILLIS;
  const isStopped = (): boolean => isCancelled() || clock.monotonic() >= end;
  try {
    const steps = backTest(store.database, trial, period, progress);
    const result = await turns.take(untilStopped(steps, isStopped));
    if (result) return { state: "done", result };
    return { state: isCancelled() ? "cancelled" : "stopped", result: null };
  } catch (error) {
    logger.error(`back-test of the pack ${pack.id} failed: ${toErrorName(error)}`);
    return { state: "failed", result: null };
  }
}

function toTest({ pack, period, startedBy }: BackTestOrder, startedAt: number) {
  const { id, version, title, sha256 } = pack;
  return {
    ...period,
    id: uuidV7(startedAt),
    pack: { id, version, title, sha256 },
    startedBy,
    startedAt,
    state: "running" as BackTestState,
    endedAt: null,
    progress: { total: null, done: 0 } as BackTestProgress,
    result: null,
  };
}

/** Creates what runs packs over stored answers: one at a time, in turns with all other work; in memory alone. */
export function createBackTests(tools: BackTestTools) {
  const { clock } = tools;
  const tests = new Map<string, BackTest>();
  let running: Running | undefined;

  const keep = (test: BackTest): BackTest => {
    tests.set(test.id, test);
    const [oldest] = tests.keys();
    if (tests.size > MAX_KEPT && oldest !== undefined) tests.delete(oldest);
    return test;
  };

  return {
    /** Lists the tests that are remembered, the newest first. */
    list: (): BackTest[] => [...tests.values()].toReversed(),
    find: (id: string): BackTest | undefined => tests.get(id),
    /** Starts a test; `undefined` while another one is running. */
    start(order: BackTestOrder): BackTest | undefined {
      if (running) return undefined;
      const test = toTest(order, clock.now());
      keep(test);
      let isCancelled = false;
      const work = async (): Promise<void> => {
        const ended = await run(tools, order, test.progress, () => isCancelled);
        running = undefined;
        await order.onEnd(keep({ ...test, ...ended, endedAt: clock.now() }));
      };
      running = { done: work(), cancel: () => void (isCancelled = true) };
      return test;
    },
    /** Ends a test that is running; returns whether it was. */
    cancel(id: string): boolean {
      const isRunning = tests.get(id)?.state === "running";
      if (isRunning) running?.cancel();
      return isRunning;
    },
    /** Ends what is running. */
    async close(): Promise<void> {
      running?.cancel();
      await running?.done.catch(() => undefined);
    },
  };
}

/** The tests of packs on stored answers. */
export type BackTests = ReturnType<typeof createBackTests>;
