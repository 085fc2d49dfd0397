import { toCapturedText } from "./read-attributes.ts";

type Attributes = Readonly<Record<string, unknown>>;

/** What somebody judged of an answer: a person, a model, a rule. */
export interface Evaluation {
  readonly name: string;
  readonly score?: number;
  readonly label?: string;
  readonly explanation?: string;
  readonly evaluatorId?: string;
  readonly evaluatorVersion?: string;
  readonly evaluatorType?: string;
}

/** The event of an evaluation, as a log record or on a span. */
export const EVALUATION_EVENT = "gen_ai.evaluation.result";

const NAME = "gen_ai.evaluation.name";
const SCORE = "gen_ai.evaluation.score.value";
const TEXTS = {
  label: "gen_ai.evaluation.score.label",
  explanation: "gen_ai.evaluation.explanation",
  evaluatorId: "gen_ai.evaluation.evaluator.id",
  evaluatorVersion: "gen_ai.evaluation.evaluator.version",
  evaluatorType: "gen_ai.evaluation.evaluator.type",
} as const;

/**
 * Reads an evaluation and who made it; `undefined` when the attributes hold none.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-events/#event-gen_aievaluationresult
 */
function readEvaluation(attributes: Attributes): Evaluation | undefined {
  const name = toCapturedText(attributes[NAME]);
  if (name === undefined) return undefined;
  const score = attributes[SCORE];
  const texts: Record<string, string> = {};
  for (const [member, attribute] of Object.entries(TEXTS)) {
    const text = toCapturedText(attributes[attribute]);
    if (text !== undefined) texts[member] = text;
  }
  return { name, ...(typeof score === "number" && { score }), ...texts };
}

interface Source {
  readonly attributes?: Attributes | undefined;
}

/** Reads the evaluations among events or log records. */
export function readEvaluations(sources: readonly Source[]): readonly Evaluation[] {
  return sources.flatMap(({ attributes = {} }) => readEvaluation(attributes) ?? []);
}
