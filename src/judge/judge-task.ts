import type { ComplianceCategory } from "../events/compliance.ts";
import type { FoundAnswer } from "../events/late-finding.ts";
import type { WholeExchange } from "./sent-exchange.ts";

/** Why an answer is judged. */
export type JudgeReason = "finding" | "candidate" | "sample" | "everything";

/** An answer that waits for the judge. Plain JSON, so that it can wait on a disk as well. */
export interface JudgeTask {
  /** With what the first stage found in it. */
  readonly answer: FoundAnswer;
  readonly reason: JudgeReason;
  /** Families by whose rules it is judged, one call each. */
  readonly families: readonly ComplianceCategory[];
  readonly exchange: WholeExchange;
  /** Whether something was taken out of it: then what stands in it stands elsewhere in the answer. */
  readonly isRedacted?: boolean | undefined;
  /** When it was asked for, milliseconds since the Unix epoch. */
  readonly at: number;
}

/** Keeps what waits for the judge beyond the end of the process. */
export interface JudgeJournal {
  /** Notes a task before anything else is done with it. Never throws. @returns Whether it is kept. */
  add(task: JudgeTask): boolean;
  /** Notes that a family needs no judgement any more: it is judged and told, or given up. Never throws. */
  finish(eventId: string, family: ComplianceCategory): void;
  /**
   * Gives what ended processes have left since the last call, each task with the families that are still open. Never rejects.
   *
   * @param maxTasks - How many are wanted; what one process has left comes as a whole.
   */
  recover(maxTasks: number): Promise<readonly JudgeTask[]>;
  /** Time in ms after which what it keeps is given up, if that is less than a week. */
  readonly maxAgeMillis?: number | undefined;
  close(): void;
}
