import { createHash } from "node:crypto";
import * as z from "zod";
import type { ComplianceCategory, ComplianceSeverity } from "../events/compliance.ts";
import type { FoundAnswer } from "../events/late-finding.ts";
import { lazySchema } from "../events/lazy-schema.ts";
import type { SentTurn, WholeExchange } from "./sent-exchange.ts";

/** An exchange that shows how a rule is meant. */
export interface JudgeExample extends SentTurn {
  readonly toolsUsed?: readonly object[] | undefined;
  /** Facts of the customer and the transaction, by name. */
  readonly facts?: Readonly<Record<string, unknown>> | undefined;
}

/** A rule as the judge's prompt describes it: its text and law, and exchanges that break it or don't. */
export interface JudgeRule {
  readonly id: string;
  readonly title: string;
  readonly category: ComplianceCategory;
  /** Severity of a finding. The judge's own are warnings at most: people decide what is a violation. */
  readonly severity: ComplianceSeverity;
  readonly description: string;
  /** Facts that the rule needs. */
  readonly notes?: string | undefined;
  /** Citation of the law; absent for a rule that names none. */
  readonly law?: string | undefined;
  readonly recommendation?: string | undefined;
  readonly violating: readonly JudgeExample[];
  readonly compliant: readonly JudgeExample[];
}

/** Reason why an answer is judged. */
export type JudgeReason = "finding" | "candidate" | "sample" | "everything";

/** An answer that waits for the judge. Plain JSON, so that it can wait on a disk as well. */
export interface JudgeTask {
  /** The answer with the findings of the first stage. */
  readonly answer: FoundAnswer;
  readonly reason: JudgeReason;
  /** Families by whose rules it is judged, one call each. */
  readonly families: readonly ComplianceCategory[];
  readonly exchange: WholeExchange;
  /** Whether something was redacted: offsets then differ from those in the answer. */
  readonly isRedacted?: boolean | undefined;
  /** Time of submission, milliseconds since the Unix epoch. */
  readonly at: number;
}

/** What must hold of a task that was kept, beside its families. */
export const keptTaskSchema = lazySchema(() => {
  const turn = z.looseObject({
    userMessage: z.string().optional(),
    agentResponse: z.string().optional(),
  });
  const records = z.array(z.looseObject({})).optional();
  return z.looseObject({
    answer: z.looseObject({
      eventId: z.string(),
      agentId: z.string(),
      sessionId: z.string(),
      requestId: z.string(),
      complianceFlags: records,
    }),
    reason: z.enum(["finding", "candidate", "sample", "everything"] satisfies JudgeReason[]),
    exchange: turn.extend({
      earlier: z.array(turn),
      agentResponse: z.string(),
      toolsUsed: records,
    }),
    at: z.number(),
  });
});

/** Keeps tasks of the judge beyond the end of the process. */
export interface JudgeJournal {
  /** Records a task before anything else is done with it. Never throws. @returns Whether it is kept. */
  add(task: JudgeTask): boolean;
  /** Records that a family is finished: judged and reported, or given up. Never throws. */
  finish(eventId: string, family: ComplianceCategory): void;
  /**
   * Returns the tasks that ended processes have left since the last call, each task with the families that are still open. Never rejects.
   *
   * @param maxTasks - How many are wanted; the tasks of one process are returned as a whole.
   */
  recover(maxTasks: number): Promise<readonly JudgeTask[]>;
  /** Time in ms after which kept tasks are given up, if that is less than a week. */
  readonly maxAgeMillis?: number | undefined;
  close(): void;
}

const RANGE = 2 ** 32;

/**
 * Returns whether an answer is in a random sample: by a digest, so that every process decides alike, and no author of
 * answers can predict it.
 *
 * @param rate - 0 to 1.
 */
export function isSampled(seed: string, eventId: string, rate: number): boolean {
  if (rate <= 0) return false;
  const digest = createHash("sha256").update(`${seed}\n${eventId}`).digest();
  return digest.readUInt32BE(0) / RANGE < rate;
}
