import type { RuleLaw } from "../define-rule.ts";

const SUPERSEDED =
  "SR 11-7 was superseded by SR 26-2 on 17 April 2026; generative AI is out of the new guidance's scope, and banks keep applying its concepts to agents as practice.";

/** Gives the law of a model-risk rule, with the concept of the guidance that it serves. */
export function modelRiskLaw(concept: string, further = ""): RuleLaw {
  return {
    citation: `SR 26-2 / OCC Bulletin 2026-13, formerly SR 11-7 (${concept})${further}`,
    asOf: "2026-11-21",
    status: "guidance",
    note: SUPERSEDED,
  };
}

/** What to do about a finding of any of these rules. */
export const MODEL_RISK_RECOMMENDATION =
  "Stop relying on the output, have a person review it, and record the event in the model's issue log.";
