import type { ResolvedJudgeOptions } from "../config/judge-options.ts";
import type { Clock } from "../util/clock.ts";
import type { BurstLogger } from "../util/logger.ts";
import type { JudgeJournal, JudgeRule, JudgeTask } from "./judge-task.ts";
import type { Judgement } from "./judgement.ts";
import type { SentExchange, WholeExchange } from "./sent-exchange.ts";

/** Counts of a judgement. */
export interface JudgedCounts {
  /** Findings of the judge's own. */
  readonly findings: number;
  /** Findings of the first stage that the judge confirms, and that it contradicts. */
  readonly confirmed: number;
  readonly contradicted: number;
}

/** A judgement with its unit and the exchange. */
export interface Judged {
  readonly task: JudgeTask;
  readonly judgement: Judgement;
  /** The exchange that the model got. */
  readonly sent: SentExchange;
  /** The exchange of the task. */
  readonly whole: WholeExchange;
}

/** Dependencies of the judge. */
export interface JudgeWork {
  readonly options: ResolvedJudgeOptions;
  readonly clock: Clock;
  readonly log: BurstLogger;
  /** Texts of the rules; read when the first task is judged. */
  readonly rules: () => readonly JudgeRule[];
  /** Returns the part of an exchange that the model may see; called off the track path. */
  readonly toVisible: (exchange: WholeExchange) => WholeExchange;
  /** Called with every judgement that did not finally fail; returns the counts. */
  readonly onJudged: (judged: Judged) => JudgedCounts;
  /** Runs a call of the model so that no instrumentation records it. */
  readonly isolate: <T>(run: () => T) => T;
  readonly journal?: JudgeJournal | undefined;
}
