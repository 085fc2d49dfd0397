import { AnswerMemory } from "../bridge/answer-memory.ts";
import type { ComplianceEngine } from "../compliance/engine.ts";
import type { ComplianceEvaluation } from "../compliance/evaluation.ts";

/** Verdicts on the answers of other instrumentations, by trace. */
export type ExchangeVerdicts = AnswerMemory<ComplianceEvaluation>;

const shared = new WeakMap<ComplianceEngine, ExchangeVerdicts>();

/**
 * Has the verdicts of an engine remembered from now on, so that an answer that is met twice, on its span and as an
 * event, is judged once.
 */
export function shareVerdicts(engine: ComplianceEngine): ExchangeVerdicts {
  let verdicts = shared.get(engine);
  if (!verdicts) {
    verdicts = new AnswerMemory();
    shared.set(engine, verdicts);
  }
  return verdicts;
}

/** Gives the verdicts of an engine if they are remembered. */
export function findVerdicts(engine: ComplianceEngine): ExchangeVerdicts | undefined {
  return shared.get(engine);
}
