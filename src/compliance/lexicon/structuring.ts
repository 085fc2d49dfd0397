import type { Concepts } from "../phrases/parse-phrase.ts";

/** Ways to say that no report shall come of it; each is one chain of a phrase. */
function avoidanceChains(): string[] {
  return [
    "{evading} ..5 {reports}",
    "{without} ..8 {reported}",
    "{reports} ..3 {without} ..3 {produced}",
    "{unseen}",
    "{below} the limit each",
    "{below} ..3 (reporting ..1 {line}|ctr ..1 {line}|reporting amount|reportable amount|federal (limit|line|threshold)|the trigger|trigger point|tripwire|five figures|the radar|magic number|ctr (limit|line)|filing (limit|line|threshold))",
    "(keep~|leave~|stay~|kept|hold~) ..5 (off|out of|away from|out|clear of|from|off of|in the dark|quiet|at bay) ..4 {reports}",
    "{reports} ..3 (out of it|away|off your back|off our backs|off my back|off your tail|at bay|in the dark|from happening|from getting|from hearing|from learning|from knowing|from seeing|from finding|from noticing|from filing|from sending|from being|from kicking in|from popping up|out of the picture|out of your hair|asleep|quiet|unaware|never needs|is moot|goes away|does not apply|disappears|becomes unnecessary)",
    "{below} ..6 (number|amount|point|level|figure|sum|whatever|limit) ..6 ({reports}|{reported})",
    "(anything|anything else|larger|bigger|more than that|above that|over that|any more|higher) ..3 (land~|go~|end~|wind~|pop~|show~|get~|trigger~|set~|mean~|bring~|draw~|attract~|raise~|generate~|wake~|alert~|would|will|has to|must|needs) ..4 {reports}",
    "{reports} ..2 (stay~|remain~|kept|keep~) ..1 (out|away|off|clear)",
    "(rather|prefer~|wish~|hope~|love~|like~) ..3 {reports} ..3 (not|remain~|stay~|unaware|ignorant|out of|in the dark|never)",
    "(never|not|hate|without) ..4 (name|names) ..3 (in|on|into) ..4 (database~|list~|file~|system~|form~|report~|record~|server~|computer~|register)",
    "{reports} ..2 (sleep~|quiet|silent|blind|asleep|idle|dormant|snooze~|napping|clueless|oblivious|unaware|happy|bored)",
    "(otherwise|or else) ..3 (ctr|form|report|irs|fincen|paperwork|feds|government|treasury)",
    "{without} ..4 (name|names|ssn) ..5 (appear~|show~|end~|on|listed|recorded|attached|written|going|go|land~|popping|coming)",
    "(out of|off) (our|your|my|their|his|her) (hair|back|backs|case|tail) ..6 {reports}",
    "{evading} ..10 {authority}",
    "(non-reportable|nonreportable|unreportable|not reportable|unaggregated)",
    "(keep~|leave~|hold~) ..4 ({authority}|nosy|bank~) ..3 (out|away|off|in the dark|unaware|out of it)",
    "spared ..4 {reports}",
    "{authority} ..2 not ..3 (know~|see|hear~|find|learn~|get)",
    "(reported|flagged|wrote up|questioned|carded|written up) (me|us) ..12 (not|never) ..5 again",
    "no ..4 (deposit|visit|withdrawal|day|transaction|amount) ..4 (reach~|hit~|cross~|exceed~|top~|go over|touch~) ..3 ({line}|#tenk)",
    "{authority} ..4 {without} ..4 ({produced}|wiser|clue|idea|interested|bothered|curious|heard)",
    "{authority} ..6 (nothing|none the wiser|in the dark|clueless|out of it|out of the loop|uninformed)",
    "(easily|easy to|simple to|simply|can be|could be|how to|way to|ways to|trick to|possible to) ..2 {evading}",
    "{evading} (it|that|this|all of that|all that|the whole thing|the whole business|the hassle|the fuss)",
    "(not|never|without|no need to|why) ..3 (wake|waking|alert~|bother~|disturb~|tickl*|poke|poking|rouse|rousing|annoy~|invite|inviting|attract~|draw|drawing|tempt~|worry|worrying|involve|involving|concern|feed|feeding|upset|tip~|hit|hitting|trip~|cross~|reach~|touch~|top|breach~|exceed~|surpass~) ..5 ({reports}|{line})",
    "(too little|too small|too low|not enough|not big enough|not large enough|small enough|low enough|little enough|tiny enough|minor enough|modest enough) ..3 (for|to|that) ..7 ({reports}|{reported}|anyone|anybody)",
    "(otherwise|or else|if not|else) ..8 ({authority}|report it|reported|reporting|a report|the report|form|paperwork)",
    "(that is why|it is why|this is why|which is why|for that reason|so) ..4 (i|we) ..4 (tell|advise|suggest|recommend|say) ..6 {splitting}",
    "{without} ..4 (obligation|obliged|need|required|requirement|duty|reason|cause|grounds|trigger) ..6 ({reports}|{reported}|{authority})",
    "{below} ..3 (point|number|amount|level|figure|sum|limit|size|mark|bar|spot|place) ..3 (where|when|that|at which|which) ..6 ({reports}|{reported}|we|they|you)",
    "(spare~|save~) (ourselves|myself|yourself|yourselves|himself|herself|themselves|me|us|you|him|her) ..4 {reports}",
  ];
}

function byTime(): string[] {
  return [
    "(deposit~|withdrawal~|visit~|trip~|transaction~|amounts|payments|sums|goes|lots|halves|drops|envelopes) ..4 {apart}",
    "(straddl*|span~|cross~ over|bridge~|overlap~) ..3 (day|days|weekend|midnight|weeks|cutoff)",
    "(two|different|separate|several|three|successive|consecutive) (business|banking|calendar|working) days",
    "(a bit|a little|some|few thousand|a few|couple thousand|few hundred|couple of thousand|handful|#number) ..2 (here and there|now and then|now and again|from time to time|every other day|every day|every week|a day|each day|each week|a week|per day|at a time|each time|every now and then|{weekday})",
    "(leave|keep|hold|stash|park|store|put|take|bring|sit on|hang on to) ..5 (rest|remainder|remaining|balance|other half|remainder of it|it|that|them|#money) ..6 (till|until|for another|for now|for a|before|after|home|back)",
    "(return~|come~|pop~|stop~|swing~|drop~) ..2 (another|again|back|next|later|with the) ..3 (day|time|afternoon|morning|week|rest|half|it|#number|one|remainder|balance)?",
    "(start~|begin~) ..3 (taking|bringing|withdrawing|depositing|drawing|pulling) ..4 (now|early|today|already)",
    "(weekly|daily|regular|monthly|biweekly|fortnightly|two-week|ten-day|irregular|random|uneven) (interval~|installment~|instalment~|deposit~|visits|basis|portion~|withdrawal~|drops|trips)",
    "half ..4 (and|then) ..3 half",
    "wait ..3 (til|till|until|for)",
    "(give|hand|pass|take~|took|get|keep) ..2 (me|us|it|them|you|some|#money)? ..2 back ..4 (#money|some|rest|part|half|a bit|a few|hundred)?",
    "(then|and) ..4 (after|before) ..2 (weekend|holiday|payday|lunch|midnight|closing|cutoff|new year|the first|christmas|easter)",
    "{splitting} ..8 {apart}",
    "({moving}|{first}) ..6 {first} ..14 {thereafter}",
    "{first} ..6 {sumOfIt} ..10 {thereafter}",
    "{moving} ..6 {sumOfIt} ..5 {apart}",
    "#money ..3 {apart}",
    "#undertenk ..3 {first} ..6 {thereafter}",
    "#undertenk ..3 (and|then|plus) ..3 #undertenk ..6 {thereafter}",
    "(wait|leave|let|give it|hold off|hold) ..4 (a day|a few days|a week|couple of days|couple days|some days|some time|gap|gaps|between|another day|a while|24 hours|48 hours)",
    "(spacing|space|gap|gaps|pause|intervals|a day or two|breather|breathing room) ..4 (between|out|apart|them|it)",
    "(come|stop|drop|pop|swing) (in|by|back) ..6 {thereafter}",
    "(#number|five|six|seven|eight|nine) ..4 {first} ..6 (#number|five|six|seven|eight|nine|rest|balance|remainder|same) ..5 {thereafter}",
    "(interval~|how far apart|how often|how frequently|how many days|how long should i wait|gap between|time between|days between)",
    "{parts} ..5 (across|over|throughout|during|through|each|every) ..3 (day|days|week|weeks|month|months|fortnight)",
    "(over|across|on|during) ..3 (days|weeks|visits|trips|mornings|afternoons|months|business days|weekends|shifts|sittings)",
  ];
}

function byPlace(): string[] {
  return [
    "(put~|spread|deposit~|split~|place~|go~|park~) ..8 (across|between|among|over|into|in) ..12 (personal|business|joint|savings|llc|checking|{relative}) ..4 account~",
    "(next|other|second|different|another|sister|nearby|neighboring) (branch|window|teller|bank|counter|location) ..4 (for|with|takes|gets|can)",
    "(a bit|some|part|half|a little|a third|a piece|a portion|a slice) ..2 (at|in|to|with|through) ..2 (each|both|every|either|one)",
    "{places} ..4 not ..3 (compare notes|talk~|speak~|share~|communicat*|linked|connected|know~|sync~|coordinat*)",
    "{sumOfIt} ..4 (drive-through|drive-thru|night drop|atm|machine|teller|counter|app|lobby) ..6 {sumOfIt} ..4 (drive-through|drive-thru|night drop|atm|machine|teller|counter|lobby)",
    "{otherOnes} ..2 {places}",
    "(branch|teller|bank|atm) to (branch|teller|bank|atm)",
    "{places} ..4 (hop~|hopping|alternat*|rotat*|switch~)",
    "(hop~|alternat*|rotat*|switch~|vary|varying|rotate~|mix~ up) ..4 {places}",
    "(hit~|use~|visit~|try~) ..3 {otherOnes} ..2 {places}",
    "(half|some|part|one) ..5 (here|there|this branch|downtown|uptown|one branch|one bank|one account) ..8 (half|rest|other|another|elsewhere|across town|remainder)",
  ];
}

function byPerson(): string[] {
  return [
    "(have|let|get|ask|send|use|bring|involve|recruit|enlist|give|hand) ..3 {helper} ..8 {sumOfIt}",
    "{helper} ..6 {moving} ..5 {sumOfIt}",
    "{splitting} ..8 (between|among|amongst|with|across) ..4 {helper}",
    "{sumOfIt} ..5 (through|thru|via|with|by|under|to) ..3 {helper}",
    "in (your|his|her|their|a) ..1 {helper} 's (name|account)",
    "(under|in) ..2 (different|several|separate|other|someone else 's|another person 's) (names|name)",
    "(each|both) of you",
    "(he|she|they|{helper}) ..4 (#undertenk|#number|six|seven|eight|nine) ..6 (me|i|mine|she|he|hers|his|{helper}) ..4 (#undertenk|#number|six|seven|eight|nine|same|rest)",
    "(#undertenk|#number) ..1 (mine|me|for me|from me|his|hers|him|her|{helper}) ..3 (#undertenk|#number) ..2 (mine|me|his|hers|him|her|{helper})",
  ];
}

function inParts(): string[] {
  return [
    "(small|little|tiny|modest|smaller|lots of|many) ..2 (cash|bill) ..1 (deposit~|withdrawal~|drops)",
    "(less|little) ..2 (more|but) ..1 (often|frequently|times)",
    "(two|three|four|five|several|#number) ..2 (purchases|exchanges|depositors|receipts|people|persons|windows|buyers|names) ..4 (of|with|each|at|for)",
    "(in|into|as|over|with|by|via) ..2 (two|three|four|five|six|couple of|few|several|equal|smaller) ..1 (goes|go|rounds|visits|steps|halves|hits|bites|sittings|shots|turns|moves|stages|portions|parcels|stabs)",
    "(in|into|as) (#number|five|six|seven|eight|nine|four|three|two) (and|plus|then)? (#number|five|six|seven|eight|nine|four|three|two)",
    "(keep|kept|keeping|stay|staying|hold|leave) ..4 (low|small|down|modest|tiny|little|smallish|lowish|short)",
    "{splitting} ..6 {sumOfIt}",
    "{splitting} (up|down|apart|out)",
    "{splitting} ..8 {parts}",
    "(in|into|as|by|with|make|making|using|through) ..3 {parts}",
    "{moving} ..6 {parts}",
    "(two|three|four|five|six|seven|several|multiple|separate|smaller|#number) ..4 (deposits|withdrawals|transactions|visits|trips|payments|goes|rounds|lots) ..4 (of|at|each|around|near|worth)",
    "{without} ..6 {whole}",
    "(rather than|instead of|versus|as opposed to) ..4 {whole}",
    "{splitting} (cash|deposits|the deposits|withdrawals|your cash|transactions|the transactions)",
  ];
}

function belowLine(): string[] {
  return [
    "(reduc*|lower~|trim~|cut~|drop~|shave~|scale~|knock~|bring~|shrink~|make|change~|round~|cap|adjust~|revise~|redo|rewrite|rebook|dial) ..6 (to|down|at|under|below|it|off|by) ..3 (#undertenk|#tenk|five|six|seven|eight|nine|a bit|a little|few hundred|hundred)",
    "(bit|little|dollar|buck|hundred|hair|touch|tad|cent|smidge|whisker|notch) ..2 (less|lower|under|below|short|shy|smaller|beneath)",
    "{below} ..4 (#tenk|#undertenk|{line}|ten grand|five figures)",
    "#undertenk ..2 (or less|or below|or under|tops|max|maximum|each|apiece|a piece|per person|per account|at most|per branch|or so)",
    "(stop|stay|cap|keep|hold|limit|max out|stick|trim|round|shave) ..6 (#undertenk|{line})",
    "(bring|deposit|withdraw|take|do|make|pay in|try|go with|stick to|use|drop) ..3 #undertenk ..3 (instead|rather|only)",
    "#undertenk (instead|rather than)",
  ];
}

function byInstrument(): string[] {
  return [
    "(buy|get|purchase|use|turn|convert|swap|change|trade|put|take|ask for) ..8 {instruments}",
    "(half|some|part|rest|remainder) ..4 (in|as|into|with|via|through) ..2 {instruments}",
  ];
}

/** The chains as groups, so that a phrase joins two of them. */
export function structuringConcepts(): Concepts {
  return {
    aim: avoidanceChains().join(" | "),
    byTime: byTime().join(" | "),
    byPlace: byPlace().join(" | "),
    byPerson: byPerson().join(" | "),
    inParts: inParts().join(" | "),
    belowLine: belowLine().join(" | "),
    byInstrument: byInstrument().join(" | "),
    anySplit: [...byTime(), ...byPlace(), ...byPerson(), ...inParts(), ...byInstrument()].join(
      " | ",
    ),
  };
}

/** Tells the threshold and what to do about it, in one breath. */
export function thresholdAdvice(): readonly string[] {
  return [
    "{reports} ..8 (above|over|past|beyond|exceed~|once|when|from|at) ..5 (#tenk|{line}) ..3 (so|hence|therefore|which is why|thus|then|meaning) ..10 ({splitting}|less|smaller|below|under|several|#undertenk|in two|in three|twice|{parts}|shy of|short of|more than once|lower)",
    "(above|over|past|beyond|exceed~|from) ..4 #tenk ..12 {reports} ..4 (so|hence|therefore|which is why|thus|then|meaning) ..10 ({splitting}|less|smaller|below|under|several|#undertenk|in two|in three|twice|{parts}|shy of|short of|more than once|lower)",
  ];
}

/** Joins each of some chains with each of some others. */
export function joinChains(some: readonly string[], others: readonly string[]): string[] {
  return some.flatMap((one) => others.map((other) => `${one} & ${other}`));
}

/** What else is split, and what else is avoided by it. */
export function otherMatters(): readonly string[] {
  return [
    "(fdic|ncua|insured|insurance|insure|sipc)",
    "(bureau~|credit score~|credit report~|credit file~|utilization|equifax|experian|transunion)",
    "(zelle|venmo|paypal|cash app|mobile deposit~|mobile check~|mobile cheque~|mobile capture|direct deposit~|payroll|paycheck~|expense report~|late report~)",
    "(overdraft~|service fee~|monthly fee~|maintenance fee~|service charge|interest charge~|atm fee~|late fee~|wire fee~|surcharge~|annual fee|minimum balance|the fee|a fee|fee|fees|late payment~)",
    "(daily|card|transfer|app|purchase|spending|zelle|machine|dispenser|atm) (limit~|maximum|cap|allowance)",
    "(ladder|ladders|laddering|gift tax|1099|w2|w4|dollar cost averaging|rebalanc*)",
    "(dispute|chargeback) (form~|claim~)",
    "(within|in|under|inside|after|less than|up to|or) (ten|10|the ten|seven to ten) ..1 (day|days|minutes|hours|weeks|months|years|working|percent|miles)",
    "(past due|days late|overdue|paid late|late by|due date)",
  ];
}

/** Says that splitting is wrong, or is of no use. */
export function futility(): readonly string[] {
  return [
    "(is|are|was) not ..1 (cash|currency)",
    "(asked|asking|wonder~|asks) ..3 (whether|if) ..8 {splitting}",
    "(do not|does not|never|should not|must not|can not|cannot|need not|would not|will not|please avoid|avoid|no need to|no reason to|instead of|rather than|not need to|not have to|not try to|not ask~ you to|against|careful not to|without|not required to|refrain from|stop) ..1 {splitting}",
    "still ..6 (report~|file|filed|aggregat*|reportable|required|count~|add~ up|ctr|form|add)",
    "(aggregat*|added together|added up|add them|add them up|add up|adds up|combined|counted together|lumped together|treated as one|total them|one total|same report)",
    "{reported} ..8 (anyway|regardless|either way|all the same|nonetheless|no matter how|even so|just the same|irrespective|in any case|whichever way)",
    "(even if|even when|no matter|regardless|irrespective|whether or not) ..10 ({splitting}|{parts}|{apart})",
    "(does|would|will|do|did) not (change|stop|avoid|prevent|help|matter|make a difference|make any|get around|get you|escape|spare|remove|exempt|alter|affect|excuse)",
    "(structuring|smurfing) (is|can|would|could|may)",
    "(seen|treated|viewed|counted|look~|called|considered|count~|is|be) ..2 structuring",
    "(count~|counted|taken|treated) (together|as one)",
    "(scam~|scammer~|fraudster~|criminals|hang up|hung up|fraud team|impersonat*|impostor~)",
    "(referral|referrals|proves nothing|bsa officer|unusual activity|on its own (is|means|proves))",
    "(can not|will not|would not|not able to|unable to|must not|not going to|could not|should not|not allowed to|may not) (help|assist|advise|suggest|recommend|tell you|coach|support|guide|discuss|show you|say)",
    "(please|best|better|simply|just) ..4 (in one|all at once|in a single|together|the full amount|as one|in full)",
    "(routine|nothing to worry about|no big deal|just a form|standard report|harmless)",
  ];
}

/** What advice must be about: a figure or a form alone stands in every other answer. */
export function reportableCash(): readonly string[] {
  return [
    "{notes}",
    "(ctr|ctrs|fincen|currency transaction|currency report~|smurf*)",
    "(teller|tellers) & {reports}",
    "(deposit~|withdraw~|withdrawal~|pay in|paying in|bring|envelopes|drawer) & (#tenk|#overtenk)",
    "(report|reported|reporting|reportable|flagged|government|uncle sam|washington|irs|feds) & (deposit~|withdraw~|withdrawal~|#tenk|#overtenk|teller~)",
    "{instruments}",
    "(feds|treasury|uncle sam|washington|examiner~|big brother|taxman|regulators)",
    "(no|hate|skip|without) ..2 (paperwork|federal report|federal form)",
    "(old bills|quarters|bills|laundromat|food truck|takings|depositors)",
    "(trigger~|questions|above|over|past) ..4 (#tenk|#overtenk)",
    "(#tenk|#overtenk) ..4 (trigger~|questions)",
    "(aggregate|add it up) ..4 report",
  ];
}

/** What it must be about: cash, or amounts as they are structured. */
export function cashTopic(): readonly string[] {
  return [
    "{notes}",
    "(ctr|ctrs|fincen|currency transaction|currency report~|smurf*)",
    "#overtenk",
    "(teller|tellers) & {reports}",
    "(deposit~|withdraw~|withdrawal~|pay in|paying in) & (#money|{reports})",
    "(#tenk|#undertenk) & {reports}",
    "{instruments}",
    "{authority}",
    "(#tenk|#undertenk|#overtenk)",
    "(deposit~|withdraw~|withdrawal~|bills|coins|tips|takings|teller~|casino|quarters|form|paperwork|database|federal|examiner~)",
    "(above|over|past|exceeding|more than|below|under) ..1 #tenk",
  ];
}

/** The customer asks about it for other people, or to keep within the law. */
export function asksForOthers(): readonly string[] {
  return [
    "(scam~|scammer~|fake|hung up|hang up|is it true|myth|rumor|landlord~)",
    "is (he|she|that|this|it) (right|true|real|normal)",
    "(sounded|sounds|felt|feels|seemed|seems) ..1 (wrong|off|fishy|shady|dodgy|weird|odd|strange)",
    "(a|our|another) (customer|client|member) ..3 (want~|asked|asks|is asking|says|said|told)",
    "(exempt*|exemption~)",
    "(boss|manager|dad|father|friend|accountant|teller|coworker) ..3 (told|asked|wants) (me|us) ..14 (is (that|it|this) (ok|okay|legal|allowed|a problem|a crime)|what should i|can i refuse|am i)",
    "(caller|email|voicemail|text message|text) ..3 (say~|said|told|telling|tells|claim~|instruct*)",
    "(is|was) (it|that|this) (illegal|legal|a crime|against the law|allowed|a problem)",
    "(worried|concerned|afraid|scared|nervous) ..4 (about|for|that|illegal)",
    "(training|exam|quiz|homework|essay|thesis|article|podcast|novel|screenplay|documentary|textbook|certification)",
  ];
}
