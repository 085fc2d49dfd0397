import type { Clock } from "../util/clock.ts";
import type { JudgeJournal, JudgeTask } from "./judge-task.ts";

/** How often it is looked for what other processes have left. */
const LOOK_MILLIS = 60_000;

/** What a JournalWatch works with. */
export interface JournalWatchOptions {
  readonly journal: JudgeJournal;
  readonly clock: Clock;
  /** How many tasks could be taken now. */
  readonly getRoom: () => number;
  /** Takes what was found; called after each look. */
  readonly onFound: (tasks: readonly JudgeTask[]) => void;
}

/** Looks for what ended processes have left: soon after the start, and then once a minute, since one may end at any time. */
export class JournalWatch {
  readonly #options: JournalWatchOptions;
  #isLooking = true;
  #isClosed = false;
  #cancel: (() => void) | undefined;

  constructor(options: JournalWatchOptions) {
    this.#options = options;
    setImmediate(() => void this.#look());
  }

  get isLooking(): boolean {
    return this.#isLooking;
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
  }

  async #look(): Promise<void> {
    if (this.#isClosed) return;
    const { journal, clock, getRoom, onFound } = this.#options;
    const room = getRoom();
    this.#isLooking = true;
    const tasks = room > 0 ? await journal.recover(room) : [];
    this.#isLooking = false;
    if (this.#isClosed) return;
    this.#cancel = clock.schedule(() => void this.#look(), LOOK_MILLIS);
    onFound(tasks);
  }
}
