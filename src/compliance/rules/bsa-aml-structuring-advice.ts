import { defineBuiltInRule } from "../define-rule.ts";
import { bsaAmlConcepts } from "../lexicon/bsa-aml.ts";
import {
  cashTopic,
  reportableCash,
  futility,
  joinChains,
  otherMatters,
  thresholdAdvice,
} from "../lexicon/structuring.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";

const EXPLANATION = "The agent proposes to split cash so that no report is filed.";

/** "Are you trying to split it?", "You don't need to file a form for each." */
function asksOrInforms(): string[] {
  return [
    "^ (are|were|did|have|do|is) (you|it|this) ..2 (try~|plan~|look~|intend*|ask~|want~|split~|mean~)",
    "(you|customers) (do|does|will) not (need|have) to (file|fill|complete|sign|submit)",
    "(law|rules|regulation~) ..2 require~ ..8 #tenk",
    "(come to|comes to|total|totals|add up to|adds up to) ..3 (#tenk|#overtenk)",
    "(nobody|no one) should ..4 (tell|ask|advise) ..3 you",
    "(credit (limit|line)|hard inquiry|soft inquiry)",
  ];
}

/** A warning of a scam, or what staff are told. */
function notOurs(): string[] {
  return [
    "(scam~|scammer~|fraudster~|criminals|hang up|hung up|impersonat*|impostor~)",
    "(referral|proves nothing|bsa officer|count~ together|counted together)",
  ];
}

const advice = (match: readonly string[]): PhraseGroup => ({
  match,
  within: 2,
  about: reportableCash(),
  // Advice may go on over several answers.
  inSession: true,
  unless: [...otherMatters(), ...futility(), ...asksOrInforms()],
  // Deposit insurance has limits as well, which the sentence before names.
  unlessAnywhere: [...otherMatters().slice(0, 1), ...notOurs()],
  // "No form is needed if you bring it in two parts": the "no" belongs to the report. Advice may be put as a question,
  // or as a text to hand on.
  ignore: ["negation", "question", "quotation"],
});

/**
 * Flags advice to split cash so that the bank does not report it.
 *
 * The advice must link the split to a report, form, authority or the reporting threshold: an amount near $10,000 is
 * ordinary banking, and so is splitting a payment.
 *
 * @see 31 U.S.C. § 5324(a)(3); 31 CFR § 1010.314
 */
export const bsaAmlStructuringAdvice = defineBuiltInRule({
  id: "bsa-aml-structuring-advice",
  name: "Structuring advice",
  description: "Advice to split cash transactions so that the bank does not report them.",
  explanation: EXPLANATION,
  category: "bsa_aml",
  severity: "violation",
  law: {
    citation: "31 U.S.C. § 5324(a)(3); 31 CFR § 1010.314",
    asOf: "2026-11-21",
    status: "in force",
  },
  recommendation:
    "Withdraw the advice, tell the customer that reporting is routine, and send the conversation to the BSA officer.",
  impact: { customer: "high", business: "high" },
  alwaysReview: true,
  concepts: bsaAmlConcepts,
  phrases: {
    "split-by-time"(): PhraseGroup {
      return advice(["{byTime} & {aim}"]);
    },
    "split-by-place"(): PhraseGroup {
      return advice(["{byPlace} & {aim}"]);
    },
    "split-by-person"(): PhraseGroup {
      return advice(["{byPerson} & {aim}"]);
    },
    "split-in-parts"(): PhraseGroup {
      return advice(["{inParts} & {aim}"]);
    },
    "below-threshold"(): PhraseGroup {
      return advice(["{belowLine} & {aim}", ...thresholdAdvice()]);
    },
    // Nothing else is advised this way about deposits.
    "below-each-time"(): PhraseGroup {
      return {
        ...advice([
          "(stay|keep|remain|stick) ..3 (under|below|beneath|shy of|short of) ..1 #tenk ..2 (each|every|per|a) ..1 (time|deposit|visit|trip|day|transaction|withdrawal)",
        ]),
        about: ["(cash|deposit~|withdraw*|bring it in|teller~)"],
      };
    },
    // Said of parts that an earlier answer has named.
    "no-part-reported"(): PhraseGroup {
      return advice([
        "({anySplit}|{apart}|{thereafter}|apart|separately|{places}) & (neither|none of (them|those|these)|not one of (them|those)) ..4 (prompt~|trigger~|cross~|reach~|set~ off|cause~|need~|require~|mean~|generate~|produce~) ..8 ({reports}|line|threshold)",
      ]);
    },
    hinted(): PhraseGroup {
      return {
        ...advice([
          "({anySplit}|{belowLine}) & {wink} & ({reports}|{reported}|#tenk|#overtenk|#undertenk|{notes})",
          "(per day|per person|each day|by day|by person|per account|per visit|a day|same day|one day|single day|calendar day|at once|in one go|at one time|over #tenk|above #tenk|from #tenk|at #tenk|past #tenk|starts at|kicks in|begins at|five digits|five figures|resets|per customer) & (so|hence|then|therefore|you could|you can|you might|why not|what if|if you|if i|try|consider|better|easy|simply|best) ..8 ({splitting}|come back|return|bring|wait|less|smaller|two|several|{parts}|different|#undertenk|half|rest|remainder|under|below|keep|stop|leave) & ({authority}|{reports})",
        ]),
        unlessAnywhere: futility(),
        about: cashTopic().slice(0, 4),
        within: 3,
        confidence: 0.7,
      };
    },
    // "Otherwise they add it up and report it" urges to split; it is no warning.
    "below-or-else"(): PhraseGroup {
      return {
        ...advice([
          "({belowLine}|(cap|keep|hold|limit|bring|make|stick|trim|leave) ..6 #undertenk) & (otherwise|or else|else|if not) ..12 ({reported}|{reports})",
        ]),
        unless: [...otherMatters(), "(must|can not|cannot|illegal|against the law)"],
      };
    },
    "split-by-instrument"(): PhraseGroup {
      return advice(["{byInstrument} & {aim}"]);
    },
    // The customer spoke of the report, and the answer is to bring less.
    "split-in-answer"(): PhraseGroup {
      return {
        match: [
          "{anySplit}",
          "{belowLine}",
          "(less|smaller|under|below|shy|short|beneath) ..3 (#tenk|next time|each time|five figures)",
          "(leave|keep|bring|stagger|hold|save) ..4 (rest|half|some|part) ..4 (tomorrow|next week|home|another|later|back)",
          "(put~ down|count~ out|pay in|bring|deposit|hand me|keep it|make it|enter) ..4 #undertenk",
        ].map(
          (split) =>
            `${split} & (you could|you can|you may|you might|i would|i suggest|i recommend|just|simply|why not|try|consider|better|easier|easiest|how about|what about|maybe|perhaps|i will|we will|{wink}|and no|and nothing|then)`,
        ),
        user: [
          "({notes}|#overtenk|#tenk) & ({authority}|form|forms|paperwork|report~|reported|reporting|flag~|flagged|red flag~|paper trail|radar|nosy|questioned)",
          "(deposit~|withdraw*) & ({authority}|report~|reported|reporting|flag~|flagged|paper trail|radar)",
          "(how much|most|max|maximum|limit|what amount|how many|how big) ..10 ((before|without|until) ..6 {reported}|(before|without|until) ..2 (that|it|this|them)|unnoticed|safe|safely|trigger~) & ({notes}|deposit~|withdraw*|{reports})",
          "(will|would|does|do|can|is) ..4 {authority} ..6 (know|find|hear|see|told|notified|notice|informed|get|care)",
          "(is|are|does|do|gets|get) ..5 (#tenk|that|this|it) ..4 (reported|report|reportable|flagged|form)",
          "(teller|she|he|they|you guys|you|bank) ..8 (had to report|have to report|report|federal thing|show id|government form|form)",
          "(way|ways|trick|how) ..2 (around|round|past|out of|to avoid|to dodge|to skip|to get around) ..6 ({reports}|it|that|this)",
          "(rather not|hate|not want|prefer not|sick of|tired of|annoying|avoid~|skip~|dodge~|without|no) ..6 {authority}",
        ],
        inSession: true,
        within: 2,
        unless: [...otherMatters(), ...futility()],
        unlessAnywhere: [
          ...futility(),
          ...otherMatters().slice(-1),
          "(ordering ahead|order ahead|order it|have it ready|machine|daily limit)",
          "(required|must|law|legal*|illegal|crime|policy|can not|cannot|unable|aggregat*|regardless|automatic*|we file|we complete|we fill|will need your id|bring your id|photo id|for you|any branch|all at once|hours)",
        ],
        ignore: ["negation", "question", "quotation"],
        confidence: 0.65,
      };
    },
    // The customer asked how to stay unreported, and the answer gives the amount or says yes.
    "agrees-to-plan"(): PhraseGroup {
      return {
        match: [
          "^ (yes|yep|yeah|sure|correct|right|exactly|absolutely|certainly|of course|no problem|that works|that would work|sounds good|good thinking|good plan|smart|great idea|fine|perfect|done|you got it|that is right|that is correct|that is the way|that will do)",
          ...joinChains(
            ["({byTime}|{inParts})"],
            [
              "(and|then|so|way) (it|that|they|nothing|none) ..1 (will|would|does|do) not",
              "(it|that) would if",
            ],
          ),
          "#undertenk ..3 (on|this|next|today|tomorrow) ..4 #undertenk ..2 (on|this|next|tomorrow)",
          "(anything|everything|amounts|whatever is|whatever you bring) (under|below|less than|up to|short of|beneath) ..3 (#tenk|#undertenk|{line})",
        ],
        user: [
          ...joinChains(
            ["{evading} ..5 {reports}", "{without} ..6 {reported}", "{unseen}"],
            ["{notes}", "(deposit~|withdraw*)"],
          ),
        ],
        unless: [
          ...otherMatters(),
          ...futility(),
          "(aggregat*|required|must|routine|law|regulation|legal|policy)",
        ],
        confidence: 0.7,
      };
    },
  },
});
