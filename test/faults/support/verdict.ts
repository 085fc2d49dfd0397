import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { MonitorStats } from "../../../src/index.ts";
import type { ChainBreakKind } from "../../../src/delivery/chain/chain.ts";
import { verifyBatches } from "../../../src/delivery/chain/verify-chain.ts";
import type { Child } from "./child.ts";
import type { Receiver } from "./receiver.ts";

/** Checks the conservation law: every event is somewhere, and in one place only. */
export function expectBalanced(stats: MonitorStats | undefined): void {
  expect(stats, "the process has told its books").toBeDefined();
  const { tracked = 0, recovered = 0, acked, pending, dead, dropped } = stats ?? {};
  expect({ tracked, recovered, sum: tracked + recovered }).toEqual({
    tracked,
    recovered,
    sum: (acked ?? 0) + (pending ?? 0) + (dead ?? 0) + (dropped ?? 0),
  });
}

/**
 * Checks that the client broke no rule of the wire, and that nobody could say that a batch or an event was changed.
 *
 * @param allowed - Breaks that what happened explains.
 */
export async function expectIntact(
  receiver: Pick<Receiver, "violations" | "batches">,
  allowed: readonly ChainBreakKind[] = [],
): Promise<void> {
  expect(receiver.violations).toEqual([]);
  const { writers } = await verifyBatches(receiver.batches);
  const breaks = writers.flatMap((writer) => writer.breaks);
  expect(breaks.filter(({ kind }) => !allowed.includes(kind))).toEqual([]);
}

/** The event that a process may have been tracking when it was killed: the one behind its last promise. */
function toNextIds(promised: readonly string[]): string[] {
  const newest = new Map<string, number>();
  for (const id of promised) {
    const dash = id.lastIndexOf("-");
    const name = id.slice(0, dash);
    newest.set(name, Math.max(newest.get(name) ?? -1, Number(id.slice(dash + 1))));
  }
  return Array.from(newest, ([name, number]) => `${name}-${number + 1}`);
}

/**
 * Compares what the platform has with what was promised: all of it, each event once, and beyond it at most the
 * event of each process that was under way when it was killed.
 *
 * @param dead - What may be a dead letter instead.
 */
export function expectPromisesKept(
  receiver: Pick<Receiver, "ids">,
  promised: readonly string[],
  dead: readonly string[] = [],
): void {
  const stored = new Set(receiver.ids);
  expect(receiver.ids.length, "events that are stored under two ids").toBe(stored.size);
  const known = new Set(promised);
  expect(
    promised.filter((id) => !stored.has(id) && !dead.includes(id)),
    "promised, and neither delivered nor a dead letter",
  ).toEqual([]);
  const allowed = new Set(toNextIds(promised));
  const unknown = receiver.ids.filter((id) => !known.has(id) && !allowed.has(id));
  // A process that was killed before its first promise has promised nothing, and may have tracked one.
  expect(
    unknown.filter((id) => !id.endsWith("-0")),
    "delivered and never promised",
  ).toEqual([]);
}

/**
 * Checks that nothing of any writer is left in a spool directory.
 *
 * One that was killed before it could write its record is left alone for a minute, and has nothing to deliver.
 */
export function expectEmptySpool(directory: string): void {
  const left = readdirSync(directory, { withFileTypes: true });
  const names = left.flatMap((entry) =>
    entry.isDirectory() && existsSync(join(directory, entry.name, "writer.json")) ? entry.name : [],
  );
  expect(names, "writer directories that are left").toEqual([]);
}

/** The end of every run: promises kept, nothing changed, books balanced, nothing left. */
export async function expectNothingLost(
  receiver: Receiver,
  lives: readonly Pick<Child, "promised">[],
  { stats }: Pick<Child, "stats">,
): Promise<void> {
  expectPromisesKept(
    receiver,
    lives.flatMap(({ promised }) => promised),
  );
  await expectIntact(receiver);
  expectBalanced(stats);
  expect(stats).toMatchObject({ pending: 0, dead: 0, dropped: 0 });
}
