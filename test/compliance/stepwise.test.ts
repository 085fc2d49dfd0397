import { describe, expect, it } from "vitest";
import { createStepwise } from "../../src/compliance/phrases/stepwise.ts";

describe("work in steps", () => {
  it("goes on where it stopped, whoever asks", () => {
    const done: number[] = [];
    const work = createStepwise(function* () {
      for (const step of [1, 2, 3]) {
        done.push(step);
        yield;
      }
      return { sum: 6 };
    });
    expect([work.step(), work.step()]).toEqual([false, false]);
    expect(work.finish()).toEqual({ sum: 6 });
    expect(work.finish()).toBe(work.finish());
    expect(work.step()).toBe(true);
    expect(done).toEqual([1, 2, 3]);
  });

  it("that fails begins anew, and fails again", () => {
    let attempts = 0;
    const work = createStepwise(function* (): Generator<void, object, void> {
      attempts++;
      yield;
      throw new Error("unreadable");
    });
    expect(work.step()).toBe(false);
    expect(() => work.step()).toThrow("unreadable");
    expect(() => work.finish()).toThrow("unreadable");
    expect(attempts).toBe(2);
  });
});
