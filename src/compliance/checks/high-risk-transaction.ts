import type { InteractionContext } from "../../events/compliance.ts";
import type { Check } from "./check.ts";
import { linear } from "../../text/pattern.ts";
import { anyWord } from "../../text/word-patterns.ts";
import { SAR_MINIMUM_DOLLARS } from "../thresholds.ts";
import { amountOf } from "../tools/cash-tools.ts";
import { spacedWords } from "../tools/tool-words.ts";
import { hasFailed, listValues } from "../tools/tool-results.ts";

const HIGH = anyWord`
  high|critical|severe|prohibited|h|extreme
`;
const NOT_HIGH = anyWord`not|non`;
const FACTOR = anyWord`
  pep|politically exposed\w*|foreign official|sanctioned\w*|adverse media
  shell|front company|nominee|bearer shares|hidden owner\w*|opaque ownership|complex ownership
  new account|newly opened|recently opened|account opened recently|new customer|dormant\w*
  rapid|in and out|in out|pass through|pass thru|velocity
  layering|funnel\w*|sudden\w*|mixer|third party funding|inconsistent with profile
  no (?:stated |business |apparent )?purpose|(?:unknown|unclear|unstated|vague) purpose
  purpose (?:unknown|missing|unstated|not stated|unclear)|unexplained\w*
  source of funds (?:unknown|unverified|missing)|(?:unknown|unverified) source\w*
  high risk (?:country|jurisdiction|geography)|offshore|tax haven|anonymity|secrecy
`;
const MITIGATED = anyWord`
  edd (?:complete|completed|done|passed|on file)|enhanced due diligence (?:complete|completed|done)
  cleared by|approved by (?:bsa|aml|compliance)|former
  source of funds (?:verified|documented)|purpose (?:documented|verified)|verified
  not|no (?:pep|shell)|none
`;
/** Enhanced due diligence was done, so that every factor has been looked at. */
const REVIEWED = linear(/^edd |due diligence complete/);

function listAmounts(context: InteractionContext): number[] {
  const amounts = (context.toolsUsed ?? [])
    .filter((tool) => !hasFailed(tool))
    .flatMap(({ parameters }) => amountOf(listValues(parameters)) ?? []);
  const { amount } = context.transactionContext ?? {};
  return amount === undefined ? amounts : [amount, ...amounts];
}

/** Finds larger transactions of a customer who is rated high-risk while a further risk factor is there. */
export const highRiskTransaction: Check = {
  *find(context) {
    const rating = spacedWords(context.customerProfile?.riskRating ?? "");
    if (!HIGH.test(rating) || NOT_HIGH.test(rating)) return;
    const words = (context.riskFactors ?? []).map(
      (factor) => [factor, spacedWords(factor)] as const,
    );
    const factors = words.filter(([, factor]) => FACTOR.test(factor) && !MITIGATED.test(factor));
    if (factors.length === 0 || words.some(([, factor]) => REVIEWED.test(factor))) return;
    const amount = Math.max(0, ...listAmounts(context));
    if (amount < SAR_MINIMUM_DOLLARS) return;
    yield {
      pattern: "rating-and-factor",
      confidence: factors.length > 1 ? 0.9 : 0.8,
      evidence: `amount=${amount}`,
      riskFactors: [
        `customerProfile.riskRating=${rating}`,
        ...factors.map(([factor]) => `riskFactors=${factor.slice(0, 60)}`),
      ],
    };
  },
};
