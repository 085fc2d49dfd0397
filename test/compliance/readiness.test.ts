import { describe, expect, it } from "vitest";
import { Preparation } from "../../src/compliance/preparation.ts";
import type { BurstLogger } from "../../src/util/logger.ts";
import { createFakeClock, type FakeClock } from "../helpers/clock.ts";

interface Timer {
  readonly delay: number;
  readonly keepsAlive: boolean;
}

interface Prepared {
  readonly preparation: Preparation;
  /** Steps that were done in each turn of the event loop. */
  readonly turns: number[];
  readonly timers: Timer[];
  readonly lines: string[];
  readonly left: () => number;
  readonly clock: FakeClock;
  /** Adds work. */
  readonly add: (steps: number) => void;
}

const STEP_MILLIS = 1;

/** Prepares something of which each step takes three milliseconds. */
function prepare(steps: number): Prepared {
  const turns: number[] = [];
  const timers: Timer[] = [];
  const lines: string[] = [];
  const fake = createFakeClock();
  let spent = 0;
  let left = steps;
  const clock = {
    ...fake,
    monotonic: () => fake.monotonic() + spent,
    schedule(callback: () => void, delay: number, keepsAlive = false) {
      timers.push({ delay, keepsAlive });
      return fake.schedule(() => {
        turns.push(0);
        callback();
      }, delay);
    },
  };
  const log: BurstLogger = {
    log: (_level, _code, message) => void lines.push(message),
    flush: () => undefined,
  };
  const preparation = new Preparation({
    clock,
    log,
    isDone: () => left === 0,
    step() {
      if (left === 0) return true;
      left--;
      spent += STEP_MILLIS;
      if (turns.length > 0) turns.push((turns.pop() ?? 0) + 1);
      return left === 0;
    },
  });
  return {
    preparation,
    turns,
    timers,
    lines,
    left: () => left,
    clock: fake,
    add: (more) => void (left += more),
  };
}

describe("preparation", () => {
  it("does nothing where it is made, and goes on in short slices with rests that keep no process", async () => {
    const { preparation, turns, timers, left, clock } = prepare(7);
    expect({ left: left(), isDone: preparation.isDone }).toEqual({ left: 7, isDone: false });
    await clock.advance(1000);
    // A slice ends with the step that reaches 2 ms.
    expect(turns).toEqual([2, 2, 2, 1]);
    expect(timers).toEqual(Array.from({ length: 4 }, () => ({ delay: 5, keepsAlive: false })));
    expect(preparation.isDone).toBe(true);
    expect(clock.pending).toBe(0);
  });

  it("does not rest, and keeps the process, while somebody waits", async () => {
    const { preparation, turns, timers, clock } = prepare(7);
    const order: string[] = [];
    void preparation.ready().then(() => order.push("ready"));
    preparation.defer((isPrepared) => order.push(`first ${isPrepared}`), 1);
    preparation.defer(() => order.push("second"), 1);
    expect(order).toEqual([]);
    await clock.advance(0);
    expect(turns).toEqual([2, 2, 2, 1]);
    expect(timers.slice(1)).toEqual(timers.slice(1).map(() => ({ delay: 0, keepsAlive: true })));
    expect(order).toEqual(["first true", "second", "ready"]);
  });

  it("resolves at once when there is nothing to do", async () => {
    const { preparation, timers } = prepare(0);
    await preparation.ready();
    expect(timers).toEqual([]);
  });

  it("does the rest at once when asked to, with what waits, in order", async () => {
    const { preparation, left, clock } = prepare(7);
    const order: number[] = [];
    const ready = preparation.ready();
    preparation.defer(() => {
      order.push(1);
      // As an evaluation inside what waits does.
      preparation.finish();
    }, 1);
    preparation.defer(() => order.push(2), 1);
    preparation.finish();
    expect({ left: left(), order }).toEqual({ left: 0, order: [1, 2] });
    await ready;
    expect(clock.pending).toBe(0);
  });

  it("stops at a deadline, and goes on later", async () => {
    const { preparation, left, clock } = prepare(7);
    preparation.finish(2);
    expect(left()).toBe(5);
    await clock.advance(1000);
    expect(left()).toBe(0);
  });

  it("takes up what was added later", async () => {
    const { preparation, left, clock, add } = prepare(2);
    await clock.advance(1000);
    add(4);
    expect(preparation.isDone).toBe(false);
    preparation.resume();
    preparation.resume();
    await clock.advance(1000);
    expect(left()).toBe(0);
  });

  it("goes on when something is deferred after more work was added", async () => {
    const { preparation, clock, add } = prepare(2);
    await clock.advance(1000);
    add(4);
    let isDone = false;
    preparation.defer(() => (isDone = true), 1);
    await clock.advance(0);
    expect(isDone).toBe(true);
  });

  it("tells what waits that nothing is prepared any more when it is closed", async () => {
    const { preparation, left, clock } = prepare(7);
    const told: boolean[] = [];
    const ready = preparation.ready();
    preparation.defer((isPrepared) => told.push(isPrepared), 1);
    preparation.close();
    preparation.close();
    await ready;
    await preparation.ready();
    await clock.advance(1000);
    expect({ told, left: left(), pending: clock.pending }).toEqual({
      told: [false],
      left: 7,
      pending: 0,
    });
    // An evaluation that nobody can put off still gets all of it.
    preparation.finish();
    expect(left()).toBe(0);
  });

  it("is done at once when too much waits", () => {
    const many = prepare(7);
    for (let count = 0; count < 1000; count++) many.preparation.defer(() => undefined, 1);
    expect(many.left()).toBe(0);
    const large = prepare(7);
    large.preparation.defer(() => undefined, 8 * 1024 * 1024);
    expect(large.left()).toBe(0);
  });

  it("logs what fails, and goes on with what waits behind it", async () => {
    const { preparation, lines, clock } = prepare(1);
    let isDone = false;
    preparation.defer(() => {
      throw new TypeError("secret");
    }, 1);
    preparation.defer(() => (isDone = true), 1);
    await clock.advance(0);
    expect(isDone).toBe(true);
    expect(lines).toEqual(["what waited for the rules failed (TypeError)"]);
  });
});
