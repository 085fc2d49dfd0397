import type { ToolUsageInfo } from "../../events/compliance.ts";
import { lastWord, oneOf, wholeText } from "../../text/word-patterns.ts";
import { listValues, type NamedValue } from "./tool-results.ts";
import { spacedWords, toolWords } from "./tool-words.ts";

/** A prohibited basis among what a tool was given, or what its answer names as a factor. */
export interface ProhibitedKey {
  readonly tool: string;
  /** In small words, `marital status`. */
  readonly key: string;
}

/** Words of the names of tools that decide, price or select people. */
const DECIDING = wholeText`
  scor\w*|pric\w*|rat(?:e|es|ing)|quot\w*|risk|model|predict\w*|rank\w*|propensity|margin|terms
  underwrit\w*|deci\w*|eligib\w*|approv\w*|qualif\w*|prequal\w*|preapprov\w*|evaluat\w*|assess\w*|classif\w*
  limit\w*|loans?|credit|mortgage|apr|line|increase|apply|application|lending
  offer\w*|campaign\w*|audience\w*|market\w*|target\w*|ads?|advert\w*|outreach|mailing|leads?|recommend\w*
  segment\w*|cohort\w*|filter\w*|select\w*|query|lists?|screen\w*|prescreen\w*|match\w*
`;
/** Tools whose work is to collect or to check such data. */
const COLLECTING = wholeText`
  hmda|gmi|lar|monitoring|demographic\w*|fairness|bias|audit\w*|disparity
  kyc|identity|identif\w*|verif\w*|sanctions?|ofac|onboard\w*|profile
  complaint\w*|accessib\w*|accommodat\w*|interpreter|insurance
`;
const WHOSE = "(?:applicant|borrower|customer|client|user|person|consumer|co applicant)";
const GROUPS = "minority|black|hispanic|white";
const PROHIBITED = wholeText`
  (?:${WHOSE} )?${oneOf`
    races?|racial \w+|ethnicity|ethnicities|ethnic \w+|skin colou?r
    surname (?:origin|ethnicity)|native language|primary language|accent
    national origin|nationality|nationalities|country of (?:birth|origin)|birth country|birthplace
    gender|gender identity|sex|sexual orientation
    religion|religious \w+|faith|creed
    marital status|marital|is married|married
    famil(?:y|ial) status|has children|has kids|childbearing ?\w*|pregnan\w*|is pregnant
    age|age group|age band|age bracket|age range|max age|maximum age
    disab\w*|is disabled|disability status
    public assistance ?\w*|receives (?:public assistance|welfare|ssi|snap)|on welfare
    (?:percent|pct|share) (?:${GROUPS})|(?:${GROUPS}) (?:share|percent|pct|population|density)
    (?:neighborhood|zip|tract) (?:race|ethnicity|demographics|racial \w+)
  `}
`;
/** Members whose values name what a decision used. */
const FACTORS = lastWord`
  features?|factors?|attributes?|variables?|inputs?|fields?|columns?|dimensions?|predictors?
  drivers?|signals?|criteria|reasons?|reason codes?
  filters?|segments?|exclude\w*|include\w*
`;
const NOT_GIVEN = new Set(["", "unknown", "not provided", "not collected", "n/a", "none", "false"]);
const LONGEST_NAME = 60;

function isGiven({ value }: NamedValue): boolean {
  return !NOT_GIVEN.has(String(value).trim().toLowerCase());
}

/** Returns the basis that a member names by its value: `factors: ["marital_status"]`. */
function namedAsFactor({ name, value }: NamedValue): string | undefined {
  if (typeof value !== "string" || value.length > LONGEST_NAME || !FACTORS.test(name))
    return undefined;
  const words = spacedWords(value);
  return PROHIBITED.test(words) ? words : undefined;
}

function findIn({ parameters, result }: ToolUsageInfo): Set<string> {
  const given = listValues(parameters);
  const keys = given.filter((one) => PROHIBITED.test(one.name) && isGiven(one));
  const factors = [...given, ...listValues(result)].flatMap((one) => namedAsFactor(one) ?? []);
  return new Set([...keys.map(({ name }) => name), ...factors]);
}

/**
 * Finds prohibited bases that a deciding, pricing or selecting tool was given, or that its answer names as a factor.
 *
 * An empty or "not provided" value was not used; tools that collect monitoring data or verify identity may have them.
 */
export function findProhibitedKeys(tools: readonly ToolUsageInfo[]): ProhibitedKey[] {
  return tools.flatMap((tool) => {
    const words = toolWords(tool.name);
    if (words.some((word) => COLLECTING.test(word))) return [];
    if (!words.some((word) => DECIDING.test(word))) return [];
    return Array.from(findIn(tool), (key) => ({ tool: tool.name, key }));
  });
}
