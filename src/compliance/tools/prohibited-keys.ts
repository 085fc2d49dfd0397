import type { ToolUsageInfo } from "../../events/compliance.ts";
import { linear } from "../../text/pattern.ts";
import { listValues, type NamedValue } from "./tool-results.ts";
import { toolWords } from "./tool-words.ts";

/** A prohibited basis among what a tool was given, or what its answer names as a factor. */
export interface ProhibitedKey {
  readonly tool: string;
  /** In small words, `marital status`. */
  readonly key: string;
}

/** Words of the names of tools that decide, price or select people. */
const DECIDING = linear(
  /^(?:scor\w*|pric\w*|rat(?:e|es|ing)|quot\w*|underwrit\w*|deci\w*|eligib\w*|approv\w*|qualif\w*|prequal\w*|prescreen\w*|preapprov\w*|limit\w*|offer\w*|campaign\w*|audience\w*|market\w*|target\w*|segment\w*|cohort\w*|rank\w*|leads?|filter\w*|select\w*|risk|model|predict\w*|loans?|credit|mortgage|apr|evaluat\w*|assess\w*|classif\w*|query|lists?|screen\w*|ads?|advert\w*|outreach|mailing|line|increase|apply|application|lending|match\w*|recommend\w*|propensity|margin|terms)$/,
);
/** Tools whose work is to collect or to check such data. */
const COLLECTING = linear(
  /^(?:hmda|gmi|lar|monitoring|demographic\w*|kyc|identity|identif\w*|verif\w*|sanctions?|ofac|onboard\w*|profile|complaint\w*|accessib\w*|accommodat\w*|fairness|bias|audit\w*|disparity|interpreter|insurance)$/,
);
const PROHIBITED = linear(
  /^(?:(?:applicant|borrower|customer|client|user|person|consumer|co applicant) )?(?:races?|racial \w+|ethnicity|ethnicities|ethnic \w+|gender|gender identity|sex|religion|religious \w+|faith|creed|marital status|marital|is married|married|national origin|nationality|nationalities|country of (?:birth|origin)|birth country|birthplace|age|age group|age band|age bracket|age range|max age|maximum age|skin colou?r|sexual orientation|pregnan\w*|is pregnant|disab\w*|is disabled|disability status|famil(?:y|ial) status|has children|has kids|childbearing ?\w*|public assistance ?\w*|receives (?:public assistance|welfare|ssi|snap)|on welfare|surname (?:origin|ethnicity)|(?:percent|pct|share) (?:minority|black|hispanic|white)|(?:minority|black|hispanic|white) (?:share|percent|pct|population|density)|(?:neighborhood|zip|tract) (?:race|ethnicity|demographics|racial \w+)|native language|primary language|accent)$/,
);
/** Members whose values name what a decision used. */
const FACTORS = linear(
  /\b(?:features?|factors?|attributes?|variables?|inputs?|drivers?|signals?|criteria|filters?|fields?|columns?|exclude\w*|include\w*|reasons?|reason codes?|segments?|dimensions?|predictors?)$/,
);
const NOT_GIVEN = new Set(["", "unknown", "not provided", "not collected", "n/a", "none", "false"]);
const LONGEST_NAME = 60;

function isGiven({ value }: NamedValue): boolean {
  return !NOT_GIVEN.has(String(value).trim().toLowerCase());
}

/** Gives the basis that a member names by its value: `factors: ["marital_status"]`. */
function namedAsFactor({ name, value }: NamedValue): string | undefined {
  if (typeof value !== "string" || value.length > LONGEST_NAME || !FACTORS.test(name))
    return undefined;
  const words = toolWords(value).join(" ");
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
