import type { KeyObject } from "node:crypto";
import { join } from "node:path";
import type { BurstLogger } from "../../util/logger.ts";
import type { KeepDeadLetter } from "../outbox.ts";
import type { StorageOptions } from "../storage.ts";
import type { SpoolBudget } from "./budget.ts";
import type { DeadLetterBox } from "./dead-letters.ts";
import type { FileSystem, SpoolError } from "./file-system.ts";
import type { FrameCipher } from "./frame.ts";
import { SegmentSet } from "./segment-set.ts";

/** Where and how events are kept on disk. */
export interface SpoolSettings {
  readonly spoolDirectory: string;
  /** `process` survives the end of the process, however it comes; `power` a power cut as well. */
  readonly durability: "process" | "power";
  /** Bytes of all writers of the directory. */
  readonly maxSpoolBytes: number;
  /** Time in ms after which an event is given up. */
  readonly maxSpoolAge: number;
  /** Encrypts what is on disk. */
  readonly spoolKey?: KeyObject | undefined;
  /** The file system; Node.js' own if it is not given. */
  readonly fs?: FileSystem;
}

export interface SpoolOptions extends SpoolSettings, StorageOptions {
  readonly log: BurstLogger;
}

/** What all writers of one monitor share: its own, and those that it adopts. */
export interface SpoolContext extends SpoolOptions {
  readonly fs: FileSystem;
  readonly budget: SpoolBudget;
  readonly isPowerSafe: boolean;
  readonly cipherOf: (fileName: string) => FrameCipher | undefined;
  readonly deadLetters: DeadLetterBox;
  /** Why the directory of this monitor's own events could not be made yet. */
  problem?: SpoolError | undefined;
  /** How often the disk has refused something. */
  faults: number;
  /** Counts and tells that the disk refuses something. */
  readonly onFault: (error: unknown) => void;
  /** Tells that the disk takes everything again. */
  readonly onRecovered: () => void;
}

/** The files of events of a writer directory. */
export function createSegments(room: SpoolContext, directory: string): SegmentSet {
  const { fs, cipherOf, budget, log } = room;
  return new SegmentSet({
    directory,
    fs,
    cipherOf,
    budget,
    onDamage: (fileName, bytes) => {
      const message = `spool: damaged bytes were passed over in ${join(directory, fileName)}`;
      log.log("error", "spool_damage", message, { fileName, bytes });
    },
  });
}

/** Keeps what the platform refused for good, and tells it. */
export function toKeepDeadLetter(room: SpoolContext, writerId: string): KeepDeadLetter {
  const { clock, origin, onDeadLetter, deadLetters } = room;
  return (event, reason) => {
    onDeadLetter(event, reason);
    const { organizationId } = origin;
    return deadLetters.keep({ organizationId, writerId, reason, deadAt: clock.now() }, event);
  };
}
