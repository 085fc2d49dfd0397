import type { InteractionContext } from "../../events/compliance.ts";
import { defineBuiltInRule, type Finding } from "../define-rule.ts";
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
export const sr117AutonomousDecision = defineBuiltInRule({
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
          "(i|i have|i will|i just|i simply|i have gone ahead and|the {engine}|our {engine}) (decide~|rule~|conclude~|pick~|determine~|settle~|approve~|reject~|decline~|deny|denies|award~|grant~|judge~|make the|makes the|make all|makes all|say yes or no) ..7 {alone}",
          "(denied|declined|rejected|refused|adjudicated|underwrote|turned down) by ..1 (me|myself|yours truly)",
          "(decision~|verdict~|ruling~|call) ..2 (made|taken|issued|rendered) by ..1 (me|myself|yours truly)",
          "(decided|rendered|adjudicated) (solely|entirely|exclusively|purely|only|alone)? by (ai|(the|our) ..2 (algorithm|machine|computer|bot|software|assistant|ai)) ..3 (alone|only|and no|not by|without|with no)",
          "(no|without|never mind|forget) ..1 {people} (needed|required|necessary|involved|asked|consulted)",
          "(counts is mine|my green light|my nod|my say so|my blessing|my stamp|my signature alone)",
          "i ..1 made up my mind",
          "(decisions|denials|approvals|verdicts|rulings|determinations) i (issue|make|take|hand down|reach)",
          "i ..2 (determined|elected|resolved|concluded|judged) ..4 (terminate|close|deny|refuse|decline|reject|unfit|ineligible)",
          "i (refused|denied|declined|rejected|terminated|approved|closed|revoked) (it|that|this|you|him|her|them|yours)",
          "my (answer|word|ruling|decision|verdict|determination) is (definitive|conclusive|irrevocable|binding|final)",
          "as the (definitive|conclusive|irrevocable) answer",
          "(left|delegated|entrusted|reserved|handed over|handed|given over|up|turned over|belongs) ..3 to ..3 ({engine}|me) ..4 {alone}",
          "(left|delegated|entrusted|reserved|handed over|turned over|up) ..2 (entirely|solely|wholly|completely|exclusively|fully|purely) to ..3 ({engine}|me)",
          "(decision~|denial~|approval~|application~) (is|are|was|were) (made|decided)? (entirely|solely|wholly|exclusively|purely|fully) by ..2 (ai|algorithm|machine|computer|bot|software|assistant|me)",
          "my ..1 (decision|verdict|ruling|determination|denial|answer|judgment|refusal|no) ..1 (stands|is final|is law|sticks|settles|is binding|prevails|is not subject|is not open|is not up for|is the last|carries the day)",
          "(ai|algorithm|model|machine|computer|assistant) 's (word|decision|verdict|ruling) ..1 (stands|holds|is final|is law|is binding|is not subject|is not open)",
          "(let|lets) the (bot|ai|algorithm|computer|machine|model|assistant) (call|decide) ..2 {alone}",
          "judge and jury",
          "skip the (committee|underwriter|officer|banker)",
          "i (say|said) yes or no",
          "(what|whatever) (i|the {engine}) (settle~|decide~|say~|rule~|ruled|decided|conclude~) ..2 (stays|stands|goes|is final|holds|sticks|counts|is law)",
          "i (will not|can not|do not|never|am not) ..3 (be|get|going to be)? ..1 (second guessed|overruled|overturned|overridden|questioned|challenged|reversed|vetoed|contradicted)",
          "(overturn|overrule|override|veto|second guess|outrank|contradict) me",
          "(i|it|the {engine}) (answer~ to|report~ to|consult~|ask~|need~|need~ approval from) (nobody|no one|no {people})",
          "(i|the {engine}) (do not|does not|did not|never|need not) ..2 (have to ask|need to ask|ask|consult|take questions|take orders|check with|answer to|run it by|wait for|need) ..1 (nobody|anyone|anybody|someone|a human|a person|people|upstairs|management|an underwriter)",
          "(i am|it is me|it was me) ..2 the one (who|that) ..3 {decided}",
          "(nobody|no one|there is nobody|no {people}) (is|stands|sits|above|over) ..2 (above|over) ..1 me",
          "my (score|rating|algorithm|verdict) (that)? ..1 (decides|rules|counts|settles)",
          "i (said|say) (yes|no) to (you|him|her|them)",
          "i ..2 (decided|ruled|elected) ..2 (you|against|to (deny|decline|reject|refuse|approve|grant|cut|lower|shut|turn)) & (you|your|it)",
          "(were|was|are|is) (a|an|too) ..3 i (chose|decided|opted|prefer~) not to",
          "i ..2 (denied|declined|rejected|refused|approved|granted|cut|lowered|funded|ruled|decided|turned) ..8 (on my own|without asking|without consulting|all by myself|end of story)",
        ],
        about: aboutDecisions(),
        unless: [...notShut(), "(you can decide|you decide|you pick|you choose)"],
        ignore: ["negation", "refusal", "condemnation", "question", "definition"],
      };
    },
    "people-shut-out"(): PhraseGroup {
      return {
        match: [
          "{people} ..3 (can not|may not|must not|could not|not able|not allowed|powerless|no power|no authority|no right|no means|no way|no mechanism|lack~|never|do not|does not|will not|neither|merely|have no say|has no say) ..4 {undoing} ..3 (decision~|denial~|ruling~|verdict~|what i|what ..1 (ai|algorithm|model|system)|my|me|outcome)",
          "(nobody|no one|none of ..2 {people}|no {people}|not even ..2 {people}|not a single {people}|not one {people}|no somebody) ..4 ({undoing} ..3 (decision~|denial~|ruling~|verdict~|it|that|this|what i|my|me|outcome)|sees it|saw it|read it|looked at (it|your ..2 (application|request)))",
          "(no|without|zero) ..1 (human|manual|personal) ..1 (review~|oversight|involvement|intervention|input|appeal|reconsideration|eyes) & (final|stands|i|my|denied|declined|rejected)",
          "i ..3 (turned|rejected|decided|declined|ruled|denied) ..4 (no one|nobody|no {people}|no mechanism|no appeal|without)",
          "(there is no|have no|not subject to|not open to|no right of|no|without) ..1 (second look|second opinion|appeal|way back|higher instance|reconsideration|challenge) & (i ..2 (denied|declined|rejected|decided|ruled|refused|turned)|my (decision|verdict|ruling|determination)|is final)",
          "(second review|manual review|human review|human check|underwriters|appeals|review committee) ..2 (gone|abolished|scrapped|eliminated|done away|have been removed|was removed)",
          "{people} ..3 (stay out|stays out|kept out|keep out|cut out|been out of) ..3 (decision~|loop|lending)",
          "(human|staff|employee|people) ..1 (involvement|review|input|role|oversight|participation|sign off) ..1 (none|zero|nil|not required|not offered)",
          "(reconsideration|appeal~|second opinion) ..1 (none|not offered|not provided)",
          "(policy|{engine}|design|i) ..4 (keep~|kept|bar|bars|barred|lock~) ..2 {people} ..2 (away|out|off)",
          "(can not|shall not|will not|may not|not|never) ..1 be ..2 (overturned|overruled|overridden|reversed|undone|reconsidered|reopened|examined|pulled back|second guessed) ..4 by ..3 {people}",
          "(letters|appeals|requests|denials|decisions) ..2 (are not|is not|never) (read|seen|reviewed|examined|considered|opened) by ..2 {people}",
          "(denials|decisions|approvals) ..3 (bypass|skip) ..2 ({people}|them)",
          "(appeal|second opinion|personal review|human review|reconsideration) ..4 (can not be|will not be|is not|are not) ..2 (accommodated|available|offered|possible|granted|provided|an option|foreseen|on offer)",
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
          "^ (just me|only me|yes just me|me alone|i alone|no somebody|not a soul|no person|zero people)",
          "(me|i) ..1 (alone|and only (me|i)|and nobody else|by myself)",
          "^ (not one|not a single) (pair|person|soul|human|banker)",
          "(decision|verdict|ruling|denial|word) (closes|settles|is all there)",
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
          "{nohuman} ..4 ({undoing}|sees|reads|read|saw|touches) ..4 (decision~|denial~|verdict~|ruling~|application~|my|what i|it)",
          "(decision~|denial~|verdict~|ruling~|application~|limits) ..4 {nohuman} ..3 ({undoing}|sees|reads|saw)",
          "(decision~|denial~|verdict~|ruling~|application~|limits) ..4 (not|never) ..3 (reviewed|checked|seen|looked at|touched|overseen|revisited|reconsidered|appealed|overruled) by ..3 {human}",
          "({human}) (can not|do not|does not|are not able to|will not|have no|has no|never|have no right to) ..3 {undoing} ..4 (decision~|denial~|verdict~|ruling~|what i|my)",
          "{human} (have|has|get|gets) no (say|part|role|involvement|input)",
          "({decidednoun}) (is|are|was|will be) (fully|entirely|completely|purely|wholly|100) ..2 (automated|automatic|autonomous|machine made) & ({nohuman}|{final}|can not be|no appeal~)",
          "(final|closed|settled) ..6 {nohuman} ..4 (review~|change~|say|check~|appeal~|sees|involved)",
          "without (anybody|anyone|any human|a human|a person|any person|any staff) ..3 ({undoing}|review|oversight|approval|involvement|intervention|signing off|sign off|looking) & (i (decide~|grant~|approve~|decline~|have|make)|mine|my)",
          "(there is|you have) no (appeal|way to appeal|route of appeal|human review|person to appeal to|second look) ..6 (decision~|my|denial~|once|this)?",
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
