import { createHash } from "node:crypto";
import type { ComplianceCategory, ComplianceSeverity } from "../events/compliance.ts";
import type { FoundAnswer } from "../events/late-finding.ts";
import type { WholeExchange } from "./sent-exchange.ts";

/** An exchange that shows what a rule means. */
export interface JudgeExample {
  readonly userMessage?: string | undefined;
  readonly agentResponse?: string | undefined;
  readonly toolsUsed?: readonly object[] | undefined;
  /** What was known of the customer and the transaction, by name. */
  readonly facts?: Readonly<Record<string, unknown>> | undefined;
}

/** What the judge is told of a rule: the rule's own text and law, and exchanges that break it or don't. */
export interface JudgeRule {
  readonly id: string;
  readonly title: string;
  readonly category: ComplianceCategory;
  /** Severity of a finding. The judge's own are warnings at most: people decide what is a violation. */
  readonly severity: ComplianceSeverity;
  readonly description: string;
  /** What must be known to apply it. */
  readonly notes?: string | undefined;
  /** As it is cited; absent for a rule that names none. */
  readonly law?: string | undefined;
  readonly recommendation?: string | undefined;
  readonly violating: readonly JudgeExample[];
  readonly compliant: readonly JudgeExample[];
}

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

const RANGE = 2 ** 32;

/**
 * Tells whether an answer is in a random sample: by a digest, so that every process decides alike, and nobody who writes
 * answers can know.
 *
 * @param rate - 0 to 1.
 */
export function isSampled(seed: string, eventId: string, rate: number): boolean {
  if (rate <= 0) return false;
  const digest = createHash("sha256").update(`${seed}\n${eventId}`).digest();
  return digest.readUInt32BE(0) / RANGE < rate;
}
