import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DroppedReport } from "../../src/events/chain.ts";
import {
  addReport,
  applyRecord,
  createOutboxState,
  toSettledSequence,
  type OutboxState,
} from "../../src/delivery/outbox-state.ts";
import { createEnd, createPlan, recordAll, steps, unsettledOf } from "../helpers/outbox-model.ts";

describe("applyRecord", () => {
  it("has every sequence in one batch, or settled, or not planned yet", () => {
    fc.assert(
      fc.property(steps, (list) => {
        const { records, state } = recordAll(list);
        // What is settled, counted apart.
        const settled = new Set<number>();
        for (const record of records) {
          if (record.type !== "settle" && record.type !== "drop") continue;
          for (let one = record.first; one <= record.last; one++) settled.add(one);
        }
        const unsettled = unsettledOf(state);
        expect(new Set(unsettled).size).toBe(unsettled.length);
        const all = [...settled, ...unsettled].toSorted((a, b) => a - b);
        expect(all).toEqual(Array.from({ length: state.next - 1 }, (_value, index) => index + 1));
        expect(state.holes).toEqual([]);
        expect(toSettledSequence(state)).toBe((unsettled[0] ?? state.next) - 1);
        for (const { first, last, eventCount } of state.open)
          expect(eventCount).toBe(last - first + 1);
        const firsts = state.open.map(({ first }) => first);
        expect(firsts).toEqual(firsts.toSorted((a, b) => a - b));
      }),
    );
  });

  it("gives the same state when the records are applied again, from any state on", () => {
    fc.assert(
      fc.property(steps, fc.nat(), (list, cut) => {
        const { records, state } = recordAll(list);
        const replayed = createOutboxState();
        const half = cut % (records.length + 1);
        for (const record of records.slice(0, half)) applyRecord(replayed, record);
        const restored = JSON.parse(JSON.stringify(replayed)) as typeof replayed;
        for (const record of records.slice(half)) applyRecord(restored, record);
        expect(restored).toEqual(JSON.parse(JSON.stringify(state)));
      }),
    );
  });

  it("remembers the batch that was planned last, whichever is settled", () => {
    const state = createOutboxState();
    applyRecord(state, { type: "plan", plan: createPlan(1, 1, 2) });
    applyRecord(state, { type: "plan", plan: createPlan(2, 3, 4) });
    applyRecord(state, { type: "settle", batch: 2, first: 3, last: 4, dropped: [] });
    expect(state.chain).toEqual({ sequence: 2, hash: "hash-2" });
    expect(toSettledSequence(state)).toBe(0);
    applyRecord(state, { type: "settle", batch: 1, first: 1, last: 2, dropped: [] });
    expect(toSettledSequence(state)).toBe(4);
  });

  it("plans again what a record that is gone had planned", () => {
    const state = createOutboxState();
    applyRecord(state, { type: "plan", plan: createPlan(2, 11, 20) });
    expect(state.holes).toEqual([{ first: 1, last: 10 }]);
    applyRecord(state, { type: "drop", reason: "corrupt", first: 4, last: 6 });
    expect(state.holes).toEqual([
      { first: 1, last: 3 },
      { first: 7, last: 10 },
    ]);
    applyRecord(state, { type: "plan", plan: createPlan(3, 1, 3) });
    applyRecord(state, { type: "settle", batch: 9, first: 7, last: 10, dropped: [] });
    expect(state.holes).toEqual([]);
    expect(state.open.map(({ first }) => first)).toEqual([1, 11]);
    expect(state.next).toBe(21);
  });

  it("forgets what it has to report with the batch that reports it", () => {
    const state = createOutboxState();
    applyRecord(state, { type: "drop", reason: "expired", first: 1, last: 5 });
    expect(state.unreported).toEqual([
      { reason: "expired", count: 5, firstSequence: 1, lastSequence: 5 },
    ]);
    applyRecord(state, { type: "plan", plan: createPlan(1, 6, 7) });
    expect(state.unreported).toHaveLength(1);
    applyRecord(state, { type: "plan", plan: createPlan(2, 8, 9, state.unreported) });
    expect(state.unreported).toEqual([]);
  });
});

describe("what is left to be named", () => {
  const platform = "https://platform.example";
  const settled = { type: "settle", batch: 1, first: 1, last: 2, dropped: [] } as const;

  it("is in the state or in an open batch until one that names it is taken", () => {
    fc.assert(
      fc.property(steps, (list) => {
        const { records, state } = recordAll(list);
        const named = new Set<string>();
        const replayed = createOutboxState();
        for (const record of records) {
          if (record.type === "settle" && record.takenBy !== undefined) {
            const plan = replayed.open.find(
              ({ metadata }) => metadata.chain.sequence === record.batch,
            );
            for (const one of plan?.metadata.chain.predecessors ?? []) named.add(one.writerId);
          }
          applyRecord(replayed, record);
        }
        const open = state.open.flatMap(({ metadata }) => metadata.chain.predecessors ?? []);
        const waiting = [...open, ...(state.predecessors ?? [])].map(({ writerId }) => writerId);
        const carried = records.flatMap((record) =>
          record.type === "report" ? (record.predecessors ?? []) : [],
        );
        for (const { writerId } of carried)
          expect(named.has(writerId) || waiting.includes(writerId)).toBe(true);
      }),
    );
  });

  it("is of one writer the end that is further on", () => {
    const state = createOutboxState();
    for (const sequence of [2, 3, 1])
      applyRecord(state, {
        type: "report",
        reports: [],
        predecessors: [createEnd(1, sequence), createEnd(2)],
      });
    expect(state.predecessors).toEqual([createEnd(1, 3), createEnd(2)]);
  });

  it("is bounded", () => {
    const state = createOutboxState();
    for (let number = 0; number < 300; number++)
      applyRecord(state, { type: "report", reports: [], predecessors: [createEnd(number)] });
    expect(state.predecessors).toHaveLength(100);
    expect(state.predecessors?.at(-1)).toEqual(createEnd(299));
  });

  it("has as its own end the newest batch that was taken, in whatever order", () => {
    const state = createOutboxState();
    applyRecord(state, { type: "plan", plan: createPlan(1, 1, 2) });
    applyRecord(state, { type: "plan", plan: createPlan(2, 3, 4) });
    applyRecord(state, { type: "plan", plan: createPlan(3, 5, 6) });
    applyRecord(state, { ...settled, batch: 2, first: 3, last: 4, takenBy: platform });
    applyRecord(state, { ...settled, takenBy: platform });
    applyRecord(state, { ...settled, batch: 3, first: 5, last: 6 });
    expect(state.taken).toEqual({ sequence: 2, hash: "hash-2", platform });
  });

  it("is nothing in a state of an earlier version", () => {
    const { predecessors: _, taken: __, ...old } = createOutboxState();
    const state: OutboxState = old;
    applyRecord(state, { type: "plan", plan: createPlan(1, 1, 2) });
    applyRecord(state, { type: "report", reports: [] });
    applyRecord(state, settled);
    expect(state).toMatchObject({ next: 3, open: [] });
    expect(state.taken).toBeUndefined();
  });
});

describe("addReport", () => {
  const dead = (firstSequence: number, lastSequence = firstSequence): DroppedReport => ({
    reason: "dead",
    count: lastSequence - firstSequence + 1,
    firstSequence,
    lastSequence,
  });

  it("joins a report with the one that it continues", () => {
    const reports: DroppedReport[] = [];
    for (const report of [
      dead(1),
      { reason: "queue_full", count: 1 },
      dead(2),
      dead(5, 6),
      dead(7),
    ])
      addReport(reports, report);
    addReport(reports, { reason: "queue_full", count: 2 });
    expect(reports).toEqual([dead(1, 2), { reason: "queue_full", count: 3 }, dead(5, 7)]);
  });

  it("is bounded, and loses no count and no end of a range", () => {
    const report = fc.record({
      reason: fc.constantFrom("dead", "expired"),
      first: fc.integer({ min: 1, max: 5000 }),
      length: fc.nat(3),
    });
    fc.assert(
      fc.property(fc.array(report, { maxLength: 400, size: "max" }), (list) => {
        const reports: DroppedReport[] = [];
        for (const { reason, first, length } of list)
          addReport(reports, { ...dead(first, first + length), reason });
        expect(reports.length).toBeLessThanOrEqual(102);
        for (const reason of ["dead", "expired"]) {
          const given = list.filter((one) => one.reason === reason);
          const kept = reports.filter((one) => one.reason === reason);
          const countOf = (counts: number[]): number => counts.reduce((sum, one) => sum + one, 0);
          expect(countOf(kept.map(({ count }) => count))).toBe(
            countOf(given.map(({ length }) => length + 1)),
          );
          for (const { first, length } of given) {
            const isCovered = kept.some(
              ({ firstSequence = Infinity, lastSequence = 0 }) =>
                firstSequence <= first && first + length <= lastSequence,
            );
            expect(isCovered).toBe(true);
          }
        }
      }),
    );
  });
});
