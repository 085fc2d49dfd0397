import type { ToolUsageInfo } from "../../events/compliance.ts";
import { wordSet } from "../../text/word-set.ts";
import { toolWords } from "./tool-words.ts";

const ALWAYS = wordSet(`
  handoff handover escalate escalation escalations callback queue enqueue livechat
  complaint complaints grievance
`);
const ACTS = wordSet(`
  transfer connect route assign hand forward send invite join start add
  request notify page call contact schedule book
  create open log file register submit raise
`);
const OBJECTS = wordSet(`
  human agent person representative rep supervisor manager banker specialist operator advisor
  live support desk colleague staff team crm ticket case appointment callback
  off over back
`);

/** Returns whether a tool handed the conversation over, queued it, booked a call, or registered a complaint. */
export function isHandOver({ name, success }: ToolUsageInfo): boolean {
  if (!success) return false;
  const words = toolWords(name);
  return (
    words.some((word) => ALWAYS.has(word)) ||
    (words.some((word) => ACTS.has(word)) && words.some((word) => OBJECTS.has(word)))
  );
}
