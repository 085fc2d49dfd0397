import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChainBreak, ChainReport, VerifyOptions } from "../../../src/delivery/chain/chain.ts";
import { verifyBatches } from "../../../src/delivery/chain/verify-chain.ts";
import { anySteps, plainSteps, playHistory } from "../../helpers/chain-history.ts";
import {
  copyOf,
  createChainWriter,
  endOf,
  rehash,
  resum,
  toVerifiable,
  type ChainedBatch,
} from "../../helpers/chained-batches.ts";

const key = { keyId: "key-1", key: Buffer.alloc(32, 7) };
const keys = new Map([[key.keyId, key.key]]);

function verify(batches: readonly unknown[], options?: VerifyOptions): Promise<ChainReport> {
  return verifyBatches(batches.map(toVerifiable), options);
}

async function findFirstBreak(
  batches: readonly unknown[],
  options?: VerifyOptions,
): Promise<ChainBreak | undefined> {
  const { writers, status } = await verify(batches, options);
  const found = writers.find((writer) => writer.status === "broken")?.firstBreak;
  expect(status === "broken").toBe(found !== undefined);
  return found;
}

/** Puts a changed copy of a batch in its place. */
function change(
  batches: readonly ChainedBatch[],
  index: number,
  edit: (copy: ChainedBatch) => void,
): { batches: ChainedBatch[]; changed: ChainedBatch } {
  const changed = copyOf(batches[index]!);
  edit(changed);
  return { batches: batches.with(index, changed), changed };
}

function placeOf({ batchId, metadata }: ChainedBatch) {
  return { writerId: metadata.chain.writerId, sequence: metadata.chain.sequence, batchId };
}

const SENT = Array.from({ length: 5 }, () => ({ kind: "sent" as const, size: 2 }));

/** Makes a chain of batches, as somebody could who may change everything. */
function relink(batches: readonly ChainedBatch[]): ChainedBatch[] {
  let previous: string | null = null;
  return batches.map((batch) => {
    batch.metadata.chain.previous = previous;
    previous = rehash(batch).metadata.chain.hash;
    return batch;
  });
}

describe("a chain as it was written", () => {
  it("is verified, in whatever order its batches come and however often", async () => {
    await fc.assert(
      fc.asyncProperty(
        anySteps,
        fc.infiniteStream(fc.nat()),
        fc.boolean(),
        async (steps, random, isKeyed) => {
          const { delivered, writer } = playHistory(steps, isKeyed ? key : undefined);
          const repeated = delivered.filter(() => random.next().value! % 3 === 0);
          const batches = [...delivered, ...repeated]
            .map((batch) => [random.next().value!, batch] as const)
            .toSorted(([a], [b]) => a - b)
            .map(([, batch]) => batch);
          const last = {
            sequence: writer.planned.length,
            hash: writer.planned.at(-1)!.metadata.chain.hash,
          };
          const report = await verify(batches, {
            ...(isKeyed && { keys }),
            expectLast: new Map([[writer.writerId, last]]),
          });
          expect(report).toMatchObject({
            status: "verified",
            batches: batches.length,
            unchained: 0,
            writers: [
              {
                batches: delivered.length,
                repeated: repeated.length,
                absent: writer.planned.length - delivered.length,
                events: delivered.reduce((sum, { eventCount }) => sum + eventCount, 0),
                breakCount: 0,
                last,
              },
            ],
          });
        },
      ),
      { numRuns: 300 },
    );
  });

  it("is told apart from those of other writers, and from batches without one", async () => {
    const [first, second] = [playHistory([]), playHistory([{ kind: "sent", size: 1 }])];
    const { metadata: _metadata, ...unchained } = first.delivered[0]!;
    const batches = [...second.delivered, unchained, ...first.delivered];
    const report = await verify(batches);
    expect(report).toMatchObject({ status: "verified", unchained: 1, batches: 4 });
    expect(report.writers.map(({ batches: count }) => count)).toEqual([2, 1]);
  });

  it("says what was given up", async () => {
    const { delivered } = playHistory([
      { kind: "full", count: 5 },
      { kind: "expired", size: 3 },
      { kind: "full", count: 2 },
      { kind: "sent", size: 1 },
      { kind: "refused", size: 4, bad: [2] },
    ]);
    const { writers } = await verify(delivered);
    expect(writers[0]?.dropped).toEqual({ queue_full: 7, expired: 3, dead: 1 });
  });

  it("may have reports that are summed up, which explain no more than they count", async () => {
    const report = (count: number) => [
      { reason: "dead", count, firstSequence: 2, lastSequence: 8 },
    ];
    for (const count of [3, 2]) {
      const writer = createChainWriter();
      const batches = [
        writer.plan({ sequences: [1] }),
        writer.plan({ sequences: [3, 5], firstEvent: 2, lastEvent: 5 }),
        writer.plan({ sequences: [6, 7], lastEvent: 8 }),
        writer.plan({ sequences: [9], dropped: report(count) }),
      ];
      const { firstBreak } = (await verify(batches)).writers[0]!;
      if (count === 3) expect(firstBreak).toBeUndefined();
      else
        expect(firstBreak).toMatchObject({ kind: "event_missing", eventSequence: 8, sequence: 3 });
    }
  });

  it("is not proven while the batch that tells the rest may be still to come", async () => {
    const writer = createChainWriter();
    const first = writer.plan({ sequences: [1, 2] });
    const whole = writer.plan({ sequences: [3, 4, 5, 6] });
    const half = writer.plan({ sequences: [3, 4], replaces: whole });
    const quarter = writer.plan({ sequences: [3], replaces: half });
    const report = await verify([first, quarter]);
    expect(report).toMatchObject({
      status: "incomplete",
      writers: [{ firstBreak: undefined, doubts: [expect.stringContaining("batch 2")] }],
    });
  });
});

describe("a chain that somebody changed", () => {
  const anyIndex = fc.nat();

  /** Plays any history, breaks it, and compares the first broken link with the right one. */
  async function expectFound(
    mutate: (
      batches: readonly ChainedBatch[],
      random: number,
    ) => { batches: readonly unknown[]; expected: object } | undefined,
    steps = anySteps,
  ): Promise<void> {
    await fc.assert(
      fc.asyncProperty(steps, anyIndex, async (history, random) => {
        const mutation = mutate(playHistory(history).delivered, random);
        fc.pre(mutation !== undefined);
        expect(await findFirstBreak(mutation.batches)).toMatchObject(mutation.expected);
      }),
      { numRuns: 200 },
    );
  }

  it("shows an event that was edited", () =>
    expectFound((delivered, random) => {
      const { batches, changed } = change(delivered, random % delivered.length, ({ events }) => {
        events[random % events.length]!["content"] = "nothing to see here";
      });
      return { batches, expected: { kind: "events_changed", ...placeOf(changed) } };
    }));

  it("shows an event that was edited together with the sums", () =>
    expectFound((delivered, random) => {
      const { batches, changed } = change(delivered, random % delivered.length, (copy) => {
        copy.events[0]!["content"] = "nothing to see here";
        resum(copy);
      });
      return { batches, expected: { kind: "hash_changed", ...placeOf(changed) } };
    }));

  it("shows an event that was edited together with the sums and the hash", () =>
    expectFound((delivered, random) => {
      const index = random % (delivered.length - 1);
      const { batches, changed } = change(delivered, index, (copy) => {
        copy.events[0]!["content"] = "nothing to see here";
        rehash(resum(copy));
      });
      const next = delivered.find(
        ({ metadata }) => metadata.chain.sequence === changed.metadata.chain.sequence + 1,
      );
      return next && { batches, expected: { kind: "link_broken", ...placeOf(next) } };
    }, plainSteps));

  it.each<[string, (batch: ChainedBatch) => void]>([
    ["organization", (batch) => (batch.organizationId = "second-bank")],
    ["time", (batch) => batch.timestamp--],
    ["id", (batch) => (batch.batchId = "another")],
    ["link", (batch) => (batch.metadata.chain.previous = `sha256:${"0".repeat(64)}`)],
    ["hash", (batch) => (batch.metadata.chain.hash = `sha256:${"0".repeat(64)}`)],
    ["kind of hash", (batch) => (batch.metadata.chain.hash = `hmac-${batch.metadata.chain.hash}`)],
    ["key id", (batch) => (batch.metadata.chain.keyId = "key-1")],
    [
      "reports",
      ({ metadata }) =>
        (metadata.dropped = [...(metadata.dropped ?? []), { reason: "dead", count: 3 }]),
    ],
  ])("shows an envelope that was edited: the %s", (_, edit) =>
    expectFound((delivered, random) => {
      const { batches, changed } = change(delivered, random % delivered.length, edit);
      return { batches, expected: { kind: "hash_changed", ...placeOf(changed) } };
    }),
  );

  it("shows a report that was taken away, or the event that it no longer explains", async () => {
    const { delivered } = playHistory([
      { kind: "sent", size: 2 },
      { kind: "expired", size: 2 },
    ]);
    const { batches, changed } = change(delivered, 1, ({ metadata }) => delete metadata.dropped);
    const { breaks } = (await verify(batches)).writers[0]!;
    expect(breaks).toMatchObject([{ kind: "hash_changed", ...placeOf(changed) }]);
    rehash(changed);
    expect(await findFirstBreak(batches)).toMatchObject({
      kind: "event_missing",
      eventSequence: 3,
    });
  });

  it("shows an event that was removed", () =>
    expectFound((delivered, random) => {
      const index = delivered.findIndex(({ eventCount }) => eventCount > 1);
      if (index === -1) return undefined;
      let eventSequence = 0;
      const { batches, changed } = change(delivered, index, ({ events }) => {
        eventSequence = events.splice(random % events.length, 1)[0]!.sequence;
      });
      return { batches, expected: { kind: "event_missing", eventSequence, ...placeOf(changed) } };
    }));

  it("shows a batch that was removed", () =>
    expectFound((delivered, random) => {
      const removed = delivered[random % (delivered.length - 1)]!;
      const { writerId, sequence } = removed.metadata.chain;
      const eventSequence = removed.events[0]!.sequence;
      const batches = delivered.filter((batch) => batch !== removed);
      return { batches, expected: { kind: "batch_missing", writerId, sequence, eventSequence } };
    }, plainSteps));

  it("shows the events of a batch that was removed, whatever else is not there", async () => {
    await fc.assert(
      fc.asyncProperty(anySteps, anyIndex, async (steps, random) => {
        const { delivered } = playHistory(steps);
        fc.pre(delivered.length > 1);
        const removed = delivered[random % (delivered.length - 1)]!;
        const present = new Set(delivered.map(({ metadata }) => metadata.chain.sequence));
        const { writers } = await verify(delivered.filter((batch) => batch !== removed));
        const { breaks, status } = writers[0]!;
        expect(status).toBe("broken");
        const [first] = removed.events;
        const covering = breaks.filter(({ eventSequence = 0 }) => eventSequence <= first!.sequence);
        expect(covering.length).toBeGreaterThan(0);
        // It may be unknown which of several batches had them, but it is none that is there.
        for (const { kind, sequence = 0 } of breaks) {
          expect(kind).toBe("batch_missing");
          expect(present.has(sequence) && sequence !== removed.metadata.chain.sequence).toBe(false);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("shows events whose order was changed, even with the right hash", () =>
    expectFound((delivered, random) => {
      const index = delivered.findIndex(({ eventCount }) => eventCount > 1);
      if (index === -1) return undefined;
      const { batches, changed } = change(delivered, index, (copy) => {
        const at = random % (copy.events.length - 1);
        copy.events.splice(at, 2, copy.events[at + 1]!, copy.events[at]!);
        if (random % 2 === 0) rehash(resum(copy));
      });
      return { batches, expected: { kind: "event_order", ...placeOf(changed) } };
    }));

  it("shows events that were moved, renumbered or added", async () => {
    const { delivered, writer } = playHistory([{ kind: "sent", size: 3 }]);
    const edits: [string, (batch: ChainedBatch) => void][] = [
      ["is none of 1 to 3", ({ events }) => events.push(delivered[1]!.events[0]!)],
      ["stands behind", ({ events }) => (events[0]!.sequence = 2)],
      ["has no sequence", ({ events: [, event] }) => Reflect.deleteProperty(event!, "sequence")],
      ["is not of this writer", ({ events }) => (events[1]!["writerId"] = "another")],
    ];
    for (const [detail, edit] of edits) {
      const { batches, changed } = change(delivered, 0, (copy) => {
        edit(copy);
        rehash(resum(copy));
      });
      expect(await findFirstBreak(batches)).toMatchObject({
        kind: "event_order",
        detail: expect.stringContaining(detail),
        ...placeOf(changed),
        writerId: writer.writerId,
      });
    }
  });

  it("shows batches whose places were changed", () =>
    expectFound((delivered, random) => {
      const [a, b] = [
        copyOf(delivered[0]!),
        copyOf(delivered[1 + (random % (delivered.length - 1))]!),
      ];
      const { sequence } = a.metadata.chain;
      a.metadata.chain.sequence = b.metadata.chain.sequence;
      b.metadata.chain.sequence = sequence;
      const others = delivered.filter(
        ({ batchId }) => batchId !== a.batchId && batchId !== b.batchId,
      );
      return { batches: [...others, a, b], expected: { kind: "hash_changed", ...placeOf(b) } };
    }, plainSteps));

  it("shows a fork", () =>
    expectFound((delivered, random) => {
      const original = delivered[random % delivered.length]!;
      const copy = copyOf(original);
      copy.batchId = "another";
      rehash(copy);
      const expected = {
        kind: "fork",
        ...placeOf(original),
        detail: expect.stringContaining("another"),
      };
      return { batches: [...delivered, copy], expected };
    }));

  it("shows its end that was cut off, if it is known that there was more", () =>
    fc.assert(
      fc.asyncProperty(anySteps, fc.nat(3), async (steps, cut) => {
        const { delivered, writer } = playHistory([...steps, ...SENT]);
        const rest = delivered.slice(0, delivered.length - 1 - cut);
        const expectLast = new Map([[writer.writerId, writer.planned.length]]);
        const last = rest.at(-1)!;
        expect(await findFirstBreak(rest)).toBeUndefined();
        expect(await findFirstBreak(rest, { expectLast })).toMatchObject({
          kind: "truncated",
          writerId: writer.writerId,
          sequence: last.metadata.chain.sequence + 1,
        });
      }),
      { numRuns: 100 },
    ));

  it("shows that a writer is gone of which something is known", async () => {
    const expectLast = new Map([["writer-1", 3]]);
    expect(await verify([], { expectLast })).toMatchObject({
      status: "broken",
      writers: [{ firstBreak: { kind: "truncated", writerId: "writer-1", sequence: 1 } }],
    });
  });

  it("shows by an anchor that everything was written anew", async () => {
    const { delivered, writer } = playHistory(SENT);
    const { sequence, hash } = delivered.at(-2)!.metadata.chain;
    const expectLast = new Map([[writer.writerId, { sequence, hash }]]);
    expect(await findFirstBreak(delivered, { expectLast })).toBeUndefined();
    const linked = relink(
      delivered.map((batch) => {
        const copy = copyOf(batch);
        copy.events[0]!["content"] = "nothing to see here";
        return resum(copy);
      }),
    );
    expect(await findFirstBreak(linked)).toBeUndefined();
    expect(await findFirstBreak(linked, { expectLast })).toMatchObject({
      kind: "anchor_differs",
      sequence,
    });
  });

  it("shows what a replacing batch says wrongly of the one that it replaces", async () => {
    const writer = createChainWriter();
    const whole = writer.plan({ sequences: [1, 2] });
    const halves = [
      writer.plan({ sequences: [1], replaces: whole }),
      writer.plan({ sequences: [2], replaces: whole }),
    ];
    expect(await findFirstBreak(halves)).toBeUndefined();
    expect(await findFirstBreak([...halves, whole])).toBeUndefined();
    const { batches, changed } = change(halves, 1, (copy) => {
      copy.metadata.chain.replaces!.hash = `sha256:${"0".repeat(64)}`;
      rehash(copy);
    });
    expect(await findFirstBreak(batches)).toMatchObject({
      kind: "replacement_differs",
      ...placeOf(changed),
    });
  });

  it("shows a chain that makes no sense, at its place if that can be read", async () => {
    const { delivered, writer } = playHistory(SENT);
    const { batches } = change(delivered, 1, ({ metadata }) => {
      Object.assign(metadata.chain, { firstEvent: -1 });
    });
    expect(await findFirstBreak(batches)).toMatchObject({
      kind: "malformed",
      writerId: writer.writerId,
      sequence: 2,
      detail: "metadata.chain.firstEvent is invalid",
    });
    const nonsense = ["x", null, [], { writerId: "a\nb" }, { sequence: {} }, 5];
    for (const chain of nonsense) {
      const report = await verify([{ metadata: { chain } }]);
      expect(report.writers[0]?.firstBreak).toMatchObject({
        kind: "malformed",
        writerId: "unknown",
      });
    }
  });

  it("counts as unchained what is no batch at all", async () => {
    const report = await verify([null, 1, "x", [], {}, { metadata: 1 }, { metadata: {} }]);
    expect(report).toEqual({ status: "incomplete", batches: 7, unchained: 7, writers: [] });
  });
});

describe("a chain with a key", () => {
  const { delivered } = playHistory(SENT, key);

  it("is verified with the key only; without it, the links are compared", async () => {
    expect((await verify(delivered, { keys })).status).toBe("verified");
    const report = await verify(delivered);
    expect(report).toMatchObject({
      status: "incomplete",
      writers: [{ unverified: 6, doubts: ['the key "key-1" is needed'], breakCount: 0 }],
    });
    const gap = delivered.filter((_, index) => index !== 2);
    expect(await findFirstBreak(gap)).toMatchObject({ kind: "batch_missing", sequence: 3 });
  });

  it("is broken by who does not have the key", async () => {
    const forger = { keyId: key.keyId, key: Buffer.alloc(32, 8) };
    const { batches, changed } = change(delivered, 2, (copy) => {
      copy.events[0]!["content"] = "nothing to see here";
      rehash(resum(copy), forger);
    });
    expect(await findFirstBreak(batches, { keys })).toMatchObject({
      kind: "hash_changed",
      ...placeOf(changed),
    });
  });

  it("can't be replaced by one without a key unnoticed", async () => {
    const plain = delivered.map((batch) => {
      const copy = copyOf(batch);
      delete copy.metadata.chain.keyId;
      return copy;
    });
    const forged = relink(plain);
    expect((await verify(forged)).status).toBe("verified");
    expect(await verify(forged, { keys })).toMatchObject({
      status: "incomplete",
      writers: [{ unverified: 6, doubts: ["anybody can compute a hash without a key"] }],
    });
  });
});

describe("a source without the exact bytes", () => {
  const batch = createChainWriter().plan({ sequences: [1, 2] });

  it("is enough when writing the events again gives the same bytes", async () => {
    expect((await verifyBatches([{ batch }])).status).toBe("verified");
  });

  it("leaves open what it can't tell", async () => {
    batch.checksum = `sha256:${"0".repeat(64)}`;
    const report = await verifyBatches([{ batch: rehash(batch) }]);
    expect(report).toMatchObject({ status: "incomplete", writers: [{ unverified: 1 }] });
  });
});

describe("a writer that a later one names", () => {
  /** Three writers, each of which names the one before. */
  function follow(isKeyed = false) {
    const [first, second, third] = [0, 1, 2].map(() =>
      createChainWriter(isKeyed ? key : undefined),
    );
    for (const sequences of [[1, 2], [3], [4, 5]]) first!.plan({ sequences });
    second!.plan({ sequences: [1], predecessors: [endOf(first!)] });
    third!.plan({ sequences: [1, 2], predecessors: [endOf(second!)] });
    return [first!, second!, third!] as const;
  }

  it("is verified up to the end that is named", async () => {
    const { status, writers } = await verify(follow().flatMap(({ planned }) => planned));
    expect(status).toBe("verified");
    expect(writers.map(({ successor }) => successor?.sequence)).toEqual([3, 1, undefined]);
  });

  it("shows that it was removed, as a whole or from some batch on", async () => {
    const [first, second, third] = follow();
    const rest = [...second.planned, ...third.planned];
    for (const kept of [0, 1, 2]) {
      const found = await findFirstBreak([...first.planned.slice(0, kept), ...rest]);
      expect(found).toMatchObject({
        kind: "truncated",
        writerId: first.writerId,
        sequence: kept + 1,
      });
      expect(found?.detail).toContain(`missing from ${kept + 1} on: writer ${second.writerId}`);
    }
  });

  it("shows that it was written anew as a whole", async () => {
    const [first, second] = follow();
    const forged = first.planned.map(copyOf);
    resum(forged[0]!).events[0]!["content"] = "other";
    relink(forged.map(resum));
    expect(await findFirstBreak([...forged, ...second.planned])).toMatchObject({
      kind: "anchor_differs",
      writerId: first.writerId,
      sequence: 3,
    });
  });

  it("shows that what is named was changed or taken away", async () => {
    const [first, second] = follow();
    for (const edit of [
      (copy: ChainedBatch) => delete copy.metadata.chain.predecessors,
      (copy: ChainedBatch) => (copy.metadata.chain.predecessors![0]!.sequence = 2),
    ]) {
      const { batches, changed } = change(second.planned, 0, edit);
      const found = await findFirstBreak([...first.planned, ...batches]);
      expect(found).toMatchObject({ kind: "hash_changed", ...placeOf(changed) });
    }
  });

  it("may be named twice, and by several", async () => {
    const [first, second] = follow();
    second.plan({ sequences: [2], predecessors: [endOf(first)] });
    const other = createChainWriter();
    const { batchId: _, metadata } = first.planned[1]!;
    const { writerId, sequence, hash } = metadata.chain;
    other.plan({ sequences: [1], predecessors: [{ writerId, sequence, hash }] });
    const all = [...first.planned, ...second.planned, ...other.planned];
    const { status, writers } = await verify(all);
    expect(status).toBe("verified");
    expect(writers[0]?.successor).toEqual({ writerId: second.writerId, sequence: 3 });
  });

  it("may be left out on purpose", async () => {
    const [first, second, third] = follow();
    const rest = [...second.planned, ...third.planned];
    const without = new Set([first.writerId]);
    const { status, writers } = await verify(rest, { without });
    expect(status).toBe("verified");
    expect(writers.map(({ writerId }) => writerId)).toEqual([second.writerId, third.writerId]);
    // What is there of it is looked at nevertheless.
    const changed = change(first.planned, 1, (copy) => (copy.events[0]!["content"] = "other"));
    expect(await findFirstBreak([...changed.batches, ...rest], { without })).toMatchObject({
      kind: "events_changed",
    });
  });

  it("is named by who has a key, where there are keys", async () => {
    const [first, second] = follow(true);
    const keyed = [...first.planned, ...second.planned];
    expect((await verify(keyed, { keys })).status).toBe("verified");
    expect(await findFirstBreak(second.planned, { keys })).toMatchObject({ kind: "truncated" });
    const forger = createChainWriter();
    forger.plan({ sequences: [1], predecessors: [{ ...endOf(first), sequence: 9 }] });
    const { writers } = await verify([...keyed, ...forger.planned], { keys });
    expect(writers.map((writer) => writer.status)).toEqual(["verified", "verified", "incomplete"]);
  });
});
