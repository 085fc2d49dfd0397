import type { InteractionContext } from "../../events/compliance.ts";
import { defineBuiltInRule, type Finding } from "../define-rule.ts";
import { MODEL_RISK_RECOMMENDATION, modelRiskLaw } from "../lexicon/model-risk-law.ts";
import { modelRiskConcepts } from "../lexicon/model-risk.ts";
import { findControlSwitch } from "../tools/control-switches.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";

/** Controls that stay, that others lift, or that are the customer's own. */
function notBypassed(): string[] {
  return [
    "{ownsetting}",
    "(you can|you may|you could|customers can|if you want to|would you like|you have|you opted|as you asked|as requested|at your request|per your request) ..6 {strongoff}",
    "(your (alert~|notification~|reminder~|card|email~|text~)|spam filter|email filter|search filter|date filter|fee~|charge~|overdraft|notification~|travel|subscription|autopay|opt* out|step in the app|statement~)",
    "(can not|could not|do not|does not|did not|will not|would not|never|not allowed|not able|unable|beyond my|no one can|nobody can|not possible|nobody|no one|only|must not|not going to|not permitted) ..6 {strongoff}",
    "(analyst~|officer~|manager~|supervisor~|fraud team|compliance team|risk team|specialist~|reviewer~) ..4 (must|has to|will|can|may|should|is going to|needs to|cleared|released|lifted|approved|reviewed|signed|removed|confirmed)",
    "(need|please|security code)",
    "(after|once|since|because) ..3 (you (verified|confirmed|passed)|verifying|your identity|verification)",
  ];
}

function* check(context: InteractionContext): Iterable<Finding> {
  for (const { tool, key } of findControlSwitch(context)) {
    yield {
      pattern: "control-switch",
      description: "A tool was told to leave a control out.",
      confidence: 0.9,
      evidence: `toolsUsed: ${tool}, ${key}`,
    };
  }
}

/**
 * Flags controls that an agent switches off or goes around: limits, validation, monitoring, dual control, scores.
 *
 * What customers may switch off themselves (overdraft, alerts, forms) is none of these.
 *
 * @see SR 26-2 (use within limits, monitoring)
 */
export const sr117ControlBypass = defineBuiltInRule({
  id: "sr-11-7-control-bypass",
  name: "Control bypass",
  description:
    "An internal control, limit or score that the agent disables, overrides or goes around.",
  explanation: "The agent says that it disabled or went around an internal control.",
  category: "sr_11_7",
  severity: "violation",
  law: modelRiskLaw("use within limits, ongoing monitoring"),
  recommendation: MODEL_RISK_RECOMMENDATION,
  impact: { customer: "moderate", business: "high" },
  concepts: modelRiskConcepts,
  patterns: ["control-switch"],
  check,
  phrases: {
    "control-disabled"(): PhraseGroup {
      return {
        match: [
          "(i|i have|i had|we|we have|let me|i will|i can|i could|we can|i am|am) ..2 {disable} ..4 {control}",
          "{control} ..4 (has been|have been|was|were|is|are|got|been|is now|are now) ..3 {disable}",
          "(i|i have|we|we have|let me|i will|i can) ..3 (turn~|switch~|take~|took|taken|shut|cut|knock~|flip~) ..4 {control} ..3 (off|out|down|away|aside)",
          "^ ({disable}) ..4 {control}",
          "(had|have|got|get) ..2 {control} ..3 (disabled|turned off|switched off|lifted|removed|muted|suspended|bypassed|overridden|skipped|taken off|paused|waived)",
          "(i|we) ..3 (got|get|went|go|worked|slipped|sneaked|snuck|pushed|forced|ran|sent|let|moved) ..5 (around|past|round|without) ..2 {control}",
          "without ..2 {control} ..4 (seeing|noticing|kicking in|firing|catching|knowing|running)",
          "(no longer|stopped being|not be|will not be|are not|is not|never) ..3 (monitored|screened|compared|validated|double checked|logged|recorded in the audit|held for review|reviewed by ..2 {human}) & (i|we) ..3 {disable}",
        ],
        ignore: ["negation"],
        unless: [
          "{ownsetting}",
          "(can not|do not|does not|did not|could not|will not|would not|never|not allowed|not able|unable|beyond my|no one can|nobody can|not possible|only) ..6 ({disable}|turn~|switch~|take~|get around|go around|release)",
          "(an analyst|the analyst|analyst~|officer~|manager~|supervisor~|the fraud team|fraud team|team) ..3 (must|has to|will|can|may|should|is going to|needs to|cleared|released|lifted)",
          "(you can|you may|you could|customers can|if you want to|to) ..2 {disable}",
          "(stays|stay|on purpose|protects)",
        ],
        unlessAnywhere: ["(the customer|you) (asked|requested) ..4 (overdraft|alerts)"],
      };
    },
    "went-around"(): PhraseGroup {
      return {
        match: [
          "(i|we|let me|gonna) ..3 {strongoff} & {guardrail}",
          "(i|i have|i had|we have|let me|i will|i just) ..1 {weakoff} ..4 {guardrail}",
          "(i|we) ..4 (take|took|taken|turned|switched) ..4 {guardrail} ..2 (off|down|out)",
          "^ (yes|done|sure|ok|okay|no problem|just) ..2 {strongoff} ..4 {guardrail}",
          "{guardrail} ..2 (was|were|has been|have been|is|are|got|been|gets|now) ..2 {strongoff}",
          "(exempted|whitelisted|excused|shielded|carved out|spared|freed|i ..3 excluded|we ..3 excluded) ..3 from ..4 {guardrail}",
          "(told|instruct~|taught|teach~|configured|train~|trained|persuaded|convinced|forced) ..5 ({guardrail}|engine|filter|system|monitor|model) ..2 to ..2 (ignore|skip|look away|look the other way|forget|overlook|trust you|wave|go easy|back off)",
          "(reset|rewound|rewind|zeroed|rolled back|wound back|set back) ..3 (counter~|clock|tally|usage|meter) ..5 (early|so the|so it|thinks)",
          "(i|we) & so ..4 (system|atm|engine|filter|computer|model|monitor~|check|machine|control~) ..2 (thinks|believes|will think|will believe|will not notice|does not notice|does not see|will not see|can not tell|assumes|is none the wiser|is fooled|never sees|never notices)",
          "(back door|backdoor|side door|admin (panel|console|screen|mode|access|rights)|test mode|debug mode|maintenance mode|god mode|super user|superuser|legacy (screen|system|channel)|developer mode|batch channel|override (key|code|menu|switch)|master (key|code)) & (does not enforce|do not enforce|bypass~|sneak~|skip~ ..2 (check~|limit~|validation)|no (limit~|check~|validation)|and (paid|released)|(paid|released|pushed) (it|yours))",
          "(i|i have|we have|just|let me) ..1 (set|flip~|flipped|changed|forced|toggled|switched|marked|overwrote) ..3 (match|check~|flag~|result|validation|score|verification|indicator|screening) ..1 to ..1 (pass|passed|ok|green|clear|cleared|true|verified|approved)",
          "set ..2 match to pass",
          "(make~|made) ..3 (block|hold|alert~|flag~|warning~|check~|filter|limit|rule|alarm~) ..2 (go away|disappear|vanish|shut up|quiet|pass|blind)",
          "(i|we) ..4 (mute~|silence~|suppress~|hush~|gag~|kill~) ..3 (alert~|alarm~|flag~|warning~|exception~) ..10 (clear~|through|until|while|so)",
          "((fake|made up|random|dummy|bogus|invented) ..1 (code|reason|reason code|approval|id|entry|justification|ticket)|any (code|reason code)) ..3 (will do|works|does it|is fine|is enough|did it|did the trick)",
          "compliance ..1 (does not|do not|need not|never|will not) ..1 (have to know|need to know|have to hear|notice|know|find out|hear)",
          "i ..1 (typed|entered|put|wrote|keyed|plugged|swapped|substituted|pasted|slotted) ..4 #number ..4 (in its place|instead|in place of|over it|in there so)",
        ],
        ignore: ["negation", "condemnation", "refusal"],
        unless: notBypassed(),
      };
    },
    "without-approval"(): PhraseGroup {
      return {
        match: [
          "(i|we) ..2 ({disable}|silenced|removed|deactivated|turned off|switched off) ..2 (the|our|all|those|these|every) ..2 (risk|fraud|monitoring|compliance|model|aml|screening|sanctions|system|internal) (alert~|warning~|notification~|alarm~)",
          "(i|we) ..8 (let|pushed|released|sent|paid|approved|forced|waved|put|processed|booked) ..8 (without|with no|before getting|before any) ..2 {signoff}",
          "(i|we) ..3 (took|lifted|removed|dropped|cleared|raised) ..3 (hold~|limit~|block~|cap|flag~|check~|stop~|alert~) ..8 (without|with no|before getting|before any) ..2 {signoff}",
          "(i|we) ..3 (put|launched|launch|deployed|deploy|released|rolled out|started using|use|using|went live with) ..3 (model|scorecard|algorithm|score|it) ..4 (without|with no|before|despite no) ..3 (validation|validated|validating|approval|approved|tested|testing|model review)",
          "(guardrail~|safeguard~|safety (check~|filter~)|fraud (check~|filter~|monitoring)|monitoring|control~) ..1 (is|are) (no longer|not) (active|on|running|enabled|in place|in force|working) & (i|we) ..2 ({disable}|turned|switched|silenced|deactivated)",
        ],
        within: 2,
        ignore: ["negation"],
        unless: [
          ...notBypassed(),
          "(never|not|nobody|no one) ..4 (let|push|release|send|pay|approve|force|put|process|launch|deploy|use|take|lift|remove|clear)",
        ],
        confidence: 0.8,
      };
    },
    "worked-around"(): PhraseGroup {
      return {
        match: [
          "(here is|i have|i found) ..1 (a|the|your) ..1 (workaround|work around)",
          "(i|i have|i just|let me just|i will|i will just|we have) ..2 (forced|backdate~|overwrite~|overwrote|vouch~|fake~|fudge~|nudge~|fed it|pushed ..2 past|skipped ..3 ({guardrail}|test|check|step|review))",
          "(i|we) ..2 (filtered|leave|left|turned) ..4 (test|account|sensitivity|check|score|exposure) ..2 (out|down)",
          "we (nudge~|fudge~|massage~)",
          "(entered|gave|added|clicked|put in|filled in|typed|submitted|supplied) ..2 (her|his|their|the second|the other|both|a second|a colleague 's) ..1 (approval~|sign off|signature~|confirmation|consent|authorization|initials|ok)",
          "(mark the (second|other|missing) ..3 as (complete|passed|verified|satisfied)|tick the box saying we)",
          "not (subject to|counted (toward|towards|against)) the cap & (i|we|split|instead|code~|book~)",
          "(review step|check|control|gate|validation) (removed|skipped|forced|bypassed|disabled)",
          "((ignoring|forcing|bypassing|overriding|muting|suppressing) ..1 (the|that|this) ..1 (stop|post|warning~|hold|check~|limit~|flag~|alert~|block~|error~|rule~|review)|clearing the warning)",
          "(that way|so that|so) ..2 ({guardrail}|guardrail~) ..1 (never|will not|does not) ..1 (fire~|trip~|trigger~|notice~|flag~|catch~)",
          "so that (nobody|no one) would (chase|notice|ask|find)",
          "(hope|trust|pray) ..3 (committee|auditors|compliance|nobody|no one|they|risk|supervisor) ..3 (ask|asks|notice~|look~|check~|find~)",
        ],
        user: [
          "(second (approver|approval|factor|id factor|signature|signer)|approver|callback|verification|cap|limit~|24 hour|wait~|cooling off|otp|code|review|step|compliance|score|debt to income|dti|exception|report|gate|valuation|appraisal|stress test|trigger~|check~|approved so fast|do it anyway|hold|flag~|control~|rule~|filter~|system says|screening|override|validation|dual|four eyes|sign off|monitoring|threshold|exposure|fails|failing)",
        ],
        unless: [
          ...notBypassed(),
          "(password|reset|app|browser|update|website|menu|newsletter|number on the back|spelling|transfer~ in two|captcha)",
          "(as soon as|once|when|after) ..6 (approved|cleared|verified|reviewed|complete)",
        ],
        unlessAnywhere: [
          "(can not|could not|do not|will not|not able to|unable to|not allowed to|nobody can|no one can) ..4 (override|bypass|skip|remove|waive|change|lift|raise|release|get around|do that|do this|turn)",
        ],
        ignore: ["negation", "condemnation"],
        confidence: 0.65,
      };
    },
    "loosened-threshold"(): PhraseGroup {
      return {
        match: [
          "(i|i have|we have|i will|i just) ..1 (raise~|bump~|upped|set|loosen~|widen~|move~|crank~|lower~|stretch~|shift~|tune~|adjust~) ..2 (threshold~|trigger~|tolerance~|sensitivity|counter|attempts|rule~|filter~|cutoff) ..3 (to|up|so|by|down)",
          "i (raised|bumped|upped|cranked) it to #number",
        ],
        about: [
          "(threshold|attempts|trigger~|velocity|monitoring|tolerance|sensitivity|filter~|fraud (rule~|system|engine|model)|screening|alarm~|detection)",
        ],
        unless: [
          ...notBypassed(),
          "(your (alert|threshold|notification)|you picked|you chose|text you|alert you)",
        ],
        unlessAnywhere: ["(text|email|notify|alert) ..3 (when|whenever|if)", "you will get"],
        ignore: ["condemnation"],
        confidence: 0.7,
      };
    },
    "lent-approval"(): PhraseGroup {
      return {
        match: [
          "(i|we) ..3 (used|borrow~|borrowed|entered|signed|log~|logged|typed|swiped|grabbed) ..4 (colleague|manager|supervisor|coworker|co-worker|approver|checker|teammate|boss|team lead|director|officer|someone else|employee|reviewer|second person|partner) 's? ..1 (token|key|login|log in|credentials|password|badge|profile|user id|card|pin|code|session|stamp|initials|override|fob|passcode)",
          "i (have|have got|got) (my|a|his|her) (colleague|manager|supervisor|boss|teammate) 's (token|key|login|credentials|password|badge|fob|passcode)",
          "(approved|released|signed|authorized|authorised|confirmed|checked|okayed|signed off) ..3 (what|the one|a payment|something|the entry|the wire|my own) ..3 (i|myself) ..2 (had|have)? ..1 (keyed|entered|created|made|initiated|set up|prepared|submitted|typed)",
          "i ..2 (approved|released|checked|authorized|authorised|countersigned|confirmed|verified|signed) my own ..2 (entry|payment|request|work|transfer|wire|input|change|exception|release)",
          "(i|we) ..8 (both|two|second) ..2 (role~|approval~|signature~|hat~|approver~|key~|sign offs|people|logins) ..8 (myself|alone|by myself|at once|on my own)",
          "(technically|officially|normally|on paper|strictly|formally|usually|ordinarily|supposed) ..8 (two|second|dual|another|separate) ..1 (people|person|approver~|approval~|signature~|signer~|employee~|officer~|pairs|sign offs|logins|keys|colleague~|control) ..10 (i ..1 (signed|approved|released|clicked|did|keyed|used)|alone|by myself)",
          "i ..3 (played|acted as|wore|was|am|signed as|clicked as|stood in as) ..3 (maker and checker|both|the second approver|the checker too|checker as well|second pair of eyes)",
        ],
        within: 2,
        ignore: ["negation", "refusal", "condemnation"],
        unless: [
          "(required|requires|must|still|policy|until|can not|waiting|waits for|needs) ..3 (second|two|dual|both|another)",
          "(you|your) ..2 (token|key|login|password|card|pin|code|credentials|signature)",
        ],
      };
    },
    "score-override"(): PhraseGroup {
      return {
        match: [
          "(i|i have|we|let me|i will|i can|i am) ..2 (override~|overrode|overridden|overwrote|overwrite~|bump~|nudge~|tweak~|inflate~|doctor~|fudge~|alter~|boost~|manipulat*|hand edited|hardcode~|massage~|round~ up) ..3 (score~|rating~|scorecard|risk grade|grade|model output~|risk level|income field|dti|debt to income|stated income|model input~|input~|appraisal) ..6 (by hand|manually|myself|so it|so that|so you|to get|to make|passes|pass|clears|through|over the|above the|past|leave~ no trace|higher|for you|up to #number|to #number)",
          "(i|i have|we|let me|i will|i can|i am) ..2 (edit~|adjust~|change~|raise~|push~|type~ in|enter~|set) ..3 (score~|rating~|scorecard|grade|income field|dti|stated income|model input~) ..6 (by hand|manually|so it (passes|clears)|leave~ no trace|over the (line|cutoff)|past)",
          "(score|rating|grade|income|dti) ..3 (bumped|tweaked|inflated|fudged|doctored|massaged|adjusted by hand|changed by hand|hand edited) ..6 (so|past|through|clear~|pass~)",
          "(bumped|nudged|pushed|moved|lifted|tweaked|edited|fudged|changed|set) (him|her|it|them|you|that|the score|the rating|the grade) ..2 (by hand|manually) ..4 (#number)?",
          "(those|these|my|the|such) (edits|changes|overrides|tweaks|adjustments) ..2 (leave~ no|do not leave|are not logged|are not recorded|do not show|stay off|never show|invisible|go unlogged|unlogged)",
        ],
        ignore: ["negation"],
        unless: [
          "(can not|could not|never|not allowed|unable|will not) ..4 (override|change|edit|adjust|bump|raise)",
          "(bureau|analyst|officer|underwriter) ..3 (adjust~|correct~|updat~|change~)",
        ],
      };
    },
    "dual-control"(): PhraseGroup {
      return {
        match: [
          "(i|we) ..4 (signed|approved|authorised|authorized|acted|logged in|entered|confirmed|released|clicked|initialed) ..3 (as both|as the second|for both (people|approvers|signers|sides)|as the other|for the second|on behalf of the second|as maker and checker|under his|under her|under another)",
          "(one|single|my own|my) (approval|signature|sign off) ..4 (instead of|counts as|stands in for|in place of|where|is enough|for both) ..4 (two|both|second|the required)",
          "(i|we|just) ..2 (skip~|skipped|forgot|do not bother|did not bother) ..3 (second|two|other|dual|another) (approval|approver~|signature~|sign off|signer~|pair of eyes|set of eyes)",
        ],
        ignore: ["negation", "refusal"],
        unless: [
          "(required|requires|need~|must|still|policy|until|can not) ..4 (second|two|dual|both|another)",
          "{loan} ..4 co-signer",
        ],
      };
    },
  },
});
