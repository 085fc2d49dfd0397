import { defineBuiltInRule } from "../define-rule.ts";
import { fairLending } from "../lexicon/fair-lending.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";

function innocent(): string[] {
  return [
    "{equality}",
    "{lawTalk}",
    "{idiom}",
    "{accommodation}",
    "{correction}",
    "{undiscouraged}",
    "{namedLawfully}",
    "{harmDenied}",
    "(not|never) pay (it|this|that|a|the|any)",
    "(no one|nobody|never) ..6 (discouraged|turned away|dissuaded)",
    "(overdraw*|overdraft~|transaction~|purchase~|your child|your children|fdic|pension plan)",
    "(cd|cds|529|savings account~|cd ladder~|certificate~ of deposit)",
  ];
}

function credit(): string[] {
  return ["{creditAsked}"];
}

/** What dissuades from applying, with the words that make it so. */
function dissuasion(): string[] {
  return [
    "{advisedAgainst} ..6 {applying}",
    "(do not|would not|should not|better not|best not|stop|skip|forget|give up|drop|i would leave|leave) ..1 (apply*|bother*|submit*|applying|application|asking|asking us|the application|the form|your hopes|this one|the idea|wasting)",
    "{elsewhere}",
    "{hopeless}",
    "{flatNo}",
    "{bleak}",
  ];
}

/**
 * Flags words that would make a reasonable person believe that a prohibited basis speaks against applying.
 *
 * The basis stands in the words themselves, or the customer named it in the session. Encouraging words to one group are
 * no discouragement, and neither are criteria that anybody may fail.
 *
 * @see 12 CFR § 1002.4(b)
 */
export const fairLendingDiscouragement = defineBuiltInRule({
  id: "fair-lending-discouragement",
  name: "Discouragement",
  description: "Words that discourage an application on a prohibited basis.",
  explanation: "The agent discourages an application with reference to a prohibited basis.",
  category: "fair_lending",
  severity: "violation",
  law: {
    citation: "12 CFR § 1002.4(b)",
    asOf: "2026-11-21",
    status: "in force",
    note: "Amended on 21 July 2026: the creditor must know or should know that the words discourage a reasonable person.",
  },
  recommendation: "Invite the person to apply and assess on financial criteria only.",
  impact: { customer: "high", business: "high" },
  alwaysReview: true,
  concepts: fairLending,
  phrases: {
    "dissuaded-by-basis"(): PhraseGroup {
      return {
        within: 2,
        about: [...credit(), "{rebuff}"],
        ignore: ["negation", "question"],
        match: [...dissuasion(), "{doomed}"].map((one) => `${one} & {basisHere}`),
        unless: [...innocent(), "{legalAge}", "{permittedStatus}"],
        unlessAnywhere: ["{welcomed}", "{scamTalk}"],
      };
    },
    "group-not-served"(): PhraseGroup {
      return {
        ignore: ["negation"],
        match: [
          "{canNot} ..3 {serve} ..4 ({group}|{basisHere})",
          "(we|i|bank|branch|team|lender|underwriters|underwriting) ..4 (avoid|avoids|stay away from|stays away from|steer clear of|steers clear of|shy away from|pass on|turn away|turns away|draw the line at|are wary of|is wary of|look down on|do not care for|have no appetite for|has no appetite for|do not trust|are done with|are leery of|do not like|are picky about|do not cater to|frown~ on|have a problem with|are not keen on|are not fond of|are not big on|are not crazy about|are not set up for) ..4 ({group}|{basisHere})",
          "{group} ..6 {unwelcome}",
          "({product}|we|bank|lender|branch|program) ..4 (geared|aimed|meant|intended|made|built|looking|tailored|suited|set up) ..3 (active|healthy|able bodied|working people|working folks|employed people|fluent|native|younger|younger {people}|stable families|people with real jobs|customers with real jobs|people without|people who speak)",
          "(steer~|shy~|stay~|keep~|shies|back~|run~) (clear of|away from|our distance from|their distance from|well clear of) ..4 {group}",
          "(want nothing to do with|have no time for|has no time for|look down on|do not see eye to eye with|have given up on|are done with|will not go near|do not go near) ..4 {group}",
          "(lend|lends|cater|caters|loans|credit) ..2 to ..2 {people} who (work|earn|speak|were born|have jobs|have real jobs|hold jobs|can work|walk) & ({group}|{basisHere})",
          "(nervous|uneasy|wary|skittish|hesitant|uncomfortable|leery|reluctant|cautious|skeptical|suspicious|iffy|touchy|picky|crazy|keen|fond|thrilled|excited|enthusiastic|mad|big|comfortable|sold) ..3 (about|with|around|of|toward|on|over) ..3 {group}",
          "(about|for|serving|around) ..2 (traditional|christian|white|native born|american born|straight|married|nuclear) {people} & ({standDown}|{elsewhere}|{hopeless}|always|mainly|really|mostly|meant)",
          "(not|hardly|never) ..3 (our|the) ..2 (type~|kind~|sort|target|usual|typical|ideal|preferred|core) ..3 (customer~|borrower~|client~|clientele|market|audience|applicant~|member~|people) & ({group}|{basisHere})",
          "(this|these|that|our|the|such) ..3 {product} ..2 (is|are) not ..3 (for|meant|designed|aimed|intended|suited|suitable|right|open|available|made|fit|geared|appropriate) ..4 ({group}|{basisHere})",
          "{product} ..3 (is|are) ..2 (not for|only for|reserved for|meant for|really for|geared to|geared toward|best left to|more for|limited to|exclusively for|aimed at|intended for|for) ..3 (whites|white {people}|men|christian~|christian {people}|married {people}|american born {people}|native born {people}|younger {people}|citizens born here|people without kids|able bodied {people}|straight {people}|traditional families)",
          "(we|bank|branch) ..3 (cater~|prefer~|favor~|favour~|focus~|want~|like~|reserve~|look~ for|lend~) ..6 (whites|white {people}|christian {people}|christians|married {people}|native born {people}|american born {people}|younger {people}|men|male {people}|families like ours|traditional families|people of our faith|members of our faith|our own kind|people of faith)",
          "no ({peoples}|{demonym} {people}|single mothers|single moms|pregnant women|welfare recipients|wheelchairs|old people|kids) ..2 (please|allowed|here|need apply|wanted|accepted)",
          "({refuse}|{doomed}) ..6 (people|folks|applicants|anyone|customers|borrowers|someone|families|women|men) ..3 (like you|like yours|your age|of your background|your background|with your background|from your community|from your country|in your condition|your condition)",
        ],
        unless: [...innocent(), "{legalAge}", "{permittedStatus}"],
      };
    },
    "group-named-with-doubt"(): PhraseGroup {
      return {
        // A single cue: shown, but no alert.
        severity: "info",
        confidence: 0.5,
        about: credit(),
        ignore: ["negation", "question", "others", "quotation"],
        match: [
          "({group}|{basis}) ..16 ({heldBack}|{treatment})",
          "({heldBack}|{treatment}) ..16 ({group}|{basis})",
          "({group}|{basis}) ..6 {need}",
          "({group}|{basis}) & (your|the|his|her|their) (rate|score|limit|application|file|approval|chances|odds)",
        ],
        unless: [
          ...innocent(),
          "{legalAge}",
          "{permittedStatus}",
          "{domestic}",
          "{holiday}",
          "{encouraged}",
          "{monitoring}",
        ],
        unlessAnywhere: [
          "{welcomed}",
          "{equality}",
          "{lawTalk}",
          "{monitoring}",
          "{scamTalk}",
          "joint (application|mortgage)",
          "faith (in|at|from|on|or) ..4 (services|team|desk|lending|support|branch|operations|department|office|risk|disputes|collections)",
          "(grace|hope|joy) or faith",
          "(decree~|certificate~|congrat*)",
        ],
      };
    },
    "basis-makes-hopeless"(): PhraseGroup {
      return {
        ignore: ["negation"],
        match: [
          "(at|with|given|considering|because of) ..2 (your age|your accent|your background|your religion|your faith|your disability|your condition|your pregnancy|that accent|that name|your name|your last name|your surname|your kind of name|your gender|your marital status|a baby on the way|a baby coming|your nationality|your ethnicity|your health|your skin color|a wheelchair|your family situation|your country of origin|your heritage) ..10 ({canNot} {serve}|{hopeless}|{doomed}|{elsewhere}|wait|hold off|struggle|hard|tough|difficult|uphill|unlikely|doubt|smaller|simpler|tricky|challenging|realistic|out of reach|risky|slim|forget)",
          "({hopeless}|{doomed}|hard|tough|difficult|uphill|unlikely|doubt|tricky|challenging|unrealistic|out of reach|struggle|slim) ..10 (at your age|with your accent|with your background|with your religion|with your faith|with your disability|with your condition|with that accent|with that name|with a name like|with your name|for your kind|for someone your age|for people like you|given your background|given your age|given your faith|given your accent|with a baby|while pregnant|being pregnant|as a single mother|as a single mom|as an immigrant|as a woman|for a woman|as a foreigner|for immigrants|for single mothers|in your condition|being a single)",
          "(be|being|are|were|was|is|getting|get) ..2 (too old|too pregnant|too foreign|too far along|getting too old) ..8 (for|to) ..6 ({product}|apply*|qualify|borrow*|us)",
        ],
        unless: [...innocent(), "{legalAge}"],
      };
    },
    "basis-of-the-customer"(): PhraseGroup {
      return {
        ignore: ["negation", "question"],
        inSession: true,
        user: [
          "{basis}",
          "(i|my (wife|husband|family|parents|mother|father|mom|dad|sister|brother)) ..3 (am|is|are|being|was|were|get|gets|receive|live|lives|rely|relies) ..3 ({trait}|{assistance}|{peoples}|on benefits)",
          "({trait}|{assistance}|{group}|{aged}|{parenthood}|{lowerIncomeKinds})",
          "(retire~|retired|divorc*|widow*|age|too old|elderly|unmarried|accent|kids|baby|religion|faith|wheelchair|disab*|immigrant|visa|citizenship|hijab|pension)",
          "(i am|i turned|i will be|turned|at age|aged|am) ..1 (60|61|62|63|64|65|66|67|68|69|70|71|72|73|74|75|76|77|78|79|80|81|82|83|84|85|86|87|88)",
          "i ..2 {brood}",
          "my age",
        ],
        about: [...credit(), "{rebuff}"],
        match: dissuasion(),
        unless: [...innocent(), "{legalAge}", "{permittedStatus}"],
        unlessAnywhere: [
          "{welcomed}",
          "{financialReason}",
          "{scamTalk}",
          "{monitoring}",
          "leave it blank",
        ],
        confidence: 0.7,
      };
    },
  },
});
