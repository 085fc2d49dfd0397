import { utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SpoolBudget } from "../../../src/delivery/spool/spool-context.ts";
import { createExpiry, SegmentSet } from "../../../src/delivery/spool/segment-set.ts";
import { createFakeClock } from "../../helpers/clock.ts";
import { createFaultyFileSystem, makeFastDirectory } from "../../helpers/faulty-file-system.ts";
import { range, writeSegment } from "../../helpers/frames.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Files of ten events each, last written to so many ms ago. */
function createFiles(ages: readonly number[]) {
  const clock = createFakeClock();
  const fs = createFaultyFileSystem();
  const directory = makeFastDirectory();
  const paths = ages.map((age, index) => {
    const first = 10 * index + 1;
    const path = join(directory, writeSegment(directory, first, range(first, first + 9)));
    const seconds = (clock.now() - age) / 1000;
    utimesSync(path, seconds, seconds);
    return path;
  });
  const budget = new SpoolBudget(Infinity);
  const options = { directory, fs, cipherOf: () => undefined, budget, onDamage: () => undefined };
  const segments = new SegmentSet(options);
  segments.load();
  const findExpired = createExpiry({ fs, clock, maxSpoolAge: 7 * DAY }, segments);
  return { clock, fs, segments, findExpired, paths };
}

it("gives up the files that are too old at two looks an hour apart", async () => {
  const { clock, findExpired } = createFiles([9 * DAY, 8 * DAY, DAY]);
  expect(findExpired()).toBe(0);
  await clock.advance(HOUR - 1);
  expect(findExpired()).toBe(0);
  await clock.advance(1);
  expect(findExpired()).toBe(20);
});

it("gives up everything when all files are too old", async () => {
  const { clock, findExpired } = createFiles([9 * DAY, 8 * DAY]);
  findExpired();
  await clock.advance(HOUR);
  expect(findExpired()).toBe(Infinity);
});

it("gives up nothing behind a file that is young enough", async () => {
  const { clock, findExpired } = createFiles([DAY, 9 * DAY]);
  findExpired();
  await clock.advance(HOUR);
  expect(findExpired()).toBe(0);
});

it.each([30 * DAY, -30 * DAY])(
  "loses nothing when the wall clock jumps by %i and back",
  async (jump) => {
    const { clock, findExpired } = createFiles([DAY, DAY]);
    clock.jump(jump);
    expect(findExpired()).toBe(0);
    await clock.advance(HOUR - 1);
    expect(findExpired()).toBe(0);
    clock.jump(-jump);
    await clock.advance(HOUR);
    expect(findExpired()).toBe(0);
    // It begins anew: the look before the jump back does not count.
    clock.jump(jump);
    expect(findExpired()).toBe(0);
  },
);

it("gives up nothing that it can't look at", async () => {
  const { clock, fs, findExpired, paths } = createFiles([9 * DAY, 9 * DAY]);
  const modifiedAt = fs.modifiedAt.bind(fs);
  findExpired();
  await clock.advance(HOUR);
  fs.modifiedAt = (path) => {
    if (path === paths[1]) throw Object.assign(new Error("EIO"), { code: "EIO" });
    return modifiedAt(path);
  };
  expect(findExpired()).toBe(10);
});

it("finds nothing where there is nothing", () => {
  expect(createFiles([]).findExpired()).toBe(0);
});
