import { maskText } from "../../platform/masking.ts";
import { cutString } from "../../util/cut-string.ts";
import { isRecord, type JsonRecord, readString } from "../../util/values.ts";
import { SEVERITIES } from "../check/finding.ts";
import { toPrintable } from "../spool/output.ts";

/** Ranks of severities, from `none`. */
export const MIN_SEVERITIES = ["none", ...SEVERITIES] as const;
export type MinSeverity = (typeof MIN_SEVERITIES)[number];

const NAMES: Readonly<Record<string, string>> = {
  conversation_start: "start",
  user_message: "user",
  agent_response: "answer",
  tool_call: "call",
  tool_result: "result",
  error: "error",
  conversation_end: "end",
  compliance_violation: "finding",
};
const MARKS: Readonly<Record<MinSeverity, string>> = {
  none: "",
  info: "i info",
  warning: "! warning",
  violation: "‼ violation",
};
const MIN_TEXT = 24;

function listFlags(event: JsonRecord): readonly JsonRecord[] {
  if (event["interactionType"] === "compliance_violation")
    return [{ rule: event["ruleId"], severity: event["severity"] }];
  const { complianceFlags } = event;
  return Array.isArray(complianceFlags) ? complianceFlags.filter(isRecord) : [];
}

const toRank = (severity: unknown): number =>
  Math.max(0, MIN_SEVERITIES.indexOf(severity as MinSeverity));

/** Returns the worst severity of what was found in an event. */
function findWorstSeverity(event: JsonRecord): MinSeverity {
  const ranks = listFlags(event).map(({ severity }) => toRank(severity));
  return MIN_SEVERITIES[Math.max(0, ...ranks)] ?? "none";
}

/** Returns whether something at least as severe was found in an event. */
export function isAtLeast(event: JsonRecord, least: MinSeverity): boolean {
  return toRank(findWorstSeverity(event)) >= toRank(least);
}

function toResultText({ toolName, success, toolError, executionTime }: JsonRecord): string {
  const outcome = success === false ? `failed: ${readString(toolError) ?? ""}` : "ok";
  return `${String(toolName)} ${outcome}, ${Number(executionTime)} ms`;
}

function readMember(source: unknown, name: string): string {
  return (isRecord(source) ? readString(source[name]) : undefined) ?? "";
}

function toText(event: JsonRecord): string {
  const { toolName, toolParameters } = event;
  switch (event["interactionType"]) {
    case "user_message":
    case "agent_response":
      return readMember(event, "content");
    case "tool_call":
      return `${String(toolName)} ${JSON.stringify(toolParameters ?? {})}`;
    case "tool_result":
      return toResultText(event);
    case "error":
      return `${String(event["errorType"])}: ${String(event["errorMessage"])}`;
    case "conversation_end":
      return readMember(event, "resolutionStatus");
    case "compliance_violation":
      return readMember(event, "description");
    default:
      return readMember(event["metadata"], "channel");
  }
}

function toMark(event: JsonRecord): string {
  const severity = findWorstSeverity(event);
  if (severity === "none") return "";
  const { rule } = listFlags(event).find((flag) => flag["severity"] === severity) ?? {};
  return `  ${MARKS[severity]} ${readString(rule) ?? ""}`;
}

/** Writes an event in one line of a width: time, agent and version, kind, masked text, and what was found. */
export function formatEvent(event: JsonRecord, width: number): string {
  const at = new Date(Number(event["timestamp"]));
  const time = Number.isNaN(at.getTime()) ? "--:--:--" : at.toISOString().slice(11, 19);
  const version = readString(event["agentVersion"]);
  const agent = `${String(event["agentId"])}${version === undefined ? "" : ` ${version}`}`;
  const kind = NAMES[String(event["interactionType"])] ?? String(event["interactionType"]);
  const head = `${time}  ${agent}  ${kind.padEnd(7)} `;
  const mark = toMark(event);
  const room = Math.max(MIN_TEXT, width - head.length - mark.length);
  // Masked before it is cut: a part of a number would not be found.
  const text = toPrintable(maskText(toText(event)).replaceAll(/\s+/g, " ").trim());
  const short = text.length > room ? `${cutString(text, room - 1)}…` : text;
  return toPrintable(`${head}${short}${mark}`);
}
