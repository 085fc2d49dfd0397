import { randomUUID } from "node:crypto";
import { LONGEST_TIMER_MILLIS, sleep } from "../../util/clock.ts";
import { createBurstLogger, toErrorName } from "../../util/logger.ts";
import { StoreError } from "../store/sql-database.ts";
import { claimPosition, isWorthClaim, LostLeaseError } from "../store/telemetry-position.ts";
import { createAlarm } from "./alarm.ts";
import { type Making, POLL_MILLIS, TelemetryFollower } from "./telemetry-follower.ts";

/** Waits in ms before a store that failed is tried again: the first, and the longest. */
const FIRST_WAIT_MILLIS = 1000;
const LONGEST_WAIT_MILLIS = 30_000;

/** What a maker of events works with. */
type EventMakerOptions = Pick<Making, "clock" | "logger" | "store" | "turns">;

/** Makes events until it is to end, or another replica does. @returns Whether it was its turn. */
async function make(making: Making, onKept: () => void): Promise<boolean> {
  const { store, owner, clock } = making;
  const holder = { owner, now: clock.now() };
  if (!(await store.read(isWorthClaim(store.database, holder)))) return false;
  const position = await store.write((transaction) => claimPosition(transaction, holder));
  if (!position) return false;
  await new TelemetryFollower(making, position, onKept).follow();
  return true;
}

function report({ log, logger, ending }: Making, error: unknown): void {
  if (error instanceof LostLeaseError) return;
  const reason = error instanceof StoreError ? error.message : toErrorName(error);
  const what = "spans: no events are made of them while the store fails";
  if (ending.aborted) logger.error(`${what} (${reason}); the next start goes on`);
  else log.log("error", "store", `${what} (${reason})`);
}

/** Makes events whenever it is its turn; whatever fails, it begins anew from what is stored. */
async function run(making: Making): Promise<void> {
  const { store, clock, alarm, ending } = making;
  const idleMillis = store.database.dialect === "postgres" ? POLL_MILLIS : LONGEST_TIMER_MILLIS;
  let failures = 0;
  const onKept = (): void => void (failures = 0);
  for (;;) {
    try {
      const isOver = await make(making, onKept);
      if (isOver || ending.aborted) return;
      await alarm.wait(idleMillis);
    } catch (error) {
      report(making, error);
      if (ending.aborted) return;
      const wait = Math.min(FIRST_WAIT_MILLIS * 2 ** failures++, LONGEST_WAIT_MILLIS);
      await sleep(clock, wait, ending);
    }
  }
}

/**
 * Creates what makes events of the spans and log records that are stored, by whichever replica: one does it at a time.
 *
 * An event is stored together with how far it has come, so that it is stored once, whoever dies.
 */
export function createEventMaker(options: EventMakerOptions) {
  const ending = new AbortController();
  const log = createBurstLogger(options.logger, options.clock);
  const alarm = createAlarm(options.clock);
  let running: Promise<void> | undefined;
  return {
    start(): void {
      running ??= run({ ...options, owner: randomUUID(), log, alarm, ending: ending.signal });
    },
    /** Has it look for what this process has stored. */
    wake: () => alarm.ring(),
    /** Makes the events of all that has come, unless another replica goes on at once. */
    async close(): Promise<void> {
      ending.abort();
      alarm.ring();
      await running;
      log.flush();
    },
  };
}

/** Makes events of stored spans and log records. */
export type EventMaker = ReturnType<typeof createEventMaker>;
