import type { ToolUsageInfo } from "../../events/compliance.ts";
import { linear } from "../../text/pattern.ts";
import { listValues, type NamedValue } from "./tool-results.ts";
import { spacedWords } from "./spaced-words.ts";

const REPORT = linear(
  /\b(?:cash report|regulatory report|currency report|(?:ctrs?|sars?|fincen|currency transaction|suspicious activity|aml|bsa|8300|reportable|report to (?:fincen|treasury|authorities)|cash aggregation|transaction monitoring|monitoring|structuring (?:alert|check|detection|rule)s?)\b)/,
);
/** A report in a tool's or parameter's name, for which the word alone is too little elsewhere. */
const REPORT_WORD = linear(/\breport(?:s|ing|able)?\b|\balerts?\b|\bfiling\b/);
const CASH_OR_BSA = linear(
  /\b(?:cash|ctrs?|sars?|aml|bsa|fincen|currency|suspicious|laundering|structuring)\b/,
);
const LEAVES_OUT = linear(
  /\b(?:skip|skips|skipped|suppress|suppressed|suppression|bypass|bypassed|waive|waived|omit|omitted|exclude|excluded|disable|disabled|no|without|ignore|ignored|dont|override|mute|muted|hide|silence|cancel|opt out|withhold|prevent|block|delay)\b/,
);
const DOES = linear(
  /\b(?:file|filing|filed|submit|generate|send|create|report|enable|enabled|include|trigger|notify|require|required|perform|run|apply|active|on|monitoring|aggregate|aggregation|reportable)\b/,
);
const OFF = linear(
  /^(?:false|off|no|none|skip|skipped|suppress|suppressed|disabled|waived?|never|omit|omitted|exclude|bypass|bypassed|do not file|dont file|not filed|no file|cancelled|canceled|withdrawn)$/,
);
const ON = linear(/^(?:true|on|yes|all|enabled|1)$/);

const COMMAND = linear(
  /\b(?:action|mode|flags?|options?|operation|command|reporting|setting|instruction|disposition)\b/,
);

const IDENTITY = linear(
  /\b(?:kyc|cip|cdd|edd|identity|id (?:check|verification|verified)|identification|beneficial owner(?:s|ship)?|due diligence|onboarding checks?|customer verification|screening|watchlist|liveness|document (?:check|verification)|verification)\b/,
);

/** Names of tools that only read or explain. */
const READS = linear(
  /^(?:get|list|search|fetch|lookup|look up|find|read|check|explain|describe|view|show|count)\b/,
);
const JOINS = linear(/[_\-.]+/g);
const NO_OR_FALSE = linear(/^(?:no|none|false)$/);
/** A parameter that asks for a check of the identity. */
const IDENTIFIES = linear(
  /\b(?:perform|run|require|required|enforce|enabled?|check|checks|do|apply|mandatory|verify|verification|kyc|cip|cdd|edd|screening)\b/,
);
/** What a check of the identity came to, and no setting. */
const IDENTITY_RESULT = linear(
  /\b(?:verified|passed|complete|completed|match|matched|result|status)\b/,
);
const SKIPS = linear(/\b(?:skip|bypass|waive|disable|override|suppress)\b/);

const CLOSES = linear(
  /\b(?:close|clear|dismiss|resolve|archive|suppress|update|disposition|set|mark)\b/,
);
/** Names of tools that can do nothing else than close. */
const ONLY_CLOSES = linear(/\b(?:close|clear|dismiss|resolve|archive|suppress)\b/);
const ALERT = linear(/\b(?:alert|alerts|case|cases|flag|referral|aml|bsa|sar|suspicious)\b/);
const AML = linear(
  /\b(?:aml|bsa|sar|suspicious|laundering|structuring|sanctions?|ofac|ctr|monitoring|smurfing|cash)\b/,
);
const CLOSED = linear(
  /\b(?:dismiss|(?:closed?|cleared?|resolved?|false positive|no action|archived?|suppressed?)\b)/,
);
const REVIEWER = linear(
  /\b(?:review(?:ed|er|s)?(?: by| id)?|approv(?:ed|er|al)(?: by| id)?|analyst(?: id)?|investigator|closed by|supervisor|officer|decided by|signed off by|checker|second line|sign off)\b/,
);
const NOBODY = linear(
  /^(?:|none|null|no|false|n\/?a|agent|system|ai|bot|auto|automatic|self|assistant|unassigned)$/,
);

const textOf = ({ value }: NamedValue): string =>
  String(value).toLowerCase().replaceAll(JOINS, " ").replaceAll("'", "").trim();

/** Tells whether a setting switches something off: "skip …: true", or "file …: false". */
function switchesOff(one: NamedValue, does: RegExp): boolean {
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
  const isSwitch = tool.success && !READS.test(name) && LEAVES_OUT.test(name) && REPORT.test(name);
  return isSwitch ? tool.name : undefined;
}

/** Finds a parameter that skips the identification of a customer. */
export function findIdentitySwitch(tool: ToolUsageInfo): string | undefined {
  const name = spacedWords(tool.name);
  for (const one of listValues(tool.parameters)) {
    if (!IDENTITY.test(one.name)) continue;
    if (switchesOff(one, IDENTIFIES) && !IDENTITY_RESULT.test(one.name)) return describe(tool, one);
  }
  if (!READS.test(name) && SKIPS.test(name) && IDENTITY.test(name) && tool.success)
    return tool.name;
  return undefined;
}

/** Finds an AML alert that was closed and for which no reviewer is named. */
export function findUnreviewedClosure(tool: ToolUsageInfo): string | undefined {
  if (!tool.success) return undefined;
  const name = spacedWords(tool.name);
  if (READS.test(name) || !CLOSES.test(name) || !ALERT.test(name)) return undefined;
  const values = listValues(tool.parameters);
  const isAml = AML.test(name) || values.some((one) => AML.test(one.name) || AML.test(textOf(one)));
  const isClosed = ONLY_CLOSES.test(name) || values.some((one) => CLOSED.test(textOf(one)));
  const isReviewed = [...values, ...listValues(tool.result)].some(
    (one) => REVIEWER.test(one.name) && !NOBODY.test(textOf(one)),
  );
  return isAml && isClosed && !isReviewed ? `${tool.name} without a reviewer` : undefined;
}
