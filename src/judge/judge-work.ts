import type { ResolvedJudgeOptions } from "../config/judge-options.ts";
import type { Clock } from "../util/clock.ts";
import type { BurstLogger } from "../util/logger.ts";
import type { JudgeJournal, JudgeRule, JudgeTask } from "./judge-task.ts";
import type { Judgement } from "./judgement.ts";
import type { SentExchange, WholeExchange } from "./sent-exchange.ts";

/** What a judgement came to. */
export interface JudgedCounts {
  /** Findings of the judge's own. */
  readonly findings: number;
  /** Findings of the first stage that it shares, and that it doesn't. */
  readonly confirmed: number;
  readonly contradicted: number;
}

/** A judgement with what it is about. */
export interface Judged {
  readonly task: JudgeTask;
  readonly judgement: Judgement;
  /** What the model got. */
  readonly sent: SentExchange;
  /** The exchange of the task. */
  readonly whole: WholeExchange;
}

/** What the judge works with. */
export interface JudgeWork {
  readonly options: ResolvedJudgeOptions;
  readonly clock: Clock;
  readonly log: BurstLogger;
  /** Texts of the rules; read at the first task that is asked, not before. */
  readonly rules: () => readonly JudgeRule[];
  /** What the model may see of an exchange; called off the track path. */
  readonly toVisible: (exchange: WholeExchange) => WholeExchange;
  /** Told of every judgement that did not fail for good; what it comes to is counted. */
  readonly onJudged: (judged: Judged) => JudgedCounts;
  /** Runs a call of the model so that no instrumentation records it. */
  readonly isolate: <T>(run: () => T) => T;
  readonly journal?: JudgeJournal | undefined;
}
