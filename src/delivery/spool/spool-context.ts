import type { KeyObject } from "node:crypto";
import type { BurstLogger } from "../../util/logger.ts";
import { Outbox, type OutboxOptions } from "../outbox.ts";
import type { StorageOptions } from "../storage.ts";
import type { DeadLetterBox } from "./dead-letters.ts";
import type { FileSystem, SpoolError } from "./file-system.ts";
import type { FrameFiles } from "./frame-file.ts";

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
export interface SpoolContext extends SpoolOptions, FrameFiles {
  readonly fs: FileSystem;
  readonly budget: SpoolBudget;
  readonly isPowerSafe: boolean;
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

/**
 * Creates the outbox of a writer; events that the platform refused for good are reported and kept as dead letters.
 *
 * @param toDirectory - Returns the directory of the events; `undefined` while none of them outlives the process.
 */
export function createOutbox(
  context: SpoolContext,
  writerId: string,
  parts: Pick<OutboxOptions, "journal" | "oldestAt" | "source" | "state">,
  toDirectory: () => string | undefined,
): Outbox {
  const { clock, origin, onDeadLetter, deadLetters } = context;
  const { organizationId } = origin;
  return new Outbox({
    ...context,
    ...parts,
    origin: { ...origin, writerId },
    keepDeadLetter: (event, reason) => {
      onDeadLetter(event, reason);
      return deadLetters.keep({ organizationId, writerId, reason, deadAt: clock.now() }, event);
    },
    get directory() {
      return toDirectory();
    },
  });
}

/** Counts the bytes that all writers of a directory use together, against their limit. */
export class SpoolBudget {
  readonly #maxBytes: number;
  /** Bytes of this process in the directory. */
  own = 0;
  #others = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes in use, as far as is known. */
  get used(): number {
    return this.own + this.#others;
  }

  /** Adds to the bytes of this process in the directory; a negative number when files are removed. */
  addOwn(bytes: number): void {
    this.own += bytes;
  }

  /** Sets the bytes of other processes, dead letters included: they are measured from time to time. */
  setOthers(bytes: number): void {
    this.#others = bytes;
  }

  hasRoomFor(bytes: number): boolean {
    return this.used + bytes <= this.#maxBytes;
  }
}
