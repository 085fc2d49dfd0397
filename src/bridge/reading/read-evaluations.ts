import * as semconv from "../../semconv.ts";
import { toCapturedText, type Attributes } from "./read-attributes.ts";

const TEXTS = {
  label: semconv.ATTR_GEN_AI_EVALUATION_SCORE_LABEL,
  explanation: semconv.ATTR_GEN_AI_EVALUATION_EXPLANATION,
  evaluatorId: semconv.ATTR_GEN_AI_EVALUATION_EVALUATOR_ID,
  evaluatorVersion: semconv.ATTR_GEN_AI_EVALUATION_EVALUATOR_VERSION,
  evaluatorType: semconv.ATTR_GEN_AI_EVALUATION_EVALUATOR_TYPE,
} as const;

/** What somebody judged of an answer: a person, a model, a rule. */
export interface Evaluation extends Readonly<Partial<Record<keyof typeof TEXTS, string>>> {
  readonly name: string;
  readonly score?: number;
}

/**
 * Reads an evaluation and who made it; `undefined` when the attributes hold none.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-events/#event-gen_aievaluationresult
 */
function readEvaluation(attributes: Attributes): Evaluation | undefined {
  const name = toCapturedText(attributes[semconv.ATTR_GEN_AI_EVALUATION_NAME]);
  if (name === undefined) return undefined;
  const score = attributes[semconv.ATTR_GEN_AI_EVALUATION_SCORE_VALUE];
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
