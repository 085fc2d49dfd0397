import { defineRule } from "../define-rule.ts";
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
export const consumerProtectionMissingDisclosure = defineRule({
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
          "{sell} ..3 #money ..2 {perperiod}",
          "{ratedloan} ..3 (for|at) ..2 #money {perperiod}",
          "#money ..2 {perperiod} ..6 (for|over|and|gets|puts|buys|covers|is all|will get|drives|is all it takes|all in)",
          "#money ..2 {perperiod} ..4 #number ..2 (payments|installments|instalments|months|years|weeks)",
          "#number ..2 (payments|installments|instalments) ..3 (of|at) ..2 #money",
          "#number (easy|low|simple|equal|monthly|convenient|small|payments|installments|instalments) ..2 (payments|installments|instalments|of #money)",
          "(zero|no|nothing|nada|0) ..1 (down|money down|down payment|deposit) ..8 #money",
          "(#money|#percent) down ..6 (and|gets|drive|is all|you are|takes|then|plus|for)",
          "(payment~|installment~|instalment~) ..3 (of|from|as low as|starting at|under|just|only|around|about|at) ..2 #money",
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
          "(#money|#number) ..2 {perperiod}",
          "{perperiod} ..4 (#money|#number)",
          "(put|putting|with|just|only|for|need|needs|bring|and|so|a) ..2 (#percent|#money|0|zero|nothing|no money|not a cent) down",
          "(#percent|zero|no money|nothing|not a penny|not a cent) down ..6 (and|gets|takes|you|is|the|to|on|for|with|then|required|needed)?",
          "#number ..2 (payments|installments|instalments|paychecks|monthly bills)",
          "(payment~|bill|installment~|amount|instalment~) of ..2 (#money|#number) ..6 (month~|year~|week~|payments)",
          "(#money|#number) ..3 (for|over|across|during|spread over|times) ..2 #number ..1 (months|years|weeks|payments|paychecks|installments)",
          "(pay|paying|repay|repaying|give|hand|owe) ..2 back ..4 (#money|#number)",
          "(borrow|take|get) ..3 (#money|#number) ..6 (pay|repay|return|owe) ..4 (#money|#number)",
          "(interest|financing|finance charge~|borrowing|loan|it|credit|total cost) ..3 (costs|cost|comes to|adds|totals|runs|amounts to|adds up to) ..3 (you|about|only|just|a total of|around)? ..2 #money",
          "(bring|put|lay|need|have to have) ..4 #money ..6 (keys|yours|move in|drive)",
          "(finance charge~|total interest|interest) ..3 (of|is|would be|comes to|only|just|under) ..3 #money",
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
          "from #percent ..2 (to|down to) ..2 #percent",
          "(drop~|cut~|lower~|go|take~|bring~|get~|reduce~|slash~|shave~|knock~) ..6 (to|at|down to|as low as) ..3 #percent",
          "(as low as|low as|only|just|a mere|merely|a low|starting at|starts at|from|at|around) ..2 #percent",
          "(#percent|zero percent) on ..2 (purchases|transfers|everything|balances)",
          "(your|the|our|a) ..2 rate ..4 (is|would be|will be|of|at) ..3 #percent",
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
          "(rate~|interest|financing|loan~|mortgage~|refinanc*|refi|heloc|borrow|lend) ..6 (#percent|zero percent) ",
          "(#percent|zero percent) ..5 (rate~|interest|financing|loan~|mortgage~|fixed|for #number|on purchases|on balance transfers|on transfers|intro|introductory|teaser|on a|on your|on the)",
          "(borrow|refinance|finance|tap|draw|consolidate|fund it|yours) ..6 (at|for|from) ..3 (#percent|zero percent)",
          "(they|it|we|rates|ours) ..2 (start~|begin~|run~|go|goes|range~|sit|sits|hover) ..3 (#percent|zero percent)",
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
        match: ["{rateddeposit} ..8 #percent", "#percent ..8 {rateddeposit}"],
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
          "(open|opening|switch|switching|join|joining|sign up|signing up|apply|move|moving|refer|referring|new (members|customers|cardholders|accounts)) ..8 (#money|#number) ..4 (lands|yours|in it|richer|extra|on us|back|pops up|shows up|arrives|gift|miles|points|from us|waiting|appears|credited|drops)",
          "#money ..6 (for|when|just for|simply for|as soon as|the moment|the day) ..2 (you)? ..1 (open|opening|switch|switching|join|joining|sign|signing|moving|move|bring|bringing|refer|referring)",
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
          "({security}|fund|portfolio~|strategy|{vehicle}) ..6 (return~|gain~|grew|rose|up|made|averag*|deliver~|post~|earn~|climb~|jump~|yield~|beat~|annualized|did|clocked|produced|generated|soared|netted|racked up|brought in|rocketed) ..6 #percent",
          "(it|they|that one|this one|ours|that) ..10 (return~|gain~|up|averag*|deliver~|yield~|annualiz*) ..4 #percent",
          "(#percent|doubled|tripled|quadrupled|#money) ..6 (last year|past year|annually|a year|per year|every year|last decade|over the past|since inception|year to date|in five years|on average|over ten years|in a decade|since launch|since #number)",
          "(turned|grew|would have turned|would have grown|would have become|became) ..3 #money ..3 (into|to) ..2 #money",
          "(it|they|that one|this one|ours) ..2 (returned|gained|grew|averaged|made|rose|did|delivered|was up|is up|been up|earned|soared|jumped) ..3 #percent",
          "#percent ..6 (return~|gain~|growth|yield~|performance|profit~|last year|past year|annually|last decade|over the past|since inception|year to date|in a single year) & ({security}|fund|portfolio~|strategy)",
          "(return~|gain~|performance|growth) ..4 (of|was|were|at|hit|reached|topped|averaged) ..2 #percent & ({security}|fund|portfolio~|strategy|invest*)",
        ],
        about: ["({security}|fund|portfolio~|invest*|strategy)"],
        unless: [
          "(if|suppose|assuming|hypothetical*|example)",
          "(charge~|cost~|deduct~|takes) ..3 #percent",
          "(fee~|expense ratio|load|commission|cash back|apr|apy|cd|savings account|inflation|fell|down|dropped|lost|declined|minus|your (account|portfolio|holdings|shares|position|balance|investments))",
          "(i bond~|treasury|treasuries|t-bill~)",
        ],
        unlessAnywhere: riskTerms(),
        confidence: 0.65,
      };
    },
  },
});
