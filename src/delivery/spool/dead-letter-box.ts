import type { Clock } from "../../util/clock.ts";
import { countNoun } from "../../util/count-noun.ts";
import type { BurstLogger } from "../../util/logger.ts";
import type { StoredEvent } from "../event-store.ts";
import { writeDeadLetter, type DeadLetter, type DeadLetterOptions } from "./dead-letters.ts";
import { toErrorCode } from "./file-system.ts";

/** Wait in ms before a disk that refused a dead letter is tried again. */
const RETRY_INTERVAL_MILLIS = 1000;
/** Bytes of dead letters that wait for the disk; beyond it they are lost, with a log line. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

export interface DeadLetterBoxOptions extends DeadLetterOptions {
  readonly clock: Clock;
  readonly log: BurstLogger;
}

type Letter = Omit<DeadLetter, "event">;

/** Keeps dead letters in files; while the disk refuses them, in memory. */
export class DeadLetterBox {
  readonly #options: DeadLetterBoxOptions;
  #waiting: { readonly letter: Letter; readonly event: StoredEvent }[] = [];
  #cancel: (() => void) | undefined;

  constructor(options: DeadLetterBoxOptions) {
    this.#options = options;
  }

  /** Keeps an event; never rejects. */
  async keep(letter: Letter, event: StoredEvent): Promise<void> {
    const { clock, log } = this.#options;
    try {
      await writeDeadLetter(this.#options, letter, event);
    } catch (error) {
      const bytes = this.#waiting.reduce((sum, waiting) => sum + waiting.event.json.length, 0);
      const isFull = bytes + event.json.length > MAX_WAITING_BYTES;
      const { spoolDirectory } = this.#options;
      const message = isFull
        ? `spool: a dead letter could not be kept in ${spoolDirectory}`
        : `spool: the disk refuses a dead letter in ${spoolDirectory}; it is kept in memory meanwhile`;
      log.log("error", "dead_letter", message, { code: toErrorCode(error) });
      if (isFull) return;
      this.#waiting.push({ letter, event });
      this.#cancel?.();
      this.#cancel = clock.schedule(() => void this.retry(), RETRY_INTERVAL_MILLIS);
    }
  }

  /** Tries to write what waits. */
  async retry(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { letter, event } of waiting) await this.keep(letter, event);
  }

  /** Tries a last time. */
  async close(): Promise<void> {
    await this.retry();
    this.#cancel?.();
    const count = this.#waiting.length;
    if (count === 0) return;
    const message = `spool: ${countNoun(count, "dead letter")} lost: the disk refuses them in ${this.#options.spoolDirectory}`;
    this.#options.log.log("error", "dead_letters_lost", message, { count }, count);
  }
}
