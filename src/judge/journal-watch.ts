import type { Clock } from "../util/clock.ts";
import { toErrorName, type BurstLogger } from "../util/logger.ts";
import type { JudgeJournal, JudgeTask } from "./judge-task.ts";

/** How often it is looked for what other processes have left. */
const LOOK_MILLIS = 60_000;

/** What a JournalWatch works with. */
export interface JournalWatchOptions {
  readonly journal: JudgeJournal;
  readonly clock: Clock;
  readonly log: BurstLogger;
  /** How many tasks could be taken now. */
  readonly getRoom: () => number;
  /** Takes what was found, and gives back what must wait for another look; called after each look. */
  readonly onFound: (tasks: readonly JudgeTask[]) => readonly JudgeTask[];
}

/** Looks for what ended processes have left: soon after the start, and then once a minute, since one may end at any time. */
export class JournalWatch {
  readonly #options: JournalWatchOptions;
  /** Found, and not taken: the journal has it still. No more is read until somebody has taken it. */
  #waiting: JudgeTask[] = [];
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

  /** Takes back what can't be judged now. */
  putBack(task: JudgeTask): void {
    this.#waiting.push(task);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
  }

  async #look(): Promise<void> {
    if (this.#isClosed) return;
    const { clock, log } = this.#options;
    this.#isLooking = true;
    const tasks = await this.#find();
    this.#isLooking = false;
    if (this.#isClosed) return;
    this.#cancel = clock.schedule(() => void this.#look(), LOOK_MILLIS);
    try {
      for (const task of this.#options.onFound(tasks)) this.#waiting.push(task);
    } catch (error) {
      const problem = `what an earlier process has left can't be judged: ${toErrorName(error)}`;
      log.log("error", "judge_error", problem);
    }
  }

  async #find(): Promise<readonly JudgeTask[]> {
    if (this.#waiting.length > 0) return this.#waiting.splice(0);
    const { journal, getRoom } = this.#options;
    const room = getRoom();
    return room > 0 ? journal.recover(room) : [];
  }
}
