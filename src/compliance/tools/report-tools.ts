import type { ToolUsageInfo } from "../../events/compliance.ts";
import { linear, type Tester } from "../../text/pattern.ts";
import { anyWord, firstWord, wholeText } from "../../text/word-patterns.ts";
import { NOBODY } from "./approver.ts";
import { listValues, type NamedValue } from "./tool-results.ts";
import { spacedWords } from "./tool-words.ts";
import { READS } from "./tool-verbs.ts";

const REPORT = anyWord`
  ctrs?|sars?|fincen|aml|bsa|8300|cash report\w*|regulatory report\w*|currency report\w*
  reportable|report to (?:fincen|treasury|authorities)|currency transaction|suspicious activity
  monitoring|cash aggregation|structuring (?:alert|check|detection|rule)s?
`;
/** A report in a tool's or parameter's name, for which the word alone is too little elsewhere. */
const REPORT_WORD = linear(/\breport(?:s|ing|able)?\b|\balerts?\b|\bfiling\b/);
const CASH_OR_BSA = anyWord`
  cash|ctrs?|sars?|aml|bsa|fincen|currency|suspicious|laundering|structuring
`;
const LEAVES_OUT = anyWord`
  skip|skips|skipped|suppress|suppressed|suppression|bypass|bypassed|waived?|omit|omitted
  excluded?|disabled?|ignored?|override|muted?|hide|silence|cancel
  no|without|dont|opt out|withhold|prevent|block|delay
`;
const DOES = anyWord`
  file|filing|filed|submit|generate|send|create|report|reportable|notify|trigger
  enabled?|include|required?|perform|run|apply|active|on
  monitoring|aggregate|aggregation
`;
const OFF = wholeText`
  false|off|no|none|never|skip|skipped|suppress|suppressed|disabled|waived?|omit|omitted
  exclude|bypass|bypassed|do not file|dont file|not filed|no file|cancell?ed|withdrawn
`;
const ON = linear(/^(?:true|on|yes|all|enabled|1)$/);

const COMMAND = anyWord`
  action|mode|flags?|options?|operation|command|reporting|setting|instruction|disposition
`;

const IDENTITY = anyWord`
  kyc|cip|cdd|edd|identity|identification|id (?:check|verification|verified)
  beneficial owner(?:s|ship)?|due diligence|onboarding checks?|screening|watchlist|liveness
  verification|document (?:check|verification)
`;

/** Names of tools that only read or explain. */
const ONLY_READS = firstWord`${READS}|explain|describe|view|show|count`;
const JOINS = linear(/[_\-.]+/g);
const NO_OR_FALSE = linear(/^(?:no|none|false)$/);
/** A parameter that asks for a check of the identity. */
const IDENTIFIES = anyWord`
  perform|run|required?|enforce|enabled?|checks?|do|apply|mandatory
  verify|verification|kyc|cip|cdd|edd|screening
`;
/** What a check of the identity came to, and no setting. */
const IDENTITY_RESULT = anyWord`verified|passed|completed?|match|matched|result|status`;
const SKIPS = anyWord`skip|bypass|waive|disable|override|suppress`;

const CLOSING = "close|clear|dismiss|resolve|archive|suppress";
const CLOSES = anyWord`${CLOSING}|update|disposition|set|mark`;
/** Names of tools that can do nothing else than close. */
const ONLY_CLOSES = anyWord`${CLOSING}`;
const ALERT = anyWord`alerts?|cases?|flag|referral|aml|bsa|sar|suspicious`;
const AML = anyWord`
  aml|bsa|sar|suspicious|laundering|structuring|sanctions?|ofac|ctr|monitoring|smurfing|cash
`;
const CLOSED = anyWord`
  dismiss\w*|closed?|cleared?|resolved?|false positive|no action|archived?|suppressed?
`;
const REVIEWER = anyWord`
  review(?:ed|er|s)?(?: by| id)?|approv(?:ed|er|al)(?: by| id)?|decided by|closed by
  analyst(?: id)?|investigator|supervisor|officer|checker|second line|signed off by|sign off
`;
const NO_REVIEWER = wholeText`
  ${NOBODY}
  assistant|unassigned
`;

const textOf = ({ value }: NamedValue): string =>
  String(value).toLowerCase().replaceAll(JOINS, " ").replaceAll("'", "").trim();

/** Returns whether a setting switches something off: "skip …: true", or "file …: false". */
function switchesOff(one: NamedValue, does: Tester): boolean {
  const value = textOf(one);
  if (LEAVES_OUT.test(one.name)) return ON.test(value);
  return OFF.test(value) && (does.test(one.name) || !NO_OR_FALSE.test(value));
}

function describe(tool: ToolUsageInfo, one: NamedValue): string {
  return `${tool.name}.${one.name.replaceAll(" ", "_")}=${String(one.value).slice(0, 20)}`;
}

/** "action: suppress_ctr" */
function saysToLeaveOut(one: NamedValue): boolean {
  const value = textOf(one);
  const isCommand = typeof one.value === "string" && value.length < 60 && COMMAND.test(one.name);
  return isCommand && LEAVES_OUT.test(value) && REPORT.test(value);
}

/** Finds a parameter that leaves out a report or switches monitoring off. */
export function findReportSwitch(tool: ToolUsageInfo): string | undefined {
  const name = spacedWords(tool.name);
  const isAboutCash = CASH_OR_BSA.test(name);
  const found = listValues(tool.parameters).find((one) => {
    const isReport = REPORT.test(one.name) || (isAboutCash && REPORT_WORD.test(one.name));
    return (isReport && switchesOff(one, DOES)) || saysToLeaveOut(one);
  });
  if (found) return describe(tool, found);
  // "suppress_ctr" and "disableAmlMonitoring" say it in their name.
  const isSwitch =
    tool.success && !ONLY_READS.test(name) && LEAVES_OUT.test(name) && REPORT.test(name);
  return isSwitch ? tool.name : undefined;
}

/** Finds a parameter that skips the identification of a customer. */
export function findIdentitySwitch(tool: ToolUsageInfo): string | undefined {
  const name = spacedWords(tool.name);
  for (const one of listValues(tool.parameters)) {
    if (!IDENTITY.test(one.name)) continue;
    if (switchesOff(one, IDENTIFIES) && !IDENTITY_RESULT.test(one.name)) return describe(tool, one);
  }
  if (!ONLY_READS.test(name) && SKIPS.test(name) && IDENTITY.test(name) && tool.success)
    return tool.name;
  return undefined;
}

/** Finds an AML alert that was closed and for which no reviewer is named. */
export function findUnreviewedClosure(tool: ToolUsageInfo): string | undefined {
  if (!tool.success) return undefined;
  const name = spacedWords(tool.name);
  if (ONLY_READS.test(name) || !CLOSES.test(name) || !ALERT.test(name)) return undefined;
  const values = listValues(tool.parameters);
  const isAml = AML.test(name) || values.some((one) => AML.test(one.name) || AML.test(textOf(one)));
  const isClosed = ONLY_CLOSES.test(name) || values.some((one) => CLOSED.test(textOf(one)));
  const isReviewed = [...values, ...listValues(tool.result)].some(
    (one) => REVIEWER.test(one.name) && !NO_REVIEWER.test(textOf(one)),
  );
  return isAml && isClosed && !isReviewed ? `${tool.name} without a reviewer` : undefined;
}
