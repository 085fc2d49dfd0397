import { EventEmitter } from "node:events";
import { describe, expect, it, vi } from "vitest";
import { currentConversationScope, withConversationScope } from "../../src/scope/scopes.ts";

const scope = { agentId: "assistant", sessionId: "s1", userId: "u1" };
const other = { agentId: "assistant", sessionId: "s2" };

describe("a conversation's scope", () => {
  it("is there inside, and only inside", () => {
    expect(currentConversationScope()).toBeUndefined();
    expect(withConversationScope(scope, () => currentConversationScope())).toBe(scope);
    expect(currentConversationScope()).toBeUndefined();
  });

  it("ends when the function throws", () => {
    expect(() =>
      withConversationScope(scope, () => {
        throw new Error("no");
      }),
    ).toThrow("no");
    expect(currentConversationScope()).toBeUndefined();
  });

  it("follows await, timers, microtasks and listeners", async () => {
    const seen: unknown[] = [];
    const note = (): void => void seen.push(currentConversationScope());
    await withConversationScope(scope, async () => {
      await Promise.resolve();
      note();
      await new Promise<void>((resolve) => setImmediate(() => resolve(note())));
      await new Promise<void>((resolve) => setTimeout(() => resolve(note()), 0));
      await new Promise<void>((resolve) => process.nextTick(() => resolve(note())));
      await new Promise<void>((resolve) => queueMicrotask(() => resolve(note())));
      const emitter = new EventEmitter();
      emitter.on("done", note);
      emitter.emit("done");
      for await (const _item of (async function* () {
        yield 1;
      })())
        note();
    });
    expect(seen).toEqual(Array.from({ length: 7 }, () => scope));
  });

  it("keeps conversations that run at the same time apart", async () => {
    const run = (mine: typeof other): Promise<unknown[]> =>
      withConversationScope(mine, async () => {
        const seen: unknown[] = [];
        for (let turn = 0; turn < 5; turn++) {
          await new Promise((resolve) => setImmediate(resolve));
          seen.push(currentConversationScope());
        }
        return seen;
      });
    const scopes = Array.from({ length: 10 }, (_, index) => ({
      agentId: "a",
      sessionId: `s${index}`,
    }));
    const seen = await Promise.all(scopes.map(run));
    scopes.forEach((mine, index) =>
      expect(seen[index]).toEqual(Array.from({ length: 5 }, () => mine)),
    );
  });

  it("can be inside another one", () => {
    withConversationScope(scope, () => {
      withConversationScope(other, () => expect(currentConversationScope()).toBe(other));
      expect(currentConversationScope()).toBe(scope);
    });
  });

  it("is one for two copies of the package in a process", async () => {
    vi.resetModules();
    const copy = await import("../../src/scope/scopes.ts");
    expect(copy.withConversationScope).not.toBe(withConversationScope);
    expect(withConversationScope(scope, () => copy.currentConversationScope())).toBe(scope);
  });
});
