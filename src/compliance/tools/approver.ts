import type { ToolUsageInfo } from "../../events/compliance.ts";
import { ownMembers } from "../../util/untrusted-values.ts";
import { linearLater } from "../../text/pattern.ts";
import { oneOf, wholeText } from "../../text/word-patterns.ts";
import { spacedWords } from "./tool-words.ts";
import { isRecord } from "../../util/values.ts";

const APPROVAL = wholeText`
  approvals?|approvers?|approved by|authori[sz]ed by|authori[sz]ation
  reviewer|reviewed by|human review|human approval|human approver|human in the loop
  second approver|dual approval|checker|manager approval|supervisor
  sign off|signed off by|needs human review|requires approval
`;
/** What stands where the name of a person should, and names none; nothing at all, too. */
export const NOBODY = "|none|null|no|false|n/?a|auto|automatic|system|self|agent|bot|ai";
const NOTHING = wholeText`
  ${NOBODY}
  skipped|bypassed|not required|model
`;
const UNDECIDED = linearLater(
  () =>
    `^${oneOf`
    pending|asked|requested|waiting|open|denied|declined|rejected|refused|expired
    withdrawn|cancell?ed|none|no$|false|missing
  `}`,
  "i",
);
const MAX_MEMBERS = 64;

/** What an approval says of how it went, and of who decided. */
interface Approval extends Readonly<Record<string, unknown>> {
  readonly asked?: unknown;
  readonly askedAt?: unknown;
  readonly decided?: unknown;
  readonly decidedAt?: unknown;
  readonly decision?: unknown;
  readonly status?: unknown;
  readonly outcome?: unknown;
  readonly approved?: unknown;
}

/** Returns whether an approval was asked for and not given, or not yet. */
function isOpen({ asked, askedAt, decided, decidedAt, ...approval }: Approval): boolean {
  const { decision, status, outcome, approved } = approval;
  const stated = [decided, decision, status, outcome, approved];
  if (stated.some((one) => one === false || (typeof one === "string" && UNDECIDED.test(one))))
    return true;
  const isAsked = asked !== undefined || askedAt !== undefined;
  return isAsked && [...stated, decidedAt].every((one) => one === undefined || one === null);
}

function isGranted(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return false;
  if (typeof value === "string") return !NOTHING.test(value.trim().toLowerCase());
  if (Array.isArray(value)) return value.some(isGranted);
  if (typeof value === "object") {
    const approval = value as Approval;
    if (isOpen(approval)) return false;
    const { by, approver, approvedBy, decidedBy, reviewer, id, user, name } = approval;
    return [by, approver, approvedBy, decidedBy, reviewer, id, user, name].some(isGranted);
  }
  return true;
}

function members(source: unknown): [string, unknown][] {
  return isRecord(source) ? [...ownMembers(source, MAX_MEMBERS)] : [];
}

/**
 * Reads what a tool call says of a person's approval.
 *
 * @returns `granted` when somebody is named, `denied` when the call has a place for it that is empty, and `undefined`
 *   when it says nothing.
 */
export function findApproval(tool: ToolUsageInfo): "granted" | "denied" | undefined {
  const { metadata } = tool as { readonly metadata?: unknown };
  const places = [tool, metadata, tool.parameters, tool.result];
  const found = places.flatMap(members).filter(([key]) => APPROVAL.test(spacedWords(key)));
  if (found.length === 0) return undefined;
  return found.some(([, value]) => isGranted(value)) ? "granted" : "denied";
}
