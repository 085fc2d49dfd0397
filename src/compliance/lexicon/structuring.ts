import { linear } from "../text/pattern.ts";
import { phrase, type NamedPhrases } from "../text/phrase.ts";

const AUTHORITY = String.raw`(?:irs|feds?|fincen|treasury|government|regulators?|authorities|uncle\ssam|washington|tax\s(?:man|people|office))`;
const REPORT = String.raw`(?:report(?!\scard|s\stab)\w{0,5}|ctrs?|currency\stransaction|(?:the|that|those|federal|government|cash|reporting)\s(?:form|forms|filing|filings)|paperwork|radar|red\sflags?)`;
const REPORT_OR_AUTHORITY = String.raw`\b(?:${REPORT}|${AUTHORITY})\b`;
const TEN_THOUSAND = String.raw`(?:10[,. ]?000|10\s?k\b|ten\s(?:thousand|grand|k)\b)`;
const NOT = String.raw`(?:n't|\b(?:not|no|never|nobody|none|nothing|neither|nor|without|cannot))\b`;
const BELOW = String.raw`(?:under|below|beneath|less\sthan|short\sof|shy\sof|smaller\sthan|lower\sthan)`;
const SO = String.raw`\b(?:so|then|way|means|meaning|and)\b`;

/** Words without which no evasion below can match: most answers end here. */
export const REPORTING_CUE = linear(
  /report|\bctrs?\b|\bforms?\b|paperwork|filing|\bfile|flag|radar|notif|\birs\b|\bfeds?\b|government|fincen|treasury|regulator|authorit|threshold|uncle|washington|alarm|alert|eyebrow|currency\stransaction|\bno(?:body|\sone|thing)\b/i,
);

/** Ways to say that the report is escaped. */
export const EVASIONS: readonly NamedPhrases[] = [
  [
    // "avoid the report", "slip past the IRS", "stay below the reporting threshold"
    "escape",
    [
      phrase(
        String.raw`\b(?:avoid|evad|dodg|skip|bypass|side-?step|duck|escap|elud|circumvent|beat)\w{0,4}\b`,
        [30, REPORT_OR_AUTHORITY],
      ),
      phrase(
        String.raw`\b(?:get|work|slip|sneak|steer|stay|keep|remain|be|fly|flies|fall|come|go|each|deposits?)(?:s|ing|ting|ping)?\b`,
        [20, String.raw`\b(?:around|past|by|off|clear|under|below|beneath)\b`],
        [25, REPORT_OR_AUTHORITY],
      ),
      phrase(
        String.raw`\b${BELOW}\b`,
        [20, String.raw`\b(?:limit|threshold|level|amount|line|mark)\b`],
        [20, String.raw`\b(?:${REPORT}|trigger\w{0,3})\b`],
      ),
    ],
  ],
  [
    // "so no report is filed", "without a CTR", "it won't get flagged"
    "no-report",
    [
      phrase(NOT, [
        40,
        String.raw`\b(?:${REPORT}|${AUTHORITY}|flag(?:s|ged)?|notif(?:y|ies|ied)|files?\s(?:it|anything)|filed|alerts?|alarms?|eyebrows)\b`,
      ]),
      phrase(SO, [25, String.raw`\bno\s(?:\w{1,12}\s)?(?:form|forms|filing|questions)\b`]),
    ],
  ],
  [
    // "the report isn't triggered", "the government doesn't hear about it", "nobody notices"
    "report-not-made",
    [
      phrase(
        REPORT_OR_AUTHORITY,
        [15, String.raw`(?:n't|\b(?:not|never))\b`],
        [
          25,
          String.raw`\b(?:trigger|fil|need|requir|necessary|sent|generat|happen|apply|kick|come|go|hear|know|see|notice|find|learn|ask|look|told|involved)\w{0,5}\b`,
        ],
      ),
      phrase(
        SO,
        [15, String.raw`\b(?:nobody|no\sone|none\sof\sthem)\b`],
        [15, String.raw`\b(?:hear|know|see|notic|find|ask|look|files?|reports?)\w{0,3}\b`],
      ),
    ],
  ],
  [
    // "keeps the form out of it", "leaves the IRS in the dark", "off the books", "goes unreported"
    "keep-out",
    [
      phrase(
        String.raw`\b(?:keep|leav)(?:s|ing|e|es)?\b`,
        [20, String.raw`\b(?:reports?|reporting|ctr|forms?|paperwork|${AUTHORITY})\b`],
        [15, String.raw`\b(?:out|away|off|in\sthe\sdark|uninvolved)\b`],
      ),
      phrase(
        String.raw`\b(?:unreported|unnoticed|(?:under|below|off)\s(?:the|their|our|anyone's)\sradar|off\s(?:the|any)\s(?:books|form|record))\b`,
      ),
    ],
  ],
  [
    // "just under ten thousand so nothing is triggered", the amount standing for the report
    "below-amount",
    [
      phrase(
        String.raw`\b${BELOW}\b`,
        [20, TEN_THOUSAND],
        [
          60,
          String.raw`\b(?:${REPORT}|${AUTHORITY}|trigger\w{0,3}|flag\w{0,4}|notice[ds]?|filed)\b`,
        ],
      ),
      phrase(
        String.raw`\b(?:over|above|exceed\w{0,3}|more\sthan)\b`,
        [12, TEN_THOUSAND],
        [30, String.raw`\b${REPORT}\b`],
        [12, String.raw`\bso\b`],
        [15, String.raw`\b(?:bring|deposit|keep|make|stay|split|withdraw|take|do|try|use|aim)\b`],
      ),
    ],
  ],
];

const SEVERAL = String.raw`(?:two|three|four|five|six|seven|eight|nine|ten|several|multiple|few|couple\sof|different|separate|smaller|various|[2-9])`;
const WEEKDAY = String.raw`(?:mon|tues|wednes|thurs|fri|satur|sun)day`;
const LATER = String.raw`\b(?:tomorrow|later|next|after|another|different|${WEEKDAY}|weekend|following)\b`;
const RELATIVE = String.raw`\b(?:wife|husband|spouse|partner|son|daughter|kids?|children|brother|sister|mother|father|mom|dad|cousin|uncle|aunt|friends?|relatives?|family|roommate|neighbou?r|employees?|someone\selse|somebody\selse|co-?workers?)\b`;

/** Ways to split money. */
export const SPLITS: readonly NamedPhrases[] = [
  [
    "split-by-person",
    [
      phrase(String.raw`\b(?:have|ask|let|get|send|through|use|give)\b`, [24, RELATIVE]),
      phrase(
        String.raw`\b(?:your|a|the)\b`,
        [1, RELATIVE],
        [14, String.raw`'s\s(?:account|name)|\b(?:bring|deposit|take|pay|make|carry|drop)`],
      ),
    ],
  ],
  [
    "split-by-place",
    [
      phrase(String.raw`\b(?:${SEVERAL}|other|another|each|both|every)\b`, [
        14,
        String.raw`\b(?:branch(?:es)?|locations?|tellers?|atms?|banks?|accounts?|counters?|machines?|drive-throughs?)\b`,
      ]),
    ],
  ],
  [
    "split-by-time",
    [
      phrase(
        String.raw`\b(?:half|part|some|portion|third|bit|rest|remainder|remaining|balance|leftover|others?|again)\b`,
        [60, LATER],
      ),
      phrase(
        String.raw`\b(?:today|now|tonight|morning|afternoon|week|${WEEKDAY})\b`,
        [20, String.raw`\b(?:and|then|plus)\b`],
        [40, LATER],
      ),
      phrase(String.raw`\b${SEVERAL}\b`, [
        14,
        String.raw`\b(?:days?|weeks?|dates|mornings|afternoons|occasions)\b`,
      ]),
      phrase(String.raw`\b(?:every|each|per|consecutive|alternate)\b`, [
        14,
        String.raw`\b(?:day|week|time|visit|trip|deposit|occasion)\b`,
      ]),
      phrase(
        String.raw`\b(?:daily|weekly|at\sa\stime|stagger\w{0,3}|over\sthe\s(?:week|month|next))\b`,
      ),
      phrase(String.raw`\bspac(?:e|ing)\b`, [30, String.raw`\bout\b`]),
    ],
  ],
  [
    "split-in-parts",
    [
      phrase(String.raw`\b(?:split|break|divid|spread|separat|chop|carv|slic)\w{0,4}\b`, [
        60,
        String.raw`\b(?:into|over|across|between|among|up|apart|in\stwo|in\shalf)\b`,
      ]),
      phrase(String.raw`\b(?:split|break|divide|spread)\s(?:it|them|that|this|the|your)\b`),
      phrase(String.raw`\b${SEVERAL}\b`, [
        24,
        String.raw`\b(?:deposits?|amounts?|transactions?|chunks?|pieces?|parts?|portions?|batches|bundles|installments?|withdrawals?|lots|ones|trips|visits|goes|stages)\b`,
      ]),
      phrase(
        String.raw`\bin\s(?:pieces|parts|chunks|batches|stages|thirds|halves|portions|bits)\b`,
      ),
      phrase(String.raw`(?:n't|\b(?:not|never|instead\sof|rather\sthan))\b`, [
        30,
        String.raw`\b(?:all\sat\sonce|all\stogether|in\sone\s(?:go|lump|deposit|sum)|one\s(?:big|large|single|lump))\b`,
      ]),
    ],
  ],
  [
    "below-threshold",
    [
      phrase(
        String.raw`\b(?:keep|stay|remain|stick|hold|bring|deposit|make|go|withdraw|take|limit|come|aim)\w{0,3}\b`,
        [40, String.raw`\b(?:${BELOW}|no\smore\sthan)\b`],
        [
          25,
          String.raw`(?:${TEN_THOUSAND}|\b9[,.]?\d{3}|\bnine\s(?:thousand|grand)|\b(?:reporting|federal|ctr)\s(?:limit|threshold|line|mark))`,
        ],
      ),
      phrase(String.raw`\b(?:deposits?|amounts?|withdrawals?)\sof\b`, [
        14,
        String.raw`\b(?:[89][,.]?\d{3}|[89]k|(?:eight|nine)\s(?:thousand|grand|k))\b`,
      ]),
    ],
  ],
];

/** Says that money is paid in or out. */
export const MONEY = linear(
  /\b(?:cash|deposit\w{0,3}|withdraw\w{0,4}|tellers?|drive-through|banknotes|money|currency|accounts?|checking|pay(?:ing)?\s(?:\w{1,12}\s)?in|atms?)\b|[$]|\b\d{1,3}\s?k\b|\b\d{1,3},\d{3}\b|\bgrand\b|\bthousand\b/i,
);
export const CASH = linear(
  /\b(?:cash|banknotes|ctrs?|currency\stransactions?|reporting\s(?:threshold|limit)|fincen|feds)\b/i,
);

/** Matters in which splitting is ordinary, and what is avoided is another report, form or limit. */
export const OTHER_MATTER = linear(
  /\b(?:zelle|venmo|paypal|ach|wires?|cards?|che(?:ck|que)s?|rent|payroll|direct\sdeposits?|invoices?|credit\s(?:bureaus?|report\w{0,3}|score|history|file)|experian|equifax|transunion|late|past\sdue|delinquen\w{2,4}|gift|tax\sreturn|1099|w-2|fdic|insur\w{2,5}|coverage|daily\slimit|transfer\slimit|mobile|overdraft|minimum\sbalance|fees?|cds?|ladder)\b/i,
);

/** "Splitting it does not stop the report", "we will still file", "they are added together". */
export const FUTILITY = linear(
  /(?:n't|\b(?:not|never|cannot))\s(?:\w{1,12}\s)?(?:avoid|prevent|stop|change|evade|affect|remove|eliminate|exempt|excuse|make\sa\sdifference|get\saround|matter|bypass)|\bstill\s(?:\w{1,12}\s){0,3}(?:report|file|reported|filed|apply|applies|required|aggregat)|\b(?:aggregated|(?:added|counted|combined)\stogether|add\sthem\sup|regardless|no\sone\scan\swaive)\b/i,
);

/** Tells of what others say or do. */
export const OTHERS_WORDS = linear(
  /\byou(?:'ve|\shave)?\s(?:asked|mentioned|said|described|told)\b|\b(?:sounds|looks)\slike\b|\bare\syou\s(?:asking|trying|planning|splitting|looking)\b|\b(?:people|customers|anyone|someone|those)\swho\b|\b(?:criminals|launderers|structuring|smurfing)\b/i,
);
