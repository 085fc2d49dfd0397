import type { InteractionContext, ToolUsageInfo } from "../../events/compliance.ts";
import type { Finding } from "../rule-definition.ts";
import type { Check } from "./check.ts";
import type { RememberedTurn } from "../../phrases/exchange.ts";
import { anyWord } from "../../text/word-patterns.ts";
import { CTR_THRESHOLD_DOLLARS } from "../thresholds.ts";
import { readCashTransactions, type CashTransaction } from "../tools/cash-tools.ts";
import { spacedWords } from "../tools/tool-words.ts";

/** Amounts from this share of the threshold on look as if they were kept below it. */
const NEAR_SHARE = 0.8;
const DAY_MILLIS = 24 * 60 * 60 * 1000;
/** A cent more would be reported anyway. */
const MIN_COUNT = 2;

const CASH_TYPE = anyWord`cash`;
const NOT_CASH_TYPE = anyWord`
  cash (?:advance|back|flow|app|rewards?)|cashier|check|wire|ach|card
`;
const REPEATED = anyWord`
  repeat\w*|frequent\w*|multiple|several|recurring|consecutive|back to back
  daily|weekly|per day|per week|same day|every (?:other )?day|days? in a row
  twice|thrice|third|fourth|fifth|[2-9]\d*|times|x|high|increased|unusual
`;
const ONCE = anyWord`
  once|one time|one off|single|first|1|rare|occasional|infrequent|low
  annual\w*|yearly|monthly|normal|regular|expected|typical|usual
`;
const EVASIVE = anyWord`
  structur\w*|smurf\w*|avoid\w*|split\w*|evasive|refus\w*|reluctan\w*|round dollar
  just (?:below|under)|below (?:the )?(?:ctr|threshold|reporting)|ctr
  (?:under|below|near|sub) (?:reporting |ctr )?threshold
  multiple (?:branches|locations|tellers|deposits|accounts|cash|atms)
  several (?:branches|deposits)|different branches|multi branch
  repeated\w*|rapid (?:cash|deposits|movement)|consecutive|velocity|same day|frequent cash|unusual cash
`;
const ORDINARY = anyWord`
  exempt\w*|ctr filed|match(?:es)? (?:the )?profile|consistent with|expected
  cash intensive|cash business|known business|seasonal|payroll|armored|nightly
  documented|verified source|none
`;
const HIGH_RATING = anyWord`high|critical|severe|prohibited`;

/** Returns whether the transaction under evaluation is one in cash. */
function isCash({ transactionContext }: InteractionContext): boolean {
  const type = spacedWords(transactionContext?.transactionType ?? "");
  return CASH_TYPE.test(type) && !NOT_CASH_TYPE.test(type);
}

function addUp(transactions: readonly CashTransaction[]): number {
  return transactions.reduce((sum, { amount }) => sum + amount, 0);
}

/** Lists the session's cash transactions of the last day, a transaction that two calls name once. */
function listCash(
  context: InteractionContext,
  history: readonly RememberedTurn[],
): CashTransaction[] {
  const recent = history.filter(({ at }) => context.timestamp - at < DAY_MILLIS);
  const tools = [...recent.flatMap(({ toolsUsed }) => toolsUsed), ...(context.toolsUsed ?? [])];
  const seen = new Set<string>();
  const isCashSession = isCash(context);
  return tools
    .flatMap((tool) => readCashTransactions(tool, isCashSession))
    .filter(({ reference }) => {
      if (reference === undefined) return true;
      const isNew = !seen.has(reference);
      seen.add(reference);
      return isNew;
    });
}

function* findSplitCash(
  context: InteractionContext,
  history: readonly RememberedTurn[],
): Iterable<Finding> {
  // What an earlier turn already brought above the threshold was found there.
  const isCashSession = isCash(context);
  const movesCash = (tool: ToolUsageInfo): boolean =>
    readCashTransactions(tool, isCashSession).length > 0;
  if (!(context.toolsUsed ?? []).some(movesCash)) return;
  const all = listCash(context, history);
  for (const direction of ["in", "out"] as const) {
    const below = all.filter(
      (one) => one.direction === direction && one.amount < CTR_THRESHOLD_DOLLARS,
    );
    const sum = addUp(below);
    const isReportedAnyway = all.some(
      (one) => one.direction === direction && one.amount > CTR_THRESHOLD_DOLLARS,
    );
    if (below.length < MIN_COUNT || sum <= CTR_THRESHOLD_DOLLARS || isReportedAnyway) continue;
    yield {
      pattern: "several-below-threshold",
      confidence: 0.85,
      evidence: `${below.length} cash transactions below ${CTR_THRESHOLD_DOLLARS}, together ${sum}`,
      description: `Cash transactions, each below the reporting threshold, add up to $${sum} (${direction === "in" ? "paid in" : "paid out"}).`,
    };
  }
}

function readSigns(context: InteractionContext): string[] {
  const { transactionContext, customerProfile, riskFactors = [] } = context;
  const frequency = spacedWords(transactionContext?.frequency ?? "");
  const rating = spacedWords(customerProfile?.riskRating ?? "");
  return [
    ...(REPEATED.test(frequency) && !ONCE.test(frequency)
      ? [`transactionContext.frequency=${frequency}`]
      : []),
    ...riskFactors
      .filter((factor) => EVASIVE.test(spacedWords(factor)))
      .map((factor) => `riskFactors=${factor}`),
    ...(HIGH_RATING.test(rating) ? [`customerProfile.riskRating=${rating}`] : []),
  ];
}

function* findNearThreshold(context: InteractionContext): Iterable<Finding> {
  const { transactionContext, riskFactors = [] } = context;
  const { amount } = transactionContext ?? {};
  if (amount === undefined || !isCash(context)) return;
  if (amount < CTR_THRESHOLD_DOLLARS * NEAR_SHARE || amount > CTR_THRESHOLD_DOLLARS) return;
  if (riskFactors.some((factor) => ORDINARY.test(spacedWords(factor)))) return;
  const signs = readSigns(context);
  if (signs.length === 0) return;
  yield {
    pattern: "repeated-near-threshold",
    confidence: signs.length > 1 ? 0.8 : 0.7,
    evidence: `transactionContext.amount=${amount}`,
    description: "Cash close to the reporting threshold, together with signs of evasion.",
    riskFactors: signs,
  };
}

/** Finds cash that was paid in or out in several amounts, each below the reporting threshold, or close to it with signs. */
export const cashPattern: Check = {
  *find(context, { history }) {
    yield* findSplitCash(context, history);
    yield* findNearThreshold(context);
  },
};
