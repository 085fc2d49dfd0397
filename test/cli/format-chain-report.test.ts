import { expect, it } from "vitest";
import { findUnproven, formatChainReport } from "../../src/cli/verify.ts";
import type { ChainReport, WriterReport } from "../../src/delivery/chain/chain.ts";

function createWriter(writerId: string, status: WriterReport["status"] = "verified"): WriterReport {
  return {
    writerId,
    status,
    batches: 1,
    repeated: 0,
    absent: 0,
    events: 1,
    dropped: {},
    last: undefined,
    firstBreak: undefined,
    breaks: [],
    breakCount: 0,
    unverified: 0,
    doubts: [],
  };
}

const report = (...writers: WriterReport[]): ChainReport => ({
  status: writers.some(({ status }) => status === "broken") ? "broken" : "verified",
  batches: writers.length,
  unchained: 0,
  writers,
});

it("says that a writer may be gone as a whole, though all that is there is verified", () => {
  const text = formatChainReport(report(createWriter("a"), createWriter("b")), 0);
  expect(text).toMatch(
    /verified: 2 batches, 2 writers\nnot proven: that no whole writer was removed which no later one names, nor that the newest batches of 2 writers are there \(--expect-last tells\)\n$/,
  );
});

it("counts a writer whose end is known from elsewhere as proven up to there", () => {
  const whole = report(createWriter("a"), createWriter("b"));
  expect(findUnproven(whole, { anchored: new Set(["a"]) })[1]).toMatch(/of 1 writer are there/);
  expect(findUnproven(whole, { anchored: new Set(["a", "b"]) })).toEqual([
    "that no whole writer was removed which no later one names",
  ]);
});

it("counts a writer as proven up to the end that a later one names, and no further", () => {
  const last = (sequence: number) => ({ sequence, hash: "" });
  const successor = { writerId: "c", sequence: 3 };
  const named = { ...createWriter("a"), last: last(3), successor };
  const further = { ...createWriter("b"), last: last(4), successor };
  expect(findUnproven(report(named, further))[1]).toMatch(/of 1 writer are there/);
});

it("says whose batches were left out on purpose", () => {
  const unproven = findUnproven(report(createWriter("a")), { without: new Set(["b"]) });
  expect(unproven).toContain("anything of 1 writer (--without)");
});

it("adds nothing to what is broken, and writes one of a thing in the singular", () => {
  const text = formatChainReport(report(createWriter("a", "broken")), 0);
  expect(text).not.toContain("not proven: that");
  expect(text).toContain("broken: 1 batch, 1 writer\n");
});
