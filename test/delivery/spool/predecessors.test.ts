import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { EventBatch } from "../../../src/events/batch.ts";
import type { Chain } from "../../../src/events/chain.ts";
import type { ChainReport } from "../../../src/delivery/chain/chain.ts";
import { verifyBatches } from "../../../src/delivery/chain/verify-chain.ts";
import { keepWritten, makeFastDirectory } from "../../helpers/faulty-file-system.ts";
import {
  crash,
  flush,
  shutdown,
  startLife,
  type Life,
  type LifeOptions,
} from "../../helpers/spool-life.ts";
import { createSpoolPlatform, type SpoolPlatform } from "../../helpers/spool-platform.ts";

interface Stage {
  readonly platform: SpoolPlatform;
  readonly root: string;
  readonly directory: string;
  start(options?: Partial<LifeOptions>): Life;
  verify(without?: string): Promise<ChainReport>;
}

/** A platform, and a spool directory in which one process follows the other. */
function setStage(isBad: (eventId: string) => boolean = () => false): Stage {
  const root = makeFastDirectory();
  const directory = join(root, "spool");
  const platform = createSpoolPlatform(isBad);
  return {
    platform,
    root,
    directory,
    start: (options) =>
      startLife({
        spoolDirectory: directory,
        script: platform.script,
        batchSize: 10,
        retryAttempts: 0,
        ...options,
      }),
    verify: (without) =>
      verifyBatches(platform.batches.filter(({ batch }) => chainOf(batch)?.writerId !== without)),
  };
}

function chainOf(batch: unknown): Chain | undefined {
  return (batch as EventBatch).metadata?.chain;
}

/** What the batches of a writer say of those before it, oldest first. */
function namesOf({ platform }: Stage, writerId: string) {
  return platform.batches
    .map(({ batch }) => chainOf(batch))
    .filter((chain) => chain?.writerId === writerId)
    .map((chain) => chain?.predecessors);
}

function endOf({ path }: Life) {
  const { writerId, sequence, hash } = path.stats().chain;
  return { writerId, sequence, hash };
}

const idOf = (life: Life): string => endOf(life).writerId;

/** Lives from its start to a clean end. */
async function live(stage: Stage, count: number, options?: Partial<LifeOptions>): Promise<Life> {
  const life = stage.start(options);
  if (count > 0) life.record(count);
  await flush(life);
  await shutdown(life);
  return life;
}

function endsIn({ directory }: Stage): string[] {
  return readdirSync(directory).filter((name) => name.endsWith(".ended.json"));
}

describe("a writer that follows others", () => {
  it("names the one that ended before it, in its first batch and in no other", async () => {
    const stage = setStage();
    const first = await live(stage, 25);
    const second = await live(stage, 25);
    expect(namesOf(stage, idOf(first))).toEqual([undefined, undefined, undefined]);
    expect(namesOf(stage, idOf(second))).toEqual([[endOf(first)], undefined, undefined]);
    expect(endsIn(stage)).toEqual([`${idOf(second)}.ended.json`]);
    expect((await stage.verify()).status).toBe("verified");
  });

  it("names one that was killed, behind the last event of it that was delivered", async () => {
    const stage = setStage();
    stage.platform.mood = "down";
    const killed = stage.start();
    killed.record(15);
    await flush(killed, 0);
    const directory = join(stage.root, "copy");
    await crash(killed, directory, keepWritten);
    stage.platform.mood = "healthy";
    const next = stage.start({ spoolDirectory: directory });
    await flush(next);
    next.record(1);
    await flush(next);
    const [names] = namesOf(stage, idOf(next));
    expect(names).toMatchObject([{ writerId: idOf(killed), sequence: 2 }]);
    const report = await stage.verify();
    expect(report.status).toBe("verified");
    expect(report.writers.find(({ writerId }) => writerId === idOf(killed))?.last).toEqual({
      sequence: 2,
      hash: names?.[0]?.hash,
    });
  });

  it("names several at once, those included that one before it was still to name", async () => {
    const stage = setStage();
    const together = [stage.start(), stage.start(), stage.start()];
    for (const life of together) {
      life.record(1);
      await flush(life);
    }
    for (const life of together) await shutdown(life);
    // It takes over what the others left, and has no batch of its own.
    const idle = await live(stage, 0);
    expect(endsIn(stage)).toEqual([`${idOf(idle)}.ended.json`]);
    const last = await live(stage, 1);
    const [names = []] = namesOf(stage, idOf(last));
    expect(new Set(names)).toEqual(new Set(together.map(endOf)));
    expect((await stage.verify()).status).toBe("verified");
  });

  it("names it in the same bytes when the batch is sent again, by whomever", async () => {
    const stage = setStage();
    const first = await live(stage, 1);
    stage.platform.mood = "lost_answer";
    const killed = stage.start();
    killed.record(3);
    await flush(killed, 5000);
    const directory = join(stage.root, "copy");
    await crash(killed, directory, keepWritten);
    stage.platform.mood = "healthy";
    const next = await live(stage, 1, { spoolDirectory: directory });
    expect(stage.platform.violations).toEqual([]);
    expect(namesOf(stage, idOf(killed))).toEqual([[endOf(first)]]);
    await live(stage, 1, { spoolDirectory: directory });
    expect((await stage.verify()).status).toBe("verified");
    for (const removed of [first, killed, next])
      expect((await stage.verify(idOf(removed))).status).toBe("broken");
  });

  it("names it in a part of the batch when that is refused, and in a later one when all of it dies", async () => {
    const bad = new Set<string>();
    const stage = setStage((eventId) => bad.has(eventId));
    stage.platform.mood = "strict";
    const first = await live(stage, 2);
    const second = stage.start();
    // The first batch is refused, and so is each of its parts.
    for (const id of second.record(2)) bad.add(id);
    await flush(second);
    expect(namesOf(stage, idOf(second))).toEqual([]);
    second.record(12);
    await second.clock.advance(120_000);
    await flush(second);
    second.record(1);
    await flush(second);
    expect(second.path.stats()).toMatchObject({ acked: 13, dead: 2 });
    const names = namesOf(stage, idOf(second)).flatMap((one) => one ?? []);
    expect(names).toEqual([endOf(first)]);
    expect((await stage.verify()).status).toBe("verified");
  });

  it("names the last batch that was taken, not one whose events were given up", async () => {
    const bad = new Set<string>();
    const stage = setStage((eventId) => bad.has(eventId));
    stage.platform.mood = "strict";
    const first = stage.start();
    for (const id of first.record(2).slice(1)) bad.add(id);
    await flush(first);
    await shutdown(first);
    expect(first.path.stats()).toMatchObject({ acked: 1, dead: 1 });
    bad.clear();
    const next = await live(stage, 1);
    const { writerId, sequence } = endOf(first);
    expect(namesOf(stage, idOf(next))).toMatchObject([[{ writerId, sequence: sequence - 1 }]]);
    expect((await stage.verify()).status).toBe("verified");
    expect((await stage.verify(writerId)).status).toBe("broken");
  });

  it("names nobody of another organization or another platform, and leaves them to their own", async () => {
    const stage = setStage();
    const first = await live(stage, 1);
    const stranger = await live(stage, 1, { organizationId: "other" });
    expect(namesOf(stage, idOf(stranger))).toEqual([undefined]);
    const elsewhere = stage.start();
    elsewhere.record(1);
    await flush(elsewhere);
    await shutdown(elsewhere);
    expect(namesOf(stage, idOf(elsewhere))).toEqual([[endOf(first)]]);
    expect(endsIn(stage)).toHaveLength(2);
  });

  it("passes over an end that is damaged, and names who left it unread no more", async () => {
    const stage = setStage();
    await live(stage, 1);
    const [name = ""] = endsIn(stage);
    writeFileSync(join(stage.directory, name), "{".repeat(100));
    const next = await live(stage, 1);
    expect(namesOf(stage, idOf(next))).toEqual([undefined]);
    expect(endsIn(stage)).toEqual([`${idOf(next)}.ended.json`]);
    expect((await stage.verify()).status).toBe("verified");
  });

  it("has what it leaves removed once events would be too old", async () => {
    const stage = setStage();
    await live(stage, 1, { organizationId: "other" });
    const later = stage.start({ settings: { maxSpoolAge: 3_600_000 } });
    await later.clock.advance(3_600_001);
    await flush(later);
    expect(endsIn(stage)).toEqual([]);
  });

  it("leaves nothing when it has delivered nothing", async () => {
    const stage = setStage();
    await live(stage, 0);
    expect(readdirSync(stage.directory)).toEqual([]);
  });
});

it("shows that a writer was removed which a later one names, and from where on", async () => {
  const stage = setStage();
  const [first, second] = [await live(stage, 25), await live(stage, 5)];
  const third = await live(stage, 5);
  for (const [removed, next] of [
    [first, second],
    [second, third],
  ] as const) {
    const { status, writers } = await stage.verify(idOf(removed));
    expect(status).toBe("broken");
    const broken = writers.filter((writer) => writer.status === "broken");
    const { sequence } = endOf(removed);
    expect(broken).toMatchObject([
      {
        writerId: idOf(removed),
        batches: 0,
        firstBreak: {
          kind: "truncated",
          sequence: 1,
          detail: `its batches are missing from 1 on: writer ${idOf(next)} followed it, and names batch ${sequence} as its last (in its batch 1)`,
        },
      },
    ]);
  }
  // Nobody has followed the last one.
  expect((await stage.verify(idOf(third))).status).toBe("verified");
});
