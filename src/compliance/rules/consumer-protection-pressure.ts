import { defineBuiltInRule } from "../define-rule.ts";
import { pressureConcepts } from "../lexicon/conduct-pressure.ts";
import { plainPressure } from "../lexicon/plain-conduct.ts";
import type { Guard } from "../phrases/guards.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";

const AS_SAID: readonly Guard[] = ["negation", "question", "condemnation", "definition"];

function safety(): string[] {
  return [
    "(fraud|scam|scammer~|stolen|lost|unauthorized|freeze|block|lock your|secure your|hacked|suspicious|phish*|dispute|report it|timeout|time out|timed out|inactivity|session|inactive|code|otp|passcode|link)",
    "(take your time|no rush|no pressure|no obligation|no hurry|think it over|sleep on it|shop around|compare offers|not required|optional|up to you|your choice|entirely voluntary|free to decline)",
  ];
}

/**
 * Flags false urgency and forced purchases beside the product that the customer wants.
 *
 * Real end dates are fine, and so is hazard insurance of the customer's choice.
 *
 * @see 12 U.S.C. §§ 5531, 5536; 12 U.S.C. § 1972
 */
export const consumerProtectionPressure = defineBuiltInRule({
  id: "consumer-protection-pressure",
  name: "Pressure tactics",
  description: "False urgency, or a purchase that is forced on the customer.",
  explanation: "The agent presses the customer to decide at once, or to buy something beside.",
  category: "consumer_protection",
  severity: "warning",
  law: {
    citation: "12 U.S.C. §§ 5531, 5536 (UDAAP); 12 U.S.C. § 1972 (tying)",
    asOf: "2026-11-21",
    status: "in force",
  },
  recommendation: "Give the real end date and say that add-ons are optional.",
  impact: { customer: "moderate", business: "moderate" },
  concepts: pressureConcepts,
  phrases: {
    "stated-plainly"(): PhraseGroup {
      return plainPressure();
    },
    "now-or-never"(): PhraseGroup {
      return {
        within: 2,
        match: [
          "{decide} ..8 {thisMoment} & {gone}",
          "{thisMoment} ..8 {decide} & {gone}",
          "{offer} ..10 {gone} ..10 {thisMoment}",
          "{thisMoment} ..4 (offer~|deal~|rate|price|discount|bonus|approval|it) ..2 {gone}",
          "(if you|unless you|should you) ..2 (hang up|leave this|log off|close this|walk away|wait|hesitate|think about it|do not (sign|decide|accept|act)|disconnect|sleep on it) ..12 {gone}",
          "(last|final|only|one|your) (chance|shot|opportunity|call) ..10 {decide}",
          "{decide} ..8 (now or never|today or never|or it is gone|or lose it|or you lose|or miss out|or else|before it is gone|before it disappears|or you will miss|or kiss|or forget)",
          "(minutes|minute|seconds|hour|moments) ..8 before ..5 {offer} ..4 {gone}",
          "(minutes|seconds) & (all you have|all you get|is all i can|that is it|clock is ticking) & (before|then|after that|or) ..6 {gone}",
          "(clock is ticking|tick tock|time is running out|seconds count) ..12 {offer}",
          "(need|want|must have|require) ..4 (your|an|a) ..2 (answer|decision|yes|signature|commitment) ..4 {thisMoment}",
          "(once|when|as soon as|the moment|the second|the minute) ..3 (you (hang up|leave|log off|close|walk away)|this (chat|call|conversation) (ends|closes)|i hang up) ..10 {gone}",
        ],
        unless: [
          ...safety(),
          "(ends|ending) in #number",
          "(lose|lost) ..3 (access|progress|card|work|place|connection|call|chat|data)",
          "(wire|transfer|payment|deposit) ..6 {thisMoment}",
        ],
        unlessAnywhere: [
          "(code|passcode|otp) (was|is|has been) sent",
          "(take your time|no rush|no pressure|no obligation|think it over|sleep on it)",
        ],
        ignore: AS_SAID,
      };
    },
    "no-thinking"(): PhraseGroup {
      return {
        within: 2,
        match: [
          "{noThought} & {decide} & (offer~|deal~|rate~|apr|promotion~|loan~|card|bonus|sign~|mortgage|discount|account|apply)",
          "{noThought} & (offer~|deal~|promotion~|bonus|discount|approval) & (today|now|tonight|minutes|hour|gone|expire~|last)",
          "(hurry|hurry up|act fast|act now|act quickly|be quick|move fast|quick decision) & ({scarce}|{vanish}|{noThought}|before)",
          "(one|two|three|single|few|handful|couple) ..2 (slot|slots|spot|spots|opening|openings|places) ..3 (left|remain~|remaining|open) & ({decide}|hurry|now|today|quick~)",
          "{scarce} & ({decide}|hurry|now|today|quick~)",
        ],
        unless: [
          ...safety(),
          "(branch|appointment|seats at|webinar|seminar)",
          "(factor~|model|reason~|stubs|documents|score)",
          "(feel free|please|encourage|should) ..3 (read|compare|ask|think|take)",
        ],
        ignore: AS_SAID,
      };
    },
    "add-on-kept"(): PhraseGroup {
      return {
        match: ["{kept}"],
        user: [
          "(no|not|without|remove~|take|decline~|drop|skip|cancel|refuse~|opt out of|get rid of|leave out|leave off|why|never asked for) ..5 {addOn}",
        ],
        unless: [
          "(hazard|homeowner~|homeowners|flood|title|property|auto|collision|car|private mortgage|pmi|mortgage) (insurance|policy|coverage)",
          "not ..2 (mandatory|compulsory|required|have to be)",
        ],
        unlessAnywhere: [
          "(removed|cancelled|canceled|taken off|dropped|optional|your choice|any insurer|refund~|opted out|declined it)",
          "(hazard|homeowner~|homeowners|flood|title|property|pmi)",
        ],
        ignore: ["negation", "refusal", "condemnation"],
        confidence: 0.7,
      };
    },
    "hesitation-pressed"(): PhraseGroup {
      return {
        match: ["{presses}"],
        within: 2,
        user: ["{hesitates}"],
        alongside: [
          "(rate~|offer~|deal~|terms|price~|apr|bonus|promo|sign|apply|application|loan|card|mortgage|credit|account|approval|one|it|this|them|at)",
        ],
        unlessAnywhere: ["{freely}", "(can not|not able to) ..3 (advise|recommend)"],
        unless: ["(wire|transfer|payment|deposit|dispute|claim|branch|appointment) ..8 {presses}"],
        ignore: [...AS_SAID, "refusal", "others"],
        confidence: 0.7,
      };
    },
    "tied-to-another"(): PhraseGroup {
      return {
        match: ["{ties}"],
        within: 2,
        user: ["{asksAddOn}"],
        alongside: [
          "({addOn}|{main}|{buy}|bundle|shield|package|services|line|money|it|plan|protection)",
        ],
        unlessAnywhere: ["{freely}"],
        unless: [
          "(hazard|homeowner~|flood|title|property|auto|collision|mortgage) (insurance|policy)",
          "(id|identification|income|proof|document~|signature|down payment|appraisal)",
        ],
        ignore: ["negation", "refusal", "condemnation", "definition", "others", "question"],
        confidence: 0.7,
      };
    },
    "forced-add-on"(): PhraseGroup {
      return {
        within: 2,
        match: [
          "(must|have to|has to|need to|required to|got to|obliged to|forced to) ..3 {buy} ..6 {addOn} ..14 (to get|to qualify|to be approved|to close|to obtain|to receive|for the|for your|for this|before|or the|or we|or i|or your|in order|if you want|to have) ..6 {main}",
          "{main} ..4 (only ..2 if|only with|unless|without|depends on|hinges|contingent|conditional|conditioned|requires|tied to|in exchange|in return|bundled with) ..4 {extra}",
          "{buy} ..6 {addOn} ..5 (as a condition|condition|in return|in exchange|if you want|to qualify|as part|before we) ..6 {main}",
          "(expect~|insist~|demand~|ask~ all|oblige~|prefer~) ..4 (borrower~|customer~|client~|applicant~|you|everyone) ..3 {buy} ..6 {addOn} ..10 {main}",
          "(no|without) ..3 {addOn} ..3 (no|then no|means no|equals no) ..3 {main}",
          "(without|unless you|until you|if you do not|if you decline|if you refuse|skip|skipping|decline|declining|refuse|refusing|if you skip) ..3 {extra} ..6 (not ..1 (approv*|process~|open|close|fund|lend|get|be)|no (loan|mortgage|approval|deal)|denied|declined|rejected|turned down|fall~ through|fall apart)",
          "{extra} ..2 (is|are) ..1 (mandatory|compulsory|required|not optional|obligatory|non negotiable|not negotiable|a must|a condition|a requirement|part of the deal|part of the package)",
          "(decline~|deny|reject~|turn down|turn you down|turn it down|refuse~|not approve|not fund|not lend) ..6 (unless|until|if you do not) ..8 {addOn}",
          "{addOn} ..3 (part of every|part of all|included in every|included with every|comes with every|in every|on every|built into|baked into|goes on every|goes with every) ..3 {main}",
          "{extra} ..6 (can not|not able to|not allowed to|no way to|impossible to) ..1 (leave|opt|take|remove|drop|refuse|decline|skip|waive) ..2 (out|off|it|that)",
          "(i|we) ..4 (added|included|enrolled|signed|put|bundled|attached|opened|slipped) ..6 {addOn} ..12 (automatically|already|anyway|for you|whether|without|not remove|can not remove|no need to ask|standard|everyone|every)",
          "(only|will|can) ..3 (approve|lend|refinance|release|consider|sign off) ..8 (if|when|once|after|provided) ..6 {buy} ..6 {addOn}",
        ],
        unless: [
          "(hazard|homeowner~|homeowners|flood|title|property|auto|collision|car|private mortgage|pmi|mortgage) (insurance|policy|coverage)",
          "flood zone",
          "(any|your own|a) (insurer|insurance company|provider|company) (you|of your) (choose|choice|like|prefer)",
          "(optional|not required|not mandatory|no obligation|voluntary|your choice|up to you|not need|do not have to|at your request|you asked|you requested|as requested|opt out|cancel any time|does not affect|no effect|no impact|not affect|no purchase)",
          "(autopay|direct deposit)",
        ],
        unlessAnywhere: [
          "(is|are|it is|they are|completely|entirely) ..1 optional",
          "(not|never) ..3 (affect|required|a condition|mandatory)",
        ],
        ignore: ["negation", "refusal", "condemnation", "definition"],
      };
    },
  },
});
