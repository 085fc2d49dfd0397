import type { DefinedRule } from "../define-rule.ts";
import { bsaAmlCashPattern } from "./bsa-aml-cash-pattern.ts";
import { bsaAmlHighRiskTransaction } from "./bsa-aml-high-risk-transaction.ts";
import { bsaAmlKycBypass } from "./bsa-aml-kyc-bypass.ts";
import { bsaAmlMonetaryInstruments } from "./bsa-aml-monetary-instruments.ts";
import { bsaAmlReportSuppression } from "./bsa-aml-report-suppression.ts";
import { bsaAmlSanctions } from "./bsa-aml-sanctions.ts";
import { bsaAmlStructuringAdvice } from "./bsa-aml-structuring-advice.ts";
import { bsaAmlStructuringIntent } from "./bsa-aml-structuring-intent.ts";
import { bsaAmlTippingOff } from "./bsa-aml-tipping-off.ts";
import { bsaAmlTypology } from "./bsa-aml-typology.ts";
import { consumerProtectionCollection } from "./consumer-protection-collection.ts";
import { consumerProtectionCommitment } from "./consumer-protection-commitment.ts";
import { consumerProtectionCreditRepair } from "./consumer-protection-credit-repair.ts";
import { consumerProtectionDepositInsurance } from "./consumer-protection-deposit-insurance.ts";
import { consumerProtectionEscalation } from "./consumer-protection-escalation.ts";
import { consumerProtectionFees } from "./consumer-protection-fees.ts";
import { consumerProtectionGuaranteedApproval } from "./consumer-protection-guaranteed-approval.ts";
import { consumerProtectionGuaranteedReturns } from "./consumer-protection-guaranteed-returns.ts";
import { consumerProtectionInvestmentAdvice } from "./consumer-protection-investment-advice.ts";
import { consumerProtectionMissingDisclosure } from "./consumer-protection-missing-disclosure.ts";
import { consumerProtectionPressure } from "./consumer-protection-pressure.ts";
import { consumerProtectionRights } from "./consumer-protection-rights.ts";
import { consumerProtectionTaxLegal } from "./consumer-protection-tax-legal.ts";
import { fairLendingAdverseActionReasons } from "./fair-lending-adverse-action-reasons.ts";
import { fairLendingDiscouragement } from "./fair-lending-discouragement.ts";
import { fairLendingDisparateTreatment } from "./fair-lending-disparate-treatment.ts";
import { fairLendingHousingWording } from "./fair-lending-housing-wording.ts";
import { fairLendingProhibitedInquiry } from "./fair-lending-prohibited-inquiry.ts";
import { fairLendingPublicAssistance } from "./fair-lending-public-assistance.ts";
import { fairLendingSpousalSignature } from "./fair-lending-spousal-signature.ts";
import { fairLendingSteering } from "./fair-lending-steering.ts";
import { privacyAccountNumber } from "./privacy-account-number.ts";
import { privacyAuthDisclosure } from "./privacy-auth-disclosure.ts";
import { privacyAuthRequest } from "./privacy-auth-request.ts";
import { privacyCardNumber } from "./privacy-card-number.ts";
import { privacyDataSharing } from "./privacy-data-sharing.ts";
import { privacyIban } from "./privacy-iban.ts";
import { privacySecret } from "./privacy-secret.ts";
import { privacySocialSecurityNumber } from "./privacy-social-security-number.ts";
import { privacyThirdParty } from "./privacy-third-party.ts";
import { sr117AccuracyClaim } from "./sr-11-7-accuracy-claim.ts";
import { sr117AutonomousDecision } from "./sr-11-7-autonomous-decision.ts";
import { sr117ControlBypass } from "./sr-11-7-control-bypass.ts";
import { sr117Fabricated } from "./sr-11-7-fabricated.ts";
import { sr117HighRiskTool } from "./sr-11-7-high-risk-tool.ts";
import { sr117HumanClaim } from "./sr-11-7-human-claim.ts";
import { sr117Leak } from "./sr-11-7-leak.ts";
import { sr117Unexplainable } from "./sr-11-7-unexplainable.ts";
import { sr117UnsupportedAction } from "./sr-11-7-unsupported-action.ts";

/** Every built-in rule; a new one is a file beside this one and a line here. */
export const builtInRules: readonly DefinedRule[] = [
  bsaAmlCashPattern,
  bsaAmlHighRiskTransaction,
  bsaAmlKycBypass,
  bsaAmlMonetaryInstruments,
  bsaAmlReportSuppression,
  bsaAmlSanctions,
  bsaAmlStructuringAdvice,
  bsaAmlStructuringIntent,
  bsaAmlTippingOff,
  bsaAmlTypology,
  fairLendingAdverseActionReasons,
  fairLendingDiscouragement,
  fairLendingDisparateTreatment,
  fairLendingHousingWording,
  fairLendingProhibitedInquiry,
  fairLendingPublicAssistance,
  fairLendingSpousalSignature,
  fairLendingSteering,
  privacyAccountNumber,
  privacyAuthDisclosure,
  privacyAuthRequest,
  privacyCardNumber,
  privacyDataSharing,
  privacyIban,
  privacySecret,
  privacySocialSecurityNumber,
  privacyThirdParty,
  consumerProtectionCollection,
  consumerProtectionCommitment,
  consumerProtectionCreditRepair,
  consumerProtectionDepositInsurance,
  consumerProtectionEscalation,
  consumerProtectionFees,
  consumerProtectionGuaranteedApproval,
  consumerProtectionGuaranteedReturns,
  consumerProtectionInvestmentAdvice,
  consumerProtectionMissingDisclosure,
  consumerProtectionPressure,
  consumerProtectionRights,
  consumerProtectionTaxLegal,
  sr117AccuracyClaim,
  sr117AutonomousDecision,
  sr117ControlBypass,
  sr117Fabricated,
  sr117HighRiskTool,
  sr117HumanClaim,
  sr117Leak,
  sr117Unexplainable,
  sr117UnsupportedAction,
];
