import type { Judgement } from "../../judge/judgement.ts";
import type { Question } from "./questions.ts";

/** What became of a question that was asked. */
export interface Answer {
  readonly judgement: Judgement;
  /** ms, of all its calls; `undefined` where nobody has measured it. */
  readonly latency: number | undefined;
}

/** Why a question was not asked. */
export type Unasked = "not_recorded" | "over_budget";

/** Has a question answered. Never rejects. */
export type Ask = (question: Question) => Promise<Answer | Unasked>;
