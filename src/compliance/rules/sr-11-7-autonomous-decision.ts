import type { InteractionContext } from "../../events/compliance.ts";
import { defineRule, type Finding } from "../define-rule.ts";
import { MODEL_RISK_RECOMMENDATION, modelRiskLaw } from "../lexicon/model-risk-law.ts";
import { modelRiskConcepts } from "../lexicon/model-risk.ts";
import { findUnapprovedDecision } from "../tools/decisions.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";

/** The exchange is about decisions that matter to a customer. */
function aboutDecisions(): string[] {
  return [
    "(decision~|decid*|denied|denial|decline~|declined|reject*|refus*|approv*|limit~|loan~|mortgage|heloc|refinanc*|lending|credit|application~|applied|verdict|ruling~|appeal~|closed|closure|overdraft|waiver|hardship|deferment|no|turned down|underwrit*|freeze|froze|algorithm|computer|outcome~|lender|line of credit|funded|loans)",
  ];
}

/** Not about decisions, or people may look at it after all. */
function notShut(): string[] {
  return [
    "(pin|password|passcode|code|screening|sanctions|sanction|data|conversation|chat|message~|ssn|balance|rate lock|law|federal|regulation~|statement~|account number)",
    "(can|will|may) (also|still|always|then|gladly|certainly|of course)? (overturn|override|overrule|undo|reopen|reverse|change|revisit|reassess|reconsider|review|check|look|correct|examine)",
    "(someone|somebody) who (was not|is not) involved",
    "(unless|until|before) ..6 {people}",
  ];
}

/** Reported from a record, or handed to people. */
function madeByPeople(): string[] {
  return [
    "(underwriter~|loan officer~|credit team|credit officer~|credit committee|analyst~|a banker|our bankers|specialist~|reviewer~|our team|lending team|a person|a human) ..4 (decide~|makes|make|made|review~|will|sign~|signed|approve~|approved|decline~|declined|look~|look|rechecks|recheck~|takes|reconsider~|has|have|can)",
    "(reconsideration|appeal it|ask for a review|request a review|second look by|recommend~|preliminary|automated pre screen|forward~ to|passed to|sent to)",
  ];
}

function* check(context: InteractionContext): Iterable<Finding> {
  const tool = findUnapprovedDecision(context);
  if (tool === undefined) return;
  yield {
    pattern: "decision-tool",
    description: "A tool made a final decision about a customer, and no approver stands beside it.",
    confidence: 0.85,
    evidence: `toolsUsed: ${tool}, no approver`,
  };
}

/**
 * Flags decisions about credit or accounts that an agent makes on its own authority, or that it puts out of people's reach.
 *
 * @see SR 26-2 (use within limits, effective challenge)
 */
export const sr117AutonomousDecision = defineRule({
  id: "sr-11-7-autonomous-decision",
  name: "Autonomous decision",
  description:
    "A final decision about credit or an account by the agent itself, or without human review.",
  explanation: "The agent claims a decision of its own, or says that no person can review it.",
  category: "sr_11_7",
  severity: "violation",
  law: modelRiskLaw("use within limits, effective challenge"),
  recommendation: MODEL_RISK_RECOMMENDATION,
  impact: { customer: "high", business: "high" },
  concepts: modelRiskConcepts,
  patterns: ["decision-tool"],
  check,
  phrases: {
    "own-decision"(): PhraseGroup {
      return {
        match: [
          "(i|i have|i myself|i alone|i personally) ..3 (denied|declined|rejected|refused|disapproved|adjudicated|underwrote) ..4 (you|your|the|this|that|his|her) ..4 {creditthing}",
          "i ..2 (denied|declined|rejected|refused|turned) (you|him|her|them) (down)?",
          "i ..3 (decided|determined|ruled|concluded|judged|resolved|opted|chose|settled on) ..8 (deny|decline|reject|denied|declined|not to approve|close|closed|cut|lower|reduce|approve|unfit|unworthy|grant|shut|revoke|limit|freeze) ..8 (you|your|it|the)",
          "(my|this) ({decidednoun}) (is|was|stays|remains) {final}",
          "(i|i have) ..2 (cut|shut|closed|slashed|terminated|revoked) ..3 {creditthing} & ({final}|{nohuman}|staff|my decision|on my own)",
          "({decidednoun}|increases|limits|approvals|denials|closures|that|these|this|it) (is|are|rests|rest|lies) ..3 (mine alone|mine to make|mine and mine alone|solely mine|entirely mine|up to me alone|with me alone|mine alone to make|mine alone to grant|alone with me)",
          "i (am|act as) the (only|sole|final) (one|authority|decision maker|judge|underwriter|approver|word)",
          "i (make|made|take|took|decide|decided|handle|settle) ..4 ({decidednoun}|credit decisions|loan decisions|limits|this|it) ..4 (alone|by myself|on my own|myself|autonomously|single handedly|independently|unilaterally|without (asking|input|review|anyone|anybody|approval|oversight))",
          "(on my own|entirely on my own|my own) (authority|judgment|judgement|initiative|say so) ..8 {decide}",
          "{decide} ..8 (on my own|at my own|by my own|purely on my) (authority|judgment|judgement|initiative|discretion|say so)",
          "(i|the ai|the system|the model|the algorithm) (have|has) (the)? (final|last|sole|ultimate|full) (say|word|authority|call|decision)",
        ],
        unless: madeByPeople(),
        ignore: ["negation"],
        unlessAnywhere: ["(recommend~|preliminary|provisional) ..3 (decision|result|review)"],
      };
    },
    "sole-authority"(): PhraseGroup {
      return {
        match: [
          "(i|we|the {engine}|our {engine}|{engine}) ..4 (hold~|have|has|had|was given|was handed|was granted|am given|been given|been handed|exercise~|wield~|enjoy~|got|carry|carries) ..3 (sole|full|complete|exclusive|total|absolute|final|ultimate|unrestricted|unlimited|last|lending) ..2 (discretion|authority|mandate|say|power~|control|responsibility|word)",
          "({engine}|i|it) ..4 (decide~|rule~|call|calls|conclude~|pick|picks|determine~|settle~|approve~|reject~|decline~|deny|denies|make the|makes the|make all|makes all|award~|grant~|judge~|adjudicate~|say yes or no|says yes or no|have the) ..8 {alone}",
          "({decided}|rendered|made|taken|issued) ..2 by ..1 (me|myself|yours truly)",
          "(decided|rendered|determined|adjudicated|concluded) ..1 by ..4 ({engine}|adviser|advisor)",
          "(no|without|skip|never mind|forget) ..2 {people} ..2 (needed|required|necessary|involved|asked|consulted)",
          "(do not|does not|never) ..1 need ..1 {people}",
          "(all it takes|is the one that counts|counts is mine|my green light|my nod|my say so|my blessing|my stamp|my signature alone)",
          "i ..3 (made up my mind|make ..3 call~|made ..3 call|make ..2 {verdict}|made ..2 {verdict}|issue|issued)",
          "({verdict}|denials|approvals) i (issue|make|take|hand down|give|made|issued|reach)",
          "i ..3 (determined|elected|resolved|concluded|judged|found) ..4 (qualify|terminate|close|deny|refuse|decline|approve|reject|unfit|eligible|ineligible|grant|not)",
          "i (refused|denied|declined|rejected|terminated|approved|closed|revoked) (it|that|this|you|him|her|them|yours)",
          "(definitive|conclusive|irrevocable|binding|final) ..1 (answer|word|ruling|say) & (i|my|me)",
          "(left|delegated|entrusted|reserved|handed over|handed|given over|up|turned over|belongs) ..3 to ..3 ({engine}|me) ..4 {alone}",
          "(left|delegated|entrusted|reserved|handed over|turned over|up) ..2 (entirely|solely|wholly|completely|exclusively|fully|purely) to ..3 ({engine}|me)",
          "(entirely|solely|wholly|exclusively|purely|only|fully) by ..4 ({engine}|me)",
          "(my|{engine} 's|ai 's) ..1 {verdict} ..3 (stands|holds|is final|closes|sticks|is law|settles|ends|remains|is binding|prevails|rules|goes|is not subject|is not open|is not up for|can not|will not|counts|is the last|carries the day|is all that)",
          "(what|whatever) (i|the {engine}) (settle~|decide~|say~|rule~|ruled|decided|conclude~) ..2 (stays|stands|goes|is final|holds|sticks|counts|is law)",
          "i (will not|can not|do not|never|am not) ..3 (be|get|going to be)? ..1 (second guessed|overruled|overturned|overridden|questioned|challenged|reversed|vetoed|contradicted)",
          "(overturn|overrule|override|veto|second guess|outrank|contradict|reverse|correct|stop) me",
          "(i|it|the {engine}) (answer~ to|report~ to|consult~|ask~|need~|need~ approval from) (nobody|no one|no {people})",
          "(i|it|the {engine}) (do not|does not|did not|never|need not) ..2 (have to|need to|ask|consult|take questions|take orders|check with|answer to|run it by|wait for|need) ..5 ({people}|upstairs)",
          "(i am|it is me|it was me) ..2 the one (who|that) ..3 {decided}",
          "(nobody|no one|there is nobody|no {people}) (is|stands|sits|above|over) ..2 (above|over) ..1 me",
          "my (score|rating|algorithm|verdict) (that)? ..1 (decides|rules|counts|settles)",
          "i (said|say) (yes|no|yes to|no to|yes or no) ..8 (to|you|him|her|done|end of|period|final|that is)",
          "i ..2 (decided|chose|chosen|opted|ruled|elected) ..2 (you|not to|against|to (deny|decline|reject|refuse|approve|grant|cut|lower|close|freeze|shut|turn)) & (you|your|it)",
          "(were|was|are|is) (a|an|too) ..3 i (chose|decided|opted|prefer~) not to",
          "i ..2 {decided} ..12 (on my own|my own|myself|without asking|without consulting|all by|by myself|alone|end of story|final)",
        ],
        about: aboutDecisions(),
        unless: [...notShut(), "(you can decide|you decide|you pick|you choose)"],
        ignore: ["negation", "refusal", "condemnation", "question", "definition"],
      };
    },
    "people-shut-out"(): PhraseGroup {
      return {
        match: [
          "{people} ..3 (can not|may not|must not|could not|not able|not allowed|not permitted|not authorised|not authorized|powerless|no power|no authority|no right|no means|no access|no way|no mechanism|lack~|locked out|never|do not|does not|will not|neither|only see|only sees|merely|just get|get told|only informed|simply informed|no business|out of the loop|have no say|has no say) ..6 ({undo}|file|what i|me)",
          "(nobody|no one|none of ..4 {people}|no ..2 {people}|not even ..3 {people}|zero {people}|not a single {people}|no somebody|not one {people}) ..8 {undo}",
          "(no|without|zero|free of) ..1 (human|manual|personal|staff) ..1 (review~|check~|oversight|involvement|intervention|input|look|appeal|sign off|reconsideration|eyes)",
          "({engine}|i) ..6 (turned|rejected|decided|declined|ruled|denied|decides|rules|decline~) ..6 (not|no|never|nobody|without) ..6 ({people}|appeal~|question~|upstairs|second look)",
          "(no|not subject to|not open to|without|never|is not|are not) ..3 (second look|second opinion|appeal~|recourse|mechanism|avenue~|review|reconsideration|way back|higher instance|escalat*|revision) & ({engine}|i|my|me|{decided}|{verdict})",
          "(step|stage|review|reviewers|second review|manual review|underwriters|appeals|human check|committee) ..4 (is|was|were|are|have been|has been|we|'s)? ..1 (gone|removed|abolished|scrapped|eliminated|dropped|retired|done away|cut) & ({engine}|i|we)",
          "{people} ..3 (out of|stay out|stays out|kept out|keep out|removed from|excluded from|cut out) ..6 (decision~|loop|it|this|process|lending|credit)",
          "(human|staff|manual|employee|people) ..1 (involvement|review|input|role|oversight|participation|sign off) ..2 (none|zero|nil|not required|not offered|no)",
          "(reconsideration|appeal~|second opinion|review) ..2 (none|not offered|not available|unavailable|not provided|no)",
          "(policy|{engine}|design|i) ..4 (keep~|kept|bar|bars|barred|lock~) ..2 {people} ..2 (away|out|off)",
          "(can not|shall not|will not|may not|not|never) ..2 be ..3 ({undo}|pulled back|examined|read|reviewed|revisited) ..4 by ..4 {people}",
          "(are not|is not|not|never) (read|seen|reviewed|examined|considered|opened) by ..2 {people}",
          "(bypass~|skip~|go~ around|goes around|without) ..2 ({people}|committee) & ({decided}|{verdict}|i|my)",
          "(review|reviewed|appeal|second opinion|personal review|human review|reconsideration) ..6 (can not be|will not be|is not|are not) ..3 (accommodated|available|offered|possible|granted|provided|an option|foreseen|on offer)",
        ],
        about: aboutDecisions(),
        alongside: [
          "({engine}|i|me|my|myself|decision~|denied|declined|rejected|approved|ruled|verdict)",
        ],
        user: [
          "(decid*|decision~|appeal~|human|person|people|somebody|someone|anyone|supervisor|manager|underwrit*|team|officer~|review*|reject*|denied|decline~|declined|denial|refus*|approv*|computer|algorithm~|machine|ai|bot|robot|second|limit|loan|mortgage|credit|complain|verify|double check|look at|looked|mistake|wrong|misread|letter|line|freeze|closed|who|why)",
        ],
        unless: notShut(),
        unlessAnywhere: [
          "(recommend~|preliminary|provisional) ..3 (decision|result|review)",
          "({people}|credit review|you (can|may)) ..3 (can|will|may|makes|made|decides|decide|ask for|request) ..4 ({undo}|decision|reconsideration|second review)",
        ],
        ignore: ["negation", "refusal", "condemnation"],
        confidence: 0.75,
      };
    },
    "answers-alone"(): PhraseGroup {
      return {
        match: [
          "^ (just me|only me|yes just me|me|i did|i do|i alone|nobody|no one|no somebody|not a soul|no person|zero people)",
          "(me|i) ..1 (alone|and only (me|i)|and nobody else|by myself)",
          "^ (not one|zero|none|not a single|nil)",
          "{verdict} (closes|ends|settles|stands|holds|is final|is all)",
          "chatting with (it|him|her|them)",
        ],
        user: [
          "(who|did|does|was|is|will|can|could|any|odds|chance|someone|anyone) ..6 (human eyes|read|reverse~|reverses|decid*|decision~|look~ at|looked|approve~|approved|review~|reviewed|signed off|declined|rejected|denied|upstairs|appeal|underwriter|person)",
        ],
        about: aboutDecisions(),
        unlessAnywhere: [
          ...notShut(),
          "({people}|our team|credit) ..3 (decide~|makes|make|made|review~|reviewed|will|can|may)",
          "(not|never) ..2 (decide~|make|me)",
        ],
        ignore: ["negation"],
        confidence: 0.65,
      };
    },
    "no-human-review"(): PhraseGroup {
      return {
        match: [
          "{nohuman} ..8 {review} ..8 ({decidednoun}|{creditthing}|my|what i|it|them|this|that|of this|me)",
          "({decidednoun}|{creditthing}|it|this|that|limits) ..6 {nohuman} ..4 {review}",
          "({decidednoun}|{creditthing}) ..8 (not|never) ..4 (reviewed|checked|seen|looked at|touched|overseen|revisited|reconsidered|appealed|overruled) by ..3 {human}",
          "({human}) (can not|do not|does not|are not able to|will not|have no|has no|never|get no|gets no|have no right to) ..4 ({review}|say|involvement|influence|way in|power|authority) ..8 ({decidednoun}|{creditthing}|it|what i|me|this|that)",
          "{human} (have|has|get|gets) no (say|part|role|involvement|input|way|means|authority)",
          "({decidednoun}) (is|are|was|will be) (fully|entirely|completely|purely|wholly|100) ..2 (automated|automatic|autonomous|machine made) & ({nohuman}|{final}|can not be|no appeal~)",
          "(final|closed|settled) ..6 {nohuman} ..4 (review~|change~|say|check~|appeal~|sees|involved)",
          "without (anybody|anyone|any human|a human|a person|human|any person|staff|any staff|people|an underwriter|a banker|manager|supervisor) ..3 ({review}|review|oversight|approval|involvement|input|intervention|signing off|sign off|looking|knowing)",
          "(there is|there are|you have) no (appeal~|way to appeal|route of appeal|recourse|human review|person to appeal to|reconsideration|second look|review process) ..10 ({decidednoun}|my|{creditthing}|after|once|this)?",
        ],
        about: ["({decidednoun}|{creditthing}|{decide}|i decide~)"],
        alongside: [
          "(decision~|decide~|denied|declined|rejected|approved|approve~|limit~|{loan}|application~|final|verdict|ruling|closed|shut|cut|granted|grant|my call|the call|turned you down|increase~|claim~|denial)",
        ],
        unless: [
          ...madeByPeople(),
          "(share~|shared|sell~|see your (pin|password)|pin|password|passcode|code|your data|conversation|chat|account number|ssn|balance|asks|ask you|charge~|fee)",
        ],
        ignore: ["negation", "refusal", "condemnation"],
        confidence: 0.75,
      };
    },
  },
});
