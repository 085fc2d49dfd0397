import { defineBuiltInRule, type Finding } from "../define-rule.ts";
import { bsaAmlConcepts } from "../lexicon/bsa-aml.ts";
import { findReportSwitch, findUnreviewedClosure } from "../tools/report-tools.ts";
import { closedUnread, leftUnreported } from "../lexicon/plain-bank-secrecy.ts";
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
    "(for|on) ..1 (check~|cheque~|ach|wires|wire transfers|electronic transfers)",
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
    "(sar|sars|ctr|ctrs|aml|suspicious activity|compliance ..3 (alert~|referral~|wires|deposit~|cash)|laundering|wires to compliance)",
    "(report|reporting|reported) (me|it|this|that|them|us|10k|#tenk|#overtenk)",
    "(report|reporting) ..3 (cash|deposit~|withdrawal~|deadline|treasury|government|irs|feds|regulator~)",
    "(deadline|escalate|draft|lose) ..4 (report|form|wires|deposit~)",
    "(do|that|cash|government|federal|big) ..1 form",
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
export const bsaAmlReportSuppression = defineBuiltInRule({
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
          "{actor} ..6 {suppressing} ..4 {cashDuty}",
          "{actor} ..4 (skip~|omit~|suppress~|bury|buried|withhold~|scrap~|kill~|killed|quash~|shelve~|bin~|shred~|hold off on|dodge~|forgo|lose|sit on|spare you) ..3 {duty}",
          "{actor} ..8 {movingOut} ..6 (out|off|away|aside|from|past) ..4 {cashDuty}",
          "(make sure|ensure|see to it|guarantee~|promise~|arrange~|my word|rest assured|count on|made sure|fix~ it) ..5 (no|not|never|nothing|nobody) ..6 {cashDuty}",
          "(clients|customers|regulars|members|vips|friends|people like you|folks like you|you|accounts like yours) ..5 (skip|skips|avoid|avoids|get out of|are spared|bypass|never see|do not get|do not need|are exempt from|get a pass on) ..3 {cashDuty}",
          "^ {suppressed} ..4 {cashDuty}",
          "{actor} ..3 (let~|letting) ..5 {cashDuty} ..3 (slide|go|pass|lapse|drop|slip|be)",
          "(so|and) (no|not any|zero) {cashDuty} ..3 (is|gets|was|will|has|ever) ..3 (filed|sent|made|generated|submitted|created|produced|lodged|raised|issued|print~|pop~|prints|drop~|fire~|trigger~)",
          "{actor} ..4 {movingOut} ..6 {cashDuty} ..4 (out|off|away|aside|under the rug|in the drawer|in the bin|in the trash|in the shredder|on ice|blank|unfiled|unsent|unsigned|open|quiet|to yourself|at zero)",
          "{cashDuty} ..3 (has been|have been|is|was|were|are|will be|got|gets|can be|could be|being) ..2 {suppressed}",
          "{actor} ..3 (not|never) ..2 (file|filing|submit|submitting|send|sending|generate|generating|report|reporting|complete|completing|do|doing|fill|filling|prepare|create|issue|log|lodge|raise|escalate|forward) ..4 {cashDuty}",
          "(consider|call|count) ..3 {duty} ..2 (gone|waived|skipped|cancelled|canceled|forgotten|handled|dead|done with|off)",
          "(no|without|minus) ..2 {cashDuty} ..4 (for you|this time|from me|on my watch|from us|from my side|on my end|as a favor|as a favour|as a courtesy|because you|since you|between us|promise|you have my word)",
          "{actor} ..6 (forget|forgot|forgetting|look the other way|close my eyes|turn a blind eye|not see anything|pretend) ..6 {duty}",
          "{actor} ..4 (code~|coded|record~|log~|enter~|book~|label~|classif*|tag~|mark~|key~|input~|list~|post~) ..8 (as|under|like) ..6 (so|which|to|and|that) ..5 (no|not|never|avoid~|skip~|bypass~|without|keeps|stays|dodge~|escape~) ..5 {cashDuty}",
          "{cashDuty} ..6 (can wait|is optional|are optional|is not happening|will not happen|never happened|will not leave|never leaves|never left|stays in|went missing|disappear~|vanish~|will not see|never sees|never see|will never see)",
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
          "{actor} ..3 (switched|turned|left|took|set|skipped|waived|bypassed|disabled) (that|this) (step|part|process|requirement|procedure|submission|notification|transmission|formality) (off|out|aside|for you|this time)",
          "(nothing|no copy|no details|no data|no word|no information|no record) ..3 (leaves the bank|leave the bank|goes out|will go out|reaches|reach~|goes to|go to|will be sent|is sent|gets sent|be passed|is passed|gets passed)",
        ],
        alongside: [
          "(fincen|ctr|currency report~|cash report~|cash reporting|suspicious activity|(passed|sent|reported|goes) to the (government|authorities|treasury|irs)|treasury (form|report)|(report~|form~|filing~) ..3 (the government|feds|treasury|irs|authorities)|(government|federal) (report~|form~|filing~))",
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
          "{actor} ..3 (skip~|waive~|omit~|suppress~|bury|buried|scrap~|kill~|quash~|shelve~|sit on|bin~|shred~|toss~|trash~|hold off on|dodge~|ditch~|withhold~|lose|park~|unflag~) ..2 (it|that|them|this|one|yours|the one|that one|the thing|the whole thing)",
          "(it|that|they|yours|this|mine|those|the one) ..3 (is|are|was|were|get|gets|got|has been|have been|will be|been|being) ..2 (skipped|waived|omitted|suppressed|buried|dropped|scrapped|killed|quashed|shelved|binned|shredded|spiked|forgotten|left unfiled|tossed|trashed|swept under|made to disappear)",
          "(see to it|make sure|ensure|promise|guarantee|swear|rest assured|make certain|my word|word of honor) ..8 (no|not|never|nothing|nobody|none) ..5 (sent|send|filed|file|submitted|submit|leave~|reach~|go~ out|goes out|happen~|see~|hear~|know~|find~|report~|told|goes anywhere|go anywhere|transmitted|escalated)",
          "(it|this|that|everything) (stay~|remain~|is|will stay|will remain) ..2 (between (us|you)|our secret|our little secret|in this room|in the drawer|within these walls|in the vault)",
          "(i|we) ..4 not ..3 (hit~|press~|click~|push~|tap~) ..2 (submit|send|file|enter|the button|transmit)",
          "(i|we|going to|will|can|agreed to) ..2 (let|letting) (it|that|this) (lapse|slide|go|pass|expire|die|drop)",
          "(unchecked|unticked|deselected|blanked|zeroed|opted you out|opt you out)",
          "(i|we|they|he|she|and|officer|manager|team|analyst) ..3 (choosing|chose|decided|elected|opted|going) not to (file|report|submit|record|log|notify|escalate|forward|transmit|raise)",
          "(i am|we are|i|we) ..1 (choosing|chose|decided|elected|opted) not to",
          "opt out of ..4 (report~|reporting|monitoring)",
          "(told|tell|informed|fooled|tricked) the (system|computer|software|machine|terminal)",
          "^ (turned off|switched off|disabled|muted|paused|off|gone) ..2 (for (you|your|this)|through|until)",
          "(flag|alert|note|hit|case|report|form) (gone|removed|deleted|off|dead|history|cleared|wiped)",
          "(marked|flagged|set|coded|logged) (it|that|this|them) as ..3 (false positive|reviewed|cleared|exempt|closed|resolved|not required|filed|done) ..6 (before|without|so|myself|for you)",
          "(agreed|decided|promised|chose|chosen|persuaded|convinced|talked|elected|opted|happy|willing|made an exception|prepared) ..8 (let it (slide|go|pass|be)|drop it|drop the matter|not to (file|report|submit|send|escalate|tell|notify)|look the other way|forget it|leave it|keep quiet|turn a blind eye|say nothing|sit on it)",
          "(we|i) (do|will|would|have|am|are) not ..2 (send|sending|tell|telling|told|report|reporting|pass|forward|file|notify|notifying|escalate|breathe|mention) ..1 (them|it|anything|a word|a thing|any of it|any of this|anyone|to anyone|yours)",
          "(nobody|no one) ..3 (will|would|needs to|has to) ..3 (know|hear|learn|see it|see this|find out|find this|be told|be the wiser)",
          "(they|washington|{authority}) ..2 (will|would|does) (not|never) ..2 (know|hear|learn|see it|see this|find out|find this|be told)",
          "(conveniently|accidentally|oops|quietly) ..3 (forget~|forgot|misplace~|misplaced|lose|lost|overlook~|skip~) ..4 (it|that|one|to)",
          "(i|we|i will|we will|i can|we can|let me) ..2 (toss~|shred~|burn~|tear~|tore|rip~|trash~|bin~|bury|buried|throw~|threw|feed~|torch~|crumple~) ..3 (it|that|them|this|form|report|slip|paper~|copy|draft)",
        ],
        about: reportTalk(),
        unless: [...notDue(), "(delinquent|past due|overdue|late)"],
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
          "(taken care of|got you covered|have you covered|lips are sealed|mum is the word|mum 's the word|slip~ (my|his|her|our) mind|just this once|this once|do you a favor|do you a favour|as a favor|as a favour|owe me|our little|what report|what form|what paperwork|never happened|consider it|leave it (to|with) me|leave that (to|with) me|i will handle it|say no more|not a peep|not a word|fall~ through the cracks|under the rug|off the books|nothing to see|between friends|for old times|exception for you|exception this|look~ the other way|blind eye|ask~ no questions|rest easy|sleep easy|sleep well|your secret|safe with (me|us)|no trace)",
          "(no one|nobody|nothing) ..3 (hear~|learn~|find out|file~|filed|report~|reported|submit~|submitted|sent|send|record~|recorded|log~|logged|escalat*|notif*)",
          "(fincen|irs|treasury|feds|washington|the government|it|i|we) ..1 (will|would|do|does|is|am|are|can) not ..2 (hear~|hearing|learn~|find out|file|filed|filing|report|reported|submit|submitted|be sent|escalate|escalated|notify)",
          "(i|we) ..3 (can|could|will|would|have|just|simply|already) ..3 (un-check|uncheck|untick|opt you|blank|zero|void|lose|bury|kill|skip|waive) ..3 (it|that|them|this|one|box|form|report|filing|out)",
        ],
        user: [
          "(can|could|would|will|please|is there|any way|must|have to|want|rather|hope|hate|without|not|no|skip~|avoid~|lose|forget|stop|waive|keep|cancel|exempt|delete|make|sure|why|promise) ..12 (ctr|ctrs|sar|sars|fincen|cash report~|currency report~|federal form~|government form~|suspicious activity|cash form|feds|treasury|tell the government|tell the irs|tell the feds|aml|the filing)",
          "(not|without|no|avoid~|skip~|lose|forget|stop|waive|cancel|delete|hope|hate|rather|promise) ..8 (report me|report it|report this|report that|reported|reporting)",
          "(any way|must|have to|rather|without|not|no|skip~|avoid~|lose|forget|waive|leave) ..6 (that form|this form|monitoring)",
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
          "(refrain*|abstain*|desist|hold~ off|held off|forgo|dispens*|cease|opt~ not|elect~ not|choose not|chose not|decid* not|agreed not) ..4 (submit*|file|filing|report*|lodg*|transmit*|prepar*|escalat*|to submit) ..4 ({duty}|{anyReport})",
          "{actor} ..6 not (to)? (submit|file|send|lodge|transmit|report|generate|prepare|raise|create|forward) ..3 {cashDuty}",
          "(no|without|zero) ..2 ({duty}|{anyReport}) ..8 (per|at|on|by|as) ..3 (customer|client|your) ..1 (request|wish~|instruction~|demand)",
        ],
        about: reportTalk(),
        unless: [
          "(bureau~|equifax|experian|transunion|credit report~|expense report~|1099|police report|accident report|dispute~|chargeback|balance|spending|marketing|duplicate|error|typo|analyst|officer|investigator)",
          "(can not|cannot|must not|will not|would not|never|unable|not able|not allowed) ..3 {suppressing}",
          "(for|on) ..1 (check~|cheque~|ach|wires|wire transfers|electronic transfers)",
          "({below}|does not exceed) ..3 (#tenk|#undertenk|{line})",
          "(not cash|no cash|check, not|required only|only required|only for cash)",
        ].filter((phrase) => !phrase.includes(",")),
        ignore: ["negation"],
      };
    },
    "silenced-monitoring"(): PhraseGroup {
      return {
        match: [
          "{actor} ..4 {silencing} ..4 {monitoring}",
          "{actor} ..3 {silencing} ..2 (the|that|this|your) (alert~|flag~|case) ..3 (myself|quietly|rather than|as a favor|as a favour|so nobody|so no one)",
          "^ (binned|trashed|tossed|nixed|buried|{silenced}) ..3 ({monitoring}|(that|the|this|your) (alert|flag) ..2 before)",
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
    "left-unreported": leftUnreported,
    "closed-unread": closedUnread,
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
