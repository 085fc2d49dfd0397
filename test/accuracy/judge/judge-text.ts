import { toJudgeRules } from "../../../src/assessment/judge-input.ts";
import {
  createQuestions,
  type Answer,
  type Ask,
  type Question,
  type Questions,
} from "../../../src/cli/judge/questions.ts";
import { toTieredFindings, type TieredFinding } from "../../../src/cli/judge/tiered-findings.ts";
import { builtInRules } from "../../../src/compliance/built-in-rules.ts";
import type { ComplianceEvaluation } from "../../../src/compliance/evaluation.ts";
import { readBuiltInSource } from "../../../src/compliance/packs/pack-source.ts";
import { judgeOptionsSchema } from "../../../src/config/judge-options.ts";
import type { ComplianceRule } from "../../../src/events/compliance.ts";
import type { AuthorText } from "../authors/texts.ts";
import type { Replayed } from "../evaluate-items.ts";

/** A question about a text, and its recorded reply. */
export interface AnsweredQuestion {
  readonly question: Question;
  /** Absent: none is recorded. */
  readonly answer: Answer | undefined;
}

/** An exchange of a text: what the gate lets through, and what else was asked. */
interface JudgedExchange {
  readonly evaluation: ComplianceEvaluation;
  readonly asked: readonly AnsweredQuestion[];
  /** Of the same exchange, beyond the gate. */
  readonly others: readonly AnsweredQuestion[];
}

/** A text of an author as rules and judge see it; one unit of every figure. */
export interface JudgedAuthorText {
  readonly text: AuthorText;
  readonly exchanges: readonly JudgedExchange[];
  /** Whether the rules alone demand review. */
  readonly requiresReview: boolean;
  /** What stands on record with the gate at its default. */
  readonly findings: readonly TieredFinding[];
  /** The same with all that was asked. */
  readonly findingsOfAll: readonly TieredFinding[];
}

/** The defaults, without the random sample: what it sends is no matter of the texts. */
const JUDGE_DEFAULTS = judgeOptionsSchema.parse({
  model: async () => "",
  sampleRate: 0,
});

/** Makes requests of texts with the rules and the prompt as they are. */
export const createTextQuestions = (): Questions =>
  createQuestions(toJudgeRules(builtInRules, readBuiltInSource().rules), JUDGE_DEFAULTS);

const RULES: ReadonlyMap<string, ComplianceRule> = new Map(
  builtInRules.map((rule) => [rule.id, rule]),
);

const isRight = ({ answer }: AnsweredQuestion): boolean => answer !== undefined;

function findIn(
  { evaluation }: JudgedExchange,
  answered: readonly AnsweredQuestion[],
): readonly TieredFinding[] {
  const given = answered.flatMap(({ question, answer }) =>
    answer ? [{ judgement: answer.judgement, texts: question.texts }] : [],
  );
  return toTieredFindings(evaluation, given, RULES);
}

/** Tells whether the marked passage of a text stands in an exchange. */
const holdsPassage = (
  { passage }: AuthorText,
  { userTurn, agentTurn }: Replayed["exchanges"][number],
): boolean => passage !== undefined && [userTurn, agentTurn].includes(passage.turn + 1);

/**
 * Has the recorded replies to the requests of a text judged.
 *
 * Beyond what the gate lets through, a violation is asked about by its family where its passage stands, if it was asked about at
 * all; and whatever else is recorded.
 */
export async function judgeAuthorText(
  text: AuthorText,
  { exchanges, interactions, evaluations }: Replayed,
  {
    questions,
    ask,
    isSampled,
  }: {
    readonly questions: Questions;
    readonly ask: Ask;
    /** Whether anything is recorded of the text. */
    readonly isSampled: boolean;
  },
): Promise<JudgedAuthorText> {
  const answer = async (question: Question): Promise<AnsweredQuestion> => {
    const given = await ask(question);
    return { question, answer: typeof given === "string" ? undefined : given };
  };
  const judged: JudgedExchange[] = [];
  for (const [index, interaction] of interactions.entries()) {
    const evaluation = evaluations[index];
    const exchange = exchanges[index];
    if (!evaluation || !exchange) continue;
    const evaluated = { id: `${text.id}#${index}`, interaction, evaluation };
    const asked = await Promise.all(questions.toAsked(evaluated).map(answer));
    const known = new Set(asked.map(({ question }) => question.request.family));
    const rest = questions.families.filter((family) => !known.has(family));
    const expected = holdsPassage(text, exchange) ? text.expectedCategory : undefined;
    const others = isSampled
      ? await Promise.all(questions.toAll(evaluated, rest, "everything").map(answer))
      : [];
    judged.push({
      evaluation,
      asked,
      others: others.filter((one) => isRight(one) || one.question.request.family === expected),
    });
  }
  return {
    text,
    exchanges: judged,
    requiresReview: evaluations.some(({ requiresReview }) => requiresReview),
    findings: judged.flatMap((exchange) => findIn(exchange, exchange.asked)),
    findingsOfAll: judged.flatMap((exchange) =>
      findIn(exchange, [...exchange.asked, ...exchange.others]),
    ),
  };
}
