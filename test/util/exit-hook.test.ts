import { afterEach, describe, expect, it } from "vitest";
import { onNaturalExit } from "../../src/util/exit-hook.ts";

const before = process.listenerCount("beforeExit");
const removals: (() => void)[] = [];
const add = (hook: () => void): (() => void) => {
  const remove = onNaturalExit(hook);
  removals.push(remove);
  return remove;
};
const ours = (): number => process.listenerCount("beforeExit") - before;

/** Runs the listeners that were added here, as Node.js does when the event loop is empty. */
function exit(): void {
  for (const listener of process.listeners("beforeExit").slice(before)) listener.call(process, 0);
}

afterEach(() => {
  for (const remove of removals.splice(0)) remove();
  expect(ours()).toBe(0);
});

describe("onNaturalExit", () => {
  it("runs every hook, in order, and each time", () => {
    const calls: string[] = [];
    add(() => calls.push("a"));
    add(() => calls.push("b"));
    exit();
    exit();
    expect(calls).toEqual(["a", "b", "a", "b"]);
  });

  it("listens once however many monitors there are, and not at all without one", () => {
    const removes = Array.from({ length: 20 }, () => add(() => undefined));
    expect(ours()).toBe(1);
    for (const remove of removes) remove();
    expect(ours()).toBe(0);
    add(() => undefined);
    expect(ours()).toBe(1);
  });

  it("runs no hook that was removed, and bears removing it twice", () => {
    const calls: string[] = [];
    const remove = add(() => calls.push("removed"));
    add(() => calls.push("kept"));
    remove();
    remove();
    exit();
    expect(calls).toEqual(["kept"]);
  });

  it("lets a hook remove itself", () => {
    const calls: string[] = [];
    const remove = add(() => {
      calls.push("once");
      remove();
    });
    add(() => calls.push("other"));
    exit();
    exit();
    expect(calls).toEqual(["once", "other", "other"]);
  });

  it("runs the others when one throws", () => {
    const calls: string[] = [];
    add(() => {
      throw new Error("no");
    });
    add(() => calls.push("other"));
    expect(exit).not.toThrow();
    expect(calls).toEqual(["other"]);
  });

  it("hooks no signal", () => {
    const signals = ["SIGINT", "SIGTERM", "SIGHUP", "exit", "uncaughtException"];
    const counts = signals.map((name) => process.listenerCount(name));
    add(() => undefined);
    expect(signals.map((name) => process.listenerCount(name))).toEqual(counts);
  });
});
