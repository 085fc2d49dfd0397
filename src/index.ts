/*
 * The public door: named exports, no logic.
 */
export { AgentMonitor, type MonitorStats } from "./monitor.ts";
export { VERSION } from "./version.ts";
export type {
  AgentMonitorConfig,
  AgentMonitoringConfig,
  ContentPolicy,
  OtlpDestination,
} from "./config.ts";
export type { ComplianceEngine } from "./compliance/engine.ts";
export type { ConversationScope } from "./util/conversation-scope.ts";
export type { LogLevel } from "./util/logger.ts";
export type { DeliveryStats } from "./exporter/platform-path.ts";
export type { DropReason, LedgerEntries } from "./exporter/ledger.ts";
export type { SenderState } from "./exporter/sender.ts";
