import { defineRule } from "../define-rule.ts";
import { rightsConcepts } from "../lexicon/conduct-rights.ts";
import type { Guard } from "../phrases/guards.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";

// Fraud and theft are the subject here, and to refuse is the wrong itself.
const AS_SAID: readonly Guard[] = ["condemnation", "refusal", "others", "negation", "definition"];

function voluntary(): string[] {
  return [
    "(helpful|optional|optionally|recommended|not required|not necessary|not needed|not mandatory|may help|can help|could help|would help|if you have|if available|if possible|feel free|you may also|you can also|suggest|recommend|voluntary|speeds|speed up|not a requirement|no obligation)",
    "(not|never|no) ..2 (need|needs|needed|have to|required|require|must|necessary|insist|obliged|wait)",
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
export const consumerProtectionRights = defineRule({
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
    "claim-conditioned"(): PhraseGroup {
      return {
        within: 2,
        match: [
          "{must} ..12 {evidence} ..14 {dispute}",
          "{dispute} ..10 {must} ..12 {evidence}",
          "{evidence} ..8 (is|are) ..2 (required|mandatory|compulsory|needed|necessary|a must|a condition|a prerequisite) & {dispute}",
          "{refuse} ..4 {begin} ..12 (until|unless|without|before|till|except) ..12 {evidence}",
          "(no|without) ..3 {evidence} ..3 (no|means no|then no|equals no) ..4 ({dispute}|refund|credit|help)",
          "(without|lacking|absent|minus|short of) ..4 {evidence} ..12 {refuse}",
          "(bring|get|file|obtain|provide|submit|send|show|mail|fax|hand in) ..5 {evidence} ..4 (first|before|beforehand|or else|otherwise) & {dispute}",
          "(first|before|until|unless|once|after) ..8 (police|notary|court|attorney|lawyer) ..14 ({dispute}|refund|credit)",
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
          "{refuse} ..4 {begin} ..10 (until|unless|before|without|till) ..10 {merchant}",
          "(must|have to|need to|required to|has to|got to) ..6 (contact|call|ask|try|settle|resolve|work|go|take|deal|sort|exhaust|reach|write) ..8 {merchant} ..12 (before|first|prior|or else|otherwise)",
          "(only|not) ..4 (after|once|until|when) ..8 {merchant} ..8 (refuse~|refused|declined|said no|responds|responded|denied|denies|confirms|answers|rejects|rejected|agrees)",
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
          "(can|may|must|have to|had to|should have|need to|only|accept~|allow~|consider~|get|had|have|got) ..8 (within|in|inside|under|less than|for) ..3 {short} & {unauthorized} & (only|must|had to|have to|no longer|too late|lose~|forfeit~|after that|final|stands|nothing|not)",
          "(after|past|beyond|older than|over|more than) ..3 {short} ..10 (not|no|never|lose~|forfeit~|final|stand~|yours|too late|gone|expire~|void|refuse~|reject~|nothing|permanent)",
          "(not|no|never|lose~|forfeit~|refuse~|reject~) ..12 (after|past|beyond|older than|more than|over) ..3 {short}",
          "{late} ..12 (dispute~|claim|report|refund|contest|investigat*|charge|transaction|error|fraud|unauthorized|reimburse~)",
          "(dispute~|claim|report|refund|contest|investigat*|charge|transaction|error|fraud|unauthorized|reimburse~|protection) ..12 {late}",
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
          "you ..4 (liable|responsible|on the hook|accountable|stuck with|out of luck) & {unauthorized}",
          "(your responsibility|your liability|your loss|your problem|your fault|on you|yours to bear|yours to pay|your burden|bear the loss|eat the loss|eat that|eat it|absorb the loss|swallow the loss|take the hit|take the loss|foot the bill) & {unauthorized}",
          "{unauthorized} ..12 {liable}",
          "{blame} ..16 ({liable}|not refund|no refund|not cover|not covered|not reimburse|not protected|no protection|not eligible|not entitled|no claim|no right|no recourse|lose your right|not credit|can not dispute|can not claim|not get it back|nothing we can|denied)",
          "({liable}|not refund|no refund|not cover|not covered|not reimburse|not protected|no protection|not eligible|not entitled|no claim|no recourse|can not dispute|can not claim|denied) ..10 {blame}",
          "(not|never|no) ..4 (refund~|reimburse~|cover~|covered|protect~|credit~|compensate~|responsible|liable|pay back|make good|return) ..8 (unauthorized|fraudulent|stolen|fraud|hacked|unauthorised|scam|thief|theft)",
          "(unauthorized|fraudulent|unauthorised|hacked|stolen|fraud) ..10 (not|never|no) ..3 (refund~|refunded|reimburse~|reimbursed|covered|cover|protected|returned|credited|recoverable|recover|liability|obligation)",
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
        ],
        unlessAnywhere: ["{rightLimit}", "not ..2 (liable|responsible|on the hook)"],
        ignore: AS_SAID,
      };
    },
    "right-denied"(): PhraseGroup {
      return {
        match: [
          "(no|not|never|without) ..3 (right|rights|entitled|entitlement|recourse|remedy|legal claim|protection|protections|obligation|obliged|obligated|required|duty) ..10 (dispute~|investigat*|refund~|chargeback~|cancel|rescind|disclosure~|statement~|provisional credit|contest~|error~|unauthorized|fraud|reimburse~|written notice|loan estimate|appraisal)",
          "(debit|debit card|zelle|atm|prepaid|p2p|ach|electronic|online|bill pay|check|savings|credit card) ..6 ({dispute}|purchases|payments|transfers|transactions|withdrawals|charges) ..4 (can not|not|never|are not|no) ..3 (disputed|disputable|contested|reversed|investigated|protected|covered|refunded|reimbursed|challenged|questioned)",
          "(can not|not|never|not allowed to|not able to|no way to|no longer|impossible to) ..2 (dispute|contest|challenge|claim) ..6 (debit|zelle|atm|charge~|payment~|transaction~|withdrawal~|transfer~|pin|it|that|this|anything|error~)",
          "(not|never|no) ..4 (provisional|temporary) credit ..8 (until|unless|ever|at all|offered|here|given|for debit|policy|any|debit|on|months|cases)",
          "(not|never) ..3 (give|grant|issue|offer|provide|do|post) ..2 (provisional|temporary) credit~",
          "(keep paying|pay it|pay the|pay that|must pay|have to pay|still pay|pay in full|interest) ..8 (disputed|in dispute|under dispute|while (we|it|the)|during the (dispute|investigation)|until the dispute)",
          "(report|reported|reporting|mark|marked) ..2 (you|it|account|this|that|payment|them) ..5 (late|delinquent|past due|bureau~) ..6 (while|during|even though|although|despite|if) ..6 (dispute|disputed|investigat*|withhold~|look|looking|check|checking|review|sort)",
          "(investigation~|dispute~|claim~) ..6 (take~|last~|run~|need~) ..6 ((4|5|6|7|8|9|12|18|four|five|six|seven|eight|nine|twelve|eighteen) months|half a year|a year|a full year|years)",
          "(all|every) (sales|transactions|transfers|charges|payments) ..3 final",
          "(chargeback~|dispute~|claim~|investigation~) ..3 (is|are) ..2 (a courtesy|a favor|a favour|a privilege|discretionary|optional|up to us|at our discretion|not a right|only for)",
          "no (such thing|such|process|way|procedure|mechanism|option|form|route) ..4 (dispute~|chargeback~|provisional credit|claims|investigation~|contest~)",
          "(dispute|claim|investigation|chargeback|filing|review|research) (fee|charge) ..5 #money",
          "(investigation|chargeback|filing|research) (fees|cost) ..5 #money",
          "({law}) ..4 (does|do|did) not ..2 (apply|cover|protect|count|bind)",
          // Not "dispute the charge of $50": there the charge is what is disputed.
          "(disputes|a dispute|each dispute|claim~|investigation~|chargeback~) ..4 (fee of|charge of) ..6 #money",
          "(dispute~|claim~|investigation~|chargeback~) ..4 (cost|costs) (you|us|at least|about|from)? (#money|a fee)",
          "(dispute~|claim~|investigation~|chargeback~) ..4 (incur~|carry|carries) ..6 (#money|a fee|fee)",
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
        match: ["{noRight} & ({rightsTopic}|{disclosure}|it|this|that|you|your|we|us)"],
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
          "(by|when|if|once|because|since|in order to|to get|accepting|agreeing|signing|using|clicking) ..14 {waive} ..5 ({disclosure}|right|rights|protection|protections|claim~)",
          "you ..3 {waive} ..5 ({disclosure}|right to|rights to|any rights|all rights|your rights|right of|consumer protection~|legal protection~)",
          "(we|i|let us|us) ..4 (skip~|waive~|bypass~|forgo|dispense with|do without|omit~|leave out|drop|ditch) ..5 {disclosure}",
          "(agree~|promise~|undertake|consent~|pledge~) ..3 (not to|to not|never to|to give up|to waive|to forgo|to drop) ..6 ({disclosure}|right|rights|dispute~|contest|sue|complain)",
          "^ (skip|waive|forget|ignore|never mind|drop) ..3 {disclosure}",
          "(everybody|everyone|all customers|most people) ..2 (waive~|skip~) ..2 (it|that|them|{disclosure})",
          "(not|never|no) ..4 (need|send|provide|give|issue|hand out|bother with|have to|required|necessary|mail|get|receive) ..4 (loan estimate|closing disclosure|truth in lending|til disclosure|disclosure~|written notice|rescission|right to cancel|right of rescission|cooling off|waiting period|fee schedule|copy of (your|the) appraisal)",
          "{disclosure} ..5 (can be|is|are|was|were|gets|get|has been) ..2 (skipped|waived|bypassed|omitted|unnecessary|dropped|ignored|left out|a formality|just paperwork|forfeited|void|gone|lost)",
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
