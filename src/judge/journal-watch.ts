import type { Clock } from "../util/clock.ts";
import { toErrorName, type BurstLogger } from "../util/logger.ts";
import type { JudgeJournal, JudgeTask } from "./judge-task.ts";

/** Interval at which the journal is read for tasks that other processes have left. */
const LOOK_MILLIS = 60_000;

/** Options of a JournalWatch. */
export interface JournalWatchOptions {
  readonly journal: JudgeJournal;
  readonly clock: Clock;
  readonly log: BurstLogger;
  /** How many tasks could be taken now. */
  readonly getRoom: () => number;
  /** Takes the tasks found, and returns those that must wait for the next read; called after each read. */
  readonly onFound: (tasks: readonly JudgeTask[]) => readonly JudgeTask[];
}

/** Reads tasks of ended processes from the journal: soon after the start, and then once a minute, since one may end at any time. */
export class JournalWatch {
  readonly #options: JournalWatchOptions;
  /** Found, and not taken: the journal still has them. No more is read until these are taken. */
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

  /** Requeues a task that can't be judged now. */
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
