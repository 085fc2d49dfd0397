import type { AgentMonitor } from "agent-monitor";
import { ANSWER, QUESTION } from "./texts.ts";

/** Tracks one conversation of five events. */
export function trackConversation(monitor: AgentMonitor): void {
  monitor.trackConversationStart("assistant", "session-1", "customer-1");
  monitor.trackUserMessage("assistant", "session-1", QUESTION);
  monitor.trackToolCall("assistant", "session-1", "find_account", { id: 7 });
  monitor.trackAgentResponse("assistant", "session-1", ANSWER);
  monitor.trackConversationEnd("assistant", "session-1", { resolutionStatus: "resolved" });
}
