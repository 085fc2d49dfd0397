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

/** Settings of the spool: where and how events are kept on disk. */
export interface SpoolSettings {
  readonly spoolDirectory: string;
  /** `process` survives the end of the process in any way; `power` a power cut as well. */
  readonly durability: "process" | "power";
  /** Bytes of all writers of the directory. */
  readonly maxSpoolBytes: number;
  /** Time in ms after which an event is dropped. */
  readonly maxSpoolAge: number;
  /** Key by which files are encrypted. */
  readonly spoolKey?: KeyObject | undefined;
  /** The file system; Node.js' own if it is not given. */
  readonly fs?: FileSystem;
}

export interface SpoolOptions extends SpoolSettings, StorageOptions {
  readonly log: BurstLogger;
}

/** Context that all writers of one monitor share: its own, and the adopted ones. */
export interface SpoolContext extends SpoolOptions {
  readonly fs: FileSystem;
  readonly budget: SpoolBudget;
  readonly isPowerSafe: boolean;
  readonly cipherOf: (fileName: string) => FrameCipher | undefined;
  readonly deadLetters: DeadLetterBox;
  /** Error for which the directory of this monitor's own events could not be made yet. */
  problem?: SpoolError | undefined;
  /** Number of operations that the disk has refused. */
  faults: number;
  /** Counts and logs that the disk refuses an operation. */
  readonly onFault: (error: unknown) => void;
  /** Logs that the disk accepts writes again. */
  readonly onRecovered: () => void;
}

/** Creates the set of event files of a writer directory. */
export function createSegments(context: SpoolContext, directory: string): SegmentSet {
  const { fs, cipherOf, budget, log } = context;
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

/** Creates a function that reports and keeps the events that the platform refused for good. */
export function toKeepDeadLetter(context: SpoolContext, writerId: string): KeepDeadLetter {
  const { clock, origin, onDeadLetter, deadLetters } = context;
  return (event, reason) => {
    onDeadLetter(event, reason);
    const { organizationId } = origin;
    return deadLetters.keep({ organizationId, writerId, reason, deadAt: clock.now() }, event);
  };
}
