import type { Concepts } from "../phrases/parse-phrase.ts";
import { bankSecrecyConcepts } from "./bank-secrecy.ts";
import { identityConcepts } from "./identity-checks.ts";
import { launderingConcepts } from "./laundering.ts";
import { reportingConcepts } from "./reporting.ts";
import { sanctionsConcepts } from "./sanctions.ts";
import { structuringConcepts } from "./structuring.ts";

/** One object for all rules of the category, so that what they share is read once. */
export function bsaAmlConcepts(): Concepts {
  return {
    ...bankSecrecyConcepts(),
    ...identityConcepts(),
    ...launderingConcepts(),
    ...reportingConcepts(),
    ...sanctionsConcepts(),
    ...structuringConcepts(),
  };
}
