import { attachVerdict } from "../../../src/assessment/answer-verdict.ts";
import { toJudgeInteraction } from "../../../src/monitor/interaction-recorder.ts";
import type { EventType } from "../../../src/events/base-event.ts";
import type { ComplianceFlag } from "../../../src/events/compliance.ts";
import type { DetailedEvent } from "../../../src/events/detailed-event.ts";
import type { Random } from "../../faults/support/random.ts";
import { agentInfo, build, KINDS, NOW, type Given } from "../../helpers/events.ts";
import { createValues, type Values } from "./seeded-values.ts";

const MAX_FINDINGS = 3;
const EVALUATOR = {
  id: "agent-monitor.judge",
  type: "llm_judge",
  version: "1",
  model: "bank-judge",
  promptHash: `sha256:${"ab".repeat(32)}`,
} as const;

/** What stands in the typed places of metadata, where it is what it should be. */
const TYPED_MEMBERS: Readonly<Record<string, (values: Values) => unknown>> = {
  llmLatency: ({ random }) => random.below(5000),
  tokensUsed: ({ random }) => ({ input: random.below(900), output: 164, total: 976, cached: 7 }),
  cost: ({ random }) => random.below(1000) / 7919,
  temperature: () => 0.2,
  model: ({ text }) => text(),
  provider: () => "azure.ai.openai",
  responseQuality: () => 0.9,
  relevanceScore: () => 0.8,
  coherenceScore: () => 0.7,
  helpfulnessScore: () => 0.6,
  userSatisfaction: ({ random }) => random.below(11),
  resolutionStatus: ({ random }) => random.pick(["resolved", "escalated", "abandoned"]),
  duration: ({ random }) => random.below(100_000),
  channel: ({ text }) => text(),
  toolCallId: () => "call-1",
  retryCount: ({ random }) => random.below(4),
  errorCode: ({ random }) => random.below(600),
  errorType: ({ text }) => text(),
  severity: ({ random }) => random.pick(["info", "warning", "violation", "critical", "high"]),
  recoverable: ({ random }) => random.below(2) === 0,
  conversationId: () => "conversation-1",
  violationType: ({ text }) => text(),
  ruleId: () => "custom-rule",
  description: ({ text }) => text(),
};

function toMetadata(values: Values): unknown {
  const { random, odd } = values;
  const members: [string, unknown][] = [];
  for (const [name, toMember] of Object.entries(TYPED_MEMBERS))
    if (random.below(4) === 0)
      members.push([name, random.below(10) > 0 ? toMember(values) : odd()]);
  for (let count = random.below(4); count > 0; count--) members.push([values.key(), odd()]);
  return random.below(20) === 0 ? odd() : Object.fromEntries(members);
}

function toFinding({ random, text }: Values, sources: readonly string[]): ComplianceFlag {
  const rule = random.pick(["privacy-card-number", "bsa-aml-tipping-off", "custom-rule"]);
  const start = random.below(100);
  return {
    rule,
    category: random.pick(["privacy", "bsa_aml", "custom"]),
    severity: random.pick(["info", "warning", "violation"]),
    description: text(),
    confidence: random.below(101) / 100,
    ...(random.below(2) === 0 && { recommendation: text() }),
    context: {
      detectedContent: text(),
      detectedPattern: `${rule}/pattern`,
      spans: [{ source: random.pick(sources), start, end: start + 7 }],
      ...(random.below(3) === 0 && { alsoMatched: [`${rule}/other`], confidential: true }),
    },
  };
}

function toFindings(values: Values): ComplianceFlag[] {
  return Array.from({ length: values.random.below(MAX_FINDINGS + 1) }, () =>
    toFinding(values, ["agentResponse", "userMessage"]),
  );
}

/** What the judge says of an answer: a finding of its own, or an opinion on one of the rules'. */
function toJudgeResult(values: Values, number: number): Given {
  const { random, text } = values;
  const [finding = toFinding(values, ["agentResponse"]), ...complianceFlags] = toFindings(values);
  const isOpinion = random.below(2) === 0;
  const { interaction, metadata } = toJudgeInteraction(
    {
      eventId: `judged-${number}`,
      finding,
      tier: random.pick(["confirmed", "contradicted"]),
      evaluator: { ...EVALUATOR, reason: random.pick(["finding", "sample"]) },
      ...(random.below(3) > 0 && { requiresReview: random.below(2) === 0 }),
      ...(isOpinion ? { opinion: { reason: text(), confidence: 0.9 } } : { quote: text() }),
    },
    {
      eventId: `event-${number - 1}`,
      agentId: "assistant",
      sessionId: "session-1",
      requestId: "request-1",
      complianceFlags,
      riskScore: random.below(101),
      requiresReview: true,
    },
  );
  const { kind: _kind, ...given } = interaction;
  return { ...given, metadata };
}

function toGiven(kind: EventType, values: Values, number: number): Given {
  const { random, text, odd } = values;
  if (kind === "compliance_violation" && random.below(2) === 0)
    return toJudgeResult(values, number);
  return {
    metadata: toMetadata(values),
    content: text(),
    toolName: random.pick(["transfer", "get_balance", "\u{1f3e6} Auskunft"]),
    toolParameters: odd(),
    toolResult: odd(),
    error: random.below(2) === 0 ? text() : odd(),
    executionTime: random.below(3000),
    ...(random.below(5) === 0 && { conversationId: text().slice(0, 40), userId: "customer-1" }),
  };
}

/** Makes an event of any kind out of random values, by what makes every event of the SDK. */
export function toSeededEvent(random: Random, number: number): DetailedEvent {
  const values = createValues(random);
  const kind = random.pick(KINDS);
  const isRegistered = random.below(3) > 0;
  const event: DetailedEvent = build(kind, {
    sessionId: `session-${number % 50}`,
    ...toGiven(kind, values, number),
    options: {
      eventId: `event-${number}`,
      requestId: `request-${number}`,
      now: NOW + number * 10,
      ...(isRegistered && { agent: agentInfo }),
    },
  });
  if (event.interactionType !== "agent_response") return event;
  const violations = toFindings(values);
  const riskScore = random.below(101);
  const verdict = {
    isCompliant: violations.length === 0,
    violations,
    riskScore,
    requiresReview: riskScore > 50,
    metadata: {
      evaluated: random.below(10) > 0,
      evaluationTime: 0,
      rulesEvaluated: 1,
      confidence: 1,
      riskThreshold: 50,
    },
  };
  attachVerdict(verdict, event);
  return event;
}
