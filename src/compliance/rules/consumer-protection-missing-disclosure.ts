import { defineBuiltInRule } from "../define-rule.ts";
import { claimsConcepts } from "../lexicon/claims-concepts.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";

function creditTerms(): string[] {
  return ["(apr|aprs|annual percentage rate|annual percentage|a p r)"];
}

function depositTerms(): string[] {
  return ["(apy|apys|annual percentage yield|percentage yield|a p y)"];
}

/** The customer's own running account, and figures that are not advertised. */
function ownAccount(): string[] {
  return [
    "your ..3 (payment|bill|statement|installment|instalment|minimum) (is|was|of|due|will be|posted|went|has)",
    "(due on|due by|due date|is due|past due|posted|received|was paid|went through|autopay|statement|remaining balance|you paid|you owe|paid off|your existing|your current|withdrawn|debited|scheduled|minimum payment|next payment|last payment|budget~|your rent|pay rent|in rent|your salary|spend~|spent|save~ about|put aside|set aside|deposit~ of|left|remaining|to go|so far|escrow|on time|direct deposit~|allowance|overtime|put away|putting away|setting aside|saving~ habit|go out|goes out|went out|income test|award letter|in debts|your income)",
    // Explained, compared, or the customer's own.
    "(ending in|ending #number|for example|as an example|illustrat*|approximate~ illustration|estimate~|principal and interest|amortiz*|recast*|payoff|refund~|accru*|average~|limit~|income|biweekly|difference|refinanced|cushion|delinquen*|nonperforming|utilization)",
    "(at #percent|#percent (rate|interest|fixed)) ..14 #money",
    "(fee~|maintenance|subscription~|membership|insurance premium~|premium|safe deposit|service charge~|identity protection)",
    // Payments that were made, not such that are offered.
    "(card|debit|bill|ach|zelle|online|mobile|utility|incoming|outgoing|recurring|returned) payment~",
    "payment~ ..12 (pending|cleared|settled|declined|bounced|credited|refunded|reversed)",
  ];
}

const SAVED =
  "(put|putting|set|save|saving|stash|contribut*|invest|investing|deposit) ..4 #money ..1 (a|per|each|every) (month|week)";
function bonusTerms(): string[] {
  return [
    "(apy|annual percentage yield|minimum|at least|direct deposit~|within|days|qualif*|condition~|require~|requirement~|terms|maintain~|keep it open|spend|eligible|eligibility|see details|tax form|1099)",
  ];
}

/** Shares, limits and thresholds: percentages that are no price of credit. */
const NO_PRICE =
  "(at least|at most|no more than|or over|or more|minimum of|maximum of|cap|caps|capped|lifetime|exempt*|residents|units|loan to value|ltv|dti|of ..1 income|gross income|rule of thumb|(more|less) than (#percent|#money)|(saves|saving) ..2 #percent)";
function riskTerms(): string[] {
  return [
    "(risk|risks|risky|riskier|past performance|past results|past returns|not indicative|lose|loss|losses|fluctuat*|volatil*|go down|can fall|may fall|could fall|as well as fall|not a guarantee|no guarantee|not guaranteed|not repeat|vary|varies|prospectus)",
  ];
}

/**
 * Flags terms of an offer that the law lets stand only beside others: a payment without the APR, a yield without the APY, a
 * past return without the risk. The whole message counts.
 *
 * @see 12 CFR §§ 1026.16(b), 1026.24(d), 1030.8; FINRA Rule 2210(d)
 */
export const consumerProtectionMissingDisclosure = defineBuiltInRule({
  id: "consumer-protection-missing-disclosure",
  name: "Missing disclosure",
  description:
    "An advertised payment, rate, bonus or past return without the terms that belong to it.",
  explanation: "The agent advertises a figure without what the law wants beside it.",
  category: "consumer_protection",
  severity: "warning",
  law: {
    citation: "12 CFR §§ 1026.16(b), 1026.24(d), 1030.8; FINRA Rule 2210(d)",
    asOf: "2026-11-21",
    status: "in force",
  },
  recommendation: "Add APR or APY, the terms, fees and conditions next to the figure.",
  impact: { customer: "moderate", business: "moderate" },
  concepts: claimsConcepts,
  phrases: {
    "payment-without-apr"(): PhraseGroup {
      return {
        match: [
          "{pitch} ..2 #money ..1 {perperiod}",
          "{lent} (for|at) ..2 #money {perperiod}",
          "#money ..1 {perperiod} ..2 (gets you|puts you|buys you|is all|will get you|drives|all in|and it is yours|and ..3 is yours)",
          "#money ..1 {perperiod} (for|over|across) ..2 #number ..1 (months|years|weeks)",
          "#money ..1 {perperiod} ..2 #number ..1 (payments|installments|instalments)",
          "#number ..2 (payments|installments|instalments) of ..1 #money (and|until) ..6 (yours|paid off|done|own it)",
          "#number (easy|low|simple|convenient|small) ..2 (payments|installments|instalments)",
          "(zero|no|nothing|nada|0) ..1 (down|money down|down payment) ..8 #money",
          "#money down ..3 #money ..1 {perperiod}",
          "#money down (gets|drives|and you are|and it is|is all)",
        ],
        about: ["({ratedloan}|deal~|offer~|buy|drive|credit|payments|installments)"],
        unless: [...ownAccount(), SAVED, NO_PRICE],
        unlessAnywhere: [
          ...creditTerms(),
          "(your|the) ..2 (next|current|existing|minimum) ..1 payment",
          "(interest free|no interest|example only|illustration|assuming|estimate)",
        ],
        ignore: ["definition", "negation", "question"],
        confidence: 0.7,
      };
    },
    "figure-without-apr"(): PhraseGroup {
      return {
        match: [
          "{lent} ..5 (is|would be|will be|works out to|works out at|comes to|costs you|would cost you|runs|run you|means paying|in at) ..3 (#money|#number) ..1 {perperiod}",
          "(works out to|works out at|costs you|cost you|run you|runs you|means paying) ..3 (#money|#number) ..1 {perperiod}",
          "#money for only ..1 #money ..1 {perperiod}",
          "#number payments (a year)? of ..1 #money until",
          "(just|only|so) ..1 (#percent|0|zero|nothing|no money|not a cent) down",
          "(zero percent|no money|nothing|not a penny|not a cent) down",
          "(would make|would be|means|just|only|yours in) ..2 #number ..1 (payments|installments|instalments|paychecks|monthly bills)",
          "(one|single) ..2 (bill|payment|installment) of ..1 (#money|#number) (for|over) ..1 #number ..1 (months|years)",
          "borrow ..2 (#money|#number) ..3 (pay|repay|return|give) back ..1 (#money|#number)",
          "(finance charge~|borrowing|financing) ..4 (costs|comes to|totals|runs|amounts to|adds up to) ..3 #money",
          "(bring|put|lay|need|have to have) ..4 #money ..6 (keys|yours|move in|drive)",
        ],
        about: [
          "(loan~|mortgage~|heloc|financ*|borrow*|refi|refinanc*|lease|consolidat*|installments|credit line|auto|car|truck|boat|rv|house|home|condo|kitchen|payments|year plan|month plan|buy now|installment plan|down payment|sofa|laptop|payment be split)",
        ],
        unless: [
          ...ownAccount(),
          SAVED,
          "(cash back|cashback|reward~|points|miles|apy|income|earn~|wage~|withdraw*|atm|limit|transfer~|wire~|bonus|tax|taxes|insurance|penalty|late|overdraft|dividend~|interest (earned|you earn)|dispute|write down|slow~ down|days|hours|minutes|business)",
          "(your|the) ..3 (current|existing|scheduled|last|recent|next|minimum|regular|usual|autopay|upcoming|monthly) ..2 (payment|installment|bill|balance)",
          NO_PRICE,
          "(fha|va|usda|conventional|pmi|as you chose|you chose|you asked|{security}|fund|portfolio~|invest*|plan of #money)",
        ],
        unlessAnywhere: [
          ...creditTerms(),
          "(your|the) ..2 (next|current|existing|minimum|last|usual|regular) ..1 payment",
          "(interest free|no interest|example only|estimate|illustration|assuming|depends|product page|at least|not a quote|rate sheet|loan estimate)",
        ],
        ignore: ["definition", "negation", "question", "quotation"],
        confidence: 0.65,
      };
    },
    "rate-drop"(): PhraseGroup {
      return {
        match: [
          "(you|your rate|your loan|your mortgage) ..3 from #percent ..1 (to|down to) ..1 #percent",
          "(we|i) ..3 (drop|cut|lower|take|bring|get|reduce|slash|shave|knock) ..4 (to|at|down to|as low as) ..1 #percent",
          "(zero percent|#percent) on (all|your|new|all your)? ..1 (purchases|balance transfers|everything)",
          "(our|a|your|your new) rate (would be|will be|could be) ..2 #percent",
        ],
        about: [
          "(loan~|mortgage~|heloc|refi|refinanc*|borrow*|financing|lend~|balance transfer~|card~|apr)",
        ],
        unless: [
          ...ownAccount(),
          "(cash back|cashback|ltv|loan to value|utilization|reward~|inflation|fed|prime|treasury|index|tax|tip|equity|discount|late|penalty|dti|debt to income|savings|cd|cds|checking|certificate~|return~|variable|was|were|average|score|fee~|of your|of the|transfer fee|foreign)",
          "#percent down",
          NO_PRICE,
        ],
        unlessAnywhere: [...creditTerms(), ...depositTerms(), "(estimate|depends|rate sheet)"],
        ignore: ["definition", "negation", "question"],
        confidence: 0.6,
      };
    },
    "rate-without-apr"(): PhraseGroup {
      return {
        match: [
          "our ..3 (loan~|mortgage~|heloc~|financing|rate~|refi) ..2 (start~|begin~|run~|go|is|are|as low as|low as) ..2 (#percent|zero percent)",
          "^ (personal|auto|car|home|boat|home equity|student|business|rv) (loans|mortgages) ..1 (start|begin|run|go) ..1 (at|from) #percent",
          "(great|low|lower|super|amazing|fantastic|unbeatable|special|lovely|sweet|nice) ..1 rate ..2 (#percent|zero percent)",
          "(pay|enjoy|get) ..1 (#percent|zero percent) (interest|financing|fixed|intro|introductory|for #number)",
          "(borrow|refinance|finance|tap|draw|consolidate|fund it|yours) ..6 (at|for|from) ..1 (#percent|zero percent)",
          "(they|rates|ours) (start~|begin~|run~|go) (at|from) ..1 (#percent|zero percent)",
        ],
        alongside: ["{offered}"],
        about: ["{ratedloan}"],
        unless: [
          ...ownAccount(),
          "(cash back|cashback|down|ltv|loan to value|utilization|limits|of your limit|reward~|inflation|the fed|fed funds|federal funds|prime|treasury|index|tax|tip|in equity|discount|late|penalty|withholding|points back|dti|debt to income|savings|cd|cds|checking|certificate~|returned|return|gained|variable rate of your|was|were|average)",
          "your ..4 (rate|interest|loan|mortgage|card|line|heloc) ..2 (is|was|went|has|have|stays|carries)",
          NO_PRICE,
        ],
        unlessAnywhere: [
          ...creditTerms(),
          ...depositTerms(),
          "(purchase apr|i would need|rate sheet)",
        ],
        ignore: ["definition", "negation", "question"],
        confidence: 0.65,
      };
    },
    "yield-without-apy"(): PhraseGroup {
      return {
        match: [
          "{rateddeposit} ..4 (pay~|earn~|yield~|offer~|bring~|give~|get~|at|is|currently|with|rate of) ..4 #percent",
          "#percent (on|with|in|from) ..3 {rateddeposit}",
        ],
        alongside: ["{offered}"],
        unless: [
          ...ownAccount(),
          "(fdic|early withdrawal|penalty|withholding|tax|taxes|inflation|loan~|mortgage~|cash back|cashback|of your (income|pay|paycheck|salary)|was|were|average|national|last year|percent of)",
          "your ..2 rate (is|was)",
        ],
        unlessAnywhere: depositTerms(),
        ignore: ["definition", "negation", "question"],
        confidence: 0.65,
      };
    },
    "topic-yield-without-apy"(): PhraseGroup {
      return {
        // A single cue: shown, but no alert.
        severity: "info",
        confidence: 0.5,
        match: [
          "(a|an|our|at|earns|pays|paying|offering|pay|offer|whopping|solid|sweet|currently|now|just|get|up to|it is|that is|generous|massive|full|is) ..2 #percent",
          "^ #percent",
          "#percent (rate|interest|yield|return|a year|per year|yearly|annually|right now|today|flat|currently|guaranteed|for)",
        ],
        user: ["{rateddeposit}"],
        unless: [
          ...ownAccount(),
          "(early withdrawal|penalty|withholding|tax|taxes|inflation|loan~|mortgage~|cash back|cashback|was|were|average|national|last year|card|percent of|reward~|of the|of your|sure|certain|chance)",
          "your ..2 rate (is|was)",
        ],
        unlessAnywhere: depositTerms(),
        ignore: ["definition", "negation", "question"],
      };
    },
    "bonus-without-terms"(): PhraseGroup {
      return {
        match: [
          "(get~|earn~|receive~|pocket~|grab~|claim~|enjoy~|score~|collect~|snag~|give~|gift~|offer~|hand~|bag|take home|walk away with|land~|put~) ..5 #money ..4 (bonus~|welcome|gift|reward|free|on us|cash bonus|sign up|signup|thank you|just for|simply for|for opening|for joining|when you open|when you switch|when you sign)",
          "#money ..2 (welcome|signup|sign up|account|cash|new customer|switch|switching|opening|referral|checking)? (bonus~|gift|welcome offer)",
          "(get~|earn~|receive~|pocket~|grab~|claim~|enjoy~|score~|collect~|snag~|give~|offer~|hand~|land~|bag|take home|worth) ..4 #number ..2 (miles|points|bonus points|bonus miles)",
          "(open|opening|switch|switching|join|joining|sign up|signing up|refer|referring|new (members|customers|cardholders|accounts)) ..8 (#money|#number) ..4 (lands|yours|in it|richer|extra|on us|back|pops up|shows up|arrives|gift|miles|points|from us|waiting|appears|credited|drops)",
          "#money (bonus|gift|cash|extra|free)? (for|when|just for|simply for|as soon as|the moment|the day) (you|you are)? (open|opening|switch|switching|join|joining|sign up|signing up|refer|referring)",
          "(open|join|switch|sign|apply|move|refer) ..6 (pocket|get|earn|bag|grab|score|collect|receive|snag|land|take home|enjoy|claim) ..3 #money",
          "(friend|referral|buddy|neighbor|colleague|coworker) ..6 (join~|sign~|open~|refer~) ..6 #money",
          "#money ..3 (cash back|cashback|cash)? ..2 (to|for) ..1 (anyone|everyone|everybody|anybody|those) who ..2 (sign~|open~|join~|switch~|appl*|enroll~)",
          "(rewarded|greeted|welcomed|thanked|gifted|showered) with ..2 (#money|#number)",
          "(bonus~|welcome offer|sign up offer|signup offer|cash gift|free money) ..4 #money",
          "(open|switch|join|sign up|move) ..8 (and|to|we will|you will|get|for) ..6 #money ..4 (bonus|free|on us|gift|yours|richer|in your pocket)",
        ],
        about: ["(account~|checking|savings|card~|switch~|open|opening|join~|sign up|bank)"],
        unless: [
          "(posted|was paid|was credited|already received|employer|annual bonus|work bonus|salary|wage~|bonus check|year end|fee~|fraud|scam~|tax)",
        ],
        unlessAnywhere: bonusTerms(),
        ignore: ["others", "quotation"],
        confidence: 0.7,
      };
    },
    "return-without-risk"(): PhraseGroup {
      return {
        match: [
          "({security}|fund|portfolio~|strategy) ..4 (return~|returning|gained|grew|rose|averag*|delivered|climbed|jumped|annualized|soared|netted|rocketed|was up|is up|been up) ..3 #percent",
          "(it|they|that one|this one|ours) ..4 (returned|returning|gained|grew|averag*|delivered|annualized|soared|jumped|is up|was up|been up) ..2 #percent",
          "(up|returned|returning|gained|grew|rose|averag*|delivered|made|earned) ..1 #percent ..3 (last year|past year|annually|a year|per year|every year|last decade|over the past|since inception|year to date|in five years|on average|over ten years|in a decade|since launch|since #number)",
          "(doubled|tripled|quadrupled) ..4 (last year|past year|last decade|over the past|since inception|in five years|in a decade|since launch)",
          "(turned|grew|would have turned|would have grown|would have become|became) ..3 #money ..1 (into|to) ..1 #money",
          "#percent ..2 (return~|gain~|growth|performance|profit~) ..4 (last year|past year|annually|last decade|over the past|since inception|year to date|in a single year) & ({security}|fund|portfolio~|strategy)",
          "(return~|gain~|performance|growth) (of|was|were|hit|reached|topped|averaged) ..2 #percent & ({security}|fund|portfolio~|strategy|invest*)",
        ],
        about: ["({security}|fund|portfolio~|invest*|strategy)"],
        unless: [
          "(if|suppose|assuming|hypothetical*|example)",
          "(charge~|cost~|deduct~|takes) ..3 #percent",
          "(fee~|expense ratio|load|commission|cash back|apr|apy|cd|savings account|inflation|fell|down|dropped|lost|declined|minus|your (account|portfolio|holdings|shares|position|balance|investments))",
          "(deposits|net interest|loans grew|loan growth|revenue|delinquenc*|premiums|operating)",
          "(i bond~|treasury|treasuries|t-bill~)",
        ],
        unlessAnywhere: riskTerms(),
        confidence: 0.65,
      };
    },
  },
});
