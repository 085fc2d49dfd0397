import type { InteractionContext } from "../../events/compliance.ts";
import { hasApproval, hasSuitability } from "../tools/approvals.ts";
import { accountNumber } from "./account-number.ts";
import { amountsOverTurns } from "./amounts-over-turns.ts";
import { bareQuestion } from "./bare-question.ts";
import { cardNumber } from "./card-number.ts";
import { cashPattern } from "./cash-pattern.ts";
import { controlSwitch } from "./control-switch.ts";
import { decisionTool } from "./decision-tool.ts";
import { failedCredit } from "./failed-credit.ts";
import { handOver } from "./hand-over.ts";
import { highRiskTool } from "./high-risk-tool.ts";
import { highRiskTransaction } from "./high-risk-transaction.ts";
import { iban } from "./iban.ts";
import { identitySwitch } from "./identity-switch.ts";
import { insuranceLimit } from "./insurance-limit.ts";
import { investingSpecialty } from "./investing-specialty.ts";
import { prohibitedKeys } from "./prohibited-keys.ts";
import { reportSwitch } from "./report-switch.ts";
import { reportedFee } from "./reported-fee.ts";
import { sanctionedTransfers } from "./sanctioned-transfers.ts";
import { secret } from "./secret.ts";
import { socialSecurityNumber } from "./social-security-number.ts";
import { statedSecret } from "./stated-secret.ts";
import { thirdParty } from "./third-party.ts";
import { unsupportedAction } from "./unsupported-action.ts";
import type { Check } from "./check.ts";

/** Every check by the id by which rules name it. */
export const checks: Readonly<Record<string, Check<string, string>>> = {
  "account-number": accountNumber,
  "amounts-over-turns": amountsOverTurns,
  "bare-question": bareQuestion,
  "card-number": cardNumber,
  "cash-pattern": cashPattern,
  "control-switch": controlSwitch,
  "decision-tool": decisionTool,
  "failed-credit": failedCredit,
  "hand-over": handOver,
  "high-risk-tool": highRiskTool,
  "high-risk-transaction": highRiskTransaction,
  iban: iban,
  "identity-switch": identitySwitch,
  "insurance-limit": insuranceLimit,
  "investing-specialty": investingSpecialty,
  "prohibited-keys": prohibitedKeys,
  "report-switch": reportSwitch,
  "reported-fee": reportedFee,
  "sanctioned-transfers": sanctionedTransfers,
  secret: secret,
  "social-security-number": socialSecurityNumber,
  "stated-secret": statedSecret,
  "third-party": thirdParty,
  "unsupported-action": unsupportedAction,
};

/** What makes a rule silent because a tool backs what the agent says, by the id by which rules name it. */
export const exemptions: Readonly<Record<string, (context: InteractionContext) => boolean>> = {
  "approval-by-tool": hasApproval,
  "suitability-by-tool": hasSuitability,
};
