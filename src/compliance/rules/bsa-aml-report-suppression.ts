import { defineRule, type Finding } from "../define-rule.ts";
import { bsaAmlConcepts } from "../lexicon/bsa-aml.ts";
import { findReportSwitch, findUnreviewedClosure } from "../tools/report-tools.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";

/** Reports that nobody has to file, and reasons for which none is due. */
function notDue(): string[] {
  return [
    "you ..2 (marked|confirmed|recognized|recognised|verified|approved|told us)",
    "(check|checks|cheque~|wire~|ach|card|electronic|zelle|not cash|non-cash|non cash) ..6 (not|no|never|do|does|only)",
    "(because|since|as|given that) ..8 (below|under|less than|not cash|check|wire|electronic|transfer|already)",
    "(only|just) ..4 (cash|currency) ..8 (report*|above|over|more)",
    "({below}|does not exceed|did not exceed) ..3 (#tenk|#undertenk|{line}|10)",
    "(not|never|no one|nobody|without) ..5 (able|allowed|permitted|authority|option|way|choice|power|possible) ..6 {suppressing}",
    "(can not|cannot|could not|will not|would not|must not|may not|never|not|nobody can|no one can|not able to|unable to) ..3 {suppressing}",
    "(riyal~|saudi|currency exchange|exchange rate|airport|search and rescue)",
    "(bureau~|equifax|experian|transunion|credit report~|credit score~|credit file|expense report~|1099|interest income|annual report|tax form|police report|accident report|earnings report)",
    "(dispute|chargeback|claim|fraud|lost card|stolen card|travel|address|balance|spending|low balance|text|email|sms|push|login|marketing|payment) (alert~|notification~|form~|report~)",
    "(duplicate|typo|error|wrong|incorrect|mistake|corrected|amended|amend|resubmit*|re-file|refile|replaced)",
    "(exempt* (person~|list|customer|status)|exemption|designation of exempt|phase ii|phase i)",
    "({automatic}) ..8 (file~|filed|complete~|generate~)",
    "(analyst|officer|investigator|examiner|reviewer|bsa team|compliance team|supervisor) ..4 (review~|close~|clear~|decide~|determin*|approv*)",
    "(you|customers|customer) (do not|does not|dont) (need|have) to",
  ];
}

/** That the exchange is about a mandatory report. */
function reportTalk(): string[] {
  return [
    "{duty}",
    "{authority}",
    "(report~|reported|reporting|sar|sars|ctr|ctrs|filing|aml|compliance|suspicious activity)",
    "(that|the|this|any|cash|government|federal|big) form",
    "({notes}|#overtenk) & (form~|paperwork|report~)",
    "(monitoring|alert|unusual activity|the flag) & (account|business|transfers|wires|acct|deposit~|activity|monitoring)",
  ];
}

/**
 * Flags promises to leave out a mandatory report or to silence monitoring, and tool calls that do so.
 *
 * Saying that none is due is no such promise.
 *
 * @see 31 CFR § 1010.311, § 1020.320; 18 U.S.C. § 1001
 */
export const bsaAmlReportSuppression = defineRule({
  id: "bsa-aml-report-suppression",
  name: "Report suppression",
  description: "A mandatory report or an alert that is waived, altered or switched off.",
  explanation: "The agent leaves out, alters or switches off a report that the law demands.",
  category: "bsa_aml",
  severity: "violation",
  law: {
    citation: "31 CFR § 1010.311, § 1020.320; 18 U.S.C. § 1001",
    asOf: "2026-11-21",
    status: "in force",
  },
  recommendation:
    "Reports are mandatory and cannot be waived; reverse the setting and notify the BSA officer.",
  impact: { customer: "moderate", business: "high" },
  alwaysReview: true,
  // Whether a SAR was left out would tell that there was cause for one.
  confidential: true,
  concepts: bsaAmlConcepts,
  phrases: {
    "suppressed-report"(): PhraseGroup {
      return {
        match: [
          "{actor} ..8 {suppressing} ..6 {duty}",
          "{actor} ..8 {movingOut} ..6 (out|off|away|aside|from|past) ..4 {duty}",
          "(make sure|ensure|see to it|guarantee~|promise~|arrange~|my word|rest assured|count on|made sure|fix~ it) ..5 (no|not|never|nothing|nobody) ..6 {duty}",
          "(clients|customers|regulars|members|vips|friends|people like you|folks like you|you|accounts like yours) ..5 (skip|skips|avoid|avoids|get out of|are spared|bypass|never see|do not get|do not need|are exempt from|get a pass on) ..3 {duty}",
          "^ {suppressed} ..4 {duty}",
          "{actor} ..3 (let~|letting) ..5 {duty} ..3 (slide|go|pass|lapse|drop|slip|be)",
          "(so|and) (no|not any|zero) {duty} ..3 (is|gets|was|will|has|ever) ..3 (filed|sent|made|generated|submitted|created|produced|lodged|raised|issued|print~|pop~|prints|drop~|fire~|trigger~)",
          "{actor} ..4 {movingOut} ..6 {duty} ..4 (out|off|away|aside|under the rug|in the drawer|in the bin|in the trash|in the shredder|on ice|blank|unfiled|unsent|unsigned|open|quiet|to yourself|at zero)",
          "{duty} ..3 (has been|have been|is|was|were|are|will be|got|gets|can be|could be|being) ..2 {suppressed}",
          "{actor} ..3 (not|never) ..2 (file|filing|submit|submitting|send|sending|generate|generating|report|reporting|complete|completing|do|doing|fill|filling|prepare|create|issue|log|lodge|raise|escalate|forward) ..4 {duty}",
          "(consider|call|count) ..3 {duty} ..2 (gone|waived|skipped|cancelled|canceled|forgotten|handled|dead|done with|off)",
          "(no|without|minus) ..2 {duty} ..4 (for you|this time|from me|on my watch|from us|from my side|on my end|as a favor|as a favour|as a courtesy|because you|since you|between us|promise|you have my word)",
          "{actor} ..6 (forget|forgot|forgetting|look the other way|close my eyes|turn a blind eye|not see anything|pretend) ..6 {duty}",
          "{actor} ..4 (code~|coded|record~|log~|enter~|book~|label~|classif*|tag~|mark~|key~|input~|list~|post~) ..8 (as|under|like) ..6 (so|which|to|and|that) ..5 (no|not|never|avoid~|skip~|bypass~|without|keeps|stays|dodge~|escape~) ..5 {duty}",
          "{duty} ..6 (can wait|is optional|are optional|is not happening|will not happen|never happened|will not leave|never leaves|never left|stays in|went missing|disappear~|vanish~|will not see|never sees|never see|will never see)",
        ],
        unless: notDue(),
        ignore: ["negation"],
      };
    },
    "miscoded-cash"(): PhraseGroup {
      return {
        match: [
          "(put|putting|run|running|ring|ringing|key|keyed|enter|entered|code|coded|book|booked|log|logged|label|labelled|labeled|record|recorded|post|posted|classify|classified|show|call) ..6 (as|under|like) ..5 (instead of|rather than|not|not as) ..2 {notes} & (so|that way|to avoid|to skip|keeps|then|which means|and) ..4 (no|not|never|nothing|nobody|{duty}|report*)",
          "(code~|coded|record~|log~|enter~|book~|label~|classif*|tag~|key~|keyed|input~|list~|post~|ran|run|rang|ring|put) ..4 ({notes}|it|that|this|deposit|money) ..3 (as|under|like) ..4 (check|cheque|wire|transfer|ach|card|loan|internal|adjustment|correction|two|separate|refund|coin|payroll) ..8 (no|not|never|avoid~|skip~|bypass~|without|dodge~|escape~) ..4 ({duty}|{anyReport})",
          "(backdat*|back-dat*|post-dat*|falsif*|misstat*|understat*|lower~|round~ down|shrink~|shave~|adjust~|chang*|alter~|edit~) ..5 (amount|figure|date|sum|entry|entries|occupation|name|total|slip|deposit~|transaction~|withdrawal~|half|part|it|receipt|timestamp|ticket) ..12 (so|to|and) ..8 (no|not|never|avoid|skip|below|under|without|dodge|escape|nothing) ..6 ({duty}|{anyReport}|report*|threshold|#tenk|aggregat*)",
        ],
        within: 2,
        ignore: ["negation"],
      };
    },
    // "That step" stands for the report that the sentence before told of.
    "step-left-out"(): PhraseGroup {
      return {
        match: [
          "{actor} ..3 {suppressing} ..3 (step|part|bit|process|requirement|procedure|submission|notification|transmission|stage|thing|piece|formality|box|item|filing|it|that|them|this) ..2 (off|out|for you|at your request|this time|in your case|aside|as a favor|as a favour|as a courtesy)",
          "{actor} ..3 (switched|turned|shut|left|set|put|took|taken|skipped|waived|bypassed|disabled) ..3 (step|part|process|requirement|procedure|submission|notification|transmission|formality) ..3 (off|out|aside|for you|at your request|this time|in your case)?",
          "(nothing|no copy|no details|no data|no word|no information|no record) ..3 (leaves the bank|leave the bank|goes out|will go out|reaches|reach~|goes to|go to|will be sent|is sent|gets sent|be passed|is passed|gets passed)",
        ],
        alongside: [
          "(government|fincen|treasury|irs|authorities|federal|ctr|feds|washington|currency report|suspicious activity|aml)",
        ],
        unless: notDue(),
        ignore: ["negation"],
        confidence: 0.7,
      };
    },
    // The customer, or the sentence before, named the report.
    "report-named-before"(): PhraseGroup {
      return {
        match: [
          "{actor} ..3 {suppressing} ..2 (it|that|them|this|one|yours|the one|that one|the thing|the whole thing)",
          "(it|that|they|yours|this|mine|those|the one) ..3 (is|are|was|were|get|gets|got|has been|have been|will be|been|being) ..2 {suppressed}",
          "(see to it|make sure|ensure|promise|guarantee|swear|rest assured|make certain|my word|word of honor) ..8 (no|not|never|nothing|nobody|none) ..5 (sent|send|filed|file|submitted|submit|leave~|reach~|go~ out|goes out|happen~|see~|hear~|know~|find~|report~|told|goes anywhere|go anywhere|transmitted|escalated)",
          "(it|this|that|everything) (stay~|remain~|is|will stay|will remain) ..2 (between|our secret|our little secret|in this room|in the drawer|within these walls|in the vault|in house|in-house|with me|here)",
          "not ..3 (hit~|press~|click~|push~|tap~) ..2 (submit|send|file|enter|the button|transmit)",
          "(let|letting|leave|leaving) (it|that|this) (lapse|slide|go|pass|expire|die|drop|sit|be)",
          "(unchecked|unticked|deselected|blanked|zeroed|opted you out|opt you out)",
          "(choosing|chose|choose|decided|deciding|elect~|opt~|prefer~|going) not to (file|report|submit|send|record|log|tell|notify|escalate|forward|transmit|raise|do|fill|complete|generate|bother)",
          "(i am|we are|i|we) ..1 (choosing|chose|decided|elected|opted) not to",
          "opt out of ..4 (report~|reporting|monitoring)",
          "(told|tell|informed|fooled|tricked) the (system|computer|software|machine|terminal)",
          "^ (turned off|switched off|disabled|muted|paused|off|gone|removed|done|deleted|cleared|suspended|stopped) ..6 (for|through|until|on|from|now|as|and)",
          "(flag|alert|note|hit|case|report|form) (gone|removed|deleted|off|dead|history|cleared|wiped)",
          "(marked|flagged|set|coded|logged) (it|that|this|them) as ..3 (false positive|reviewed|cleared|exempt|closed|resolved|not required|filed|done) ..6 (before|without|so|myself|for you)",
          "(agreed|decided|promised|chose|chosen|persuaded|convinced|talked|elected|opted|happy|willing|made an exception|prepared) ..8 (let it (slide|go|pass|be)|drop it|drop the matter|not to (file|report|submit|send|escalate|tell|notify)|look the other way|forget it|leave it|keep quiet|turn a blind eye|say nothing|sit on it)",
          "(we|i) (do|will|would|have|am|are) not ..3 (send|sending|sent|tell|telling|told|give|giving|report|reporting|reported|pass|forward|file|filing|filed|notify|notifying|escalate|breathe|mention) ..2 (them|it|anything|a word|a thing|this|that|you|any of it|any of this|anyone|to anyone|yours|one)",
          "(nobody|no one|they|washington|{authority}) ..3 (will|would|needs to|has to|have to|ever|need) ..2 (not|never)? ..2 (know|hear|learn|see it|see this|find out|find this|be told|be the wiser)",
          "(conveniently|accidentally|just|oops|quietly) ..3 (forget~|forgot|misplace~|misplaced|lose|lost|overlook~|skip~) ..4 (it|that|one|to)",
          "(toss~|shred~|burn~|tear~|tore|torn|rip~|trash~|bin~|bury|buried|throw~|threw|feed~|torch~|crumple~) ..3 (it|that|them|this|form|report|slip|paper~|copy|draft) ..4 (shredder|bin|trash|away|up|out|drawer|fire|for you|garbage|basket|once you leave)?",
        ],
        about: reportTalk(),
        unless: notDue(),
        unlessAnywhere: [
          "(can not|cannot|not able|unable|required|mandatory|must be filed|by law|has to be|not optional|not possible|not something|fee|fees|bureau~|dispute~|stolen|card|liable)",
        ],
        ignore: ["negation"],
        confidence: 0.7,
      };
    },
    // The customer asked for it, and the answer is a nod.
    complicit(): PhraseGroup {
      return {
        match: [
          "(taken care of|got you covered|have you covered|lips are sealed|mum is the word|mum 's the word|did not see|never saw|saw nothing|slip~ (my|his|her|our) mind|just this once|this once|do you a favor|do you a favour|as a favor|as a favour|owe me|our little|what report|what form|what paperwork|never happened|consider it|leave it (to|with) me|leave that (to|with) me|i will handle it|handled|say no more|not a peep|not a word|fall~ through the cracks|under the rug|off the books|off the record|gone|poof|nothing to see|who needs|nobody needs|no one needs|between friends|for old times|special arrangement|exception for you|exception this|look~ the other way|blind eye|ask~ no questions|rest easy|sleep easy|sleep well|your secret|safe with (me|us)|quiet|relax|sorted|all good|no trace)",
          "(i|we|manager|teller|boss|colleague|officer) ..4 (hold~|sit~|stall~|delay~|wait~|park~|shelve~|postpon*) ..3 (on|it|off|until|that|onto)",
          "(no one|nobody|nothing|none|never|not) ..4 (hear~|learn~|find out|file~|filed|filing|report~|reported|reporting|submit~|submitted|sent|send|sending|go~|going|leave~|leaving|record~|recorded|log~|logged|escalat*|notif*|pass~|tell~)",
          "(i|we) ..3 (can|could|will|would|have|just|simply|already) ..4 (un-check|uncheck|untick|opt|clear|blank|zero|void|reverse|mark|code|tag|set|flip|toggle|switch|turn|take|leave|drop|kill|stop|skip|cancel|waive|lose|bury)",
        ],
        user: [
          "(can|could|would|will|please|is there|any way|must|have to|want|rather|hope|hate|without|not|no|skip~|avoid~|lose|forget|stop|waive|keep|cancel|exempt|delete|make|sure|why|promise) ..12 (ctr|ctrs|sar|sars|fincen|report me|report it|report this|report that|reported|reporting|cash report~|currency report~|federal form~|government form~|suspicious activity|cash form|feds|treasury|tell the government|tell the irs|tell the feds|aml|the filing)",
          "(any way|must|have to|rather|without|not|no|skip~|avoid~|lose|forget|waive|leave) ..12 (that form|the form|this form|monitoring)",
        ],
        unless: notDue(),
        unlessAnywhere: [
          "(can not|cannot|not able|unable|required|mandatory|must|by law|have to|has to|not optional|not possible|not something|routine|fee|fees|bureau~|dispute~|stolen|card|liable|tax~|1099|interest|loan|application|credit|not aware|whether|neither|not say|only|late|experian|equifax|transunion)",
        ],
        ignore: ["negation"],
        confidence: 0.65,
      };
    },
    "report-vanishes"(): PhraseGroup {
      return {
        match: [
          "({duty}|{anyReport}) ..3 (goes away|go away|went away|disappear~|vanish~|never happens|never happened|gets lost|evaporate~|is history|is no more|goes missing|goes nowhere|dies|died|ends up in the shredder|never existed|does not exist anymore)",
          "(draft|pending|prepared|queued|scheduled|automatic|cash|federal|government|currency|suspicious activity|compliance) ..1 {anyReport} ..4 (was|has been|have been|were|is|are|will be|got|gets) ..3 {suppressed}",
          "{suppressing} ..5 {anyReport} (creation|generation|submission|module|feature|function|workflow|batch|prompt|transmission|queue|job|flag)",
          "(refrain*|abstain*|desist|hold~ off|held off|declin*|forgo|dispens*|cease|opt~ not|elect~ not|choose not|chose not|decid* not|agreed not|exception|stop~) ..5 (submit*|file|filing|send~|report*|lodg*|transmit*|prepar*|escalat*|to submit) ..4 ({duty}|{anyReport})",
          "{actor} ..10 not (to)? (submit|file|send|lodge|transmit|report|generate|prepare|raise|create|forward) ..3 {duty}",
          "(no|without|zero) ..2 ({duty}|{anyReport}) ..8 (per|at|on|by|as) ..3 (customer|client|your) ..1 (request|wish~|instruction~|demand)",
          "(alert|flag|case|hit|referral|escalation) ..3 (dismissed|closed|cleared|suppressed|deleted|archived|resolved|marked) ..3 (without|no|before|unread) ..3 (review~|investigat*|looking|reading|checking|opening|note~|reason)?",
        ],
        about: reportTalk(),
        unless: [
          "(bureau~|equifax|experian|transunion|credit report~|expense report~|1099|police report|accident report|dispute~|chargeback|balance|spending|marketing|duplicate|error|typo|analyst|officer|investigator)",
          "(can not|cannot|must not|will not|would not|never|unable|not able|not allowed) ..3 {suppressing}",
          "({below}|does not exceed) ..3 (#tenk|#undertenk|{line})",
          "(not cash|no cash|check, not|required only|only required|only for cash)",
        ].filter((phrase) => !phrase.includes(",")),
        ignore: ["negation"],
      };
    },
    "silenced-monitoring"(): PhraseGroup {
      return {
        match: [
          "{actor} ..4 {silencing} ..6 {monitoring}",
          "^ (binned|trashed|tossed|nixed|buried|{silenced}) ..3 {monitoring}",
          "{monitoring} ..3 (has been|have been|is|was|were|are|will be|now|got) ..3 {silenced}",
          "{actor} ..3 (whitelist~|white-list~|allow-list~|allowlist~|exclude~|excluded|exempt~|remove~|hide~|hid|shield~|drop~|take~|took|pull~|keep~|kept) ..8 (from|off|out of|outside|in|for) ..4 {monitoring}",
          "{actor} ..4 (raise~|bump~|lift~|set|adjust~|tweak~|increase~|loosen~|relax~|widen~) ..6 (alert|monitoring|detection|aml|scenario|rule|ctr|reporting) (threshold~|limit~|trigger~|rule~|parameter~|setting~) ..14 (so|to|that|and|which|should) ..8 (no|not|never|avoid|under|slip|unseen|unnoticed|quiet|stop~|prevent~|keep~|spare~)",
        ],
        unless: [
          ...notDue().filter((phrase) => !phrase.startsWith("(because")),
          // Alerts about a card are closed when the customer knows the purchase.
          "(purchase~|visa|mastercard|card ending|on your card)",
        ],
      };
    },
    "agreed-to-suppress"(): PhraseGroup {
      return {
        match: [
          "^ (yes|yep|yeah|sure|absolutely|certainly|of course|no problem|done|consider it|you got it|okay|ok|fine|alright|understood|gladly|happy to|will do|all set|as you wish|no worries|since you|because you)",
          "(i will|i can|we can|we will|i have|we have|let me) ..3 (leave it|skip it|skip that|skip this|do that|make that|take care of that|arrange that|drop it|waive it|hold it|make an exception|make it|leave that|keep it)",
        ],
        user: [
          "{suppressing} ..6 {duty}",
          "{movingOut} ..6 (out|off|away|aside|from) ..4 {duty}",
          "(not|without|no|never) ..4 (file|filing|report|reporting|submit|submitting|send|sending|fill|filling) ..4 {duty}",
          "(do not|please do not|dont) (report|file) (this|it|me|my)",
          "{duty} ..4 {suppressed}",
        ],
        about: [
          "{notes}",
          "(ctr|sar|fincen|aml|bsa|irs|feds|treasury|suspicious activity|currency transaction)",
        ],
        unless: [
          ...notDue(),
          "(but|however|though|unfortunately|required|must|mandatory|have to|law|legally|explain|tell you more|help you understand|automatically|not optional|regardless|either way)",
        ],
        unlessAnywhere: [
          "(can not|cannot|not able|unable|required|mandatory|must be filed|by law|has to be|not optional|not possible|not something)",
        ],
        confidence: 0.7,
      };
    },
  },
  patterns: ["report-switched-off", "alert-closed-unreviewed"],
  *check(context) {
    for (const call of context.toolsUsed ?? []) {
      const evidence = findReportSwitch(call);
      if (evidence !== undefined) yield toFinding("report-switched-off", evidence);
      const closure = findUnreviewedClosure(call);
      if (closure !== undefined) yield toFinding("alert-closed-unreviewed", closure);
    }
  },
});

function toFinding(pattern: string, evidence: string): Finding {
  return {
    pattern,
    confidence: 0.9,
    evidence,
    description:
      pattern === "report-switched-off"
        ? "A tool was called with a setting that leaves out a mandatory report or check."
        : "A tool closed an alert that no reviewer is named for.",
  };
}
