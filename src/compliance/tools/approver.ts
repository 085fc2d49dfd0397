import type { ToolUsageInfo } from "../../events/compliance.ts";
import { linear } from "../text/pattern.ts";
import { toolWords } from "./tool-words.ts";

const APPROVAL = linear(
  /^(?:approval|approvals|approver|approvers|approved by|authori[sz]ed by|authori[sz]ation|reviewer|reviewed by|human review|human approval|human approver|human in the loop|second approver|dual approval|sign off|signed off by|checker|manager approval|supervisor|needs human review|requires approval)$/,
);
const NOTHING = new Set([
  "",
  "none",
  "null",
  "no",
  "false",
  "n/a",
  "na",
  "auto",
  "automatic",
  "system",
  "self",
  "skipped",
  "bypassed",
  "not required",
  "model",
  "agent",
  "bot",
  "ai",
]);
const UNDECIDED = linear(/^(?:pending|denied|rejected|none|missing)/i);
const MAX_MEMBERS = 64;

function isGranted(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return false;
  if (typeof value === "string") return !NOTHING.has(value.trim().toLowerCase());
  if (Array.isArray(value)) return value.some(isGranted);
  if (typeof value === "object") {
    const { by, approver, approvedBy, id, user, name, status } = value as Readonly<
      Record<string, unknown>
    >;
    if (typeof status === "string" && UNDECIDED.test(status)) return false;
    return [by, approver, approvedBy, id, user, name].some(isGranted);
  }
  return true;
}

function members(source: unknown): [string, unknown][] {
  return typeof source === "object" && source !== null && !Array.isArray(source)
    ? Object.entries(source).slice(0, MAX_MEMBERS)
    : [];
}

/**
 * Reads what a tool call says of a person's approval.
 *
 * @returns `granted` when somebody is named, `denied` when the call has a place for it that is empty, and `undefined`
 *   when it says nothing.
 */
export function findApproval(tool: ToolUsageInfo): "granted" | "denied" | undefined {
  const found = [...members(tool), ...members(tool.parameters), ...members(tool.result)].filter(
    ([key]) => APPROVAL.test(toolWords(key).join(" ")),
  );
  if (found.length === 0) return undefined;
  return found.some(([, value]) => isGranted(value)) ? "granted" : "denied";
}
