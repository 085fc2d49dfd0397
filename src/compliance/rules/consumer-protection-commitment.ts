import { defineBuiltInRule } from "../define-rule.ts";
import { claimsConcepts } from "../lexicon/claims-concepts.ts";
import { plainCommitment } from "../lexicon/plain-promises.ts";
import { createFinder } from "../phrases/finder.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";
import { readExchange } from "../text/exchange.ts";
import { findFailedCredit } from "../tools/failed-credit.ts";

/** Honest words about who decides, and cover that the law or the contract gives. */
function noPromise(): string[] {
  return [
    "(can not|not|never|no one|nobody|unable to) ..3 (promise~|guarantee~|commit~|assure~)",
    "(no|without|not a|neither) ..2 (promise~|guarantee~|commitment~|assurance~)",
    "(is|are|was|were) (not|never|by no means|far from|hardly) ..2 (certain|sure|guaranteed|automatic|assured|definite|a given|a done deal|{sure})",
    "(promise|pledge|make sure|see to it|vow|swear|assure) ..3 (keep|let|check|look|call|update|follow|do my|try|be quick|be brief|pass|explain|walk|stay|listen|help|get back|flag|note|log|forward|ask)",
    "(under|by) (federal|state|the|consumer) ..1 (rule|rules|law|laws|regulation~)",
    "(will be reviewed|depends on|subject to|may be|might be|up to the|they decide|they will decide|who decides|will decide|whether|if approved|if eligible|if the|if it|if they|possible that|team decides|eligible|hope|try to|trying to|request to|requested|asked the|pending)",
    "(reg e|regulation e|regulation z|zero liability|by law|law requires|federal law|provisional credit|provisionally)",
  ];
}

/** "I've refunded it": said of what a tool was to do. */
function done(): PhraseGroup {
  return {
    match: [
      "{donedeed}",
      "(i|we|bank|team) (have|just|already|went ahead and|have just|have already|did|have now|have gone ahead and)? ..3 (refunded|credited|reversed|waived|reimbursed|removed|returned|cancelled|canceled|issued|processed|posted|applied|dropped|took off|taken off|wiped|sent|forgave|forgiven|adjusted|put through|pushed through|lifted|erased) ..6 {feeback}",
      "{feeback} ..4 (is|are|was|were|has been|have been|got|went|just) ..3 {donedeed}",
      "(all set|all done|it is done|good news|taken care of|that is done|done|success|great news|sorted|consider it done|you are good|you are all set|there you go) & {feeback}",
      "(your|the|a) (refund|credit|waiver|reversal|money|reimbursement) ..3 (is|will|has|should|went|just) ..6 (back|account|statement|balance|way|posted|land|appear|show|through|days|there|issued|complete|successful)",
      "you ..2 (will|are going to|should) ..2 (see|get|receive|have|find|notice) ..4 (refund|credit|money back|it back|reversal|#money)",
      "(the|that|your) (fee|charge|penalty|interest) (is|was|has been) ..2 (gone|history|removed|waived|reversed|off|taken|refunded|credited|wiped|erased)",
    ],
    unless: [
      "(could not|can not|was not|were not|did not|unable|failed|fails|failure|error|problem|issue with|unfortunately|sorry|however|not able|not been|yet|attempt~|tried|trying|declined|rejected|denied|will need|request~|submitted|escalat*|try again|not go through|did not go|unsuccessful)",
    ],
  };
}

const findDone = createFinder("commitment/done", done, claimsConcepts);

/**
 * Flags commitments that an assistant has no authority to make: outcomes that others decide, refunds, waivers, rates for ever.
 *
 * What the agent did with a tool is no promise, unless the tool failed.
 *
 * @see 12 U.S.C. §§ 5531, 5536
 */
export const consumerProtectionCommitment = defineBuiltInRule({
  id: "consumer-protection-commitment",
  name: "Unauthorised commitment",
  description:
    "A promise of an outcome, a refund, a waiver or a rate that the agent has no authority to give.",
  explanation: "The agent commits the bank to something that others decide.",
  category: "consumer_protection",
  severity: "violation",
  law: { citation: "12 U.S.C. §§ 5531, 5536", asOf: "2026-11-21", status: "in force" },
  recommendation: "Say what was requested and who decides; do not promise an outcome.",
  impact: { customer: "high", business: "high" },
  concepts: claimsConcepts,
  phrases: {
    "stated-plainly"(): PhraseGroup {
      return plainCommitment();
    },
    "promised-outcome"(): PhraseGroup {
      return {
        match: [
          "{vow} ..8 ({moneyback}|{relief})",
          "{vow} ..8 ({dispute}|appeal) ..6 ({verdict}|{moneyback}|approve*|go through|pays)",
          "({moneyback}|{relief}) ..8 {insist}",
          "{moneyback} ..6 {vow}",
          "consider ..3 (fee~|charge~|it|that|this|refund|credit) ..3 ({moneyback}|{relief})",
          "(fee~|charge~|debt~|interest|balance|penalty|prices) ..4 {relief} ..4 (for life|forever|permanently|until the end of time)",
          "{insist} ..8 ({moneyback}|{relief})",
          "{dispute} ..3 (will|is going to|are going to|is as good as|as good as) ..3 (decided in your|in your favor|in your favour|go your way|won|upheld|yours|resolved in your|settled in your|come out in your|be successful|succeed)",
          "you (will|are going to|are sure to|are certain to|are bound to|can not fail to) ..2 (win|prevail|get your way) ..5 ({dispute}|this|it|that)?",
          "your {modification} ..1 (will|is going to) ..2 (granted|approved|go through|come through|accepted)",
          "(delete|remove|erase|wipe|scrub|take off|strike) ..6 {modification} ..10 {insist}",
          "{vow} ..6 (delete|deleted|remove|removed|erase|erased|wipe|scrub|strike) ..8 {modification}",
          "(i|we) ..2 (guarantee|promise) ..3 (refund|reimbursement|payout|win|waiver|settlement|forgiveness|compensation|reversal)",
          "(guaranteed|assured) (refund|reimbursement|payout|win|waiver|forgiveness|compensation|reversal)",
          "(refund|reimbursement|payout|waiver|settlement|forgiveness|modification|extension|compensation|reversal|recovery) (is|are) ..2 (guaranteed|certain|assured|a done deal|in the bag|a sure thing|automatic|a given|set in stone)",
        ],
        within: 2,
        ignore: ["others", "condemnation", "definition"],
        unless: [
          ...noPromise(),
          "(promissory|satisfaction guarantee|money back guarantee|approval)",
          "({guaranteed}|approved) ..3 (loan|card|mortgage|application)",
        ],
        about: [
          "({dispute}|{moneyback}|{relief}|{modification}|fee~|charge~|money|transaction~|wire~|transfer~|scam*|fraud*|bill|debt~|balance|loss~|lost|stolen)",
        ],
      };
    },
    "decided-already"(): PhraseGroup {
      return {
        match: [
          "(whatever|no matter (what|how|who)|regardless of what|regardless of how|even if|irrespective of what) ..4 (team~|department~|investigation~|investigator~|they|manager~|review~|reviewer~|merchant~|bank|court|committee|supervisor~|underwriter~|analyst~|lawyer~|adjuster~|examiner~|policy|fine print|terms|contract|evidence) ..2 (think~|say~|decide~|find~|conclude~|rule~|turn~ up|object~|disagree~|show~|state~|want~|come~ back|deny|denies|refuse~)",
          "(no (lock)? (agreement|form~|document~|signature) (required|needed|necessary)) & {rate}",
          "(no|without (any|an|a|further)?|skip the|never mind the) (investigation|review|approval|paperwork|sign off|questions|lock paperwork|underwriting|proof|evidence) (needed|required|necessary|asked|at all|whatsoever) & ({moneyback}|{relief}|{rate}|whole|all yours|yours|back)",
          "(bank|we|i|us|team) ..3 (undertake~|commit~|pledge~|promise~|vow~|guarantee~|agree~|bind~ itself) to ..3 (pay|settle|refund|reimburse|waive|forgive|cover|compensate|repay|credit|return|restore|lower|cancel|resolve|remove|cut|keep)",
          "(we|bank|i) ..1 (owe|owes) you ..4 (damages|compensation|restitution)",
          "(we|bank|i|us) ..2 (bear~|absorb~|shoulder~|swallow~|eat|eats|carry|carries|pick~ up|take~ on|cover~|foot~|stand~) ..2 (entire|full|whole|all|any|every|complete|total|it|the) ..3 (loss~|cost~|damage~|amount~|bill|liability|charge~|difference|of it)",
          "(any|every|all|whatever) ..5 (amount|charge~|loss~|cost~|damage~|expense~|she|he|they|you) ..6 (we will|i will|bank will|is on us|on the bank|is ours) ..2 (absorb|cover|pay|eat|swallow|handle|reimburse|refund|carry|pick up|foot)?",
          "(you|they|she|he) ..1 (will|are going to) never ..2 (be asked|be made|be required|have|need) to ..1 (pay|repay|cover|return|owe)",
          "(remainder|rest|other half|arrears) ..2 (will|is|gets|just|simply)? ..1 (disappear~|vanish~|goes away|forgiven|erased|wiped|written off|torn up)",
          "never ..2 (get|see|receive|face|pay) another ..1 (one|fee|charge|bill|penalty|cent|dime)?",
          "(we|i|bank) ..4 (give|grant|gift|offer) you ..5 (for life|forever|for good|as compensation|no strings)",
          "{sure} to ..2 {moneyback}",
          "(we|i) ..1 (will|are going to|am going to) ..1 (force|make|compel|order) ..3 (bank|merchant|seller|them|him|her|company|bureau) ..3 (to)? ..1 (return|refund|pay|give|release|reverse|take|remove|drop)?",
          "(we|i|bank) ..1 (will|would) (not|never) ..1 (ever)? ..1 (lower|cut|close|reduce|raise|freeze|cancel|increase|take away|sell) ..6 (limit|account|rate|line|card|payment|fee~|loan) & ({insist}|{pledge}|{vow}|ever)",
          "(we|i|bank) (will|am going to|are going to) ..1 (have|get|see|swallow|absorb|buy|replace|return|represent|defend|pay any|pay every|cover any|erase|freeze|exempt) ..5 (erased|wiped|removed|frozen|increase|replacement|judgment|whatever|shortage|costs|damages|for free|lifted|gone|deleted|restored|exempt*)",
          "(that is|it is|this is) ..1 (a|my|our) (promise|guarantee|commitment|pledge|vow) (from|by) ..2 (bank|us|me)",
          "(i|we) ..2 (decided|decree|declare|ruled|determined) ..2 (there will be no|that|to) ..4 (foreclosure|fee|sale|repossession|waive|forgive|refund|default|late)",
          "(i|we) ..1 (am|are|will|have) ..1 (exempting|exempt|exempted|excusing|excuse|releasing|release) you",
          "(i|we) ..1 (personally|hereby)? ..1 (vouch|stake my) & (will|going to|approved|account)",
          "(permanently|forever|for good) yours",
          "yours (permanently|forever|for good|to keep no)",
          "(we will|i will|let us|we can) ..2 (call it (even|square|quits|settled|a day)|tear up|rip up|shred) ",
          "consider (it|this|that|matter|the matter|all of it|yourself|all|your) ..4 (settled|handled|done|taken care of|fixed|paid|gone|refunded|waived|reversed|yours|resolved|sorted|erased|lifted|removed|credited)",
          "(worst case|at worst|at the very least|at the least|minimum) ..4 (you|we|they) ..4 ({moneyback}|{relief}|fully|whole)",
          "(fully|completely|entirely|totally) (compensated|reimbursed|refunded|repaid|covered|restored|credited) ..3 (by|within|before|no later|in) ..2 ({weekday}|tomorrow|tonight|#number|noon|end of|next|the end|days|hours)",
          "(by|before|no later than) ..2 ({weekday}|tomorrow|tonight|noon|end of|next|this time) ..3 (you|we|it|your|all|every) ..4 (will|are going to|is) ..5 ({moneyback}|{relief}|whole) ",
          "(you|your) ..3 (will|are going to) ..2 (see|have|get|receive|find|hold) ..2 (all|every|full|whole|entire|each) ..5 (back|returned|refunded|credited|restored)",
          "(we|i|bank) (will|are going to|am going to) ..2 (make you whole|refund you|pay you|reimburse you|compensate you|put it right|settle this|settle it|settle your|pay for|pay them|pay it|beat that|match it|backdate|throw in|top it up|give you ..2 (#money|back|refund|credit)) ..8 ({insist}|{pledge}|in full|by {weekday}|tomorrow|tonight|today|every|all|whatever|plus|and add|personally|no)",
        ],
        within: 1,
        ignore: ["negation", "others", "quotation", "refusal"],
        unless: [
          ...noPromise(),
          "(if|once|when|unless|may|might|could|should|subject|eligible|provisional|temporary|depends|normally|usually|typically|generally|until|after|in case|provided) ..8 (we|you|it|they|the|approve*|claim|review*|find~|investigat*|will|is|are|was)",
          "(surveyor|deductible|insured|policyholder~|repairs|replacement)",
          "(identity|verif*|insurance|sipc|fdic|escrow|fixed rate|policy|warranty|autopay|direct deposit|{security}|apply|statement|cash back)",
          "(we|i|bank) (have|has) (already)? (refunded|credited|reversed|waived|posted|returned)",
          "(can not|could not|do not|will not|not able|not|never|no) ..3 (promise|guarantee|undertake|agree|commit|owe|consider|cover|bear|pay|assume)",
        ],
        confidence: 0.7,
      };
    },
    "own-authority"(): PhraseGroup {
      return {
        match: [
          "(this|our|my) (chat|message|conversation|transcript|text|answer|word|reply|email|response) ..3 (is|counts as|serves as|constitutes|acts as|works as|stands as|can be used as) ..4 (binding|contract|legally|legal|proof|guarantee|agreement|official|commitment|written)",
          "(binding on the bank|binds the bank|bind the bank|binding offer|binding agreement|binding promise|the bank is bound|hold the bank to|hold us to it|hold me to it|the bank will honor it no)",
          "(bank|we|i) ..2 (accept~|take~|assume~|admit~|bear~|acknowledge~) ..1 (full|all|complete|total|entire|legal|any|every) ..1 (liability|responsibility|blame|fault)",
          "(bank|we) (is|are|was|were) ..2 (at fault|liable|legally responsible|on the hook|negligent|100 responsible|fully responsible|entirely responsible|solely responsible)",
          "(i|we) ..2 (forgive|am forgiving|are forgiving|am wiping|am writing off|am cancelling|am canceling|am erasing|have forgiven|have wiped out|have written off|will forgive|will erase|will wipe|will write off|will cancel|can wipe) ..5 (debt|balance|loan|mortgage|principal|what you owe|remaining|rest|arrears|interest)",
        ],
        within: 1,
        ignore: ["refusal", "others", "condemnation"],
        unless: [
          ...noPromise(),
          "(not|never|no|neither) ..3 (authority|authorized|authorised|liable|responsible|binding|at fault|contract|legally|commit)",
          "(if you|once you|when you|after you) ..4 (report|notify|tell)",
          "(unauthorized|unauthorised|fraudulent) ..3 (charge~|transaction~|purchase~)",
          "((you|customer|borrower|lender|terms) ..2 (accept|accepts|agree|assume|assumes)|(take|takes|taking) care of)",
        ],
      };
    },
    "promised-answer"(): PhraseGroup {
      return {
        match: [
          "^ (they|it|you|we|i|he|she) (will|are going to|is going to) ..2 ({pledge}|in full)",
          "(you|they|it) ..1 (will|are going to|is going to) ..2 (win|get it back|get it all back|get every|be made whole|pay you|approve it|side with you)",
        ],
        within: 2,
        ignore: ["others", "condemnation", "definition"],
        user: [
          "(refund~|reimburse~|claim|claims|dispute~|money back|pay me|paid back|get it back|get my|made whole|win|waive~|compensat*|forgiv*|cover my|cover the loss|chargeback~|appeal)",
        ],
        unless: [
          ...noPromise(),
          "(get|need|have|take|keep|hear|receive|see) ..3 (letter|email|text|update~|notice|message|answer|decision|form~|confirmation|receipt~|days)",
          "(review|investigate|look into|check|let you know|contact|reach out|ask|send|provide|require|within|surveyor|deductible|insured|repairs)",
        ],
        confidence: 0.65,
      };
    },
    "rate-for-ever"(): PhraseGroup {
      return {
        match: [
          "{vow} ..10 {rate} ..6 {ratestay}",
          "(#percent|rate~|apr|payment~|interest) ..3 (will|can|is going to|are going to|would) ..1 (never|not ever) ..2 (move|go up|rise|change|increase|climb|budge|be raised|go higher)",
          "{rate} ..6 (will|can|could|is|are|going to|would) ..2 (never go up|never rise|never increase|never change|never climb|never budge|never be raised|never move|never go higher|never get higher|stay forever|stay there forever|stay put forever|stay that way forever)",
          "{rate} ..4 (forever|for life|permanently|indefinitely|as long as you live|as long as you bank|no matter what the fed|no matter what the market|no matter what happens|whatever the fed|whatever the market|until you die|for eternity|in perpetuity)",
          "(#percent|rate|payment) ..8 (is|are|will be|stays|stay) ..1 (yours|locked|guaranteed|safe|protected|set|secured|promised) ..10 (no matter|whatever|regardless)",
          "{vow} ..6 (#percent|rate) ..8 (is|are|will be|stays|stay|holds) ..1 (yours|locked|guaranteed|safe|protected|set|secured)",
          "(i am|we are|i will|we will) ..1 (setting|holding|freezing|locking|fixing|reserving|pinning|hold|freeze|reserve) ..3 (rate|apr|#percent|today 's|it for you) ..12 (for as long as|as long as|forever|for life|always|till|no lock|no paperwork|permanently|personally)",
          "(guarantee~|promise~|swear|assure) ..4 (lowest rate|best rate|lower rate|rate of|that rate|this rate|same rate|#percent (rate|apr|interest|forever|for life|for good|for as long|on your|on the|on this))",
        ],
        unless: [
          ...noPromise(),
          "(fixed|for the life of|introductory|for the term|full term|term of|rate lock agreement|lock period|lock expires|cd|certificate|days|until|through|apr match|price match)",
          "{security}",
        ],
        about: ["{lending}", "account~", "savings", "rate~", "apr"],
        confidence: 0.75,
      };
    },
    "never-charged"(): PhraseGroup {
      return {
        match: [
          "(you|we|i|bank) ..1 (will|are|can|promise|guarantee|shall) ..1 never ..2 (pay|be charged|charge you|be billed|bill you|see|owe|have to pay|face) ..4 (another|fee~|a fee|any fee~|interest|penalty|late fee~|overdraft|again|a cent|a dime|a penny)",
        ],
        ignore: ["negation"],
        unless: [
          ...noPromise(),
          "(no monthly|monthly maintenance|at our|in network|if you|as long as you (keep|maintain|have|pay|set|stay)|when you|unless|by keeping|minimum|while|until|during|ask for|ask you|share|sell|call you)",
        ],
        about: ["{lending}", "account~", "{fee}", "foreclos*", "debt~"],
        confidence: 0.7,
      };
    },
  },
  patterns: ["failed-tool"],
  finders: [findDone],
  *check(context) {
    const failed = findFailedCredit(context);
    if (failed === undefined) return;
    for (const match of findDone(readExchange(context)))
      yield {
        pattern: "failed-tool",
        confidence: 0.9,
        description: "The agent reports a refund or waiver although the tool for it failed.",
        riskFactors: ["toolsUsed.success=false"],
        ...match,
      };
  },
});
