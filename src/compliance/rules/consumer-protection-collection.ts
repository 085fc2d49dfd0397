import { defineBuiltInRule } from "../define-rule.ts";
import { collectionConcepts } from "../lexicon/conduct-collection.ts";
import { plainThreat } from "../lexicon/plain-conduct.ts";
import type { Guard } from "../phrases/guards.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";

// A threat speaks of crimes and is often a condition or an "anyone who".
const AS_SAID: readonly Guard[] = ["condemnation", "others", "definition", "negation"];

function lawful(): string[] {
  return [
    "(not|never|no one|nobody) ..3 ({arrest}|{seize}|jailed)",
    "police report",
    "(no|without) ..3 (arrest|jail|warrant|prison|criminal)",
    "(court order|judgment|judgement|a court|lawsuit|judge) ..10 (required|needed|needs|first|before|must|would|only|after)",
    "(after|only with|once|unless|needs|requires|require|obtain~|following|would need) ..4 (a|the|court) ..1 (court|judgment|judgement|order|ruling|lawsuit)",
    "(illegal|unlawful|prohibited|not allowed|not permitted|fdcpa|your rights|report them|a scam|scammer~|fake collector~)",
    "(file|filed|make|made|contact|call) ..3 (police report|the police)",
    // What is told of collectors and of courts threatens nobody.
    "(threaten~|threats|collector~ ..4 (can not|should not|may not|must not|say~|tell~|claim~|pretend~))",
    "(contempt|court order~|subpoena~|summons|(offence|offense) under)",
    "sheriff ..2 (sale|deed)",
  ];
}

/**
 * Flags threats, insults, disclosure to others and pestering in the collection of a debt.
 *
 * What a court could order is told in the right way with the court, and so are denials ("nobody is arrested for a debt").
 *
 * @see 15 U.S.C. §§ 1692c-1692f (FDCPA); 12 CFR 1006.14, 1006.18, 1006.22 (Regulation F); 12 U.S.C. § 5531
 */
export const consumerProtectionCollection = defineBuiltInRule({
  id: "consumer-protection-collection",
  name: "Abusive collection",
  description: "Threats, insults, disclosure to others or pestering in the collection of a debt.",
  explanation: "The agent threatens, insults, exposes or pesters a customer who owes money.",
  category: "consumer_protection",
  severity: "violation",
  law: {
    citation:
      "15 U.S.C. §§ 1692c-1692f (FDCPA); 12 CFR 1006.14, 1006.18, 1006.22 (Regulation F); 12 U.S.C. § 5531",
    asOf: "2026-11-21",
    status: "in force",
    note: "For a bank's own debts the prohibition of unfair and abusive acts applies.",
  },
  recommendation: "Stop, apologise, offer hardship options, and respect the contact preference.",
  impact: { customer: "high", business: "high" },
  concepts: collectionConcepts,
  phrases: {
    "stated-plainly"(): PhraseGroup {
      return plainThreat();
    },
    "arrest-threat"(): PhraseGroup {
      return {
        within: 2,
        match: [
          "{unpaid} ..8 (you|we|your|our|or) ..5 {arrest}",
          "(we|i|our team|our lawyer|legal department|bank) ..5 (send~|call~|contact~|notify|notified|dispatch~|alert~|involve~|file~|issue~|press~|report~|get|put out|swear out|bring) ..6 {arrest} & {unpaid}",
          "(you|you will|you could|you might|you are going to) ..4 (go to|end up in|land in|face|facing|spend|sit in|be arrested|get arrested|find yourself|wind up in|be in|be picked up|be hauled) ..4 {arrest} & {owing}",
          "(pay|settle|payment|clear|cough up) ..8 or ..8 {arrest}",
          "{arrest} ..6 (interested|like to know|like to hear|hear about|come|coming|knock~|visit~|show up|waiting|wait) ..8 {unpaid}",
          "(not paying|skipping|defaulting|failure to pay|nonpayment|ignoring) ..6 (is|counts as|amounts to|equals) ..3 (a crime|theft|fraud|stealing|criminal|a felony|larceny)",
        ],
        unless: lawful(),
        ignore: AS_SAID,
      };
    },
    "seizure-threat"(): PhraseGroup {
      return {
        within: 2,
        match: [
          "(we|i|bank|our|they) ..5 {seize} ..10 {soon} & {owing}",
          "{soon} ..8 (we|i|bank|our) ..4 {seize} & {owing}",
          "(pay|settle) ..8 or ..2 (we|i|your) ..4 {seize}",
          "(take|pull|deduct|collect|withhold|comes|come|get|help ourselves) ..4 (from|out of) ..1 your (paycheck~|wages|salary|pay|pension|benefits|social security) & ({soon}|court|judge|judgment)",
          "{seize} & (court|judge|lawsuit|judgment|hearing) ..3 (not|no) ..2 (needed|required|necessary|involved)",
          "{unpaid} ..10 (we|i|bank) ..3 (will|are going to|can|shall) ..3 {seize} ..8 {soon}",
          "your (wages|paycheck|salary|pay|house|home|car|furniture) ..3 (is|are|will be|gets|get|goes|go|being) ..4 ({seize}|ours|taken|gone|docked) ..6 ({soon}|if|unless)",
          "(no|without) ..2 (court|judge|lawsuit|hearing|judgment) ..6 (we|i|bank) ..4 {seize}",
          "(we|i|bank|your) ..6 {seize} ..8 (no|without) ..2 (court|judge|lawsuit|hearing|judgment)",
        ],
        unless: [
          ...lawful().slice(0, 1),
          ...lawful().slice(4, 6),
          "(avoid|prevent|stop|help|options|hardship|assistance) ..8 {seize}",
          "(we|bank|they) ..2 can not ..4 {seize}",
          "{seize} ..6 requires",
          "(state law|(many|some|most|your) states|your lender|the lender|servicer~|breach of the peace|sheriff ..2 sale|levy fee|from the irs|tax levy)",
        ],
        about: ["{unpaid}", "garnish*", "(wages|paycheck|paychecks|salary|late|behind|debt|loan)"],
        ignore: ["condemnation", "others", "negation"],
      };
    },
    "told-to-others"(): PhraseGroup {
      return {
        within: 2,
        match: [
          "(we|i|i am|our|bank) ..4 {reveal} ..4 {someone} ..8 (debt~|owe|owes|owed|owing|past due|overdue|unpaid|behind|default*|not paying|do not pay|deadbeat|delinquen*|pay up|what kind)",
          "{someone} ..2 (has been|have been|was|were|will be|is being|gets|get) ..1 (notified|told|informed|contacted|called|emailed|alerted|written to) ..8 (debt~|owe|owes|owed|owing|past due|overdue|unpaid|behind|default*|delinquen*|missed|not paying)",
          "(we|i) ..3 (call|phone|ring) your (work|workplace|job|office) ..4 (until|unless|anyway)",
          "your (name|names|photo|picture|debts|debt) ..5 (printed|published|posted|listed|put up|displayed|read out|pinned|hung) ..6 (newspaper|facebook|window|lobby|public list|wall|door|social media|bulletin board)",
          "{someone} ..6 (hear~|find~ out|learn~|be told|be informed|be notified|get a call|gets a call|receive a call|get a letter|gets a letter|be contacted|be called|be interested|love to know|like to know|be delighted to) ..8 (debt~|owe|owes|owed|owing|past due|overdue|unpaid|behind|default*|not paying|delinquen*|missed|do not pay)",
          "(pay|settle|payment) ..8 (or|otherwise|else) ..3 (we|i) ..4 {reveal} ..4 {someone}",
          "(we|i) ..4 {reveal} ..4 {someone} ..8 (until|unless|if|because|so that) ..6 {unpaid}",
          "(i|we) ..3 (called|told|contacted|informed|emailed|phoned|notified|spoke with|spoke to|left a message with|wrote to|texted|messaged) ..3 {someone} ..8 (debt~|owe|owes|owed|owing|past due|overdue|unpaid|behind|default*|delinquen*|missed)",
          "(post~|publish*|put|list|print|share) ..4 (your name|your photo|your picture|your debt) ..4 (on|in) ..3 (facebook|social media|instagram|newspaper|local paper|wall|window|billboard) & {owing}",
        ],
        unless: [
          "(will|do|does|can|would|may|must|should|shall|could|are) not ..1 {reveal}",
          "(never|nobody|no one) ..4 {reveal}",
          "not ..2 (discuss|share|allowed|permitted|able|going)",
          "(authorized|co-borrower|cosigner|co-signer|joint|permission|consent|power of attorney|third parties are not)",
          "you ..2 (can|could|may|might|should|want) ..3 {reveal}",
          "(verify|verification of|confirm) ..3 (employment|income)",
          "(as you|at your) ..2 (request~|asked)",
        ],
        about: ["{unpaid}", "(loan~|credit|borrow~|debt~|balance|owe)"],
        ignore: AS_SAID,
      };
    },
    insult(): PhraseGroup {
      return {
        match: [
          "(you are|you are such|you are being|you must be|people like you|customers like you|borrowers like you) ..3 {insult}",
          "(only|such) a ..1 (deadbeat|loser|freeloader|moocher|crook)",
          "(stop|quit) (being|acting like|behaving like) ..3 {insult}",
          "(make me sick|makes me sick|sick of people like you|get off your couch|get a job and pay|have you no shame|do you have no shame)",
          "^ (shame on you|deadbeat|loser|pathetic|disgusting)",
          "you (should|ought to) be ..2 ashamed",
          "(real|grown|decent|honest|responsible|respectable|normal) (men|women|adults|people|parents) ..2 (pay|honor|settle)",
          "(your kids|your children|your family|your mother) ..4 ashamed",
        ],
        about: ["{unpaid}", "(loan~|credit|borrow~|debt~|balance|owe|pay)"],
        unless: [
          "(not|never) ..3 {insult}",
          "(feel|be|feeling) ..2 embarrassed",
          "(in case|if|that|sorry) ..5 {insult}",
          "(scam*|prize|fraud (team|desk|department)|how (thieves|scammers|crooks))",
          "(go|went|are) broke",
        ],
        ignore: ["condemnation", "question", "others"],
        confidence: 0.75,
      };
    },
    pestering(): PhraseGroup {
      return {
        within: 2,
        match: [
          "(we|i|our|my) ..6 {harass} ..10 (until|till|unless) ..6 (pay~|payment|paid|owe|settle~|balance|debt|money)",
          "(we|i|our|my) ..4 {harass} & {debtTopic}",
          "(expect|prepare for|get used to|look forward to) ..6 (calls|call|texts|visits|ringing) ..8 (every|all|daily|hourly|night|work|until) & {owing}",
        ],
        unless: [
          "(not|never|stop|no) ..4 {harass}",
          "(24|line|help|support|service|chat|available|agents) ..6 (around the clock|round the clock|day and night|all hours)",
        ],
        about: ["{unpaid}"],
        ignore: AS_SAID,
      };
    },
    "stop-ignored"(): PhraseGroup {
      return {
        within: 2,
        match: [
          "(cease|stop request|request to stop|attorney|lawyer|counsel|do not call|do not contact|cease and desist|asked us to stop|told us to stop) ..8 (we|i) ..4 {ignore} ..4 (call|calls|calling|contact~|contacting|phon*|ringing|texting)",
          "(you|your) ..6 (asked|told|wrote|requested|begged) ..6 (stop|not to call|not to contact|leave you alone|cease) ..8 (we|i) ..2 (keep|continue~|go on|carry on|still (call|contact|phone|text))",
          "(i|we) ..3 (do not|will not|not going to|refuse to|never) ..3 (deal|speak|talk|go|work|communicate|correspond) ..3 (with|to|through) ..3 (lawyer~|attorney~|counsel)",
          "calls ..2 (go on|going on|continue|keep coming|keep going|not stop) ..2 (until|till) ..5 (paid|pay|owe|settle~|balance|debt|money)",
          "(not matter|do not care) ..6 (attorney|lawyer|counsel|cease and desist) ..8 (debt|owe|dealing|call~)",
          "(lawyer|attorney|counsel) or (no lawyer|not|no attorney)",
        ],
        about: [
          "{unpaid}",
          "(debt~|collect*|loan~|balance|owe~)",
          "(stop|cease) ..3 (call~|contact~|text~|phone|phoning|ringing|bother~)",
        ],
        inSession: true,
        unless: [
          "(not|never|will no longer|stop|stopped) ..3 (call~|contact~) you",
          "(speak|talk|communicate|deal|contact) ..4 (only|directly) ..3 (attorney|lawyer|counsel)",
          "(will|i have|we have) ..2 (stop|note|noted|honor|record|recorded|mark|respect|update)",
        ],
        ignore: ["negation", "refusal", "condemnation", "others"],
      };
    },
    abuse(): PhraseGroup {
      return {
        match: ["{abuse}"],
        unless: [
          "(not|never) ..1 {abuse}",
          "(feel|felt|call you|calling you|called you|sounded|apologi*|sorry|in case|a crook (uses|stole)|the (thief|crook|fraudster|cheat))",
          "(identity|card) (thief|thieves)",
          "(scam*|gift card~|prize|irs never|never asks|never need|fraud (team|desk|department))",
        ],
        ignore: ["condemnation", "question", "others", "refusal", "negation"],
        confidence: 0.75,
      };
    },
    "threat-unless-paid"(): PhraseGroup {
      return {
        within: 2,
        match: [
          "{arrestStrong} & {nonpayment} & (you|your)",
          "(failing to pay|not paying|non payment|nonpayment|defaulting|owing money|an unpaid (card|loan|debt|balance)) ..4 (is|counts as|shall|will|amounts to|means|leads to|ends in|lands) ..8 ({arrestStrong}|a crime)",
          "{arrestStrong} ..4 (unpaid|past due|overdue|delinquen*) ..2 (card|loan|debt|balance|bill)",
          "{exposed}",
          "{menace}",
          "we ..4 (have you|get you|see you) ..2 (evicted|arrested|jailed|fired|deported|thrown out|charged|removed)",
          "your (spouse|wife|husband|mother|kid|kids|parent|parents|son|daughter) 's ..3 (car|house|home|wages|account) ..4 (taken|seized|garnished|gone|repossessed)",
        ],
        about: [
          "{debtTopic}",
          "{plea}",
          "(late|broke|lost my job|laid off|collector~|final notice|payment plan|pension|retired|what (are|will|can) you)",
        ],
        unless: [
          ...lawful(),
          "(not|never|no one|nobody) ..2 ({exposed}|{arrestStrong})",
          "(will|would|shall|can|do) not ..4 {menace}",
          "(if you (want|like|agree)|with your (consent|permission)|joint|co-borrower|emergency)",
          "(scam|fraud|stolen|theft|dispute form|employment|job letter|verification letter)",
          "you ..2 (can|could|may|might) ..2 (call|contact|tell|ask|speak)",
        ],
        unlessAnywhere: ["(nobody|no one|can not be|not be) ..4 (arrested|jailed)"],
        ignore: AS_SAID,
        confidence: 0.75,
      };
    },
    "plea-ignored"(): PhraseGroup {
      return {
        within: 2,
        match: ["{unheeded}", "^ so what"],
        user: ["{plea}"],
        about: ["(debt~|owe|owed|collect*|pay|payment~|balance|bill|calling|calls|call)"],
        unless: [
          "(do|does|will|can) not ..3 (owe|have to pay|need to pay|call you|contact you|affect your|cost)",
          "(stop|stopped|no longer|marked|noted|honor|honour|respect) ..4 (call~|contact~|request|wish~|preference)",
          "(hardship|payment) (plan|program|option~) ..6 (available|can|help|apply)",
          "(card|fraud|autopay|stop payment|subscription|merchant|password|app)",
        ],
        unlessAnywhere: [
          "(no more calls|calls have stopped|stopped all|we will stop|i will stop|i have marked|i have stopped)",
        ],
        ignore: ["negation", "refusal", "condemnation", "others", "definition", "question"],
        confidence: 0.7,
      };
    },
    violence(): PhraseGroup {
      return {
        match: ["{scare}"],
        alongside: ["{unpaid}"],
        unless: ["(not|never) ..5 {scare}", "domestic", "(tell|let) us"],
      };
    },
  },
});
