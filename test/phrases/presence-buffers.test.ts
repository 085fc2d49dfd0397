import { expect, it } from "vitest";
import { compilePhrases } from "../../src/phrases/phrase-compiler.ts";
import { BufferPool, MAX_GENERATION } from "../../src/phrases/presence-buffers.ts";

const tables = compilePhrases([{ name: "test", group: { match: ["red ..2 sea"] } }]);

it("lends buffers again, each time for another text", () => {
  const pool = new BufferPool(tables);
  const first = pool.take();
  const { generation } = first;
  const second = pool.take();
  expect(second).not.toBe(first);
  pool.give(first);
  expect(pool.take()).toBe(first);
  expect(first.generation).toBe(generation + 1);
});

it("forgets what was noted for other texts before their numbers begin anew", () => {
  const pool = new BufferPool(tables);
  const buffers = pool.take();
  buffers.generation = MAX_GENERATION;
  buffers.masks.fill(1);
  pool.give(buffers);
  expect(pool.take().generation).toBe(1);
  expect(buffers.masks.every((mask) => mask === 0)).toBe(true);
});
