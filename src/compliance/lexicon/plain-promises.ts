import type { PhraseGroup } from "../phrases/phrase-group.ts";

/** Whoever warns, or leaves it open, promises nothing. */
function open(): string[] {
  return [
    "{warning}",
    "(not|never|no one|nobody) ..3 (promise~|guarantee~|assure~|guaranteed)",
    "(if|assuming|suppose|may|might|depends|subject to|whether|provided|unless|eligible|illegal|prohibited)",
  ];
}

const INVESTED =
  "(stock~|shares|etf~|crypto*|bitcoin~|portfolio~|investment~|annuity|annuities|gold|market|equity|equities|mutual fund~|index fund~|bond fund~|growth fund~|tech fund~|stock fund~|fund|funds|strategy|trust|reit~|brokerage account~|managed account~)";
const NO_LOSS =
  "(can not|will not|can never|could never|could not|will never|never|impossible to|no way to|not going to) ..1 (lose|losing)";

/** Returns, or freedom from loss, promised in so many words. */
export function plainReturns(): PhraseGroup {
  return {
    match: [
      `${INVESTED} ..3 (guarantee~|promise~|assure~) ..1 (you|our|every|all|each|clients|customers|investors|a|an|at) ..4 (#percent|profit~|gain~|growth|return~|yield|income)`,
      `(we|i|bank) ..1 (guarantee|promise) ..3 (#percent|profit~|gain~|return~) ..8 ${INVESTED}`,
      `you ${NO_LOSS} ..3 (money|anything|a cent|a dollar|a penny|a dime|principal|capital|savings) ..6 (in|with|putting|investing|into|on|by) ..6 (${INVESTED}|it|us)`,
      `${INVESTED} ..2 (can not|will not|can never|will never|never|has never|have never|only|always) ..2 (lose~|lost|losing|drop~|fall~|go down|goes down|decline~|go up|goes up|rise~|make~ money|made money|gain~|win~|grow~)`,
      `(your|the) (money|savings|investment|portfolio|#money|shares|account|fund|balance) (will|is going to|are going to|is certain to|is sure to|is bound to|is guaranteed to) ..2 (double|triple|quadruple|go up by|grow by|rise by|gain|earn #percent|make #percent|return #percent|increase by)`,
      `you (will|are going to|are certain to|are sure to|are bound to) ..2 (earn|make|get|receive|gain) ..3 #percent ..4 (no matter|whatever|guaranteed|for sure|for certain|without fail|regardless|every single year)`,
      `${INVESTED} ..10 you ${NO_LOSS} ..2 (deposit|money|principal|capital|savings|cent|dollar|penny|dime)`,
      "#money ..1 will ..1 (turn into|become|grow to|be worth) ..1 #money ..8 (guaranteed|for sure|for certain|i promise|no matter|whatever happens|without fail)",
      `(we|bank) (will|promise to|always) ..1 (pay back|refund|reimburse|cover|make up|return|repay|make good) ..2 (any|all|every|whatever|your|the) ..2 (loss|losses|dollar ..1 lost|money you (lose|lost)|you (lose|lost)) ..8 (${INVESTED}|invest*)?`,
      `(no|zero|not any) (chance|risk|possibility|danger|way) ..2 (los*|a loss|of loss|you lose|of losing|you will lose) ..8 (in|with|on) ..3 ${INVESTED}`,
    ],
    within: 1,
    ignore: ["negation", "refusal"],
    about: [
      "(invest*|stock~|shares|etf~|crypto*|bitcoin|portfolio~|mutual fund~|fund|annuity|gold|market|equities|brokerage|401k|ira|reit~)",
    ],
    unless: [
      ...open().filter((one) => !one.startsWith("(if")),
      "(if|assuming|suppose|may|might|whether|hypothetically|average|historically|at this rate|rule of 72) ..8 (lose|return~|grow|double|earn|gain|rise|fall|be|go)",
      "(can|could) (also)? (lose|fall|drop|decline|go down|lost)",
      "(not|is not|are not|no) ..2 (fdic|insured|bank guaranteed|guaranteed)",
      "(cd|cds|savings account~|money market account~|treasury|treasuries|certificate~|fixed annuity|insurance|policy|premium~|trust account|escrow|death benefit)",
    ],
  };
}

const CREDIT =
  "(loan~|mortgage~|credit card~|card~|credit line~|line of credit|heloc|refinance~|application~|applicant~|account~|financing|limit increase)";

/** A yes to every application, or to this one before anybody read it. */
export function plainApproval(): PhraseGroup {
  return {
    match: [
      "(odds|chance|chances) ..2 (is|are) ..2 (100|hundred percent|one hundred percent|perfect|certain|guaranteed)",
      "(we|bank|i|lender) ..1 (approve|accept|fund|finance|grant) (all|every|every single|each|any|100 percent of|everyone|everybody|anyone|anybody|all of our|all of the|all our) ..2 (applicant~|application~|loan~|borrower~|customer~|request~|person|people|who|one|credit|card~|mortgage~|auto|personal|business)",
      "(every|each|all|any) ..1 (application~|applicant~|request~|borrower~|loan|customer~) ..4 (is|are|gets|get|will be) ..1 (approved|accepted|granted|funded)",
      "(we|bank) ..1 (never|do not ever|have never|will never) ..1 (deny|denied|decline|declined|reject|rejected|refuse|refused|turn down|turn away|turned down|turned away|say no to) ..1 (a|an|any|anyone|anybody|applications|applicants|loans|people|customers|one)",
      "(loan|mortgage|card|credit line|money|credit|line|it) is (yours|already approved|already yours|already granted) ..2 (as soon as|the moment|once|when|before|even before|you only|you just|all you|just) ..4 (apply|applying|fill|ask|submit|sign|form)",
      "your (loan|mortgage|card|application|credit line|heloc|refinance) ..1 (is|has been) already approved ..6 (only|just|fill|apply|submit|form|before|without)",
      "(no way|not possible|impossible|no chance|zero chance) ..2 (we|bank|they|underwriters|lender|you) ..2 (will|would|could|can|get|be|to)? ..2 (say no|deny|denied|decline|declined|reject|rejected|refuse|turn you down|turned down|turn down)",
      "(you|everyone|everybody|anyone|anybody) ..1 (who applies|who apply|that applies|who asks)? (is|are|will be|gets|get) (approved|accepted) ..3 (guaranteed|always|automatically|100|one hundred percent|every time|without exception|no matter what)",
      "(we|bank) ..2 (give|lend|offer) ..4 (to everyone|to everybody|to anyone|to anybody|to all) ..2 (who|that|regardless|no matter)",
    ],
    about: [CREDIT],
    ignore: ["negation", "others"],
    unless: [
      ...open().filter((one) => !one.startsWith("(if")),
      "(who|that|if you|if they) ..2 (meet|meets|qualif*|eligible|satisf*)",
      "(because|based on|on the basis|due to|solely|simply|just because|without ..2 (reason|review|notice)) ",
      "(not all|not every|not everyone|may|might|transfer~|claim~|dispute~|purchase~|transaction~|payment~|withdrawal~)",
    ],
  };
}

/** What to do with a security, said to this customer. */
export function plainAdvice(): PhraseGroup {
  const head =
    "(my advice is to|my advice to you is to|my recommendation is to|my suggestion is to|i advise you to|i recommend that you|i recommend you|i suggest you|i suggest that you|i recommend|i suggest|i would|you should|you need to|you must|you ought to|i want you to|the best thing is to|your best move is to|i think you should|i say)";
  const deal =
    "(buy|buying|sell|selling|dump|purchase|invest in|investing in|short|get rid of|load up on|hold on to|keep)";
  const security =
    "(shares of|stock in|#number shares|stock|stocks|bitcoin|ethereum|crypto|cryptocurrency|etf|etfs|mutual fund~|index fund~|bond fund~|growth fund~|tech fund~|gold|treasury bonds|corporate bonds|reits|s p 500)";
  return {
    match: [
      `${head} ..1 ${deal} ..6 ${security}`,
      `${head} ..1 (pick|choose|buy|go with|go for) (amazon|apple|microsoft|google|meta|nvidia|tesla|netflix|bitcoin|ethereum)`,
      `^ ${deal} ..4 ${security} ..6 (now|today|this week|this month|tomorrow|right away|for your|with your|and hold|and put|and buy)`,
      `^ (yes|no|sure|absolutely|definitely) ${deal} ..4 ${security} ..6 (now|today|this week|this month|tomorrow|right away|for your|with your|and hold|and put|and buy)`,
      "^ (keep|hold) ..4 {security} ..2 (do not sell|never sell)",
      `(put|move|invest|shift) (all|half|most|the whole|everything|#percent|#money|your entire|your whole|all your) ..6 (into|in) ..3 ${security}`,
    ],
    unless: [
      "(if|should|when|whether) you ..3 (want|decide|wish|choose|would like|buy|sell|plan)",
      "(before|how to|in order to|adviser~|advisor~|licensed|professional|can not|not able|example|hypothetical*|some people|investors|risk tolerance|consider)",
      "(gift card~|in stock|out of stock|gold card|gold (account|tier|status))",
      "{warning}",
    ],
  };
}

/** Outcomes and terms that the agent grants in its own name. */
export function plainCommitment(): PhraseGroup {
  return {
    match: [
      "(i|we) ..1 (am|are|have|just|will|can)? ..2 (lowering|lowered|lower|cutting|cut|reducing|reduced|dropping|dropped|changing|changed|setting) ..1 your ..2 (rate|apr|interest rate|mortgage rate|loan rate|loan|monthly payment) ..2 (to|from|by|down) ..2 (#percent|#money)",
      "(i have|i just|i|we have|i have just) (authorized|approved|granted|okayed|signed off|gave|given|raised|increased) ..2 (a|an|your|the|you) ..2 (credit limit|limit|credit line|loan|higher|mortgage|modification|payment holiday) ..3 (increase|raise|modification|for|to|limit|of) & (no (review|approval|credit check|underwriting|application|paperwork|questions)|without (a|any) (review|approval|check))",
      "(i|we) ..1 (guarantee|promise|assure you|swear|am certain|am sure|can promise|can guarantee) ..3 (bank|we|they|merchant|team|dispute team|investigators) will ..1 (decide|rule|find|resolve|settle|close) ..4 (in your favor|your way|for you|on your side)",
      "(dispute|claim|case|complaint|appeal|refund|chargeback) will be ..1 (paid|approved|granted|decided|resolved|won|accepted) ..3 (in full|in your favor|for sure|for certain|i guarantee|i promise|guaranteed|no matter)",
      "^ (yes|absolutely|of course|definitely|certainly|sure|don 't worry|do not worry) you (will|are going to) (get|receive|have|see) ..1 (full|all|every|whole|entire|the full|the whole|the entire) ..3 (#money|refund|money|cent|dollar|amount) ..1 back",
      "(bank|we) will ..1 (pay|give|refund|return|reimburse) ..2 (back|you)? ..2 (whole|entire|full|all) ..2 (#money|loss|amount) ..4 (i promise|i guarantee|you have my word|guaranteed|no matter|for sure)",
      "(i|we) (guarantee|promise) ..1 (that)? (we|the bank|i|bank) will (never|not) ..2 (raise|increase|foreclose|close|charge|report|lower|cut|repossess|sell)",
      "(i have|i just|we have|i have just) (cancelled|canceled|erased|forgiven|wiped out|deleted|written off) ..1 (your|the|all) ..1 (debt|debts|loan balance|mortgage balance|card balance|remaining balance|entire loan|whole loan)",
      "(claim|dispute|refund|modification|waiver) ..1 (is|has been) approved ..10 (i promise|i guarantee|you have my word|guaranteed)",
      "(i|we) ..2 (take|taking|took|taken|knocking|knocked|cutting) ..1 #money off ..3 (loan|balance|debt|mortgage|principal|what you owe)",
      "(bank|we) (will|must|has to|have to) honor ..4 (for life|forever|full #number years|whole #number years|no matter what|for the full|for the whole|always|as long as you)",
      "you ..1 (can|may) skip ..1 (all|every|as many|the rest|your next #number) ..4 payments ..8 (approved it|i approve|i have approved|nothing will be reported|no consequence~|without (any)? (penalty|consequence~|interest)|i allow|i promise)",
      "(i have|i just|i) (approved|waived|cancelled|canceled|erased|forgave|forgiven|suspended) ..1 (it|all|them|your (mortgage|loan|car) payments|your debt) ..3 (and nothing will be reported|for good|permanently|forever|no strings|on my own)",
    ],
    within: 2,
    guards: ["condition"],
    ignore: ["negation"],
    unless: [
      "{warning}",
      "(not|never|no one|nobody|unable to) ..3 (promise~|guarantee~|commit~|assure~)",
      "(once|when|after|autopay|discount|scra|servicemember~|relationship|provisional|temporary|introductory|promotional|forbearance|deferment|as you requested|your request was|was approved|has been approved|underwriting approved)",
    ],
    about: [
      "(rate|apr|interest|limit|credit line|increase|dispute~|claim~|refund~|fee~|charge~|loan~|mortgage~|payment~|scam*|fraud*|lost|stolen|money|debt~|balance|win|foreclos*|house|home)",
    ],
  };
}

/** Somebody else charges, and the bank helps. */
export function othersCharge(): string[] {
  return [
    "(if|should|in case) ..3 (they|he|she|gym|seller|company|shop|store|provider) ..3 (charge~|keep~|bill~|continue~|still)",
    "(we|i|you|us) ..1 (can|could|will|may) ..1 (stop|block|dispute|reverse) ..3 (payment~|charge~|it|them)",
  ];
}

const CHARGE = "(fee|charge|cost|surcharge|membership)";

/** A cost that is denied and named in one breath, or kept from the customer. */
export function plainFees(): PhraseGroup {
  return {
    match: [
      "({nocost}|{noonecost}) ..8 (we|i|bank) (will)? (simply|just|only|merely) ..1 (deduct|take|charge|keep|debit|withdraw|withhold|subtract|collect) ..2 #money",
      "no (origination|closing|late|application|processing|cancellation|transfer|annual|account|closure|prepayment|conversion|transaction) (fee~|charge~|cost~) ..6 (we|i|bank|you) ..1 (simply|just|only|merely) ..1 (deduct|take|charge|keep|debit|withdraw|pay|collect|owe) ..2 (#money|#percent)",
      "{nocost} ..2 (we|i|bank) (will)? (charge|take|deduct|bill|debit|collect) ..1 #money ..2 (for it|for that|for this|for each one|every time|each time|from your|out of your)",
      "no (monthly|annual|yearly|maintenance|service) (fee~|charge~|cost~) (we|i|bank) (will)? (just|only|simply)? (take|charge|deduct|bill|collect|debit) ..1 #money ..1 (each month|every month|a month|per month|monthly|each year|every year|a year|per year|yearly)",
      "{nocost} (each one|every one|each|one|it|they|every time) ..1 (cost~|costs you|cost you|is|comes to) ..1 #money",
      `({nocost}|{noonecost}|no late fee|no closing fee|no account fee|no cancellation fee) ..2 you will ..1 (see|find|notice|get|be charged|be billed|pay|owe) ..1 (a)? #money ..5 (${CHARGE}|every time|each time|every month|each month|per month|a month|when|for each|for every)`,
      `({nocost}|{noonecost}) (a|the|one|our) #money ..4 ${CHARGE} ..1 (will be|is|gets) ..1 (taken|deducted|withheld|added|billed|debited|collected|subtracted|charged) ..1 (from|to|off|on|against) ..1 (your|the)`,
      "no late (fee~|charge~) ..2 if you (pay|are) late ..3 (we|i|bank|you|it) ..3 (add|charge|take|bill|pay|owe|costs) ..2 #money",
      "(we|i|bank) ..1 (do not|will not|never|need not|only) ..1 (disclose|tell|mention|show|reveal|list|explain|announce) ..6 (fee~|charge~|cost~|it|them|that|this)? ..2 (until after|until you|until|till|before|after) ..4 (sign~|signed|signing|close~|closing|funded|too late)",
      "(we|i|bank) ..1 (do not|need not) ..2 (have|need)? ..1 to (tell|disclose|show|list|explain|mention|reveal) ..4 (fee~|charges|charge|costs|cost)",
      "you will ..1 (find out|see|learn|know) ..4 (fee~|charge~|cost~|it|them)? ..1 (after|when|once) ..1 you ..2 (sign~|signed) & (fee~|charge~|cost~)",
      `(we|i|bank) ..1 (charge~|took|take|added|add|deduct~|billed|bill) ..5 (${CHARGE}|fees|charges|#money) ..4 (without (telling|asking|notice|informing|your|disclos*)|and (do not|never) (tell|disclose|mention))`,
    ],
    within: 2,
    ignore: ["negation", "refusal"],
    about: ["(fee~|charge~|cost~|free)"],
    unless: [
      "{warning}",
      "(unless|otherwise|waive~|first year|minimum balance|out of network|depends|first #number|up to|refund~|while|whereas|in contrast|the other)",
      "(paper|outgoing|another|foreign|international|premium|expedited|overnight|excess|additional|replacement|overdraft~|out of|other (banks|bank))",
      "(we|they|lender~) ..1 (must|have to|are required to|are obliged to) ..2 (disclose|tell|show|list)",
    ],
  };
}
