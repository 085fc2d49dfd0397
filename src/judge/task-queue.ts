import type { ComplianceCategory } from "../events/compliance.ts";
import type { JudgeTask } from "./judge-task.ts";

/** An answer that waits, with what is known of its wait. */
export interface QueuedTask {
  readonly task: JudgeTask;
  /** Monotonic, ms. */
  readonly queuedAt: number;
  /** Whether a journal has it. */
  readonly isKept: boolean;
}

/** What one request is about: an answer, and one family of rules. */
export interface JudgeUnit extends QueuedTask {
  readonly family: ComplianceCategory;
}

/** UTF-16 units of all texts that wait: a hundred million bytes at most. */
const MAX_CHARACTERS = 48 * 1024 * 1024;
/** What is done with is let go of in pieces. */
const COMPACT_AT = 1000;

/** Counts the characters of an answer's messages; the calls of its tools are bounded as its event is. */
function measure({ exchange }: JudgeTask): number {
  const { earlier, userMessage = "", agentResponse } = exchange;
  return earlier.reduce(
    (sum, turn) => sum + (turn.userMessage?.length ?? 0) + (turn.agentResponse?.length ?? 0),
    userMessage.length + agentResponse.length,
  );
}

/** Answers that wait, the oldest first, bounded by number and characters; they are given out family by family. */
export class TaskQueue {
  readonly #maxTasks: number;
  #tasks: (QueuedTask | undefined)[] = [];
  #head = 0;
  /** Families of the first task that were given out. */
  #taken = 0;
  #characters = 0;
  /** Units that were given out and have come back. */
  readonly #returned: JudgeUnit[] = [];

  constructor(maxTasks: number) {
    this.#maxTasks = maxTasks;
  }

  get isEmpty(): boolean {
    return this.#head >= this.#tasks.length && this.#returned.length === 0;
  }

  hasRoomFor(task: JudgeTask): boolean {
    const isFull = this.#tasks.length - this.#head >= this.#maxTasks;
    return !isFull && this.#characters + measure(task) <= MAX_CHARACTERS;
  }

  add(queued: QueuedTask): void {
    if (queued.task.families.length === 0) return;
    this.#tasks.push(queued);
    this.#characters += measure(queued.task);
  }

  /** Takes back a unit that could not be judged for now; it comes first again. */
  putBack(unit: JudgeUnit): void {
    this.#returned.push(unit);
  }

  /** Gives the next unit. */
  take(): JudgeUnit | undefined {
    const returned = this.#returned.shift();
    if (returned) return returned;
    const queued = this.#tasks[this.#head];
    const family = queued?.task.families[this.#taken];
    if (!queued || family === undefined) return undefined;
    this.#taken++;
    if (this.#taken >= queued.task.families.length) this.#dropHead(queued);
    return { ...queued, family };
  }

  /** Gives everything that waits, and keeps nothing. */
  drain(): JudgeUnit[] {
    const units: JudgeUnit[] = [];
    for (let unit = this.take(); unit; unit = this.take()) units.push(unit);
    return units;
  }

  #dropHead({ task }: QueuedTask): void {
    this.#characters -= measure(task);
    this.#tasks[this.#head] = undefined;
    this.#head++;
    this.#taken = 0;
    if (this.#head < COMPACT_AT && this.#head < this.#tasks.length) return;
    this.#tasks = this.#tasks.slice(this.#head);
    this.#head = 0;
  }
}
