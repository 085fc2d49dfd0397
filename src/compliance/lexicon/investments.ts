import { linear } from "../text/pattern.ts";
import { phrase, type NamedPhrases } from "../text/phrase.ts";

/** Words without which no promise below can match: most answers end here. */
export const CERTAINTY_CUE = linear(
  /guarant|risk|certain|assur|promis|always|definite|sure|bound\sto|inevitabl|invariabl|undoubtedly|\blos[est]|shrink|downside|double|triple|quadruple|never|can't|cannot|won't|will\snot|couldn't|impossible|no\sway|100\s?%|\bonly\b|no\squestion|without|foolproof|locked|absolutely|no\smatter/i,
);

const GAIN = String.raw`\b(?:(?:returns?|yields?|profits?|gains?|growth|earnings|income|upside|dividends?|pay-?outs?|performance|appreciat\w{1,5}|doubl(?:e|es|ing))\b|\d{1,3}(?:\.\d{1,2})?\s?(?:%|percent\b|per\scent\b))`;
const FULLY = String.raw`(?:completely|totally|perfectly|absolutely|entirely|fully|100\s?%)`;
// "You can't lose your place" promises nothing about money.
const LOSE = String.raw`los(?:e|es|t|ing)\b(?!\s(?:access|track|touch|sleep|coverage|eligibility|points|benefits|sight|interest|time)\b)(?!\s(?:your|the|any)\s(?!money|capital|principal|investment|savings|funds|cash|stake|shirt|initial|original|nest))`;

/** Ways to promise an outcome. */
export const PROMISES: readonly NamedPhrases[] = [
  [
    "guaranteed-gain",
    [
      phrase(
        String.raw`\b(?:guarante(?:e|es|ed|eing)|(?:we|I)\sassure\syou|assur(?:es|ed)(?=\s)|promis(?:e|es|ed)|certain|sure-?\s?fire|risk-free|100\s?%\s(?:safe|certain|sure|secure)|locked-in|foolproof|can't-miss)\b`,
        [60, GAIN],
      ),
      phrase(GAIN, [
        30,
        String.raw`\b(?:guaranteed|assured|a\ssure\sthing|locked\sin|no\smatter\swhat|without\sfail|for\ssure)\b`,
      ]),
    ],
  ],
  [
    "no-risk",
    [
      phrase(String.raw`\b(?:risk[-\s]free|riskless|nothing\sto\slose)\b`),
      phrase(String.raw`\b(?:no|zero|without)[-\s](?:\w{1,12}\s)?(?:risk|downside)\b`),
      phrase(
        String.raw`\b(?:no|zero)\s(?:\w{1,12}\s)?(?:chance|possibility|danger)\sof\s(?:a\s)?los(?:s|ses|ing)\b`,
      ),
      phrase(String.raw`\b${FULLY}\s(?:safe|secure)\s(?:investment|bet|fund|choice|place)\b`),
      phrase(String.raw`\b(?:investment|fund|portfolio|bet)\sis\s${FULLY}\s(?:safe|secure)\b`),
    ],
  ],
  [
    "no-loss",
    [
      phrase(
        String.raw`\b(?:can't|cannot|can\s(?:never|only)|won't|never|will\snot|couldn't|impossible\s(?:to|for)|no\sway\s(?:to|for|you|it|this|that)|not\sgoing\sto)\b`,
        [
          30,
          String.raw`\b(?:${LOSE}|(?:shrinks?|drops?|falls?|declines?|decreases?|go(?:es)?\s(?:down|wrong|negative|below)|fails?|crash(?:es)?|depreciates?)\b)`,
        ],
      ),
      phrase(
        String.raw`\b${FULLY}\s(?:protected|shielded|safe|insulated|immune)\s(?:from|against)\s(?:\w{1,12}\s)?(?:loss|losses|losing|risk|downturns?|market)\b`,
      ),
    ],
  ],
  [
    "certain-growth",
    [
      phrase(
        String.raw`\b(?:always|only|certain\sto|sure\sto|bound\sto|guaranteed\sto|definitely|certainly|absolutely|surely|inevitably|invariably|undoubtedly|never\sfails\sto|without\s(?:a\s)?doubt|no\squestion)\b`,
        [
          25,
          String.raw`\b(?:go(?:es)?\sup|rises?|grows?|doubles?|triples?|increases?|profits?|beats?\sthe\smarket|outperforms?|make\s(?:you\s)?(?:a\s)?(?:money|profit|fortune)|makes\smoney|pays?\soff|appreciates?|gains?)\b`,
        ],
      ),
      phrase(String.raw`(?:\bwill|'ll|\bgoing\sto)\s(?:\w{1,12}\s)?(?:double|triple|quadruple)\b`),
      phrase(String.raw`\b(?:make|earn)s?\b`, [
        25,
        String.raw`\b(?:for\ssure|no\smatter\swhat|without\sfail)\b`,
      ]),
    ],
  ],
];

/** Says that an investment is spoken of. */
export const INVESTMENT = linear(
  /\b(?:invest\w{0,6}|funds?|stocks?|shares?|etfs?|portfolios?|crypto\w{0,10}|bitcoin|ether(?:eum)?|tokens?|coins?|bonds?|reits?|securit(?:y|ies)|market|index|equit(?:y|ies)|pensions?|401\(?k\)?|iras?|gold|commodit(?:y|ies)|options?|futures|strateg(?:y|ies)|capital|principal|returns?|nest\segg|structured\snotes?|trading)\b/i,
);

/** Contracts whose rate or payment is fixed, and guarantees of other things. */
export const FIXED_BY_CONTRACT = linear(
  /\b(?:cds?|certificates?\sof\sdeposit|savings?|checking|apy|deposits?|fixed(?:-|\s)(?:rate|term|interest|annuit\w{1,3})|annuit(?:y|ies)|treasur(?:y|ies)|t-bills?|i\sbonds?|insur\w{2,5}|fdic|backed\sby|(?:intro\w{0,7}|promotional)\s(?:rate|apr)|rate\slocks?|held\sto\smaturity|loans?|mortgage|credit\s(?:score|report|limit)|cash\sback|rewards?|points|miles|refund|bonus|sba|guarantor|(?:medallion|signature|bank|price|satisfaction|money-back)\sguarantee|trial|ach|transfers?|wires?|fees?|balance|payments?)\b/i,
);

/** Names a market investment, whose outcome nobody can fix. */
export const MARKET = linear(
  /\b(?:stocks?|shares?|etfs?|portfolios?|crypto\w{0,10}|bitcoin|tokens?|coins?|reits?|(?:stock\s)?market(?!\saccount|\srate)|equit(?:y|ies)|gold|commodit(?:y|ies)|(?:mutual|index|hedge|growth|equity|this|our|the)\sfunds?)\b/i,
);

/** Terms and statements that sound like a promise and are none. */
export const TECHNICAL_TERM = linear(
  /\brisk[-\s]free\s(?:rate|asset|benchmark|interest|yield|treasur|return\s(?:rate|is\sthe))|\b(?:above|over|minus|exceeds?|relative\sto|than)\sthe\srisk-free|\bpast\s(?:performance|results|returns)\b|\bmore\sthan\s(?:you|the\samount|what|your)/i,
);

/** Warns of a promise, or tells of risk. */
export const RISK_WARNING = linear(
  /\b(?:scams?|scammers?|fraud\w{0,5}|red\sflags?|beware|wary|cautious|careful|suspicious|sceptical|skeptical|warning\ssigns?|too\sgood\sto\sbe\strue|anyone|whoever|claims?|claiming|promises\sof|illegal|prohibited|misleading|unrealistic|no\ssuch\sthing|ponzi|myth|(?:may|could|can|might)\slose|as\swell\sas\sfall|may\s(?:fall|decline))\b/i,
);

/** Speaks of what might be. */
export const HYPOTHESIS = linear(
  /\b(?:if|assuming|suppose|could|might|may|would|rule\sof\s72|hypothetical\w{0,2})\b/i,
);
