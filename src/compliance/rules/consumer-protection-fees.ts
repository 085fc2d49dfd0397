import { defineBuiltInRule } from "../define-rule.ts";
import { claimsConcepts } from "../lexicon/claims-concepts.ts";
import { othersCharge, plainFees } from "../lexicon/plain-promises.ts";
import { createFinder } from "../phrases/finder.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";
import { readExchange } from "../text/exchange.ts";
import { findReportedFee } from "../tools/fees.ts";

/** Ways to avoid a fee, fairly told, and promises about something else. */
function fair(): string[] {
  return [
    "(unless|if you|waive~|waived|as long as|when you|by keeping|minimum balance|maintain|otherwise|or else|avoid~|after that|afterwards|then|beyond that|in network|out of network|first #number|up to #number|depends|whichever|for students|under #number)",
    "{warning}",
  ];
}

/** An honest word about another service. */
const OTHER_FEE =
  "(wire|wires|overdraft|overdrafts|replacement~|out of network|international|expedited|rush|foreign|stop payment|late|paper|cashier~|returned|nsf|overnight|early|other banks) ..1 (fee~|charge~|cost~|transfer~|atm~|card~|check~|delivery|closure|surcharge~|statement~)";

/** A figure of another service: schedules of fees name one after the other. */
const OTHER_FIGURE =
  "(wire~|overdraft~|replacement~|out of network|another bank|international|domestic|expedited|rush|foreign|stop payment|cash advance~|late|returned|other banks|cashier~|overnight|courier|branch|money order~|paper|payoff|application|for others|non customer~|not customer~) ..6 (#money|#percent)";

/** The cost is that of another thing than the free one, or an amount that is no cost. */
function otherThing(): string[] {
  return [
    "(free|no charge|at no cost) ..1 (with|for) ..2 (gold|premier|premium|platinum|plus|customer~|member~|student~|senior~|veteran~|tier)",
    "(up to|worth|balance of|limit of|funds|available|hold|held) ..2 #money",
    "(dispute|disputes|disputed|block|place a stop|stop payment|another bank)",
    "(e statement~|estatement~|electronic|online|paperless|app|first|standard|in branch|incoming|debit) ..8 {nocost}",
    "(paper|checks|wires|outgoing|cash|form~|report~|over|above|under|more than|less than|at least|withdraw~ more|deposit of) ..8 (#money|#tenk)",
  ];
}

/** "It's free", said where a tool reported a fee. */
function free(): PhraseGroup {
  return {
    match: [
      "(no|zero|without|without any|not any|there is no|are no|is no) ..2 (fee~|charge~|cost~|commission~|surcharge~)",
      "(free of charge|completely free|totally free|absolutely free|entirely free|fee free|free for you|costs nothing|cost nothing|costs you nothing|cost you nothing|on the house|gratis|at no cost|at no charge|it is free|is free|are free|for free|will not cost|does not cost|not cost you|not charge~ you|not charged|nothing to pay|not pay a|not a cent|not a dime|not a penny)",
    ],
    ignore: ["negation"],
    unless: [
      ...fair(),
      "(refund~|reversed|removed|credited|however|except|other than)",
      "(not|never|is not|are not|no longer) ..1 (free|fee free)",
      "free (credit score|checking)",
    ],
    unlessAnywhere: [
      "(fee|charge|cost) ..4 (is|of|will be|would be|comes to|applies) ..2 #money",
      "#money ..2 (fee|charge)",
    ],
  };
}

const findFree = createFinder("fees/free", free, claimsConcepts);

/**
 * Flags costs that are denied and charged all the same, overdraft cover that nobody asked for, charges after the end, and
 * fees that are hidden.
 *
 * @see 12 U.S.C. §§ 5531, 5536; 12 CFR §§ 1005.17, 1030.8
 */
export const consumerProtectionFees = defineBuiltInRule({
  id: "consumer-protection-fees",
  name: "Misrepresented fees",
  description:
    "A statement about costs that the message or the tools contradict, or a charge without consent.",
  explanation: "The agent misstates what something costs.",
  category: "consumer_protection",
  severity: "violation",
  law: {
    citation: "12 U.S.C. §§ 5531, 5536; 12 CFR §§ 1005.17, 1030.8",
    asOf: "2026-11-21",
    status: "in force",
  },
  recommendation: "Name every fee and how to avoid it; charge nothing without consent.",
  impact: { customer: "moderate", business: "high" },
  concepts: claimsConcepts,
  phrases: {
    "stated-plainly"(): PhraseGroup {
      return plainFees();
    },
    "free-except"(): PhraseGroup {
      return {
        match: [
          "({nocost}|{noonecost}) ..6 {exceptfor} ..4 (#money|#percent)",
          "{nocost} ..4 (with|plus) ..2 (#money|#percent) ..4 (fee|charge|cost|taken|withheld|deducted|added|per)",
          "{noonecost} ..2 (there is|it is|you pay) (only|just|simply|merely) ..5 (#money|#percent)",
          "{noonecost} ..1 only ..5 (#money|#percent)",
          "no hidden {feeword} ..24 (#percent|#money) ..3 {feeword} ..2 built in",
        ],
        within: 2,
        ignore: ["negation"],
        unless: [
          ...fair(),
          OTHER_FEE,
          OTHER_FIGURE,
          ...otherThing(),
          "(with it|opt|opted|consent|interest|deposit|balance)",
        ],
      };
    },
    "free-with-fee"(): PhraseGroup {
      return {
        match: [
          "{nocost} ..14 (a|the|that|our|one) ..2 #money ..4 (fee|charge|charges|cost|surcharge|service cost) ..6 {takenOut}",
          "{nocost} ..10 (you will|you would|we will|we|it will) ..1 (just|simply|only|merely) ..6 #money",
          "{nocost} ..10 (a|the|that|our|one) ..2 (money|#money) (maintenance|membership|handling|activation|upkeep|service) (fee|charge|cost)",
          "{nocost} ..10 (only|just|simply|merely|we (take|keep|deduct|collect|withdraw)) ..4 #money ..3 {perwhat}",
          "{nocost} ..8 (#money|#percent) ..4 {takenOut}",
          "{nocost} ..8 (we|bank|custodian|they) ..3 (take~|keep~|deduct~|collect~|debit~|withhold~) ..4 (#money|#percent)",
        ],
        within: 2,
        ignore: ["negation"],
        unless: [
          ...fair(),
          OTHER_FEE,
          OTHER_FIGURE,
          ...otherThing(),
          "(with it|opt|opted|consent|apy|apr|earn~|interest|spend|spent|received|balance of|reward~|cash back|cashback|credited|refund~|refunded|reversed|save|saves|saving|instead|insured|whereas|while|alternatively|option~|faster|previous*|was|were|premier|gold|for customer~)",
        ],
        unlessAnywhere: ["(not|never|no longer|is not|are not) ..1 (free|fee free|really free)"],
        confidence: 0.75,
      };
    },
    "free-but"(): PhraseGroup {
      return {
        match: [
          "no prepayment penalty ..8 you (just|only|simply|merely) ..2 (owe|pay) ..2 (#money|#percent)",
          "{nocost} ..14 (just|only|simply|merely) ..2 (owe|pay|cover|for) ..4 (#money|#percent)",
          "{nocost} ..4 (there is|there will be|expect|minus|less) ..4 (#money|#percent) ..6 (fee|charge|cost|service|line|item)",
          "{nocost} ..6 (#money|#percent) ..3 (today|now)? ..2 (is|are) (only|just|merely|simply)? ..1 for",
          "{nocost} ..4 (i have|we have|i|we) ..3 (debited|charged|deducted|billed|taken) ..2 (#money|#percent)",
        ],
        within: 2,
        ignore: ["negation"],
        unless: [
          ...fair(),
          OTHER_FEE,
          OTHER_FIGURE,
          ...otherThing().slice(1, 3),
          "(with it|opt|opted|consent|apy|apr|balance of|credited|refund~|refunded|reversed|instead|limit|insured|whereas|while|alternatively|option~|faster|upgrade|previous*|was|were|interest|merchant|dispute~)",
        ],
        confidence: 0.7,
      };
    },
    "free-answer"(): PhraseGroup {
      return {
        // What a reply begins with says what its next figure denies.
        match: [
          "^ (free|{nocost}|none|nothing|zero|(it is|that is|yes it is|totally|completely|absolutely|always|they are|there are|nope|no) ({nocost}|none|nothing)|there are not any|there are none|there is ({nocost}|not any|no fee|no charge)) ..6 (#money|#percent) ..4 ({takenOut}|please|line|handling|cost|charge|fee)",
          "^ (free|{nocost}|none|nothing) ..6 (just|only|they|we) ..3 {takes} ..2 #number ..2 {perwhat}",
          "^ (free|{nocost}|none|nothing|not a dime|not a penny) ..2 (membership|maintenance|service|upkeep|account) ..3 #money",
          "(no|zero) ..2 (fee~|cost~|charge~) ..4 (merely|simply) ..6 (#money|#percent)",
          "(is|are|costs|cost) ({nocost}|nothing) ..8 you ..2 (see|find|notice) ..3 (#money|#percent)",
          "(fee|charge|cost) ..3 waived meaning ..3 (got|get|were|are) ..1 (charged|billed|debited)",
          "(there are not any|there are none) ..3 (administrative|processing|handling|service) (fee|charge|cost) of #money",
        ],
        within: 2,
        ignore: ["negation"],
        unless: [
          "(unless|if|as long as|when you|minimum|otherwise|avoid~|after that|beyond|first #number|depends|with it|opt|opted|consent|apy|apr|earn~|reward~|cash back|cashback|credited|refund~|save|saves|saving|savings|refunded|reversed|instead|limit|insured|whereas|while|however|other|others|external|outside|alternatively|option~|faster|balance|overnight|courier|paper|premier|another bank|out of network|elsewhere|machines|atms|locations)",
          "incoming ..10 (outgoing|domestic|international)",
          ...otherThing(),
          "{warning}",
        ],
        confidence: 0.7,
      };
    },
    "unasked-overdraft"(): PhraseGroup {
      return {
        match: [
          "{overdraft} ..8 {unasked}",
          "{unasked} ..8 {overdraft}",
          "(i|we) ..2 (have|just|already|went ahead|took) ..3 {enrol} ..6 {overdraft}",
          "(coverage|service|program|cover|protection|feature|overdraft) ..6 {enrol} & {unasked}",
          "{unasked} & (#money|charge~|fee~|bill~) & {overdraft}",
          "{unasked} ..8 (#money|we still|still pay) ..4 (each|every|a pop|transaction~|item~|purchase~)",
          "(#money|we still|still pay) ..6 (each|every|a pop|transaction~|item~|purchase~) ..4 {unasked}",
        ],
        within: 2,
        ignore: ["negation", "refusal"],
        about: ["{overdraft}", "courtesy pay"],
        unless: [
          "you ..1 (can|may|could|are able to|have) ..1 (opt|opted|turn|choose|link|decline|change|remove)",
          "(as you asked|at your request|you requested|you asked|per your|you opted in|with your consent|you agreed|you signed|unless you|only if|transfer~ from savings|transfer~ from your)",
          "(can not|not|never|will not|do not|must not) ..4 (enroll|charge|turn|switch|opt|add|activate) ..6 (unless|without|automatically)",
          "(law|rule|regulation|reg e) ..4 (requires|says|prohibits|does not allow)",
          "(if|when|once|only after|until|unless|do) you ..2 (opt|agree|choose|want|say yes|consent|sign)",
          "((decline~|declined|reject*) automatically|(transfer~|transferred|move~|moved) ..6 automatically|automatically ..3 (transfer~|transferred|move~|moved|declin*|draw~)|(off|declined|not|excluded|disabled) ..4 by default|by default ..10 (off|declined|not|excluded|disabled))",
          "(line of credit|sweep|swept|discretion|link~ (savings|account)|your choice|up to you|your call|your decision|entirely optional)",
        ],
        confidence: 0.75,
      };
    },
    "charge-after-end"(): PhraseGroup {
      return {
        match: [
          "{ended} ..6 (we|you|it|fee~|charge~|monthly|#money) ..3 {keepcharging}",
          "{keepcharging} ..8 (after|even after|even if|even though|despite) ..3 {ended}",
          "(cancel~|cancellation|closing) ..3 (does not|do not|will not) ..2 (stop|end) ..3 (our|the|your)? (fee~|charge~|billing|monthly)",
        ],
        within: 2,
        ignore: ["negation", "refusal"],
        unless: [
          "(policy|premium~|fund|surrender*|balance|loan|debt|mortgage|outstanding|pending|already posted|pro rata|prorated|scheduled before|interest continues to accrue|dispute|if you are still|should you still|let us know|refund~|we will stop|not be charged|no longer|merchant|remaining balance|until the end of|what you owe)",
          ...othersCharge(),
        ],
        about: ["({feeword}|charged|billed|billing|bill|#money)"],
        confidence: 0.75,
      };
    },
    "billed-on"(): PhraseGroup {
      return {
        match: [
          "(fee~|maintenance|monthly #money|charge|charges|membership|billing|premium~) ..4 (keeps running|keep running|keeps going|keeps coming|keep coming|keeps on|continue~|carries on|still run~|still appl*|still owed|still come~ out|rolls on|does not stop|do not stop|will not stop|never stops|runs on|run on)",
          "(we|bank|system|they) ..2 ({keepcharging}|keep it running|bill you anyway|charge you anyway|bill anyway|charge anyway)",
          "(#money|withdrawal|debit|draft|charge) ..8 (anyway|regardless|nonetheless|all the same|until further notice|indefinitely)",
          "(#money|premium~|fee~) ..3 (continue~ to be|goes on being|keep~ being) (collected|charged|billed|taken|deducted)",
          "(fee~|charge~|bill~|due|owe|maintenance) ..6 (regardless|anyway|either way|nonetheless|all the same|nevertheless)",
        ],
        ignore: ["negation", "refusal"],
        user: [
          "(asked you to|opted out|opt out|turn* off|remov*|drop~|dropped|end~|switched|returned|sold|moved|declin*|cancel*|close|closed|closing|close out|shut|ended|terminat*|quit|unsubscrib*|stopped using|left)",
        ],
        about: ["({feeword}|charged|billed|billing|bill|#money)"],
        unless: [
          "((may|might|can|could) still|balance|loan|debt|mortgage|outstanding|pending|pro rata|prorated|refund~|no longer|merchant|until the end of|what you owe|sorry|should not|error|dispute|deposit~)",
          ...othersCharge(),
        ],
        confidence: 0.7,
      };
    },
    "hidden-fee"(): PhraseGroup {
      return {
        match: [
          "(fee~|surcharge~|markup|commission~) ..1 (is|are|gets|get|stays) ..2 (hidden|buried|tucked|disguised|relabeled|off the disclosure|under the radar)",
          "(we|i|bank) ..3 {conceal} ..4 (fee~|surcharge~|markup|commission~|the charge|charges|the cost|true cost|real cost)",
          "you ..2 never ..1 notice ..4 (fee|surcharge|markup|charge)",
          "(maintenance|monthly|overdraft|service|annual|account|late|inactivity) (fee~|charge~) ..1 (is|are) ..2 (required|mandated|imposed|demanded) by ..2 (law|government|federal|fdic|regulator~|congress|irs)",
        ],
        ignore: ["negation", "refusal"],
        unless: [
          "(no|zero|without|any|not any|never|there are no|are not|is not|not) ..1 (hidden|fine print|buried|surprise)",
          "(disclosed|fee schedule|listed in|see the|read the|law against|laws against|protect~ you|must be|must tell|must show|have to be|have to tell|have to show|recording|notary|transfer tax)",
          "(list|disclose|tell|show|send|give|refund|return|waive|cap|limit|explain|print|post|name) ..4 (fee~|charge~|cost~)",
          "{warning}",
        ],
        confidence: 0.7,
      };
    },
  },
  patterns: ["tool-fee"],
  finders: [findFree],
  *check(context) {
    const exchange = readExchange(context);
    if (findReportedFee(context, exchange.agentResponse?.folded ?? "") === undefined) return;
    for (const match of findFree(exchange))
      yield {
        pattern: "tool-fee",
        confidence: 0.85,
        description: "The agent says that there is no fee, and a tool reported one.",
        riskFactors: ["toolsUsed.result.fee"],
        ...match,
      };
  },
});
