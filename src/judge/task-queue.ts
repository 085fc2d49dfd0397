import type { ComplianceCategory } from "../events/compliance.ts";
import type { Clock } from "../util/clock.ts";
import { type BurstLogger, toErrorName } from "../util/logger.ts";
import { toJsonValue } from "../util/safe-json.ts";
import type { JudgeJournal, JudgeTask } from "./judge-task.ts";
import type { Judged } from "./judgement.ts";

/** A waiting answer, with the data of its wait. */
interface QueuedTask {
  readonly task: JudgeTask;
  /** Monotonic, ms. */
  readonly queuedAt: number;
  /** Whether a journal holds it. */
  readonly isKept: boolean;
  /** Whether an earlier process has left it. */
  readonly isRecovered?: boolean | undefined;
}

/** The subject of one request: an answer, and one family of rules. */
export interface JudgeUnit extends QueuedTask {
  readonly family: ComplianceCategory;
  /** Only of a draft, for which a caller waits: resolves with the judgement, or with nothing if none was made. */
  readonly resolve?: ((judged: Judged | undefined) => void) | undefined;
}

/** UTF-16 units of all waiting texts: a hundred million bytes at most. */
const MAX_CHARACTERS = 48 * 1024 * 1024;
/** Finished entries are removed in batches. */
const COMPACT_AT = 1000;

/** Tools and facts are measured up to this length; longer ones count as much more. */
const MAX_MEASURED = 256 * 1024;
const TOO_LONG = 4 * 1024 * 1024;

/** Returns about the number of characters of an exchange. */
function measure({ exchange }: JudgeTask): number {
  const { earlier, userMessage = "", agentResponse, facts, toolsUsed } = exchange;
  const { length, truncated } =
    facts || toolsUsed
      ? toJsonValue([facts, toolsUsed], MAX_MEASURED)
      : { length: 0, truncated: false };
  return earlier.reduce(
    (sum, turn) => sum + (turn.userMessage?.length ?? 0) + (turn.agentResponse?.length ?? 0),
    userMessage.length + agentResponse.length + (truncated ? TOO_LONG : length),
  );
}

/**
 * Waiting answers, the oldest first, bounded by number and characters; taken family by family. Drafts come before
 * all others.
 */
export class TaskQueue {
  readonly #maxTasks: number;
  #tasks: (QueuedTask | undefined)[] = [];
  #head = 0;
  /** Families of the first task that were taken. */
  #taken = 0;
  #characters = 0;
  /** Measured once: the objects of the caller's in it may change. */
  readonly #sizes = new WeakMap<JudgeTask, number>();
  /** Units that were taken and put back. */
  readonly #returned: JudgeUnit[] = [];
  readonly #drafts = new Set<JudgeUnit>();

  constructor(maxTasks: number) {
    this.#maxTasks = maxTasks;
  }

  /** How many more answers fit. */
  get room(): number {
    return Math.max(0, this.#maxTasks - (this.#tasks.length - this.#head));
  }

  get isEmpty(): boolean {
    const isAnyBack = this.hasDrafts || this.#returned.length > 0;
    return !isAnyBack && this.#head >= this.#tasks.length;
  }

  get hasDrafts(): boolean {
    return this.#drafts.size > 0;
  }

  hasRoomFor(task: JudgeTask): boolean {
    return this.room > 0 && this.#characters + this.#toSize(task) <= MAX_CHARACTERS;
  }

  add(queued: QueuedTask): void {
    if (queued.task.families.length === 0) return;
    this.#tasks.push(queued);
    this.#characters += this.#toSize(queued.task);
  }

  /** Adds a unit for which a caller waits. @returns Whether there was room. */
  addDraft(draft: JudgeUnit): boolean {
    if (this.#drafts.size >= this.#maxTasks) return false;
    this.#drafts.add(draft);
    return true;
  }

  /** Removes and returns the drafts of an answer. */
  removeDrafts(task: JudgeTask): readonly JudgeUnit[] {
    const drafts = [...this.#drafts].filter((draft) => draft.task === task);
    for (const draft of drafts) this.#drafts.delete(draft);
    return drafts;
  }

  /** Requeues a unit that could not be asked for now, in front. */
  putBack(unit: JudgeUnit): void {
    this.#returned.push(unit);
  }

  /** Requeues a unit that could not be judged, at the end, since the fault may be its own. */
  defer({ task, family, queuedAt, isKept, isRecovered }: JudgeUnit): void {
    this.add({ task: { ...task, families: [family] }, queuedAt, isKept, isRecovered });
  }

  /** Returns the next unit. */
  take(): JudgeUnit | undefined {
    const [draft] = this.#drafts;
    if (draft) this.#drafts.delete(draft);
    const first = draft ?? this.#returned.shift();
    if (first) return first;
    const queued = this.#tasks[this.#head];
    const family = queued?.task.families[this.#taken];
    if (!queued || family === undefined) return undefined;
    this.#taken++;
    if (this.#taken >= queued.task.families.length) this.#dropHead(queued);
    return { ...queued, family };
  }

  /** Removes and returns everything that waits. */
  drain(): JudgeUnit[] {
    const units: JudgeUnit[] = [];
    for (let unit = this.take(); unit; unit = this.take()) units.push(unit);
    return units;
  }

  #toSize(task: JudgeTask): number {
    const size = this.#sizes.get(task) ?? measure(task);
    this.#sizes.set(task, size);
    return size;
  }

  #dropHead({ task }: QueuedTask): void {
    this.#characters -= this.#toSize(task);
    this.#tasks[this.#head] = undefined;
    this.#head++;
    this.#taken = 0;
    if (this.#head < COMPACT_AT && this.#head < this.#tasks.length) return;
    this.#tasks = this.#tasks.slice(this.#head);
    this.#head = 0;
  }
}

/** Interval at which the journal is read for tasks that other processes have left. */
const LOOK_MILLIS = 60_000;

/** Options of a JournalWatch. */
interface JournalWatchOptions {
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
