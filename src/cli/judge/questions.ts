import { passGate, type GateOptions } from "../../assessment/second-stage.ts";
import type { JudgedTexts } from "../../assessment/judge-opinion.ts";
import { redactExchange, toWholeExchange } from "../../assessment/judge-input.ts";
import type { JudgeRequest, ResolvedJudgeOptions } from "../../config/judge-options.ts";
import type { ComplianceCategory } from "../../events/compliance.ts";
import { toFamilyPrompt, toJudgeRequest, type FamilyPrompt } from "../../judge/judge-request.ts";
import type { JudgeReason, JudgeRule } from "../../judge/judge-task.ts";
import type { Judgement } from "../../judge/judgement.ts";
import { FAMILIES } from "../../judge/prompt.ts";
import { toSentExchange, type SentExchange } from "../../judge/sent-exchange.ts";
import { createRedactor } from "../../redaction/redactor.ts";
import type { Evaluated } from "../check/checker.ts";

/** Options of how answers are chosen and sent. */
export type QuestionOptions = GateOptions &
  Pick<ResolvedJudgeOptions, "agents" | "content" | "maxTextLength">;

/** An exchange, and its evaluation by the first stage, with families. */
export interface EvaluatedExchange extends Evaluated {
  /** Decides whether the exchange is in the sample. */
  readonly id: string;
}

/** A request, and the data that checks its reply. */
export interface Question {
  readonly request: JudgeRequest;
  readonly reason: JudgeReason;
  readonly sent: SentExchange;
  readonly texts: JudgedTexts;
}

/** Creates the source of requests, the same as the judge of a monitor, with the texts of these rules. */
export function createQuestions(
  rules: readonly JudgeRule[],
  { agents, content, maxTextLength, ...gate }: QuestionOptions,
) {
  const prompts = new Map<ComplianceCategory, FamilyPrompt>();
  for (const family of Object.keys(FAMILIES) as ComplianceCategory[]) {
    const own = rules.filter(({ category }) => category === family);
    if (own.length > 0) prompts.set(family, toFamilyPrompt(family, own));
  }
  const families = [...prompts.keys()];
  const redactor = createRedactor();
  /** Returns one request for each of these families that has rules. */
  const toAll = (
    { interaction, evaluation }: EvaluatedExchange,
    asked: readonly ComplianceCategory[],
    reason: JudgeReason,
  ): readonly Question[] => {
    const whole = toWholeExchange(interaction, evaluation.turns ?? []);
    const visible = content === "full" ? whole : redactExchange(whole, redactor);
    const sent = toSentExchange(visible, maxTextLength);
    return asked.flatMap((family) => {
      const prompt = prompts.get(family);
      if (!prompt) return [];
      return [{ request: toJudgeRequest(prompt, sent), reason, sent, texts: { sent, whole } }];
    });
  };
  const promptHashes = Array.from(prompts, ([family, { promptHash }]) => [family, promptHash]);
  return {
    /** Families that have rules. */
    families,
    /** `promptHash` of each family. */
    promptHashes: Object.fromEntries(promptHashes) as Readonly<Record<string, string>>,
    toAll,
    /** Returns the requests that the gate lets through. */
    toAsked(exchange: EvaluatedExchange): readonly Question[] {
      if (agents && !agents.includes(exchange.interaction.agentId)) return [];
      const { id, evaluation } = exchange;
      const decision = passGate(id, evaluation, evaluation.families ?? families, gate);
      return decision ? toAll(exchange, decision.families, decision.reason) : [];
    },
  };
}

/** Creates requests of exchanges. */
export type Questions = ReturnType<typeof createQuestions>;

/** Outcome of a question that was asked. */
export interface Answer {
  readonly judgement: Judgement;
  /** ms, of all its calls; `undefined` if not measured. */
  readonly latency: number | undefined;
}

/** Why a question was not asked. */
export type Unasked = "not_recorded" | "over_budget";

/** Answers a question. Never rejects. */
export type Ask = (question: Question) => Promise<Answer | Unasked>;
