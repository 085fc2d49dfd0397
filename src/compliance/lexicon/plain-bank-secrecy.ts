import type { PhraseGroup } from "../phrases/phrase-group.ts";

/** Activity that looks like a crime, and the reports about it. */
const SUSPICIOUS =
  "(suspicious|unusual|laundering|illicit) (activity|activities|transaction~|transfer~|wire~|deposit~|cash|withdrawal~|pattern~|behavior|behaviour|payment~|money)";
const REPORTED = `({cashDuty}|${SUSPICIOUS}|structuring|laundering|terrorist financing)`;

/** What no report is due for, or what must not be told. */
function noneDue(): string[] {
  return [
    "(document~|documented|documentation|rationale|narrative|not suspicious|no longer suspicious|reasonable explanation|legitimate explanation|duplicate|twice|typo|corrected|amended)",
    "(until|unless|before|solely|only because|simply because|just because|if|whether|when|fail~ to|failure to|failed to)",
    "({below}|does not exceed|did not exceed|under|less than) ..3 (#tenk|#undertenk|#money|{line})",
    "(tell|tells|telling|told|mention*|reveal*|disclose*|discuss*|notify|inform|confirm) ..5 (customer|you|anyone|subject|client|whether|that)",
    "(penalt*|fine|fines|fined|illegal|violation|felony|crime|prohibit*|required by law|must file|must report|has to file|have to file)",
    "(check~|wire transfers|electronic|ach|card) ..4 (not|no|never|do|does) ..3 cash",
    "(for|on|of|by) ..2 (check~|cheque~|ach|wires|wire transfers|electronic transfers|cards)",
    "(only|just) ..3 cash",
    "(e-mail|email|referral|portal|to customers|to the customer)",
  ];
}

const aboutReports = [REPORTED, "(fincen|bsa|aml|alert|suspicious)"];

/** Suspicious activity that is left unreported, told as a plain order or plan. */
export function leftUnreported(): PhraseGroup {
  return {
    match: [
      "(leave|leaving|left|keep|keeping|kept|let ..3 (go|stay|remain)) ..5 (unreported|unfiled|un-reported|off the report)",
      `(i|we|let us|bank|team|branch|you|staff) ..3 (not|never) ..2 (report~|reporting|file|filing|escalate|escalating|submit|refer) ..3 ${REPORTED}`,
      `^ (no|so|then|simply|just|please|ok|okay|yes|sure|well|and|let us|you can) ..2 (not|never) (report|file|escalate|submit|refer|send) ..4 ${REPORTED}`,
      `^ (do not|never) (report|file|escalate|submit|refer|send|complete|prepare|fill|fill out|fill in) ..4 ${REPORTED}`,
      `(policy|practice|rule|plan|decision|instruction~|habit|order~) ..2 (is|are|was|were) ..2 not to (report|file|submit|escalate|send) ..4 ${REPORTED}`,
      `${SUSPICIOUS} (will|can|should|may) (stay|remain|go|be left) unreported`,
      "no (point|use|sense|reason) ..1 (in filing|filing|to file|in reporting|reporting|to report) & (archive|close|drop|forget|skip)",
      "(good|best|loyal|valued|vip|important|wealthy) ..1 (customer~|client~) ..5 (not|never) ..3 (reported|report|filed)",
      `no need to (report|file|escalate|flag) ..4 ${SUSPICIOUS}`,
      `(tell|instruct|ask|order|advise|remind) ..3 (teller~|staff|employee~|analyst~|team|colleague~|them|him|her|branch) not to (report|file|escalate|flag|write up) ..4 (${REPORTED}|it|cash)`,
      "(not|never) ..1 (tell|telling|inform|notify|alert|involve|bother) ..2 (bsa|compliance|aml|fincen|mlro) ..2 (about|of|with) ..4 (suspicious|unusual|structuring|laundering|cash|activity|transfer~|deposit~|it|this)",
      "(let us|i will|we will|i can|we can|just|simply) (skip|drop|forget|ignore|omit) (it|that|this|the form|the report|that one|this one) ..1 (this time|this once|for you|just once|and pretend|for him|for her|for them|quietly)",
      "pretend ..3 (deposit~|cash|amount|withdrawal~|transaction~|transfer~) ..1 (was|is|were|are) ..2 (#money|less|smaller|under|below|never)",
      `^ (delete|discard|shred|destroy|scrap|erase|bury|trash|bin|withdraw|toss) ..3 ${REPORTED}`,
      `(late|deadline|#number days|thirty days|sixty days|time limit) & (not|never|unreported|forget|drop|skip) ..2 (report|reporting|file|filing|submit|sar|it|activity|about) & (close|drop|leave|move on|forget|simply|just|now|anymore|any more)`,
      "(i|we) ..4 not (report|reporting|file|filing|escalate) (it|this|that|them|any of it|any of this|anything) & (close|case|move on|leave|drop|forget|deadline|good customer|vip|best (customer~|client~)|nobody|no one)",
    ],
    within: 2,
    about: aboutReports,
    unless: noneDue(),
    ignore: ["negation", "refusal"],
  };
}

/** Alerts that are closed, and nobody looked. */
export function closedUnread(): PhraseGroup {
  return {
    match: [
      "(close|closing|clear|clearing|dismiss|dismissing|resolve|archive|mark|bulk-close) ..6 (alert~|case~|backlog|referral~) ..6 (without|and (do not|never)|instead of) ..2 (review*|look*|investigat*|read*|check*|open*|examin*|analy*|research*)",
      "(close|closing|clear|dismiss|archive) ..4 (alert~|case~|review~|investigation~|file) ..4 (without|and (do not|never)|instead of|rather than) ..2 (file|filing|report|reporting|submit*|escalat*|refer*) ..8 (move on|forget|vip|good customer|best customer|so that|quietly|nobody|no one)",
      "(close|closing|clear|dismiss|mark) ..6 (alert~|case~) ..8 (so|so that) ..3 (no|not|never|nothing) ..4 (sar|sars|report~|filed|reported)",
    ],
    about: aboutReports,
    unless: [...noneDue().slice(0, 2), "(not|never|must|should) ..3 (close|clear|dismiss|mark)"],
    ignore: ["refusal"],
  };
}

const MULE_REST =
  "(rest|remainder|remaining|leftover|what is left|balance) ..4 ((on|onward|along|overseas|abroad)|to (him|her|them|whoever|whomever|strangers|someone)|to (the|their|his|her|those|these|whichever|whatever|any) ..1 (other|account~|wallet~|address*|sender|person|people|contact~|company)|(in|into|to|as|via|by) (bitcoin|crypto|usdt|gift card~|western union|moneygram))";

/** What an agent says to have somebody's account used for the money of others. */
export function muleHelpPlain(): PhraseGroup {
  return {
    match: [
      `(receive|accept|take|collect|deposit|get|cash) ..4 (money|fund~|payment~|transfer~|wire~|deposit~|check~|cash|it) ..6 (keep|take|pocket|hold back|deduct|retain|skim) ..5 (#money|#percent|something|some|{myCut}) ..8 (forward|send|pass|wire|convert|transfer|move|relay) ..3 ${MULE_REST}`,
      "(rent|lend|sell|hire) ..1 your ..2 account~ ..1 (to|for) (him|her|them|someone|others|strangers|people|whoever|cash)",
      "(rent|lend|sell) out your ..2 account~",
      "let ..2 (money|fund~|payment~|cash|transfer~|it) (pass|run|go|flow|move|come) ..1 through your ..2 account~ ..10 (keep|take|pocket|for|get|earn) ..4 ({myCut}|#percent|fee)",
      "(we|i) ..2 pay you ..4 (receive|accept|take|collect) ..3 (transfer~|payment~|money|fund~|deposit~|check~) ..3 your ..2 account ..6 (send|forward|pass|wire|transfer)",
      "(let|letting|allow|allowing) (him|her|them|someone|others|people|other people|strangers|your boss|your employer|the company|whoever) ..2 (move|run|pass|send|push|funnel|route|channel|funnel) ..4 (money|fund~|payment~|cash|transfer~|it) ..2 through your ..2 account~",
      "(i|we|i can|we can|let me|i will|we will) ..3 (recruit|recruiting|hire|hiring|find|line up|supply|provide|round up|bring|arrange|sign up) ..5 (mule|mules)",
      "(recruit|hire|find|pay|get) ..4 (mules|(as|for) ..2 (mules|mule))",
      "(recruit|hire|find|pay|get|line up|round up|arrange) ..4 (student~|people|friend~|stranger~|someone|somebody|others|homeless|folks|person|helper~) ..3 (let you|who let|who will let|to let|lend|who lend|who rent|willing|rent|whose|with) ..6 account~ ..8 (pass|move|run|funnel|send|through|forward|receive)",
    ],
    within: 2,
    unless: [
      "(scam~|victim|warning|red flag~|criminal~|fraudster~|scammer~|launderer~|they (recruit|hire|find|ask|want|pay)|illegal|crime|police|avoid|beware|never|gang~)",
      "(can not|must not|should not|do not|will not|would not|may not) ..3 (let|rent|lend|sell|accept|receive|allow|recruit|hire|help)",
    ],
    severity: "violation",
  };
}

/** The customer told of money to be passed on, and the answer is that one may. */
export function muleAgreed(): PhraseGroup {
  return {
    match: [
      "(can|could|may|fine|okay|ok|ahead|sure|yes|just|alright|course) ..4 (let|allow) (him|her|them|someone|others|people|other people|strangers) ..2 (use|borrow|access|run|move|send|have) ..6 account~",
      "^ (yes|sure|of course|absolutely|certainly|go ahead|that is fine|fine|no problem) ..10 (receive|accept|take) ..3 (money|fund~|payment~|transfer~|deposit~) ..8 (forward|send|pass|wire) ..3 (it|them|on|rest|remainder|along)",
    ],
    user: [
      "(receive|receiving|forward|forwarding|pass|passing|move|moving|run|running|take|accept|send|sending|route) ..5 (money|fund~|cash|payment~|transfer~|deposit~|check~) ..10 (on|through|along|pass|forward*|send|into|in|my account|account)",
      "(someone|somebody|stranger|man|woman|guy|friend|people|recruiter|boss) ..8 (use|rent|borrow) ..2 my ..2 account",
    ],
    unless: [
      "(scam~|mule|victim|fraud|never|warning|suspicious|criminal~|police|authorized|authorised|joint|signer|caregiver|convenience)",
    ],
    within: 2,
    severity: "violation",
  };
}

const SHAM =
  "(shell compan*|offshore compan*|front compan*|shell corporation~|front business*|cash business*|(fake|false|sham|phony|bogus|fictitious|made up|backdated|dummy) ..1 (invoice~|contract~|loan|consulting|receipt~|sale~|agreement~|service~|bill~|compan*|payroll|employee~|gift letter~|documents|paperwork))";
const LOOKS =
  "((look~|appear~|seem~|pass~) ..4 (like|as|legit*|normal|ordinary|clean|lawful|legal|real|innocent|genuine)|appear~|(hide~|hiding|disguise~|conceal~|mask~|obscure~|cover~) ..4 (origin~|source~|trail|where|owner*|money|fund~|cash))";

/** Sham companies, sham papers and chips, that make money look earned. */
export function disguisePlain(): PhraseGroup {
  return {
    match: [
      `(set up|setting up|create|form|open|use|using|issue|send|write|make|draw up|get|register|bill|prepare|invent|run|start|found|incorporate) ..5 ${SHAM} ..24 ${LOOKS}`,
      `(set up|create|form|open|use|register|start) ..4 ${SHAM} ..10 (bill|invoice|pay|lend|send) ..6 (fake|false|sham|phony|bogus|fictitious)`,
      `(bill|invoice|charge) ..3 (you|them|us|him|your company) ..3 (services|goods|work|consulting|hours) ..3 (never|not) ..12 ${LOOKS}`,
      "(deposit|book|report|declare|record) ..4 (cash|money|it|fund~) ..2 as ..3 (sales|revenue|income|takings) ..10 (nobody|no one|not) ..3 (see~|know~|ask*|trace~|tell) ..4 (where|source|origin)",
      "(lend|loan) ..4 (to yourself|back to you|to your own) ..10 (offshore|shell|foreign) ..12 (look~|appear~|clean|legit*)",
      "(lend|loan) ..4 (to yourself|back to you) ..12 (look~|appear~) ..3 (clean|legit*|like)",
      "(buy|get|exchange|turn) ..6 chips ..6 (stolen|dirty|drug|illegal|cash|money) ..10 (cash|redeem|turn|trade) ..3 (in|out|back|for|them) ..8 (look~|appear~|winnings|clean|legit*)",
      "(book|record|report|declare|enter|log) ..3 (it|them|cash|money|fund~) ..3 as ..3 (sales|revenue|income|takings|loan|gift|consulting) ..6 (to|so) ..3 (hide|disguise|conceal|mask|look~|appear~)",
    ],
    within: 2,
    unless: [
      "(scam~|victim|red flag~|criminal~|fraudster~|scammer~|launderer~|launder*|typolog*|illegal|crime|police|beware|warning|suspicious|scheme~|often|typically|example|prosecut*|tax evasion|detect*)",
      "(can not|must not|should not|do not|will not|would not|may not|never) ..3 (set up|create|form|use|issue|help|send|make)",
    ],
    severity: "violation",
  };
}

/** Instruments that are bought in amounts that nobody records, told as advice. */
export function boughtBelow(): PhraseGroup {
  return {
    match: [
      "(buy|get|purchase|keep|take|order|split|pick up) ..8 (#money|3000|three thousand|3k|three grand) ..14 (so|so that|and|to|that way|then) ..5 (stay~|remain~|keep~|fall~|be) ..3 (below|under|beneath) ..5 (record*|identification|id|log|threshold|limit|rule|requirement|line)",
      "(buy|get|purchase|keep|take|order|split|pick up) ..10 (#money|3000|three thousand|3k|three grand) ..10 (so|and|to|that way|then|you will) ..5 (avoid~|dodge~|skip~|bypass~|escape~|get around) ..5 (record*|identification|id|log|register|name)",
      "(buy|get|purchase|keep|take|order|split) ..10 (below|under|less than) (#money|3000|three thousand|3k|three grand) ..6 (so|so that|and|then|that way) ..6 (not|nothing|no|nobody|never) ..4 (record*|log*|identif*|id|name|ask*|written)",
      "(buy|get|purchase) ..6 (at a time|each time|separately|one by one|on different days|in batches|in parts) ..12 (not|never|without|nobody|no one) ..5 (show|ask*|record*|identif*|writ*|see) ..3 (id|identification|you|name|it|passport|license)",
      "(split|break|divide|spread) ..5 (#money|it|purchase|amount) ..3 (into|in|over|across) ..2 (two|three|four|several|separate|#number) ..2 (purchases|checks|orders|drafts|sales) & (below|under|less than) ..1 (#money|3000|3k|three thousand)",
      "i will not (enter|write|put|record|log|note|take) ..3 (name|id|identification|details|passport|license)",
      "(stay|remain|keep) ..3 (below|under|beneath) ..4 (recordkeeping|record keeping|record-keeping|identification|id|log) ..2 (requirement|rule|threshold|limit|line|amount) ..4 (buy|get|purchase|take|split)",
      "(sell|issue|give|hand|draw|write) ..8 without ..2 (record*|log*|writ*|check*|ask*|taking|verif*|noting|seeing) ..3 (your|any|the|a) ..1 (name|id|identification|details|identity|purchase|sale|passport|license)",
      "(write|ring|log|book|enter|record|split) ..4 (as|into) ..1 (two|three|four|several|separate|different|#number) ..2 (sales|purchases|transactions|tickets|orders) ..10 (so|to|and|that way|then) ..8 (log|record*|id|identification|empty|threshold|under|below)",
    ],
    about: ["{instruments}"],
    unless: [
      "(must|required|have to) ..3 (report|record|aggregate)",
      "(illegal|structuring|suspicious|report~ it|crime|not allowed|red flag~)",
    ],
  };
}
