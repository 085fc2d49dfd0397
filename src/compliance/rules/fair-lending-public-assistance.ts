import { defineRule } from "../define-rule.ts";
import { fairLending } from "../lexicon/fair-lending.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";

/** Income may be weighed by its amount and how long it lasts, and need not be revealed. */
function lawful(): string[] {
  return [
    "(regardless of|no matter) ..2 (source|where|kind|type)",
    "{lawTalk}",
    "{correction}",
    "{continuance}",
    "{harmDenied}",
    "(need not|do not have to|not required to|not obligated to|optional|if you want|unless you|only if you|you may choose|choose to)",
  ];
}

function credit(): string[] {
  return [
    "{creditTopic}",
    "(ratios|tier|income|qualify*|count~|calculator|formula|worksheet|ratio|earnings|budget|underwrit*)",
  ];
}

/**
 * Flags leaving out or discounting lawful income, and worse terms after a customer used consumer-credit rights.
 *
 * @see 12 CFR §§ 1002.2(z), 1002.6(b)(5)
 */
export const fairLendingPublicAssistance = defineRule({
  id: "fair-lending-public-assistance",
  name: "Income source or use of rights held against a customer",
  description:
    "Public assistance, retirement, support or part-time income left out, or rights that were used held against.",
  explanation:
    "The agent holds a lawful source of income, or the use of a right, against the customer.",
  category: "fair_lending",
  severity: "violation",
  law: {
    citation: "15 U.S.C. § 1691(a)(2), (3); 12 CFR §§ 1002.2(z), 1002.6(b)(5)",
    asOf: "2026-11-21",
    status: "in force",
  },
  recommendation:
    "Count lawful income by its amount and likely continuance; do not penalise the use of rights.",
  impact: { customer: "high", business: "high" },
  concepts: fairLending,
  phrases: {
    "income-not-counted"(): PhraseGroup {
      return {
        ignore: ["negation"],
        about: credit(),
        match: [
          "({assistance}|{lowerIncomeKinds}) ..8 {notCounted}",
          "{notCounted} ..8 ({assistance}|{lowerIncomeKinds})",
          "(leave~|left|leaving|take~|took|keep~|kept|knock~|throw~|pull~|strip~|set|sets) ..4 ({assistance}|{lowerIncomeKinds}) ..3 (off|out|aside|away)",
          "({assistance}|{lowerIncomeKinds}) ..6 (is|are|counts|count|weighs|gets|get|treated|considered|scored|valued|seen|viewed|classed|rated|carries) ..4 {discounted}",
          "({assistance}|{lowerIncomeKinds}) ..20 (at|for|by|to|only|about|roughly|us|of) ..2 (half|a third|two thirds|three quarters|a quarter|#percent|cents on the dollar|sixty cents|fifty cents|seventy cents|a fraction|a discount|reduced value|part of it|nothing|zero)",
          "(credit|count~|value~|use~|take~|consider~|accept~|weigh~|treat~|include~|add~) ..3 (half|a third|two thirds|a quarter|#percent|only part|a portion|a fraction|some) ..6 ({assistance}|{lowerIncomeKinds})",
          "{discounted} ..6 ({assistance}|{lowerIncomeKinds})",
          "(because|since|due to|given|as|based on|with|for) ..6 {assistance} ..12 {treatment}",
          "{treatment} ..10 (because|since|due to|given|based on|as|for|on account of|with) ..5 {assistance}",
          "({people}|anyone|anybody|someone|those) ..2 (on|receiving|getting|collecting|with|drawing|living on|who get|who receive|relying on) ..2 {assistance} ..10 {treatment}",
          "{assistance} (recipient~|household~|tenant~|holder~|claimant~) ..8 {treatment}",
          "{canNot} ..2 {serve} ..4 ({people}|anyone|anybody|someone|those) ..3 (on|receiving|getting|collecting|with|drawing|living on|living off|who get|who receive|relying on|whose) ..3 ({assistance}|benefits)",
        ],
        unless: [
          ...lawful(),
          "(tax*|ebt card|atm~|card reader|gross~ up|deposit~ (date|schedule|early)|direct deposit)",
        ],
      };
    },
    "assistance-named-with-doubt"(): PhraseGroup {
      return {
        ignore: ["negation", "question", "others"],
        about: [
          "{creditAsked}",
          "(your case|earned income|jobs only|as nothing|enough|pay stub~|charge ..2 (people|folks))",
        ],
        match: [
          "({assistance}|{lowerIncomeKinds}) ..12 {heldBack}",
          "{heldBack} ..12 ({assistance}|{lowerIncomeKinds})",
        ],
        unless: [
          ...lawful(),
          "{namedLawfully}",
          "(not|no|only) ..3 (need|have to|must|required|proof)",
          "(limits|overstate*|model|seasonal income well|post~|posted|is counted|are counted|same as|counts the same)",
          "(down payment|first time|buyers|tax*|ebt|atm~|1099*|office|garnish*|levy|protected|gross~ up|grossed up|deposit*|switch*)",
        ],
        unlessAnywhere: [
          "{equality}",
          "{lawTalk}",
          "{monitoring}",
          "{scamTalk}",
          "{welcomed}",
          "(scam*|count it|count them|counted in full|counts in full|we count|can be used|average)",
        ],
        confidence: 0.65,
      };
    },
    "wages-only"(): PhraseGroup {
      return {
        ignore: ["negation"],
        user: ["{assistance}", "{lowerIncomeKinds}", "benefits"],
        inSession: true,
        match: [
          "(only|just|solely|exclusively) ..6 (wages|salary|salaries|paycheck~|employment|earned|job|payroll|w2|w-2|full time|working) ..6 (income|count~|considered|accept~|qualif*|applicant~|borrower~|goes|go|formula|calculation|ratio|worksheet|matters|matter|used|entered|helps)",
          "(count|counts|accept|accepts|consider|considers|use|uses|look at|looks at|want|need|require|recognize|recognise) ..3 (only|just) ..3 (wages|salary|paycheck~|employment|earned|job|payroll|w2|w-2|full time|working)",
          "(full time|salaried|wage|payroll|w2|paycheck|job|employment|earned) ..2 (only|alone|exclusively)",
          "(leave|left|leaving|keep|kept|take) ..3 (it|that|this|those|them|benefits|income|money|check~) ..2 (out|off|aside)",
          "(calculator|worksheet|formula|program|product|system|lender) ..6 (salar*|wages|payroll|workers|employees|paycheck~|pay stub~)",
          "(workers|employees|salar*|wage~|payroll|earned income|a job|pay stub~) ..6 (taken into|only|recogni*|considered|counted|used|accepted|instead)",
          "(not a|zero|no) (cent|dollar|penny|bit)",
          "(real|actual|proper|genuine|regular|steady|honest|true) (job|paycheck~|income|wages|work|employment|earnings|money|salary)",
          "(that|those|it|this|such|they) ..3 (is not|are not|does not count|do not count|will not count|can not count|is no|can not be used|will not be considered|is not real|does not qualify) ..6 (income|wages|earnings|money you earn|a paycheck|job|toward|salary|qualify*)",
          "{notCounted}",
        ],
        unless: [
          ...lawful().slice(0, 3),
          "(ending|ends|alike|tax*|(months|years|month|year) ..2 (history|receipt)|is (six|eight|#number) months)",
        ],
        unlessAnywhere: [
          "{welcomed}",
          "(please|do) apply",
          "(count|counts) as income",
          "anyone who lists",
          "where it comes",
          "(counts the same|count the same|same as any)",
        ],
      };
    },
    "rights-of-the-customer"(): PhraseGroup {
      return {
        ignore: ["negation", "others"],
        user: [
          "(i|my|we|our|you) ..5 (disput*|complain*|sued|sue|suing|lawsuit|validation|corrected an error|challenge~|complaint~|cfpb|opted out|rescind*|rescission|invoked|exercised|attorney|lawyer|bureau|regulator~|billing error~|arbitration|class action|grievance|ombudsman)",
        ],
        match: [
          "{rightsWorse} & (because|since|after|given|due to|then|so|that|therefore|route|request|hence|as a result|following|who|once|now)",
          "(people|customers|borrowers|cardholders|clients|those|anyone) who ..3 (sue|sued|complain|dispute|challenge|fight|litigate|report|file|assert)",
          "(trust|relationship|loyal*|cooperat*|goodwill|difficult|troublemaker~|adversar*) & (line|limit|rate|offer~|terms|account|credit|increase|apr|card|loan)",
        ],
        unless: [
          "{equality}",
          "{correction}",
          "(illegal|prohibit*|ecoa|regulation|retaliat*|provisional|temporar*|merchant|investigat*|resolved|number|replacement|stolen|fraud|frozen|refund*|days|deadline|no effect|not affect)",
        ],
        unlessAnywhere: ["(retaliat*|provisional*|investigat*|no effect|not affect|merchant)"],
        confidence: 0.65,
      };
    },
    "rights-held-against"(): PhraseGroup {
      return {
        match: [
          "{rightsUsed} ..14 {rightsWorse}",
          "{rightsWorse} ..12 (because|since|after|due to|given|now that|as|on account of|following|in response to|thanks to|over|for) ..4 {rightsUsed}",
          "(because|since|after|due to|given|now that|as|once) ..4 {rightsUsed} ..14 ({rightsWorse}|{refuse})",
          "{rightsUsed} ..6 ({therefore}|and) ..8 {rightsWorse}",
          "(each|every|any|past|prior|repeated) ..2 (dispute~|complaint~|billing dispute~|chargeback~|lawsuit~) ..6 ({hurts}|{rightsWorse})",
          "(accounts|customers|cardholders|files|people|borrowers) ..2 (with|that have|who have|having) ..3 (notice~|dispute~|complaint~|lawsuit~|claim~) ..6 ({rightsWorse}|{worse}|moved|placed|put)",
          "{rightsUsed} & {rightsWorse} & (because|since|after|due to|given|now that|as|then|so|hence|therefore|who|route|that|once|following|and|means|which)",
          "(customers|people|borrowers|applicants|anyone|cardholder~|those|clients|members|accounts) who ..4 (dispute~|complain~|sue|sued|file~ complaints|file~ disputes|challenge~|report us|go to the cfpb|those rights|these rights|their rights|use the dispute|use that process|exercise~|make use) ..10 ({rightsWorse}|{treatment})",
          "(used|use|using|invoked|made use of|exercised) ..4 (dispute process|billing dispute|complaint process|rights|right to dispute|dispute rights|right to complain) ..14 {rightsWorse}",
          "(your|the) (dispute~|complaint~|billing error notice|lawsuit|claim) ..6 ({hurts}|is why|are why|counted against|got your|cost you) ..4 (line|limit|rate|application|approval|credit|you|loan|terms|score|account)",
        ],
        unless: [
          "{equality}",
          "{correction}",
          "(illegal|prohibit*|ecoa|regulation|retaliat*|provisional|temporar*|merchant|investigat*|resolved|new card number|replacement|stolen|fraud)",
        ],
      };
    },
  },
});
