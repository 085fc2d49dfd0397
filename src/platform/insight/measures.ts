import type { AgentResponseEvent, DetailedEvent } from "../../events/detailed-event.ts";
import { readJudgeResult } from "../../events/judge-result.ts";
import { LATENCY_CLASSES, toLatencyClass } from "./latencies.ts";

/** What is counted of events; each is a sum, so that an event can be taken out of it again. */
export interface Measures {
  answers: number;
  /** Answers in which the rules have found something at once, and findings that came later. */
  alarms: number;
  requiresReview: number;
  inputTokens: number;
  outputTokens: number;
  /** In billionths of the unit in which events state it: sums of these are exact. */
  costNanos: number;
  /** Answers of which the cost is known. */
  costed: number;
  errors: number;
  toolCalls: number;
  toolResults: number;
  failedCalls: number;
  /** Conversations that begin here. */
  conversations: number;
  /** Answers by the class of their latency. */
  readonly latencies: number[];
}

/** Creates measures of nothing. */
export function createMeasures(): Measures {
  return {
    answers: 0,
    alarms: 0,
    requiresReview: 0,
    inputTokens: 0,
    outputTokens: 0,
    costNanos: 0,
    costed: 0,
    errors: 0,
    toolCalls: 0,
    toolResults: 0,
    failedCalls: 0,
    conversations: 0,
    latencies: Array.from({ length: LATENCY_CLASSES }, () => 0),
  };
}

// One event with an absurd number must not hide all others.
const MAX_TOKENS = 1e9;
const MAX_COST = 1e6;
const NANOS = 1e9;

/** Events come from others as well: a member may be anything. */
function readAmount(value: unknown, max: number): number | undefined {
  return typeof value === "number" && value >= 0 ? Math.min(value, max) : undefined;
}

/** Adds what a model call took, as far as the event says it: in its typed place, or in the metadata where parts are missing. */
function addModelCall(
  measures: Measures,
  { llmMetadata, metadata }: AgentResponseEvent,
  sign: 1 | -1,
): void {
  // Not spread: at each event that would count.
  const { tokensUsed, cost } = llmMetadata ?? metadata ?? {};
  const latency = llmMetadata ? llmMetadata.latency : metadata?.llmLatency;
  measures.inputTokens += sign * Math.round(readAmount(tokensUsed?.input, MAX_TOKENS) ?? 0);
  measures.outputTokens += sign * Math.round(readAmount(tokensUsed?.output, MAX_TOKENS) ?? 0);
  const amount = readAmount(cost, MAX_COST);
  if (amount !== undefined) {
    measures.costed += sign;
    measures.costNanos += sign * Math.round(amount * NANOS);
  }
  const millis = readAmount(latency, Infinity);
  if (millis === undefined) return;
  const index = toLatencyClass(millis);
  measures.latencies[index] = (measures.latencies[index] ?? 0) + sign;
}

function addAnswer(measures: Measures, event: AgentResponseEvent, sign: 1 | -1): void {
  measures.answers += sign;
  if ((event.complianceFlags ?? []).length > 0) measures.alarms += sign;
  if (event.requiresReview === true) measures.requiresReview += sign;
  addModelCall(measures, event, sign);
}

const UNMEASURED: ReadonlySet<string> = new Set([
  "conversation_start",
  "conversation_end",
  "user_message",
]);

/** Returns whether measures count anything of a kind of event. */
export function isMeasured({ interactionType }: DetailedEvent): boolean {
  return !UNMEASURED.has(interactionType);
}

/** Adds what an event counts, or takes it out again. */
export function measureEvent(measures: Measures, event: DetailedEvent, sign: 1 | -1): void {
  switch (event.interactionType) {
    case "agent_response":
      addAnswer(measures, event, sign);
      break;
    case "compliance_violation":
      // An opinion restates a finding that was counted with its answer.
      if (readJudgeResult(event)?.isOpinion !== true) measures.alarms += sign;
      break;
    case "tool_call":
      measures.toolCalls += sign;
      break;
    case "tool_result":
      measures.toolResults += sign;
      if (!event.success) measures.failedCalls += sign;
      break;
    case "error":
      measures.errors += sign;
      break;
    default:
  }
}
