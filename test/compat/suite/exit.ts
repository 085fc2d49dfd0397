// A service that ends without a word to the monitor.
import { AgentMonitor } from "agent-monitor";
import { report } from "./support/application.ts";
import { trackConversation } from "./support/conversation.ts";

const monitor = new AgentMonitor();
trackConversation(monitor);
process.on("exit", () => report({ stats: monitor.stats() }));
