import { defineBuiltInRule } from "../define-rule.ts";
import { claimsConcepts } from "../lexicon/claims-concepts.ts";
import { plainReturns } from "../lexicon/plain-promises.ts";
import { createFinder } from "../phrases/finder.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";
import { readExchange } from "../text/exchange.ts";

function investingTopic(): string[] {
  return [
    "{invested}",
    "(double my|returns|yield|note~|basket|plan|program|product|pool|opportunity|offering|units|safe|safely|risky|payout~|fund~|algorithm|bot|upside|downside|gains)",
  ];
}

function noPromise(): string[] {
  return [
    "(can not|not|never|no one|nobody|no|nor|hardly|without any) ..2 (guarantee~|promise~|assure~|certain|assurance~)",
    "(is|are|was|were) not ..2 (guaranteed|risk|certain|free|assured|sure)",
    "past (performance|results|returns)",
    "{warning}",
    "(illegal|prohibited|no such thing|may lose|could lose|can lose|might lose|as well as fall|may fall|may decline|can fall|can decline|could decline|value can|value may|not bank guaranteed)",
  ];
}

function textbook(): string[] {
  return [
    "risk free (rate|rates|asset|assets|benchmark|interest|yield|treasury|return is|return rate)",
    "(above|over|minus|exceeds|relative to|than|versus) the risk free",
  ];
}

/** Rates and guarantees that a contract fixes. */
function byContract(): string[] {
  return [
    "^ {fixed}",
    "(the|our|your|this|that|on|in|of|with|for|through|into|from|by|buy|open|choose|hold|earns|each|every|and|or) (a|an|the|our|your|high yield|12 month|insured|a high yield)? ..1 {fixed}",
    "{fixed} (rate|pays|pay|earns|is|are|has|with|account~)",
    "({fixed}|{gain}) ..4 (for the term|for the full term|until maturity|at maturity|if held)",
  ];
}

function hypothesis(): string[] {
  return [
    "(if|assuming|suppose|hypothetically|assume|could|might|may|rule of 72|on average|historically|tend~ to|aim~|goal|hope|target~|potential|expect~|projected)",
  ];
}

/** What says enough where the agent's specialty is the topic. */
function barePromise(): PhraseGroup {
  return {
    match: [
      "(can not|can never|could not|will never|can only) ..1 (lose|go wrong|go down|fail|go up|rise)",
      "{riskless}",
    ],
    ignore: ["negation"],
    unless: [...noPromise(), ...textbook(), ...byContract(), "lose ..2 {otherloss}"],
  };
}

const INVESTING = new Set(["wealth_management", "investment_services"]);

const findBarePromise = createFinder("guaranteed-returns/bare", barePromise, claimsConcepts);

/**
 * Flags promises of returns or of no loss on an investment.
 *
 * A rate that a contract fixes, such as a CD's for its term, is no promise about a market, and neither is the
 * risk-free rate of the textbooks.
 *
 * @see FINRA Rule 2210(d)(1); 12 U.S.C. § 5531
 */
export const consumerProtectionGuaranteedReturns = defineBuiltInRule({
  id: "consumer-protection-guaranteed-returns",
  name: "Guaranteed returns",
  description: "A promise of returns, or of no loss, on an investment.",
  explanation: "The agent promises the outcome of an investment.",
  category: "consumer_protection",
  severity: "violation",
  law: {
    citation: "FINRA Rule 2210(d)(1); 12 U.S.C. § 5531",
    asOf: "2026-11-21",
    status: "in force",
    note: "SR-FINRA-2026-004 would permit some projections; promises stay prohibited.",
  },
  recommendation: "Replace it by a balanced statement of risk: no outcome may be promised.",
  impact: { customer: "high", business: "high" },
  concepts: claimsConcepts,
  phrases: {
    "stated-plainly"(): PhraseGroup {
      return plainReturns();
    },
    "guaranteed-gain"(): PhraseGroup {
      return {
        match: [
          "({guaranteed}|locked in|certain|risk free|can not miss) {gain}",
          "(guaranteed|surefire) ..2 (return~|profit~|gain~|growth|yield~|winner~|upside)",
          "(guarantee~|promise~|assure~) ..4 (return~|profit~|gain~|growth|yield~|upside)",
          "({vow}|promise~ you|promises|assures you) ..10 ({gain}|make money|come out ahead|double your|triple your|grow your|beat the market|a fortune|get rich|be rich|be up|richer)",
          "(you|it|this|that|they|fund|portfolio|stock|strategy) ..2 (is|are) ..1 (guaranteed|certain|sure|bound|destined) to ..2 ({rise}|make|be up|return|outperform|beat|go|pay|earn|profit)",
          "{gain} ..6 (guaranteed|assured|a sure thing|locked in|no matter what|without fail|for sure|for certain|every year without|year in and year out|rain or shine|like clockwork|is certain|are certain|a certainty|in the bag|i promise|set in stone|come what may|whatever the market|no matter the market|no matter how the market|regardless of the market|regardless of market)",
          "({guaranteed}|promise~|assured|assures) ..6 (double|triple|make|earn|return) ..3 (money|investment|#percent|#money|a profit|capital)",
          "{vow} ..8 ({rise}|be up|never lose|not lose)",
          "(you|it|this|that|they|fund|portfolio|stock|strategy|shares) ..2 (is|are) ..1 (guaranteed|certain|sure|bound|destined|set|going) to ..1 (beat|outperform|outpace|outrun|clear|top)",
          "{gain} ..4 (is|are) ..2 {sure}",
          "(warrant|guarantee|promise) ..10 (gain|return|growth|profit) of (no less than|at least) ..1 #percent",
          "(assure|guarantee|promise|pledge) ..2 (you|each|every|all|our|them) ..8 {gain}",
        ],
        about: investingTopic(),
        unless: [
          // What an insurance contract pays.
          "(sum assured|life assured|assured on|premium~|annuity|annuities|death benefit|insurer|survival benefit|guaranteed payout~)",
          ...noPromise(),
          ...textbook(),
          ...byContract(),
        ],
        confidence: 0.85,
      };
    },
    "no-risk"(): PhraseGroup {
      return {
        match: [
          "{riskless}",
          "(no|zero|without|without any|not any|nil) ..2 (risk|downside|danger|exposure) ..1 (here|whatsoever|at all|to you|involved|for you|to your|of loss|attached|in this|in it|to this|to speak of|of losing|to the)",
          "(no|zero|not a|not the slightest|without any|never any|nil) ..2 (chance|possibility|danger|risk|way|fear|likelihood|odds|scenario|prospect) ..5 ({loss}|you lose|lose money|go down|losing|drop|down|behind)",
          "(there is|it has|carries|has|with|bears) ..1 (no|zero|absolutely no|literally no|virtually no|practically no|basically no) (risk|downside|market risk|downside risk)",
          "{fully} (safe|secure|protected|riskless) ..1 (investment|bet|fund|choice|place|way to invest|stock|asset|strategy)",
          "nothing ..2 (go|goes|going) wrong",
          "(none of the|without the) (downside|risk|danger)",
          "(all|full|every) ..4 upside ..4 (none|no|without|zero) ..3 (downside|risk|loss)",
          "(risk|risk level|downside) (none|zero|nil|nonexistent)",
          "(before|prevents|prevent|blocks|rules out|without) ..1 (any|a|every) (loss|losses) ..2 (occur~|can|happen~|at all|ever|hit~)",
        ],
        about: investingTopic(),
        ignore: ["negation"],
        unless: [
          ...noPromise(),
          ...textbook(),
          "(not|no|never|nothing|none|hardly|neither|nor|without) ..3 (risk free|riskless|without risk|free of risk|foolproof|recession proof|devoid)",
          "(no|nothing|none|neither|nor) ..5 (is|are|comes) ..3 (risk free|riskless|without risk|without any risk|free of risk|foolproof|safe|no risk)",
          "(cancel|trial|try|returns|apply|application|prequal*|soft pull|soft check) ..10 (risk free|no risk|nothing to lose)",
          "(risk free|no risk|nothing to lose) ..5 (trial|cancel|days|try|application|apply|credit score|prequal*|to your credit)",
          "^ {fixed}",
          "(fraud*|unauthorized|stolen|debit card|scammed)",
          "(form|forms|report~|paperwork|filing) ..16 {riskless}",
          "(form|forms|report~|paperwork|filing) ..16 (no|zero) (downside|risk)",
          "(fdic|insured deposit~|a cd|cds)",
        ],
      };
    },
    "no-loss"(): PhraseGroup {
      return {
        match: [
          "(you|it|that|this|your|we|money|capital|principal|investment|fund|stock|nobody|no one|portfolio|clients|investors|they|value) ..3 {impossible} ..3 (lose|losing|lost)",
          "({impossible}|can only|nobody has ever|no one has ever|have never|has never) ..3 (lose|losing|lost) ..3 {putin}",
          "(you|it|that|this|your|money|capital|principal|investment|fund|stock|stocks|portfolio|value|they|market|gold|price~|returns|bitcoin|shares|strategy|account~) ..3 ({impossible}|has never|have never) ..3 {fall}",
          "(no one|nobody|none of our clients|no client|no investor|not one client|not one investor|not a single client|not a single investor|no customer) ..5 (lose|loses|lost|losing|been down|out of pocket)",
          "(immune|insulated|bulletproof|shielded|sheltered) ..1 (to|from|against) ..3 ({loss}|risk|downturn~|recession~|market|volatility|crash~)",
          "(principal|capital|money|investment|stake|nest egg|every cent|every penny|every dollar) (is|are|stays|remains) ..2 (guaranteed|protected|safe|untouchable|secure) ..5 (whatever|no matter|regardless|always|hundred percent|come what may|even if the market|forever|completely)",
          "(losing|to lose|you lose|loss of) ..4 ({putin}|with this|on this|here|in this|with us) ..8 (is not possible|just is not possible|simply is not possible|can not happen|is not going to happen|will not happen|never happens|has never happened|does not happen|is impossible|is out of the question|is not an option|is not on the cards|is not a thing)",
          "(losing money|a loss|losses|losing) ..6 (is not|is simply not|is just not|can not|does not|will not|never) ..2 (possible|happen~|an option|a thing|occur|exist|on the table|in the cards)",
          "(free of|without|out of|no) (danger|peril|any danger|harm~ way) & ({security}|fund|portfolio~|investment~|investing|strategy)",
        ],
        about: investingTopic(),
        ignore: ["negation"],
        unless: [
          ...noPromise(),
          ...byContract(),
          ...hypothesis(),
          "lose ..2 {otherloss}",
          "(lose|losing|lost) ..1 (your|the|any|this|these|those) (card|place|offer|job|home|house|spot|seat|history|data|account|benefits)",
          "(never|not) ..2 (invest|put|bet|risk) ..5 (afford to lose|can not afford)",
          "(than|amount|what|money) (you|they) ..1 (can not|can) ..2 (afford|lose)",
          "(no|not|nor|neither|nothing|never) ..4 (fully|completely|totally|immune|protected|insulated) ..3 (from|against)",
          "(try|attempt|want|like) not to lose",
        ],
      };
    },
    "certain-growth"(): PhraseGroup {
      return {
        match: [
          "({security}|fund|portfolio|market|investment|money|it|this|that|they|price~|strategy|stock|capital|stake|nest egg|account|home prices|property|value) ..2 ({surely}|only|can only|always|certain to|sure to|bound to|guaranteed to|never fails to|is certain to|destined to|never stops|can not help but) ..2 {rise}",
          "({surely}|certain to|sure to|bound to|guaranteed to) ..2 (beat the market|outperform|make money|make you money|double|triple|skyrocket|make a profit|turn a profit|make you rich|make you a fortune|come out ahead)",
          "(will|going to|shall) ..2 (double|triple|quadruple|multiply|skyrocket|explode|soar|10x|moon) & ({invested}|money)",
          "(you|your money|it|this|fund|stock|portfolio) (will|are going to|is going to) ..2 (make|earn|return|pull in|clear|bank|net|pocket|see|get|hit|reach|gain|grow|be worth|be up|deliver|beat) ..6 (#percent|#money|a fortune|a million|big profit|huge profit|the market|for sure|no matter what|without fail|every year|every month) & ({security}|fund|portfolio|invest|investment|strategy|market|stock)",
          "{rise} ..8 (like clockwork|bank on it|count on it|bet on it|mark my words|trust me|i promise|i guarantee|guaranteed|you have my word|take it to the bank|set your watch by|rise or fall|up or down|bull or bear|win or lose|rain or shine|whatever the (market|markets|economy|fed)|no matter what|no matter where the market|in any market|in every market|in good times and bad)",
          "(clients|investors|customers|holders|members|everyone|you|it|fund|portfolio|strategy) ..2 (always|never not|invariably|every single time|consistently) ..2 (in profit|in the black|in the green|in the money|ahead|profitable|positive|winning|win|wins|profit)",
          "(one way (street|ticket|bet|trip)|one way) & (up|north|riches|higher)",
          "(only|ever|never anything but) ..2 (gets|get|goes|go|moves|move|grows|climbs|ticks|heads|been going|gone) ..1 (bigger|larger|up|higher|north|richer|better)",
          "(wins|win|profits|beats) ..2 (every|each|all) ..1 (trade|trades|time|month|year|bet|quarter|market)",
          "(you|your money|it|fund|stock|portfolio|shares|strategy) (will|are going to|is going to) ..2 (be up|gain|make|net|clear|pocket|return|deliver|double) ..4 #percent ..4 (by|within|in|each|every|a|per|this|next|before)",
          "(only|one) direction ..6 (up|north)",
          "only ..2 direction ..3 (up|north)",
          "(make|makes|earn|earns|win|wins|profits|pays) ..5 (for sure|no matter what|without fail|every single year|every single month|come what may|rain or shine|hands down|in any market|in every market|whatever the market does|up or down)",
          "(never|not once|not ever) ..2 had a (losing|down|bad|negative) (year|month|quarter|day)",
          "(there is|has) (nowhere|no way) ..3 (but up|to go but up|except up)",
          "nowhere ..3 but up",
        ],
        about: investingTopic(),
        guards: ["condition"],
        unless: [
          ...noPromise(),
          ...byContract(),
          ...hypothesis(),
          "(debt|balance|interest|fee~|inflation|bill|limit|score|payment~|tax|taxes|rewards|points|miles|cash back) ..4 (double|triple|grow|increase|rise|go up)",
          "(not|no|never|nothing|without) ..2 (always|only|certain to|sure to|guaranteed to|bound to)",
        ],
      };
    },
    "market-proof"(): PhraseGroup {
      return {
        match: [
          "{marketproof} & {goodresult}",
          "(whatever|everything|all|all that|what|every (cent|dollar|penny)) ..2 you ..1 (put in|invest~|put|deposit~|paid in) ..8 (back|return~|safe|guaranteed|whole|intact|plus)",
          "(get|have|receive|see|withdraw|take out|recover|pull out) ..3 (at least|no less than|never less than|all of|every cent|every penny|every dollar|more than) ..4 (back|put in|invested|paid in|started with|you gave)",
          "(you|your money|it|they|fund|portfolio|strategy|investment|shares|stock) ..2 (will|are going to|is going to|gets|get) ..3 (have|be worth|earn|make|get|receive|collect|gain|pocket|net|clear|hit|reach|return|yield|see|grow|pay) ..3 (exactly|precisely|at least|no less than|definitely|certainly|a guaranteed|a steady|a certain|a sure) ..3 (#money|#percent|#number)",
          "({gain}|payout~|checks) ..2 (will be|is going to be|are going to be|is|are) ..1 (guaranteed|certain|a certainty|fixed in advance|set in stone|a given|in the bag|as certain as|as sure as)",
          "{certainly} ..4 ({rise}|be up|exceed|outpace|outrun|top|beat|cover the|pay for itself|come out ahead|profit~)",
          "(loss~|downside|risk|downturn~|drop~|drawdown~|outcome~ below|result~ below|less than that|anything lower|anything less|down year~|bad year~) ..4 (do not|does not|can not|never|will not|is not|are not) ..3 (occur~|happen~|exist~|possible|apply|an option|part of|come up|enter|show up|concern|on the menu|in the cards)",
          "(you|investors|clients|everyone|everybody) ..1 (win|wins) (or|and|either|every|both)",
          "(made|returned|earned|gained|did|paid|was) ..4 (#percent|#money) ..8 (so|therefore|which means|hence|and) ..4 (will|going to|again|same|this year|next year)",
          "(as|every bit as|just as) (certain|sure|safe|reliable|dependable|predictable) as ..4 (sunrise|sun|taxes|death|gravity|clockwork|rent|paycheck|salary|tides|christmas|bank|cash|deposit~|savings|gold|night|breathing|house~|rain|morning)",
          "even (in|during|when|if|through) ..6 (crash~|downturn~|recession~|bear|slump~|panic|worst|meltdown|dip~|drop~|fall~|correction) ..8 {goodresult}",
          "(lock|cinch|sure thing|sure bet|cert|dead cert|shoo in|certainty|given|guarantee) to ..2 ({rise}|pay off|win|profit)",
          "(will|going to) ..2 (keep|continue|carry on|go on) ..2 (paying|growing|rising|earning|returning|climbing|to pay|to grow|to rise) ..6 (forever|always|for life|no matter|whatever|for good|indefinitely|every)",
          "({security}|fund|portfolio|strategy|money|investment|stake) ..2 will have ..2 (grown|doubled|risen|tripled|gained|earned|recovered|multiplied|paid)",
          "(finish~|end~|close~|come~ out|land~) ..2 (every|each) ..4 (green|black|up|ahead|positive|higher|profit)",
          "(losing|bad|down|negative|red) (year~|quarter~|month~|day~) ..8 (none|never|other|zero|nobody|no such thing|not here|impossible)",
          "(never|no|none|zero) ..2 (a|any)? ..1 (losing|bad|down|negative|red) (year~|quarter~|month~)",
          "(top~|make~) you ..1 (up|whole|good)",
          "(free money|money for nothing|free lunch|that is a fact|and that is certain|mathematically certain|mathematical certainty|arithmetic) & ({rise}|{gain}|money|free)",
          "(make~|makes) up ..2 (difference|loss~|shortfall|gap)",
          "(that|it|this) (can not|could not|will not|never|does not) (happen|happens)",
          "(principal|capital|money|investment|stake|nest egg|savings) ..3 (can not|will not|never|could not|does not|is not able to) ..3 ({fall}|less|smaller|dent~|disappear~|vanish~|erode~|touched|hurt|suffer|in danger|at risk|below)",
        ],
        about: [
          "({security}|fund|portfolio~|strategy|invest*|trading|market~|brokerage|managed|note~|double my|adviser~|401k|ira|retirement|returns|yield|property|real estate|volatile|volatility|shares|dividend~|losing year|underperform*|profit~|can i lose|etf)",
        ],
        ignore: ["negation"],
        unless: [
          ...noPromise(),
          ...byContract(),
          ...textbook(),
          ...hypothesis(),
          "(not|never|no|nor|nothing|neither|nobody|hardly) ..3 ({certainly}|safe|protected|steady|immune)",
          "(fee~|charge~|tax|taxes|commission|balance|payment~|deadline|form~|statement~|transfer~|deposit~|withdraw~|card|loan|mortgage|debt~|minimum|sec|adviser~|document~|consult*|review)",
          "lose ..2 {otherloss}",
        ],
        confidence: 0.75,
      };
    },
    "money-double"(): PhraseGroup {
      return {
        match: [
          "(double|triple|quadruple|10x) your (money|investment|savings|stake|capital) ..6 (in|within|by|guaranteed|overnight|every)",
          "(turn|turning|turns) (your|that|this)? ..1 #money into ..2 (#money|a million|a fortune|six figures|seven figures)",
        ],
        about: investingTopic(),
        unless: [...noPromise(), ...hypothesis(), "(how long|calculator|would take|takes about)"],
        confidence: 0.75,
      };
    },
  },
  finders: [findBarePromise],
  *check(context) {
    if (!INVESTING.has(context.agentSpecialty ?? "")) return;
    for (const match of findBarePromise(readExchange(context)))
      yield { pattern: "no-loss", confidence: 0.75, ...match };
  },
});
