import { lstatSync, readdirSync } from "node:fs";
import { systemClock } from "../../util/clock.ts";
import { toErrorCode } from "./file-system.ts";
import type { Machine } from "./machine.ts";
import { probeOwner, type OwnerState } from "./owner.ts";
import { readWriterRecord } from "./writer-record.ts";
import { listWriters, type WriterEntry } from "./writers.ts";

/** Longer than it takes to make a writer directory and its record. */
const MAKING_MILLIS = 60_000;
/** What may be in a writer directory whose record never came to be. */
const UNFINISHED_NAME = /^(?:\d{16}\.journal|writer\.json\.tmp)$/;

/** Why a writer directory is left alone. */
export type SkipReason =
  | "alive"
  | "elsewhere"
  | "unknown_owner"
  | "newer_format"
  | "other_organization"
  | "damaged_record";

/** What was found by {@link findOrphans}, oldest first each. */
export interface OrphanSearch {
  /** To be claimed and delivered. */
  readonly orphans: readonly WriterEntry[];
  /** Of a dead owner and without a single event; to be claimed and removed. */
  readonly removable: readonly WriterEntry[];
  readonly skipped: readonly { readonly entry: WriterEntry; readonly reason: SkipReason }[];
}

/** Who looks for orphans. */
export interface Adopter {
  /** Adopts nothing of another organization. */
  readonly organizationId: string;
  /** Owner that is open in this process. */
  readonly ownerId: string;
  readonly machine: Machine;
  /** Milliseconds since the Unix epoch. Default: the system's time. */
  readonly nowMillis?: number;
}

type Verdict = SkipReason | "orphan" | "removable" | "nothing";

const VERDICTS_BY_OWNER = {
  alive: "alive",
  elsewhere: "elsewhere",
  unknown: "unknown_owner",
} as const satisfies Record<Exclude<OwnerState, "dead">, SkipReason>;

/** Judges a directory that has no record. */
function judgeUnfinished(path: string, nowMillis: number): Verdict {
  try {
    if (nowMillis - lstatSync(path).mtimeMs < MAKING_MILLIS) return "nothing";
    const isUnfinished = readdirSync(path).every((name) => UNFINISHED_NAME.test(name));
    return isUnfinished ? "removable" : "damaged_record";
  } catch (error) {
    // Somebody else has claimed it meanwhile.
    return toErrorCode(error) === "ENOENT" ? "nothing" : "damaged_record";
  }
}

function judgeContent(
  { writerId, path }: WriterEntry,
  organizationId: string,
  nowMillis: number,
): Verdict {
  const reading = readWriterRecord(path);
  switch (reading.status) {
    case "missing":
      return judgeUnfinished(path, nowMillis);
    case "newer":
      return "newer_format";
    case "damaged":
      return "damaged_record";
    case "valid":
      if (reading.record.writerId !== writerId) return "damaged_record";
      return reading.record.organizationId === organizationId ? "orphan" : "other_organization";
  }
}

/**
 * Finds the writer directories whose owner is dead; never throws.
 *
 * A directory is free only if its owner is clearly dead; whatever is in doubt is left to its owner.
 */
export async function findOrphans(
  directory: string,
  { organizationId, ownerId, machine, nowMillis = systemClock.now() }: Adopter,
): Promise<OrphanSearch> {
  const states = new Map<string, OwnerState>();
  const orphans: WriterEntry[] = [];
  const removable: WriterEntry[] = [];
  const skipped: { entry: WriterEntry; reason: SkipReason }[] = [];
  for (const entry of listWriters(directory).writers) {
    if (entry.ownerId === ownerId) continue;
    const state =
      states.get(entry.ownerId) ?? (await probeOwner(directory, entry.ownerId, machine));
    states.set(entry.ownerId, state);
    const verdict =
      state === "dead" ? judgeContent(entry, organizationId, nowMillis) : VERDICTS_BY_OWNER[state];
    if (verdict === "orphan") orphans.push(entry);
    else if (verdict === "removable") removable.push(entry);
    else if (verdict !== "nothing") skipped.push({ entry, reason: verdict });
  }
  return { orphans, removable, skipped };
}
