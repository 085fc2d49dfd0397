import type { Concepts } from "../phrases/parse-phrase.ts";
import { approvalConcepts } from "./claims-approval.ts";
import { adviceConcepts } from "./claims-advice.ts";
import { certaintyConcepts } from "./claims-certainty.ts";
import { coverConcepts } from "./claims-cover.ts";
import { feeConcepts } from "./claims-fees.ts";
import { offerConcepts } from "./claims-offers.ts";
import { outcomeConcepts } from "./claims-outcomes.ts";
import { productConcepts } from "./claims-products.ts";
import { returnConcepts } from "./claims-returns.ts";

/** Groups of words that the rules on claims and promises share, so that they are read once. */
export function claimsConcepts(): Concepts {
  return {
    ...certaintyConcepts(),
    ...productConcepts(),
    ...approvalConcepts(),
    ...returnConcepts(),
    ...adviceConcepts(),
    ...coverConcepts(),
    ...outcomeConcepts(),
    ...feeConcepts(),
    ...offerConcepts(),
  };
}
