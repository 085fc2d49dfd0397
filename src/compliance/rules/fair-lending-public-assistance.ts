import { defineBuiltInRule } from "../define-rule.ts";
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
export const fairLendingPublicAssistance = defineBuiltInRule({
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
          "(leave~|left|leaving|keep~|kept|knock~|throw~|strip~) ..4 ({assistance}|{lowerIncomeKinds}) ..3 (off|out|aside|away|blank)",
          "({assistance}|{lowerIncomeKinds}) ..6 (is|are|counts|count|weighs|gets|get|treated|considered|scored|valued|seen|viewed|classed|rated|carries) ..4 {discounted}",
          "({assistance}|{lowerIncomeKinds}) ..8 (count~|counted|valued|goes in|go in|taken|credited|weighed|used|enter*|figured) ..4 (at|for|by|to|only|about) ..2 (half|a third|two thirds|three quarters|a quarter|#percent|cents on the dollar|sixty cents|fifty cents|seventy cents|a fraction|a discount|reduced value|nothing|zero)",
          "(credit|count~|value~|use~|take~|consider~|accept~|weigh~|treat~|include~|add~) ..3 (half|a third|two thirds|a quarter|#percent|only part|a portion|a fraction|some) ..6 ({assistance}|{lowerIncomeKinds})",
          "{discounted} ..3 ({assistance}|{lowerIncomeKinds})",
          "{treatment} ..8 (because|since|due to|given|based on|on account of) ..5 {assistance}",
          "({people}|anyone|anybody|someone|those) ..2 (on|receiving|getting|collecting|with|drawing|living on|who get|who receive|relying on) ..2 {assistance} ..10 {treatment}",
          "{assistance} (recipient~|household~|tenant~|holder~|claimant~) ..8 {treatment}",
          "{because} ..6 {assistance} ..6 (rate|interest|loan|limit|application|deposit|card|terms|line) ..6 ({refuse}|{increment}|higher|lower|bigger|smaller|extra|worse)",
          "({refuse}|{canNot} ..1 (accept|approve|take|consider|process|review)) ..3 ({people}|application~|file~|anyone|anybody|everyone|those|request~) ..3 (with|listing|on|from|based on|(that|who|which) ..1 (list|lists|show|shows|include|includes|use|uses|rely|receive)|whose ..3 (is|comes|from|includes)) ..3 {assistance}",
          "{canNot} ..2 {serve} ..4 ({people}|anyone|anybody|someone|those) ..3 (on|receiving|getting|collecting|with|drawing|living on|living off|who get|who receive|relying on|whose) ..3 ({assistance}|benefits)",
        ],
        unless: [
          ...lawful(),
          "(do|does|will|would|can|may) not ..6 (discount|turn|decline|deny|refuse|reject)",
          "(collector~|garnish*|seize~)",
          "(tax*|ebt card|atm~|card reader|gross~ up|deposit~ (date|schedule|early)|direct deposit)",
        ],
      };
    },
    // What is said of "anyone who …" is meant here.
    "refused-on-assistance"(): PhraseGroup {
      return {
        ignore: ["negation", "refusal", "others"],
        match: [
          "({people}|anyone|anybody|someone|those) ..1 (on|receiving|with|using|who (receive|receives|get|gets|have|has|use|uses|collect|draw)) ..2 {assistance} ..1 {canNot} ..1 (get|have|apply|qualify|hold|receive|be approved|be accepted) ..2 (our|from us|here|with us)",
          "(we|our bank|this bank|the bank) ..1 {canNot} ..2 {serve} ..4 ({people}|anyone|anybody|someone|those) (who|that) ..1 (has|have|uses|use|receives|gets|collects|draws) ..2 {assistance}",
        ],
        unless: lawful(),
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
          "({assistance}|{lowerIncomeKinds}|money comes from the state) ..8 (disqualif*|ineligible|not a thing|not something|not income|left it off|left it out|left off|off the sheet|will not do|does not cut|not a real|not real|bars you|rules you out|a no|no good|does not help|do not help|flagged as|downgraded|drags|temporary money|worth zero|worth nothing)",
          "(closed|not open|off limits|unavailable) ..2 (to|for) ..2 (anyone|anybody|people|those|folks) ..8 {assistance}",
          "^ ..2 (no|never|not) ..1 ({assistance}|{lowerIncomeKinds})",
          "(surcharge~|extra point~|extra points|higher rate|bigger deposit|penalty) ..10 ({assistance}|(draw~|drawing|receive~|collect~) (aid|benefits|assistance))",
          "no (member|one|person|applicant|borrower) ..8 (receive~|receives|draws|collects|on|gets) ..2 {assistance}",
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
          "(count|counts|accept|accepts|consider|considers|use|uses|look at|looks at|want|need|require|recognize|recognise) ..3 only ..3 (wages|salary|paycheck~|employment|earned|job|payroll|w2|w-2|full time|working)",
          "(full time|salaried|wage|payroll|w2|paycheck|job|employment|earned) ..2 (only|alone|exclusively)",
          "(calculator|worksheet|formula|program|lender|underwriter~) ..3 (meant for|built for|only for|made for|designed for) ..3 (salar*|wages|payroll|workers|employees|paycheck~)",
          "(workers|employees|salar*|wage~|payroll|earned income|a job|pay stub~) ..6 (taken into|only|recogni*|considered|counted|used|accepted|instead)",
          "(not a|zero|no) (cent|dollar|penny) of (it|that|this|them|those)",
          "(real|actual|proper|genuine|honest) (job|paycheck~|wages|work|employment)",
          "(that|those|it|this|such|they) ..3 (is not|are not|does not count|do not count|will not count|can not count|is no|can not be used|will not be considered|is not real|does not qualify) ..2 (income|wages|earnings|money you earn|a paycheck|a job|salary)",
          "({assistance}|{lowerIncomeKinds}|benefits|voucher~|stamps|handouts|drawing benefits|public programs|(it|they|that|those|both|yours|these|them|income) (is|are|gets|get|was|were|do|does|will|can)|both of yours are) ..3 (zeroed|zeroes|not income|not count|not counted|not be counted|not considered|not accepted|not real|not earned|not wages|excluded|disregarded|thrown out|tossed|left out|dropped|ignored|not help you|not eligible|invisible|worth nothing|worth zero)",
          "(i|we|underwriter~|system|lender~|they|calculator|worksheet|engine|tool) ..3 (zero|zeroes|zeroed|ignore~|exclude~|disregard~|leave out|leaves out|toss~|strip~ out|drop~) ..2 (them|those|these|benefits|that income|voucher~|it|{assistance}|{lowerIncomeKinds})",
          "(not for|not meant for) ..3 (people|folks|someone|those|anyone) ..2 (on|drawing|receiving|with|living) ..2 (benefits|aid|assistance|welfare|{assistance})",
          "(voucher~|stamps) ..2 (is|are|money is) ..2 worth (zero|nothing)",
          "(i|we|lender|underwriter~) ..1 (would|can|will|do) not (include|count|use|consider|add|enter) (it|them|that|those|this) ..2 (even|anyway|as income|at all|toward|in)",
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
          "{creditWorse} & (because|since|after|given|due to|then|therefore|hence|as a result|following|who|now|troublemaker~)",
          "(people|customers|borrowers|cardholders|clients|those|anyone) who ..3 (sue|sued|complain|dispute|fight|litigate) ..10 ({creditWorse}|{treatment}|best terms|our best)",
          "(difficult|troublemaker~|adversar*|disloyal|uncooperative) & (line|limit|rate|terms|credit|increase|apr|loan)",
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
          "{rightsUsed} ..14 {creditWorse}",
          "{creditWorse} ..12 (because|since|after|due to|given|now that|as|on account of|following|in response to|thanks to|over|for) ..4 {rightsUsed}",
          "(because|since|after|due to|given|now that|as|once) ..4 {rightsUsed} ..14 ({creditWorse}|{refuse})",
          "{rightsUsed} ..6 ({therefore}|and) ..8 {creditWorse}",
          "(each|every|any|past|prior|repeated) ..2 (dispute~|complaint~|billing dispute~|chargeback~|lawsuit~) ..6 ({hurts}|{creditWorse})",
          "(accounts|customers|cardholders|files|people|borrowers) ..2 (with|that have|who have|having) ..3 (notice~|dispute~|complaint~|lawsuit~|claim~) ..6 ({creditWorse}|{worse}|moved|placed|put)",
          "{rightsUsed} & (troublemaker~|serial|get trimmed|gets trimmed|penali*|blacklist*)",
          "(customers|people|borrowers|applicants|anyone|cardholder~|those|clients|members|accounts) who ..4 (dispute~|complain~|sue|sued|file~ complaints|file~ disputes|challenge~|report us|go to the cfpb|those rights|these rights|their rights|use the dispute|use that process|exercise~|make use) ..10 ({creditWorse}|{treatment})",
          "(used|use|using|invoked|made use of|exercised) ..4 (dispute process|billing dispute|complaint process|rights|right to dispute|dispute rights|right to complain) ..14 {creditWorse}",
          "(your|the) (dispute~|complaint~|billing error notice|lawsuit|claim) ..6 ({hurts}|is why|are why|counted against|got your|cost you) ..4 (line|limit|rate|application|approval|credit|you|loan|terms|score|account)",
        ],
        unless: [
          "{equality}",
          "{correction}",
          "(can not|may not|will not|must not|never) ..6 (held against|count against|hurt|affect|lower|cost)",
          "(illegal|prohibit*|ecoa|regulation|retaliat*|provisional|temporar*|merchant|investigat*|resolved|new card number|replacement|stolen|fraud)",
        ],
      };
    },
  },
});
