import type { DefinedRule } from "../define-rule.ts";
import { bsaAmlStructuringAdvice } from "./bsa-aml-structuring-advice.ts";
import { consumerProtectionGuaranteedReturns } from "./consumer-protection-guaranteed-returns.ts";
import { privacyCardNumber } from "./privacy-card-number.ts";

/** Every built-in rule; a new one is a file beside this one and a line here. */
export const builtInRules: readonly DefinedRule[] = [
  bsaAmlStructuringAdvice,
  consumerProtectionGuaranteedReturns,
  privacyCardNumber,
];
