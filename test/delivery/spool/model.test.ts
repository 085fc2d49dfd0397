import fc from "fast-check";
import { it } from "vitest";
import type { SpoolSettings } from "../../../src/delivery/spool/spool-context.ts";
import { DISKS, SpoolModel, type SpoolOperation } from "../../helpers/spool-model.ts";
import { MOODS } from "../../helpers/spool-platform.ts";

const common: fc.WeightedArbitrary<SpoolOperation>[] = [
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("track" as const),
      count: fc.integer({ min: 1, max: 25 }),
      padding: fc.constantFrom(0, 10, 300, 2500, 9000),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("flush" as const),
      timeoutMillis: fc.constantFrom(0, 1000, 20_000),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("advance" as const),
      millis: fc.constantFrom(1, 100, 5000, 70_000),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("platform" as const),
      mood: fc.constantFrom(...MOODS),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("restart" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("second" as const),
      count: fc.integer({ min: 1, max: 12 }),
    }),
  },
];

const crash: fc.WeightedArbitrary<SpoolOperation> = {
  weight: 2,
  arbitrary: fc.record({ kind: fc.constant("crash" as const) }),
};
const powerCut: fc.WeightedArbitrary<SpoolOperation> = {
  weight: 2,
  arbitrary: fc.record({
    kind: fc.constant("power_cut" as const),
    shares: fc.array(fc.constantFrom(0, 0.1, 0.5, 0.97, 1), { minLength: 1, maxLength: 5 }),
  }),
};
const disk: fc.WeightedArbitrary<SpoolOperation> = {
  weight: 3,
  arbitrary: fc.record({
    kind: fc.constant("disk" as const),
    disk: fc.constantFrom("ok" as const, ...DISKS),
  }),
};

const MAX_OPERATIONS = 25;
/** Small, so that files are changed and the bound is met. */
const SMALL_SPOOL_BYTES = 128 * 1024;

async function runModel(
  durability: SpoolSettings["durability"],
  operations: readonly SpoolOperation[],
  isSlow: boolean,
): Promise<void> {
  const model = new SpoolModel({ durability, maxSpoolBytes: SMALL_SPOOL_BYTES }, isSlow);
  for (const operation of operations) await model.run(operation);
  await model.finish();
}

it.each([
  ["process", "that fails never", 70, [...common, crash]],
  ["process", "that fails at times", 60, [...common, crash, disk]],
  ["power", "that fails never", 40, [...common, crash, powerCut]],
  ["power", "that fails at times", 60, [...common, crash, powerCut, disk]],
] as const)(
  "keeps what it has promised, whatever happens (durability %s, a disk %s)",
  async (durability, _disk, numRuns, operations) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(...operations), { size: "max", maxLength: MAX_OPERATIONS }),
        fc.boolean(),
        (list, isSlow) => runModel(durability, list, isSlow),
      ),
      { numRuns },
    );
  },
);

it.each([false, true])(
  "proves the end of a writer whose last dead letter the next writer reports (slow disk: %s)",
  async (isSlow) => {
    const operations: SpoolOperation[] = [
      { kind: "track", count: 14, padding: 0 },
      // Each in a batch of its own: a later one is taken before the event that is refused is given up.
      { kind: "track", count: 13, padding: 9000 },
      { kind: "platform", mood: "strict" },
      { kind: "crash" },
      { kind: "flush", timeoutMillis: 0 },
      { kind: "track", count: 1, padding: 0 },
    ];
    await runModel("process", operations, isSlow);
  },
);
