/*
 * The public entry point: named exports, no logic.
 */
export type { MonitorStats } from "./monitor/pipeline.ts";
export { AgentMonitor } from "./monitor/monitor.ts";
export { VERSION } from "./version.ts";
export type {
  AgentMonitorConfig,
  AgentMonitoringConfig,
  ContentPolicy,
  OtlpDestination,
} from "./config/config.ts";
export { AlwaysRecordSampler } from "./telemetry/samplers.ts";
export { withContentPolicy } from "./telemetry/content-policy.ts";
export type { ComplianceStats } from "./assessment/assessor.ts";
export type { OtlpDestinationStats } from "./otlp/otlp-fan-out.ts";
export type { OtlpLedger } from "./otlp/otlp-outbox.ts";
export type { PriceTable, TokenRates } from "./config/price-table.ts";
export type { JudgeCall, JudgeModel, JudgeOptions, JudgeRequest } from "./config/judge-options.ts";
export type { JudgeDropReason, JudgeStats, JudgeYield } from "./judge/judge-stats.ts";
export type { JudgeReason } from "./judge/judge-task.ts";
export { createRedactor, type Redactor, type RedactorOptions } from "./redaction/redactor.ts";
export type { RedactedKind, RedactOptions } from "./config/redact-options.ts";
export type { AgentCategory, BankingSpecialty } from "./events/base-event.ts";
export type { AgentInfo, ComplianceSettings, ToolInfo, ToolParameters } from "./events/agent.ts";
export type {
  BaseEvent,
  EndReason,
  Environment,
  ErrorSeverity,
  ErrorSource,
  EventType,
  ImpactLevel,
  ResolutionStatus,
  RiskLevel,
} from "./events/base-event.ts";
export type { EncryptionConfig, EventBatch, EventBatcherConfig } from "./events/batch.ts";
export type {
  ComplianceCategory,
  ComplianceFlag,
  ComplianceResult,
  ComplianceRule,
  ComplianceSeverity,
  ComplianceViolation,
  CustomerProfile,
  InteractionContext,
  ToolUsageInfo,
  TransactionContext,
  ViolationContext,
} from "./events/compliance.ts";
export type {
  AgentResponseEvent,
  AttachmentInfo,
  ComplianceViolationEvent,
  ConversationEndEvent,
  ConversationStartEvent,
  DetailedEvent,
  ErrorEvent,
  LLMMetadata,
  QualityMetrics,
  ToolCallEvent,
  ToolResultEvent,
  UserMessageEvent,
} from "./events/detailed-event.ts";
export type { InteractionEvent, MonitoringOptions } from "./events/interaction.ts";
export type { Approval, EventMetadata, TokenUsage } from "./events/metadata.ts";
export type { HttpOptions, Logger } from "./events/utility.ts";
export { ValidationError, type ValidationDetail } from "./events/validation-error.ts";
export type { PolicyPack } from "./compliance/policy-pack.ts";
export type { ComplianceEngine, ComplianceEngineOptions } from "./compliance/engine.ts";
export type { AsyncOptions } from "./compliance/draft-judge.ts";
export type { EvaluatedContext, EvaluateOptions } from "./compliance/evaluate-options.ts";
export type {
  ComplianceEvaluation,
  EvaluationMetadata,
  LateVerdict,
} from "./compliance/evaluation.ts";
export { EventBatchSpanExporter } from "./event-batch/exporters.ts";
export { EventBatchLogRecordExporter } from "./event-batch/exporters.ts";
export { EventBatchLogRecordProcessor } from "./event-batch/exporters.ts";
export type { EventBatchStats } from "./event-batch/event-batch-delivery.ts";
export type { EventBatchConfig, EventBatchOptions } from "./event-batch/exporters.ts";
export type { OwnEventCounts } from "./event-batch/own-events.ts";
export {
  GenAiBridgeSpanProcessor,
  type GenAiBridgeSpanProcessorOptions,
} from "./monitor/span-processors.ts";
export {
  GenAiBridgeLogRecordProcessor,
  type GenAiBridgeLogRecordProcessorOptions,
} from "./monitor/span-processors.ts";
export type { BridgeCounts, BridgeStats } from "./bridge/bridge-counts.ts";
export type { CallStats } from "./instrumentation/host.ts";
export { ComplianceSpanProcessor } from "./monitor/span-processors.ts";
export type { ComplianceSpanProcessorOptions } from "./assessment/span-judge.ts";
export { defineRule, readExchange } from "./compliance/deferred-rules.ts";
export type { DefinedRule } from "./compliance/define-rule.ts";
export type {
  Finding,
  RuleDefinition,
  RuleExample,
  RuleExamples,
  RuleLaw,
  RulePack,
} from "./compliance/rule-definition.ts";
export type { Exchange, RememberedTurn } from "./phrases/exchange.ts";
export type { Sentence, SourceText, TextSource } from "./phrases/source-text.ts";
export type { Evasion, NormalText } from "./text/normalise.ts";
export type { Range } from "./text/pattern.ts";
export type { Concepts } from "./phrases/parse-phrase.ts";
export type { PhraseGroup } from "./phrases/phrase-group.ts";
export type { DeliveryStats } from "./delivery/delivery-stats.ts";
export type { SpoolStats } from "./delivery/storage.ts";
export type { EncryptionOptions, SigningOptions } from "./events/protection.ts";
export type { JwkMaterial } from "./util/encryption-key.ts";
export type { Chain, DroppedReport } from "./events/chain.ts";
export type { DropReason, LedgerEntries } from "./delivery/ledger.ts";
export type { SenderState } from "./delivery/sender.ts";
export type { Clock } from "./util/clock.ts";
export type { ConversationScope } from "./scope/scopes.ts";
export type { BurstLogger, LogLevel } from "./util/logger.ts";
export type { SecondStageOutcome } from "./compliance/evaluation.ts";
export type { Guard } from "./phrases/phrase-tables.ts";
