import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatChainReport } from "../../../src/cli/verify.ts";
import type { ChainReport, VerifyOptions } from "../../../src/delivery/chain/chain.ts";
import { verifyBatches } from "../../../src/delivery/chain/verify-chain.ts";
import {
  anySteps,
  deadlyStep,
  playOpenHistory,
  reportElsewhere,
  type ChainHistory,
  type ChainStep,
} from "../../helpers/chain-history.ts";
import {
  copyOf,
  createChainWriter,
  rehash,
  resum,
  toVerifiable,
  type ChainedBatch,
} from "../../helpers/chained-batches.ts";

const key = { keyId: "key-1", key: Buffer.alloc(32, 7) };
const keys = new Map([[key.keyId, key.key]]);

/** Any history that ends with events that are given up. */
const openSteps = fc
  .tuple(anySteps, deadlyStep)
  .map(([steps, last]): ChainStep[] => [...steps, last]);

function verify(batches: readonly unknown[], options?: VerifyOptions): Promise<ChainReport> {
  return verifyBatches(batches.map(toVerifiable), options);
}

/** Finds what is said of a writer. */
function pick({ writers }: ChainReport, { writer }: ChainHistory) {
  return writers.find(({ writerId }) => writerId === writer.writerId);
}

function sequencesOf(batches: readonly ChainedBatch[]): Set<number> {
  return new Set(batches.flatMap(({ events }) => events.map(({ sequence }) => sequence)));
}

/** Gives the events that are before one that is there, and neither there nor reported by what is. */
function findSilent({ delivered }: ChainHistory): number[] {
  const known = sequencesOf(delivered);
  const newest = Math.max(0, ...delivered.map(({ metadata }) => metadata.chain.lastEvent));
  for (const { metadata } of delivered)
    for (const { firstSequence = 1, lastSequence = 0 } of metadata.dropped ?? [])
      for (let event = firstSequence; event <= lastSequence; event++) known.add(event);
  return Array.from({ length: newest }, (_, index) => index + 1).filter(
    (event) => !known.has(event),
  );
}

/** Gives the sequence of the last event that no refusal concerns. */
function findSafeEnd({ delivered }: ChainHistory): number {
  const fresh = delivered.filter(({ metadata }) => !metadata.chain.replaces);
  return Math.max(0, ...fresh.map(({ metadata }) => metadata.chain.lastEvent));
}

describe("a chain whose last events were given up", () => {
  it("is not broken, but incomplete, while nothing reports them", async () => {
    await fc.assert(
      fc.asyncProperty(openSteps, fc.boolean(), async (steps, isKeyed) => {
        const history = playOpenHistory(steps, isKeyed ? key : undefined);
        fc.pre(history.delivered.length > 0);
        const report = pick(await verify(history.delivered, isKeyed ? { keys } : {}), history);
        expect(report?.breaks).toEqual([]);
        const unresolved = report?.unresolved?.flatMap(({ first, last }) =>
          Array.from({ length: last - first + 1 }, (_, index) => first + index),
        );
        const silent = findSilent(history);
        expect(unresolved).toEqual(silent);
        if (silent.length > 0) expect(report?.status).toBe("incomplete");
      }),
      { numRuns: 500 },
    );
  });

  it("is verified once another writer reports them, in whatever order the batches come", async () => {
    await fc.assert(
      fc.asyncProperty(openSteps, fc.boolean(), fc.nat(), async (steps, isKeyed, random) => {
        const history = playOpenHistory(steps, isKeyed ? key : undefined);
        const batches: ChainedBatch[] = [...history.delivered];
        const reporting = reportElsewhere(history, isKeyed ? key : undefined);
        batches.splice(random % (batches.length + 1), 0, reporting, reporting);
        const report = await verify(batches, isKeyed ? { keys } : {});
        expect(report).toMatchObject({ status: "verified" });
        const other = report.writers.find(({ writerId }) => writerId !== history.writer.writerId);
        expect(other).toMatchObject({ dropped: {}, repeated: 1 });
      }),
      { numRuns: 500 },
    );
  });

  it("is told in words", async () => {
    const history = playOpenHistory([{ kind: "refused", size: 4, bad: [0] }]);
    const text = formatChainReport(await verify(history.delivered), 0);
    expect(text).toContain("not proven: event 1 was refused or is still to be reported; 2 batches");
    expect(text).toMatch(/\nincomplete: 2 batches, 1 writer\nnot proven: /);
    const more = playOpenHistory(
      Array.from({ length: 6 }, () => ({ kind: "refused", size: 4, bad: [0, 1] })),
    );
    expect(formatChainReport(await verify(more.delivered), 0)).toContain(
      "events 1 to 2, events 5 to 6, events 9 to 10, events 13 to 14, events 17 to 18 and others were refused",
    );
  });

  it("is not proven while only a part of them is reported", async () => {
    const history = playOpenHistory([{ kind: "refused", size: 8, bad: [2, 3] }]);
    const [report, ...others] = history.unreported;
    expect(others.length).toBe(1);
    const partly = reportElsewhere({ ...history, unreported: [report!] });
    expect(pick(await verify([...history.delivered, partly]), history)).toMatchObject({
      status: "incomplete",
      unresolved: [{ first: 4, last: 4 }],
    });
  });

  it("may have reports in several batches, summed up ones among them", async () => {
    const history = playOpenHistory([{ kind: "refused", size: 8, bad: [1, 3] }]);
    const { writerId } = history.writer;
    const dropped = [{ reason: "dead", count: 2, firstSequence: 2, lastSequence: 4, writerId }];
    const once = createChainWriter().plan({ sequences: [1], dropped });
    expect(await verify([once, ...history.delivered])).toMatchObject({ status: "verified" });
    const other = playOpenHistory([{ kind: "refused", size: 8, bad: [2, 3] }]);
    const twice = other.unreported.map((report) =>
      reportElsewhere({ ...other, unreported: [report] }),
    );
    expect(twice.length).toBe(2);
    const told = await verify([...twice, ...other.delivered, ...twice]);
    expect(told.status).toBe("verified");
    expect(pick(told, other)).toMatchObject({ dropped: { dead: 2 }, unresolved: [] });
  });
});

describe("a chain with an open end that somebody changed", () => {
  const SENT = { kind: "sent", size: 2 } as const;

  /** Plays any history with an open end, changes it before that end, and says what has to be found. */
  async function expectFound(
    mutate: (safe: readonly ChainedBatch[], random: number) => [ChainedBatch?, ChainedBatch?],
    kind: string,
  ): Promise<void> {
    await fc.assert(
      fc.asyncProperty(anySteps, deadlyStep, fc.nat(), async (steps, last, random) => {
        const history = playOpenHistory([SENT, ...steps, SENT, last]);
        const end = findSafeEnd(history);
        const safe = history.delivered.filter(({ metadata }) => metadata.chain.lastEvent < end);
        const [removed, added] = mutate(safe, random);
        fc.pre(removed !== undefined);
        const batches = history.delivered.filter((batch) => batch !== removed);
        if (added) batches.push(added);
        const report = pick(await verify(batches), history);
        expect(report?.status).toBe("broken");
        expect(report?.breaks.map((found) => found.kind)).toContain(kind);
        // That the end was reported by another writer changes nothing.
        const told = await verify([...batches, reportElsewhere(history)]);
        expect(pick(told, history)).toMatchObject({ status: "broken", breaks: report?.breaks });
      }),
      { numRuns: 200 },
    );
  }

  it("shows a batch that was removed before it", () =>
    expectFound((safe, random) => [safe[random % safe.length]!], "batch_missing"));

  it("shows an event that was removed before it", () =>
    expectFound((safe, random) => {
      const batch = safe.find(({ eventCount }) => eventCount > 1);
      if (!batch) return [];
      const copy = copyOf(batch);
      copy.events.splice(random % copy.events.length, 1);
      return [batch, copy];
    }, "event_missing"));

  it("shows an event that was edited before it", () =>
    expectFound((safe, random) => {
      const batch = safe[random % safe.length]!;
      const copy = copyOf(batch);
      copy.events[0]!["content"] = "nothing to see here";
      return [batch, copy];
    }, "events_changed"));

  it("shows an envelope that was edited before it", () =>
    expectFound((safe, random) => {
      const batch = safe[random % safe.length]!;
      const copy = copyOf(batch);
      copy.timestamp++;
      return [batch, copy];
    }, "hash_changed"));

  it("shows what was changed within it", async () => {
    const history = playOpenHistory([SENT, { kind: "refused", size: 8, bad: [0] }]);
    for (const [index, batch] of history.delivered.entries()) {
      const edits: [string, (copy: ChainedBatch) => unknown][] = [
        ["events_changed", ({ events }) => (events[0]!["content"] = "nothing to see here")],
        ["hash_changed", ({ metadata }) => (metadata.dropped = [{ reason: "dead", count: 1 }])],
        ["event_missing", ({ events }) => events.pop()],
      ];
      for (const [kind, edit] of edits) {
        if (kind === "event_missing" && batch.eventCount === 1) continue;
        const copy = copyOf(batch);
        edit(copy);
        const report = pick(await verify(history.delivered.with(index, copy)), history);
        expect(report?.firstBreak).toMatchObject({ kind, batchId: batch.batchId });
      }
    }
  });

  it("shows a part that was removed when a part that would have the report is there", async () => {
    const history = playOpenHistory([SENT, SENT, { kind: "refused", size: 4, bad: [3] }]);
    const [first, , ...parts] = history.delivered;
    const report = await verify([first, ...parts]);
    expect(pick(report, history)?.firstBreak).toMatchObject({
      kind: "batch_missing",
      sequence: 2,
      eventSequence: 3,
    });
  });

  it("can't tell a removed part from one that is still to be reported; a report tells", async () => {
    const history = playOpenHistory([SENT, { kind: "refused", size: 8, bad: [0] }]);
    const removed = history.delivered.at(1)!;
    const rest = history.delivered.filter((batch) => batch !== removed);
    expect(pick(await verify(rest), history)).toMatchObject({ status: "incomplete" });
    const told = await verify([...rest, reportElsewhere(history)]);
    const unresolved = removed.events.map(({ sequence }) => sequence);
    expect(pick(told, history)).toMatchObject({
      status: "incomplete",
      unresolved: [{ first: unresolved[0], last: unresolved.at(-1) }],
    });
  });

  it("is truncated when an anchor says that there was more", async () => {
    const history = playOpenHistory([SENT, { kind: "refused", size: 8, bad: [0] }, SENT]);
    const { writerId, planned } = history.writer;
    const rest = history.delivered.slice(0, -1);
    expect((await verify(rest)).status).toBe("incomplete");
    const expectLast = new Map([[writerId, planned.length]]);
    expect(pick(await verify(rest, { expectLast }), history)?.breaks).toMatchObject([
      { kind: "truncated", writerId },
    ]);
  });
});

describe("a report about another writer", () => {
  const steps: ChainStep[] = [
    { kind: "sent", size: 2 },
    { kind: "sent", size: 2 },
    { kind: "sent", size: 2 },
  ];

  /** Removes a batch and forges a report that explains it. */
  function forge(history: ChainHistory, forger?: typeof key): ChainedBatch[] {
    const [first, , last] = history.delivered;
    const unreported = [{ reason: "dead", count: 2, firstSequence: 3, lastSequence: 4 }];
    return [first!, last!, reportElsewhere({ ...history, unreported }, forger)];
  }

  it("can be forged by anybody when there is no key", async () => {
    expect((await verify(forge(playOpenHistory(steps)))).status).toBe("verified");
  });

  it.each([
    ["without a key", undefined],
    ["with another key", { keyId: "key-2", key: Buffer.alloc(32, 8) }],
    ["with another key under the same id", { keyId: key.keyId, key: Buffer.alloc(32, 8) }],
  ])("can't be forged %s when there is one", async (_name, forger) => {
    const history = playOpenHistory(steps, key);
    const report = pick(await verify(forge(history, forger), { keys }), history);
    expect(report).toMatchObject({
      status: "broken",
      firstBreak: { kind: "batch_missing", sequence: 2 },
    });
  });

  it("counts when no key is given, but leaves open what a key would tell", async () => {
    const history = playOpenHistory([...steps, { kind: "refused", size: 2, bad: [0] }]);
    const report = await verify([...history.delivered, reportElsewhere(history, key)]);
    expect(pick(report, history)).toMatchObject({
      status: "incomplete",
      unresolved: [],
      doubts: ['the key "key-1" is needed'],
    });
  });

  it("explains nothing of its own writer, nor of a third one", async () => {
    const [history, other] = [playOpenHistory(steps), playOpenHistory(steps)];
    const [batches, report] = [forge(history), copyOf(forge(history).at(-1)!)];
    report.metadata.dropped![0]!.writerId = other.writer.writerId;
    const told = await verify([...batches.slice(0, 2), rehash(report), ...other.delivered]);
    expect(pick(told, history)).toMatchObject({ status: "broken" });
    expect(pick(told, other)).toMatchObject({ status: "verified", dropped: { dead: 2 } });
  });

  it("that names the writer of the batch itself is as one that names nobody", async () => {
    const writer = createChainWriter();
    const dropped = [
      { reason: "dead", count: 1, firstSequence: 2, lastSequence: 2, writerId: writer.writerId },
    ];
    const batches = [writer.plan({ sequences: [1] }), writer.plan({ sequences: [3], dropped })];
    expect(await verify(batches)).toMatchObject({
      status: "verified",
      writers: [{ dropped: { dead: 1 } }],
    });
  });

  it("shows that batches are gone which nothing else tells of", async () => {
    const history = playOpenHistory([...steps, { kind: "refused", size: 2, bad: [0] }]);
    const told = await verify([...history.delivered.slice(0, 1), reportElsewhere(history)]);
    expect(pick(told, history)).toMatchObject({
      status: "incomplete",
      unresolved: [{ first: 3, last: 6 }],
    });
    expect(pick(await verify([reportElsewhere(history)]), history)).toMatchObject({
      status: "incomplete",
      batches: 0,
      unresolved: [{ first: 1, last: 6 }],
    });
  });

  it("in a batch that was edited explains nothing", async () => {
    const history = playOpenHistory([...steps, { kind: "refused", size: 2, bad: [0] }]);
    const report = reportElsewhere(history);
    report.batchId = "another";
    expect(pick(await verify([...history.delivered, report]), history)).toMatchObject({
      status: "incomplete",
      unresolved: [{ first: 7, last: 7 }],
    });
    resum(rehash(report));
    expect((await verify([...history.delivered, report])).status).toBe("verified");
  });
});
