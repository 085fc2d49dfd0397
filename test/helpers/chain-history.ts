import fc from "fast-check";
import type { DroppedReport } from "../../src/events/chain.ts";
import type { ChainKey } from "../../src/delivery/chain/chain.ts";
import { createChainWriter, type ChainedBatch, type ChainWriter } from "./chained-batches.ts";

/** What happens to the next events of a writer; `bad` are those that the platform refuses. */
export type ChainStep =
  | { readonly kind: "sent" | "lost" | "expired"; readonly size: number }
  | { readonly kind: "corrupt"; readonly size: number; readonly at: number }
  | { readonly kind: "refused"; readonly size: number; readonly bad: readonly number[] }
  | { readonly kind: "full"; readonly count: number };

const size = fc.integer({ min: 1, max: 5 });

const sentStep: fc.Arbitrary<ChainStep> = fc.record({ kind: fc.constant("sent" as const), size });

/** Everything that may happen to events between a writer and the platform. */
const chainStep: fc.Arbitrary<ChainStep> = fc.oneof(
  { arbitrary: sentStep, weight: 3 },
  fc.record({ kind: fc.constantFrom("lost" as const, "expired" as const), size }),
  fc.record({
    kind: fc.constant("corrupt" as const),
    size: fc.integer({ min: 2, max: 5 }),
    at: fc.nat(4),
  }),
  fc.record({
    kind: fc.constant("refused" as const),
    size: fc.integer({ min: 2, max: 8 }),
    bad: fc.array(fc.nat(7), { maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant("full" as const), count: size }),
);

/** A history in which every batch arrives. */
export const plainSteps = fc.array(sentStep, { minLength: 3, maxLength: 8 });
export const anySteps = fc.array(chainStep, { maxLength: 8 });

/** A refusal at the end of a history: events of it die. */
export const deadlyStep = fc.record({
  kind: fc.constant("refused" as const),
  size: fc.integer({ min: 2, max: 8 }),
  bad: fc.array(fc.nat(7), { minLength: 1, maxLength: 3 }),
});

/** What came of a history. */
export interface ChainHistory {
  readonly writer: ChainWriter;
  /** Batches that the platform has, in the order in which they came. */
  readonly delivered: readonly ChainedBatch[];
  /** What was given up and is in no batch that was planned and may arrive. */
  readonly unreported: readonly DroppedReport[];
}

class Player {
  readonly writer: ChainWriter;
  readonly delivered: ChainedBatch[] = [];
  #next = 1;
  #reports: DroppedReport[] = [];

  constructor(key: ChainKey | undefined) {
    this.writer = createChainWriter(key);
  }

  get unreported(): readonly DroppedReport[] {
    return this.#reports;
  }

  #take(count: number): number[] {
    return Array.from({ length: count }, () => this.#next++);
  }

  #report(reason: string, sequences: readonly number[]): void {
    const [first = 0, last = 0] = [sequences[0], sequences.at(-1)];
    this.#reports.push({
      reason,
      count: sequences.length,
      firstSequence: first,
      lastSequence: last,
    });
  }

  #plan(sequences: readonly number[], rest: Parameters<ChainWriter["plan"]>[0] | object = {}) {
    const dropped = this.#reports;
    this.#reports = [];
    return this.writer.plan({ ...rest, sequences, ...(dropped.length > 0 && { dropped }) });
  }

  /** Sends the halves of a refused batch; a bad event that is alone is given up. */
  #bisect(whole: ChainedBatch, bad: ReadonlySet<number>): void {
    const sequences = whole.events.map(({ sequence }) => sequence);
    // The report of a batch that never arrives goes along with the next one.
    this.#reports.unshift(...(whole.metadata.dropped ?? []));
    if (sequences.length === 1) {
      this.#report("dead", sequences);
      return;
    }
    const middle = Math.ceil(sequences.length / 2);
    const halves = [sequences.slice(0, middle), sequences.slice(middle)].map((half) =>
      this.#plan(half, { replaces: whole }),
    );
    for (const half of halves) {
      if (half.events.some(({ sequence }) => bad.has(sequence))) this.#bisect(half, bad);
      else this.delivered.push(half);
    }
  }

  play(step: ChainStep): void {
    switch (step.kind) {
      case "sent":
        this.delivered.push(this.#plan(this.#take(step.size)));
        break;
      case "lost": {
        const batch = this.#plan(this.#take(step.size));
        this.#reports.push(...(batch.metadata.dropped ?? []));
        this.#report(
          "expired",
          batch.events.map(({ sequence }) => sequence),
        );
        break;
      }
      case "expired":
        this.#report("expired", this.#take(step.size));
        break;
      case "corrupt": {
        const all = this.#take(step.size);
        const lost = all.splice(step.at % step.size, 1);
        const [firstEvent, lastEvent] = [this.#next - step.size, this.#next - 1];
        this.#report("corrupt", lost);
        this.delivered.push(this.#plan(all, { firstEvent, lastEvent }));
        break;
      }
      case "refused": {
        const whole = this.#plan(this.#take(step.size));
        const sequences = whole.events.map(({ sequence }) => sequence);
        this.#bisect(whole, new Set(step.bad.map((index) => sequences[index % step.size] ?? 0)));
        break;
      }
      case "full":
        this.#reports.push({ reason: "queue_full", count: step.count });
        break;
    }
  }
}

/** Plays a history; a batch that arrives ends it, so that everything is reported. */
export function playHistory(steps: readonly ChainStep[], key?: ChainKey): ChainHistory {
  const player = new Player(key);
  for (const step of steps) player.play(step);
  player.play({ kind: "sent", size: 2 });
  return player;
}

/** Plays a history that ends with it, so that reports may be still to come. */
export function playOpenHistory(steps: readonly ChainStep[], key?: ChainKey): ChainHistory {
  const player = new Player(key);
  for (const step of steps) player.play(step);
  return player;
}

/** Gives the batch by which another writer reports what a history has left unreported. */
export function reportElsewhere(
  { writer: { writerId }, unreported }: ChainHistory,
  key?: ChainKey,
): ChainedBatch {
  const dropped = unreported.map((report) => ({ ...report, writerId }));
  return createChainWriter(key).plan({ sequences: [1], dropped });
}
