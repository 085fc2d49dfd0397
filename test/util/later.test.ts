import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Later } from "../../src/util/later.ts";

describe("Later", () => {
  it("does things in order once the caller has gone on", async () => {
    const done: string[] = [];
    const later = new Later(() => undefined);
    later.add(() => done.push("one"));
    later.add(() => done.push("two"));
    await Promise.resolve();
    expect(done).toEqual([]);
    await nextTurn();
    expect(done).toEqual(["one", "two"]);
  });

  it("does now what waits when it is told to, and once only", async () => {
    const done: string[] = [];
    const later = new Later(() => undefined);
    later.add(() => done.push("one"));
    later.run();
    expect(done).toEqual(["one"]);
    await nextTurn();
    expect(done).toEqual(["one"]);
  });

  it("goes on behind what fails", () => {
    const done: string[] = [];
    const problems: unknown[] = [];
    const later = new Later((error) => problems.push(error));
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
    const later = new Later(() => undefined);
    for (let count = 0; count < 2500; count++) later.add(() => done++);
    expect(done).toBe(2000);
    later.run();
    expect(done).toBe(2500);
  });

  it("takes what a task adds for the next time", () => {
    const done: string[] = [];
    const later = new Later(() => undefined);
    later.add(() => later.add(() => done.push("inner")));
    later.run();
    expect(done).toEqual([]);
    later.run();
    expect(done).toEqual(["inner"]);
  });
});
