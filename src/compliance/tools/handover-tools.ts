import type { ToolUsageInfo } from "../../events/compliance.ts";
import { toolWords } from "./tool-words.ts";

const ALWAYS = new Set(
  "handoff handover escalate escalation escalations callback complaint complaints queue enqueue livechat grievance".split(
    " ",
  ),
);
const ACTS = new Set(
  "transfer connect route assign hand request notify page call schedule book create open log file register submit forward send invite join start contact raise add".split(
    " ",
  ),
);
const OBJECTS = new Set(
  "human agent person representative rep supervisor manager banker specialist operator advisor ticket case appointment crm live support desk callback colleague staff team off over back".split(
    " ",
  ),
);

/** Tells whether a tool handed the conversation over, queued it, booked a call, or registered a complaint. */
export function isHandOver({ name, success }: ToolUsageInfo): boolean {
  if (!success) return false;
  const words = toolWords(name);
  return (
    words.some((word) => ALWAYS.has(word)) ||
    (words.some((word) => ACTS.has(word)) && words.some((word) => OBJECTS.has(word)))
  );
}
