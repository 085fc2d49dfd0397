import type { InteractionContext } from "../../events/compliance.ts";
import type { Check } from "./check.ts";
import { linear } from "../../text/pattern.ts";
import { SAR_MINIMUM_DOLLARS } from "../thresholds.ts";
import { amountOf } from "../tools/cash-tools.ts";
import { spacedWords } from "../tools/spaced-words.ts";
import { hasFailed, listValues } from "../tools/tool-results.ts";

const HIGH = linear(/\b(?:high|critical|severe|very high|elevated high|prohibited|h|extreme)\b/);
const NOT_HIGH = linear(/\bnot\b|\bnon\b/);
const FACTOR = linear(
  /\b(?:politically exposed|rapid movement|unexplained|unknown source|unverified source|hidden owner|funnel|dormant|sudden|sanctioned|(?:pep|foreign official|shell|front company|nominee|new account|newly opened|recently opened|account opened recently|new customer|rapid in out|rapid|in and out|in out|pass through|pass thru|velocity|layering|no stated purpose|no purpose|unknown purpose|purpose (?:unknown|missing|unstated|not stated|unclear)|unclear purpose|no business purpose|no apparent purpose|unstated purpose|vague purpose|source of funds (?:unknown|unverified|missing)|high risk (?:country|jurisdiction|geography)|offshore|tax haven|adverse media|bearer shares|opaque ownership|complex ownership|third party funding|mixer|anonymity|inconsistent with profile|secrecy)\b)/,
);
const MITIGATED = linear(
  /\b(?:edd (?:complete|completed|done|passed|on file)|enhanced due diligence (?:complete|completed|done)|cleared by|approved by (?:bsa|aml|compliance)|source of funds (?:verified|documented)|purpose (?:documented|verified)|verified|not|no (?:pep|shell)|former|none)\b/,
);
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
