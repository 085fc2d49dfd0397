import { describe, expect, it } from "vitest";
import { DeferredTasks } from "../../src/util/deferred-tasks.ts";
import { createFakeClock } from "../helpers/clock.ts";

describe("Later", () => {
  it("does things in order once the caller has gone on, all with one timer", async () => {
    const done: string[] = [];
    const clock = createFakeClock();
    const later = new DeferredTasks(clock, () => undefined);
    later.add(() => done.push("one"));
    later.add(() => done.push("two"));
    expect([done, clock.pending]).toEqual([[], 1]);
    await clock.advance(20);
    expect([done, clock.pending]).toEqual([["one", "two"], 0]);
    later.add(() => done.push("three"));
    await clock.advance(20);
    expect(done).toEqual(["one", "two", "three"]);
  });

  it("does in the next turn what is to be done soon, and what waits before it", async () => {
    const done: string[] = [];
    const clock = createFakeClock();
    const later = new DeferredTasks(clock, () => undefined);
    later.add(() => done.push("one"));
    later.add(() => done.push("two"), true);
    later.add(() => done.push("three"));
    expect([done, clock.pending]).toEqual([[], 1]);
    await clock.advance(0);
    expect([done, clock.pending]).toEqual([["one", "two", "three"], 0]);
    later.add(() => done.push("four"));
    await clock.advance(19);
    expect(done).toHaveLength(3);
    await clock.advance(1);
    expect(done).toHaveLength(4);
  });

  it("does now what waits when it is told to, and once only", async () => {
    const done: string[] = [];
    const clock = createFakeClock();
    const later = new DeferredTasks(clock, () => undefined);
    later.add(() => done.push("one"));
    later.run();
    expect([done, clock.pending]).toEqual([["one"], 0]);
    await clock.advance(20);
    expect(done).toEqual(["one"]);
  });

  it("goes on behind what fails", () => {
    const done: string[] = [];
    const problems: unknown[] = [];
    const later = new DeferredTasks(createFakeClock(), (error) => problems.push(error));
    const failure = new Error("no");
    later.add(() => {
      throw failure;
    });
    later.add(() => done.push("two"));
    later.run();
    expect([done, problems]).toEqual([["two"], [failure]]);
  });

  it("does things in between for a caller that never lets go", () => {
    let done = 0;
    const later = new DeferredTasks(createFakeClock(), () => undefined);
    for (let count = 0; count < 2500; count++) later.add(() => done++);
    expect(done).toBe(2000);
    later.run();
    expect(done).toBe(2500);
  });

  it("does what a task adds behind what waits already, in the same run", () => {
    const done: string[] = [];
    const later = new DeferredTasks(createFakeClock(), () => undefined);
    later.add(() => later.add(() => done.push("inner")));
    later.add(() => {
      later.run();
      done.push("outer");
    });
    later.run();
    expect(done).toEqual(["outer", "inner"]);
    later.run();
    expect(done).toEqual(["outer", "inner"]);
  });
});
