import { afterEach, describe, expect, it, vi } from "vitest";
import {
  keepAliveUntil,
  LONGEST_TIMER_MILLIS,
  sleep,
  systemClock,
  withDeadline,
} from "../../src/util/clock.ts";
import { createFakeClock } from "../helpers/clock.ts";

describe("systemClock", () => {
  afterEach(() => void vi.restoreAllMocks());

  it("tells integer milliseconds, and a time that does not go back", () => {
    expect(Number.isInteger(systemClock.now())).toBe(true);
    expect(systemClock.monotonic()).toBeLessThanOrEqual(systemClock.monotonic());
  });

  it.each([
    [false, 1],
    [true, 0],
  ])("with keepAlive %s lets go of the process %d times", (keepAlive, times) => {
    const unref = vi.fn<() => void>();
    const set = vi.spyOn(globalThis, "setTimeout").mockReturnValue({ unref } as never);
    const clear = vi.spyOn(globalThis, "clearTimeout").mockReturnValue(undefined);
    const cancel = systemClock.schedule(() => undefined, 5, keepAlive);
    expect(set).toHaveBeenCalledWith(expect.any(Function), 5);
    expect(unref).toHaveBeenCalledTimes(times);
    cancel();
    expect(clear).toHaveBeenCalledOnce();
  });

  it.each([2 ** 31, Infinity])(
    "shortens a delay of %d, which setTimeout would run at once",
    (delay) => {
      const set = vi.spyOn(globalThis, "setTimeout").mockReturnValue({ unref() {} } as never);
      systemClock.schedule(() => undefined, delay);
      expect(set).toHaveBeenCalledWith(expect.any(Function), LONGEST_TIMER_MILLIS);
    },
  );
});

/** Tells whether a promise has settled, after everything that can settle has. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const note = (): void => void (settled = true);
  promise.then(note, note);
  await new Promise((resolve) => setImmediate(resolve));
  return settled;
}

describe("sleep", () => {
  it("ends after its time", async () => {
    const clock = createFakeClock();
    const sleeping = sleep(clock, 1000, new AbortController().signal);
    await clock.advance(999);
    expect(await isSettled(sleeping)).toBe(false);
    await clock.advance(1);
    await sleeping;
  });

  it("ends when the signal fires, and leaves no timer", async () => {
    const clock = createFakeClock();
    const controller = new AbortController();
    const sleeping = sleep(clock, 1000, controller.signal);
    controller.abort();
    await sleeping;
    expect(clock.pending).toBe(0);
  });

  it("does not begin when the signal has fired", async () => {
    const clock = createFakeClock();
    await sleep(clock, 1000, AbortSignal.abort());
    expect(clock.scheduled).toEqual([]);
  });

  it("leaves no listener on a signal that outlives it", async () => {
    const clock = createFakeClock();
    const { signal } = new AbortController();
    const remove = vi.spyOn(signal, "removeEventListener");
    const sleeping = sleep(clock, 1, signal);
    await clock.advance(1);
    await sleeping;
    expect(remove).toHaveBeenCalledOnce();
  });
});

describe("keepAliveUntil", () => {
  it("holds the process until the promise settles", async () => {
    const clock = createFakeClock();
    const schedule = vi.spyOn(clock, "schedule");
    let resolve = (_value: number): void => undefined;
    const kept = keepAliveUntil(clock, new Promise<number>((done) => (resolve = done)));
    expect(schedule).toHaveBeenCalledWith(expect.any(Function), 60_000, true);
    expect(clock.pending).toBe(1);
    resolve(5);
    expect(await kept).toBe(5);
    expect(clock.pending).toBe(0);
  });

  it("lets go when the promise rejects", async () => {
    const clock = createFakeClock();
    await expect(keepAliveUntil(clock, Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(clock.pending).toBe(0);
  });
});

describe("withDeadline", () => {
  const never = new Promise<number>(() => undefined);

  it("gives what comes in time, and leaves no timer", async () => {
    const clock = createFakeClock();
    expect(await withDeadline(clock, Promise.resolve(5), 1000)).toBe(5);
    expect(await withDeadline(clock, Promise.resolve(5), 0)).toBe(5);
    await expect(withDeadline(clock, Promise.reject(new Error("no")), 1000)).rejects.toThrow("no");
    expect(clock.pending).toBe(0);
  });

  it("gives undefined when the time is over", async () => {
    const clock = createFakeClock();
    const late = withDeadline(clock, never, 1000);
    await clock.advance(999);
    expect(await isSettled(late)).toBe(false);
    await clock.advance(1);
    expect(await late).toBeUndefined();
  });

  it("waits for ever without a deadline", async () => {
    const clock = createFakeClock();
    const waiting = withDeadline(clock, never, undefined);
    await clock.advance(1e9);
    expect(await isSettled(waiting)).toBe(false);
    expect(clock.scheduled).toEqual([]);
  });

  it("handles a rejection that comes too late", async () => {
    const clock = createFakeClock();
    const rejections: unknown[] = [];
    const note = (reason: unknown): void => void rejections.push(reason);
    process.on("unhandledRejection", note);
    let reject = (_reason: Error): void => undefined;
    const late = withDeadline(clock, new Promise((_resolve, no) => (reject = no)), 10);
    await clock.advance(10);
    expect(await late).toBeUndefined();
    reject(new Error("late"));
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", note);
    expect(rejections).toEqual([]);
  });
});
