import { defineBuiltInRule } from "../define-rule.ts";
import { rightsConcepts } from "../lexicon/conduct-rights.ts";
import { plainDenial } from "../lexicon/plain-conduct.ts";
import type { Guard } from "../phrases/guards.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";

// Fraud and theft are the subject here, and to refuse is the wrong itself.
const AS_SAID: readonly Guard[] = ["condemnation", "refusal", "others", "negation", "definition"];

function voluntary(): string[] {
  return [
    "(helpful|optional|optionally|recommended|not required|not necessary|not needed|not mandatory|may help|can help|could help|would help|if you have|if available|if possible|feel free|you may also|you can also|suggest|recommend|voluntary|speeds|speed up|not a requirement|no obligation)",
    "(not|never|no) ..2 (need|needs|needed|have to|required|require|must|necessary|insist|obliged|wait)",
    "(not|never) ..2 (make|ask|force|tell|send) ..1 (them|him|her|customer~|people|member~)",
    "(already|have) ..2 (opened|started|filed|logged|begun|submitted)",
  ];
}

/**
 * Flags an agent who denies or limits the rights that the law gives on errors, unauthorised payments and disclosures.
 *
 * To ask for documents without making the claim depend on them is fine, and so are the legal time limits.
 *
 * @see 12 CFR 1005.6, 1005.11 (Regulation E); 12 CFR 1026.12, 1026.13, 1026.19, 1026.23 (Regulation Z)
 */
export const consumerProtectionRights = defineBuiltInRule({
  id: "consumer-protection-rights",
  name: "Misstatement of consumer rights",
  description: "Rights on errors, unauthorised payments or disclosures are denied or limited.",
  explanation: "The agent denies, limits or conditions a right that the law gives the customer.",
  category: "consumer_protection",
  severity: "violation",
  law: {
    citation: "12 CFR 1005.6, 1005.11 (Regulation E); 12 CFR 1026.12, 1026.13 (Regulation Z)",
    asOf: "2026-11-21",
    status: "in force",
    note: "For waivers of disclosures see 12 CFR 1026.19 and 1026.23, and 15 U.S.C. § 1693l.",
  },
  recommendation: "Accept the notice of error now and explain the legal time limits.",
  impact: { customer: "high", business: "high" },
  concepts: rightsConcepts,
  phrases: {
    "stated-plainly"(): PhraseGroup {
      return plainDenial();
    },
    "claim-conditioned"(): PhraseGroup {
      return {
        within: 2,
        match: [
          "(must|have to|has to|need to|needs to|required to|got to) ..5 {hardProof} ..6 (before|or|otherwise|until|to (open|file|start|begin)) ..6 {dispute}",
          "{dispute} ..3 (need~|require~|must have|must come with|must be|has to be|only with) ..3 {hardProof}",
          "{hardProof} ..3 (is|are) ..1 (required|mandatory|compulsory|needed|necessary|a must|a condition|a prerequisite) & {dispute}",
          "{refuse} ..2 {begin} ..6 (until|unless|without|before|till|except) ..6 {hardProof} & ({dispute}|{unauthorized})",
          "(no|without) ..2 {hardProof} ..3 (no|means no|then no|equals no) ..2 ({dispute}|refund|credit|help)",
          "(without|lacking|absent|minus|short of) ..4 {hardProof} ..6 {refuse} ..2 {begin} & ({dispute}|{unauthorized})",
          "(bring|get|file|obtain|provide|submit|send|show|mail|fax|hand in) ..5 {hardProof} ..2 (first|before|beforehand|or else|otherwise) & {dispute}",
          "(until|unless|only after|only once) ..6 (police|notary|court|attorney|lawyer) ..8 {dispute}",
          "{dispute} ..6 (until|unless|only after|only once) ..6 (police|notary|court|attorney|lawyer)",
        ],
        unless: [
          ...voluntary(),
          "(provisional|temporary) credit ..8 (while|within|already)",
          "(mortgage|closing|deed|power of attorney|wire|beneficiary|estate|signature)",
        ],
        about: ["{unauthorized}", "(claim~|chargeback~|investigation~|investigate)"],
        ignore: AS_SAID,
      };
    },
    "merchant-first"(): PhraseGroup {
      return {
        within: 2,
        match: [
          "{refuse} ..2 {begin} ..6 (until|unless|before|without|till) ..6 {merchant}",
          "(must|have to|need to|required to|has to|got to) ..4 (contact|call|ask|try|settle|resolve|work|take|deal|sort|exhaust|reach|write) ..6 {merchant} ..6 (before|first|prior|or else|otherwise) & ({dispute}|we (can|will))",
          "before ..6 {begin} ..8 (must|have to|need to|has to|got to) ..3 (contact|call|ask|try|settle|resolve|work|write) ..3 (to|with)? ..3 ({merchant}|gym)",
          "(only|not) ..1 (step in|open|file|act|start|begin|investigate|look|consider) ..4 (after|once|until|when) ..4 ({merchant}|they) ..4 (refuse~|refused|declined|said no|denied|denies|rejects|rejected)",
          "(between|matter between|strictly between|issue between|take it up|take that up|settle it|sort it out|sort that out) ..4 (you and|with) ..3 {merchant}",
        ],
        unless: voluntary(),
        about: ["{unauthorized}", "(claim~|chargeback~|investigation~|investigate)"],
        ignore: AS_SAID,
      };
    },
    "too-late"(): PhraseGroup {
      return {
        within: 2,
        match: [
          "(have|had|get|got|only|just) ..3 {short} ..2 to (flag|report|dispute~|claim|tell|notify|raise|contest|speak up|complain|call) & (after that|afterwards|or it is|or you|then it|otherwise|too late|gone|lose|final|nothing|forfeit~|from then on|past that|beyond that)",
          "(must|had to|have to|need to|needed to|should have) ..4 (report~|raise~|dispute~|flag~|file~|question~|contest~|complain~) ..4 (within|in|inside|under) ..1 {short} & {unauthorized} & (no longer|too late|lose~|forfeit~|after that|final|stands|nothing|closed|passed|accepted)",
          "({dispute}|error~|charge~|transaction~|fraud) ..3 (after|past|beyond|older than|more than) ..2 {short} ..3 (not|never|void|rejected|refused|forfeit~|stand~|final|gone)",
          "(not|never|refuse~|reject~) ..2 (accept|take|open|investigate|refund|reimburse|look into|correct|consider) ..4 (after|past|beyond|older than|more than) ..1 {short}",
          "{dispute} ..2 (die|dies|lapse~|expire~|end|ends|close|closes) ..1 after ..1 {short}",
          "{late} ..6 (dispute~|claim|report|refund|contest|investigat*|charge|transaction|error|fraud|unauthorized|reimburse~)",
          "(dispute~|claim|report|refund|contest|investigat*|charge|transaction|error|fraud|unauthorized|reimburse~|protection) ..6 {late}",
        ],
        about: ["{unauthorized}"],
        unless: [
          ...voluntary().slice(0, 1),
          "(60|sixty|90|120|ninety|13 months) (day~|month~|from|after)",
          "(two|2) business days ..12 (limit~|liability|50)",
          "(investigation|investigate|credit~|decide~|resolve~|respond~|answer|hear|receive|complete~|arrive~|finish~|call you) ..6 (within|in|takes) ..3 {short}",
          "(not|never) ..3 {late}",
          "(card|coupon|offer|session|link|code|document|id) ..3 expired",
        ],
        ignore: AS_SAID,
      };
    },
    "liability-shifted"(): PhraseGroup {
      return {
        within: 2,
        match: [
          "you (are|were|remain|will be) ..1 (liable|responsible|on the hook|accountable|stuck with|out of luck) ..6 (unauthorized|unauthorised|fraudulent|fraud|stolen|theft|withdrawal~|thief|everything|charges|loss~)",
          "(charge~|transaction~|withdrawal~|transfer~|payment~|loss~|fraud|debit~|theft|it|that|those|everything) (is|are|was|were|becomes|remains) ..1 (your responsibility|your liability|your loss|your problem|your fault|on you|yours to bear|yours to pay|your burden) & {unauthorized}",
          "you ..3 (bear the loss|eat the loss|eat that|eat it|absorb the loss|swallow the loss|take the hit|take the loss|foot the bill) & {unauthorized}",
          "(law|bank|we) ..2 (treat~|consider~|regard~) ..4 as (yours|authorized)",
          "{unauthorized} ..4 (is|are|was|were|will be|becomes) ..2 {liable}",
          "{blame} ..12 ({liable}|not refund|no refund|not cover|not covered|not reimburse|not protected|no protection|no claim|no right|no recourse|lose your right|can not dispute|can not claim|not get it back|nothing we can)",
          "({liable}|not refund|no refund|not cover|not covered|not reimburse|not protected|no protection|no claim|no recourse|can not dispute|can not claim|denied) ..6 {blame}",
          "(not|never) ..2 (refund|reimburse|cover|covered|compensate|pay back|make good) ..5 (unauthorized|fraudulent|stolen|hacked|unauthorised|thief|theft)",
          "(unauthorized|fraudulent|unauthorised|hacked|stolen) ..4 (is|are|will|can|do) (not|never) ..2 (refunded|reimbursed|covered|protected|returned|recoverable|recover)",
        ],
        about: ["{unauthorized}"],
        unless: [
          "{rightLimit}",
          "you (are|will) not ..4 {liable}",
          "(not|never|no) ..3 (liable|responsible|on the hook|your fault|your problem|your responsibility|accountable)",
          "(we|bank|merchant|thief) ..2 (are|is|will be) ..2 (responsible|liable)",
          "(responsible|liable) for (reporting|telling|keeping|notifying|reviewing|authorized)",
          "(merchant|seller) ..3 (responsible|liable)",
          "limited by law",
          "not (yet|possible to tell|know)",
          "(could|may|might) ..3 (liable|responsible)",
        ],
        unlessAnywhere: ["{rightLimit}", "not ..2 (liable|responsible|on the hook)"],
        ignore: AS_SAID,
      };
    },
    "right-denied"(): PhraseGroup {
      return {
        match: [
          "(no|not|never|without) ..2 (right|rights|entitled|entitlement|recourse|remedy|legal claim|protection|protections) ..5 (dispute~|investigat*|chargeback~|rescind|disclosure~|provisional credit|contest~|error~|unauthorized|fraud|written notice|loan estimate|appraisal|copy)",
          "(we|bank|i) ..3 (no|not|never) ..2 (obligation|obliged|obligated|required|duty) to ..6 (dispute~|investigat*|refund~|chargeback~|disclosure~|provisional credit|error~|unauthorized|fraud|reimburse~|loan estimate|appraisal)",
          "(debit|debit card|atm|prepaid|ach|electronic|online|bill pay|savings|credit card) ..3 ({dispute}|purchases|payments|transfers|transactions|withdrawals|charges) (can not|never|are not|can never) be? ..1 (disputed|disputable|contested|investigated|protected|challenged|questioned)",
          "(can not|may not|not allowed to|not able to|no way to|no longer|impossible to) ..1 (dispute|contest|challenge|claim) ..3 (debit|atm|charge~|payment~|transaction~|withdrawal~|transfer~|pin|it|that|this|anything|error~)",
          "(not|never|no) ..3 (provisional|temporary) credit ..6 (until|unless|ever|at all|offered|here|policy|months)",
          "(not|never) ..3 (give|grant|issue|offer|provide|do|post) ..2 (provisional|temporary) credit~",
          "(keep paying|pay|must pay|have to pay|still pay) ..3 (disputed|in dispute|under dispute)",
          "(keep paying|must pay|have to pay) ..4 (while|during|until) ..3 (investigat*|dispute|review|look into)",
          "(report|reported|reporting|mark|marked) ..2 (you|it|account|this|that|payment|them) ..5 (late|delinquent|past due|bureau~) ..4 (while|during|even though|although|despite) ..4 (dispute|disputed|investigat*|withhold~|look|looking|check|checking|review|sort)",
          "(investigation~|dispute~|claim~) ..4 (take~|last~|run~|need~) ..4 ((4|5|6|7|8|9|12|18|four|five|six|seven|eight|nine|twelve|eighteen) months|half a year|a year|a full year|years)",
          "(all|every) (sales|charges|transactions|card transactions|debit transactions) (is|are) final",
          "(chargeback~|dispute~|claim~|investigation~) ..1 (is|are) ..2 (a courtesy|a favor|a favour|a privilege|discretionary|up to us|at our discretion|not a right)",
          "no (such thing|such|process|way|procedure|mechanism|option|form|route) ..2 (dispute~|chargeback~|provisional credit|claims|investigation~|contest~)",
          "(dispute|claim|investigation) (fee|charge) ..3 #money",
          "{law} ..3 (does|do|did|will|can) not ..1 (apply|cover|protect|count|bind|help) ..3 (you|your|debit|atm|online|stolen|hacked|unauthorized|fraud|us|here|this bank|this app)",
          "(disputes|a dispute|each dispute|error claim~|investigation~) ..4 (fee of|charge of) ..6 #money",
          "(dispute~|error claim~|investigation~) ..2 (cost|costs) (you|us|at least|about|from)? (#money|a fee)",
          "(dispute~|claim~|investigation~) ..1 (incur~|carry|carries) ..3 (#money|a fee)",
        ],
        unless: [
          "{rightLimit}",
          ...voluntary(),
          "(will|do|can) not ..3 (lose|charge|cost|report)",
          "(business|commercial) (account~|loan~|purpose)",
          "you do not have to pay",
          "not ..2 have to ..3 pay",
          "(can not|not) ..3 (tell|say|predict|promise|guarantee|see|guess)",
          "not ..4 (reported|report|marked)",
          "pending",
          "right away",
          "(no|not a|without) ..1 (fee|charge|cost)",
        ],
        ignore: AS_SAID,
      };
    },
    "flatly-denied"(): PhraseGroup {
      return {
        within: 2,
        match: ["{noRight}"],
        about: ["{rightsTopic}"],
        unless: [
          ...voluntary(),
          "{rightTold}",
          "(complaint~|reply|replies|answer~|call you|hear from|arrive~|delivered|mailed)",
          "(at most|up to) #money",
          "(will|do|can|would|does) not ..3 (lose|charge|cost|affect)",
          "(predict|promise|guarantee|speculate|advise)",
          "(business|commercial) (account~|loan~|purpose)",
        ],
        unlessAnywhere: ["{rightTold}"],
        ignore: [...AS_SAID, "question"],
        confidence: 0.7,
      };
    },
    "rights-waived"(): PhraseGroup {
      return {
        match: [
          "(by|when|if|once|because|since|accepting|agreeing|signing|using|clicking|agreement|form) ..10 {giveUp} ..3 ({disclosure}|right|rights|claim~)",
          "you ..2 {giveUp} ..3 ({disclosure}|right to|rights to|any rights|all rights|your rights|right of|dispute rights|any claim|consumer protection~|legal protection~)",
          "(we|i|let us|us) ..2 (skip~|waive~|bypass~|forgo|dispense with|do without|omit~|leave out|drop|ditch) ..3 {disclosure}",
          "(agree~|promise~|undertake|consent~|pledge~) ..1 (not to|to not|never to|to give up|to waive|to forgo|to drop) ..4 ({disclosure}|right|rights|dispute~|contest|sue|complain)",
          "^ (skip|waive|forget|ignore|never mind|drop) ..3 {disclosure}",
          "(everybody|everyone|all customers|most people) ..2 (waive~|skip~) ..2 (it|that|them|{disclosure})",
          "(sign|signing|signed) ..1 waiver of ..3 {disclosure}",
          "(you|we) ..2 not ..2 (need|send|provide|give|issue|hand out|bother with) ..3 (loan estimate|closing disclosure|truth in lending|til disclosure|written notice|rescission|right to cancel|right of rescission|cooling off)",
          "{disclosure} ..2 (can be|is|are|was|were|gets|get|has been) ..1 (skipped|waived|bypassed|omitted|unnecessary|ignored|left out|a formality|just paperwork|forfeited|void)",
        ],
        unless: [
          "(not|never|nobody|no one) ..4 {waive}",
          "(waive~|drop~) ..2 (fee~|charge~|interest|penalt*|requirement)",
          "(bona fide|personal financial emergency|emergency)",
          "you ..2 not ..2 (lose|give up|waive)",
          "(e-sign|paperless)",
          "(before|receive|get) ..4 {disclosure} ..6 (first|before|days)",
          "(collision|insurance|warranty|damage)",
          "(go|straight) right (to|in|into|away)",
        ],
        ignore: AS_SAID,
      };
    },
  },
});
