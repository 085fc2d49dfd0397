import { describe, expect, it } from "vitest";
import { toRegisteredAgent } from "../../src/events/agent.ts";
import type { ComplianceFlag } from "../../src/events/compliance.ts";
import type { DetailedEvent } from "../../src/events/detailed-event.ts";
import type { PublicScore } from "../../src/telemetry/compliance-assessment.ts";
import { Conversations } from "../../src/telemetry/conversations.ts";
import { createSignalSource } from "../../src/telemetry/providers.ts";
import type { TelemetryOptions } from "../../src/telemetry/finding-record.ts";
import { createTelemetry } from "../../src/telemetry/telemetry.ts";
import { createFakeClock } from "../helpers/clock.ts";
import { agentInfo, example } from "../helpers/events.ts";
import { createProviders } from "../helpers/otel.ts";

const FINDING = "agent_monitor.compliance.finding";
const EVALUATION = "gen_ai.evaluation.result";
const CONVERSATION = "conversation Banking assistant";
const TURN = "invoke_agent Banking assistant";

function flag(rule: string, context: ComplianceFlag["context"] = {}): ComplianceFlag {
  return {
    rule,
    category: "bsa_aml",
    severity: "warning",
    description: `text of ${rule}`,
    confidence: 0.8,
    context: { detectedContent: `excerpt of ${rule}`, detectedPattern: `${rule}/a`, ...context },
  };
}

const OPEN = flag("open-rule", { relatedViolations: ["secret-rule", "other-rule"] });
const SECRET = flag("secret-rule", { confidential: true, relatedViolations: ["open-rule"] });

const agent = toRegisteredAgent(agentInfo);

function converse(options: Partial<TelemetryOptions> = {}) {
  const providers = createProviders();
  const signals = createSignalSource(providers);
  const telemetry = createTelemetry({ signals, content: "full", ...options });
  const conversations = new Conversations({
    clock: createFakeClock(),
    idleTimeout: 60_000,
    onAbandon: () => undefined,
  });
  const { conversation } = conversations.touch({ agentId: "assistant", sessionId: "s1" });
  const tell = (event: DetailedEvent, publicScore?: PublicScore): void =>
    telemetry.record(event, { conversation, agent }, publicScore);
  return {
    ...providers,
    tell,
    answer: (
      complianceFlags: ComplianceFlag[],
      riskScore: number,
      requiresReview: boolean,
      publicScore?: PublicScore,
    ) => {
      tell({ ...example("user_message") });
      const given = { ...example("agent_response"), complianceFlags, riskScore, requiresReview };
      tell(given, publicScore);
      return given;
    },
    end: () => tell({ ...example("conversation_end") }),
  };
}

describe("an answer with findings", () => {
  const { answer, end, records, span } = converse();
  const event = answer([OPEN, flag("other-rule")], 54, true);
  end();

  it("has a record for each, and one with the score, in the context of its turn", () => {
    const own = records().filter(({ eventName }) =>
      [FINDING, EVALUATION].includes(eventName ?? ""),
    );
    const { spanId } = span(TURN).spanContext();
    expect(own.map((record) => [record.eventName, record.spanContext?.spanId])).toEqual([
      [FINDING, spanId],
      [FINDING, spanId],
      [EVALUATION, spanId],
    ]);
    expect(own.map(({ severityNumber }) => severityNumber)).toEqual([13, 13, 9]);
    expect(own[0]?.attributes).toEqual({
      "agent_monitor.compliance.rule.id": "open-rule",
      "agent_monitor.compliance.rule.category": "bsa_aml",
      "agent_monitor.compliance.violation.severity": "warning",
      "agent_monitor.compliance.violation.confidence": 0.8,
      "agent_monitor.compliance.violation.detected_pattern": "open-rule/a",
      "agent_monitor.compliance.violation.description": "text of open-rule",
      "agent_monitor.compliance.violation.detected_content": "excerpt of open-rule",
      "agent_monitor.compliance.answer.id": event.eventId,
      "gen_ai.agent.id": event.agentId,
      "session.id": event.sessionId,
    });
    expect(own[2]?.attributes).toEqual({
      "gen_ai.evaluation.name": "agent_monitor.compliance",
      "gen_ai.evaluation.score.value": 54,
      "gen_ai.evaluation.score.label": "requires_review",
      "gen_ai.evaluation.explanation": "open-rule, other-rule",
      "agent_monitor.compliance.answer.id": event.eventId,
      "gen_ai.agent.id": event.agentId,
      "session.id": event.sessionId,
    });
  });
});

it("findings are summed up on the span of the conversation", () => {
  const { answer, end, span } = converse();
  answer([flag("a"), flag("b")], 54, true);
  answer([], 0, false);
  answer([flag("b")], 32, false);
  end();
  expect(span(CONVERSATION).attributes).toMatchObject({
    "agent_monitor.compliance.evaluated": true,
    "agent_monitor.compliance.risk_score": 54,
    "agent_monitor.compliance.requires_review": true,
    "agent_monitor.compliance.finding_count": 3,
    "agent_monitor.compliance.rule_ids": ["a", "b"],
  });
});

it("a finding that came later brings what its answer comes to with it", () => {
  const { answer, tell, end, span } = converse();
  answer([], 0, false);
  const late = (metadata: object): DetailedEvent => ({
    ...example("compliance_violation"),
    metadata: { finding: flag("late"), ...metadata },
  });
  tell(late({}));
  tell(late({ riskScore: 66, requiresReview: true }));
  end();
  expect(span(CONVERSATION).attributes).toMatchObject({
    "agent_monitor.compliance.risk_score": 66,
    "agent_monitor.compliance.requires_review": true,
    "agent_monitor.compliance.finding_count": 2,
  });
});

it("an answer without findings has no records beside its own", () => {
  const { answer, end, records, span } = converse();
  answer([], 0, false);
  end();
  expect(records()).toHaveLength(3);
  expect(Object.keys(span(CONVERSATION).attributes).join()).not.toContain("compliance");
});

it.each([
  ["none", {}],
  ["redacted", {}],
] as const)("under the policy %s texts are left out", (content, options) => {
  const { answer, records } = converse({ content, ...options });
  answer([flag("a")], 32, false);
  const [finding] = records().filter(({ eventName }) => eventName === FINDING);
  expect(JSON.stringify(finding?.attributes)).not.toMatch(/text of|excerpt of/);
});

it("under the policy redacted texts are redacted, if there is something to do it with", () => {
  const { answer, records } = converse({ content: "redacted", redact: () => "[gone]" });
  answer([flag("a")], 32, false);
  const [finding] = records().filter(({ eventName }) => eventName === FINDING);
  expect(finding?.attributes).toMatchObject({
    "agent_monitor.compliance.violation.description": "[gone]",
    "agent_monitor.compliance.violation.detected_content": "[gone]",
  });
});

describe("confidential findings", () => {
  const dump = ({ records, spans }: ReturnType<typeof converse>): string =>
    JSON.stringify([
      records().map(({ attributes }) => attributes),
      spans().map(({ attributes, events }) => [attributes, events]),
    ]);

  it("leave no trace: the answer looks like a clean one", () => {
    const hidden = converse();
    const event = hidden.answer([SECRET], 90, true);
    hidden.end();
    const clean = converse();
    clean.answer([], 0, false);
    clean.end();
    expect(dump(hidden)).not.toContain("secret-rule");
    const attributesOf = ({ records, span }: typeof clean) => [
      records().map(({ eventName, severityNumber, attributes }) => [
        eventName,
        severityNumber,
        Object.keys(attributes),
        attributes["agent_monitor.compliance.risk_score"],
        attributes["agent_monitor.compliance.requires_review"],
      ]),
      Object.keys(span(TURN).attributes),
      Object.keys(span(CONVERSATION).attributes),
    ];
    expect(attributesOf(hidden)).toEqual(attributesOf(clean));
    // What is on its way to the platform is not touched.
    expect(event).toMatchObject({ complianceFlags: [SECRET], riskScore: 90, requiresReview: true });
  });

  it("are left out of the others, whose score is given", () => {
    const both = converse();
    both.answer([OPEN, SECRET], 90, true, { riskScore: 1, requiresReview: false });
    both.end();
    expect(dump(both)).not.toContain("secret-rule");
    expect(dump(both)).toContain("open-rule");
    expect(both.span(TURN).attributes).toMatchObject({
      "agent_monitor.compliance.risk_score": 1,
      "agent_monitor.compliance.requires_review": false,
    });
  });

  it("hide the score of the others where nobody can say it", () => {
    const both = converse();
    both.answer([OPEN, SECRET], 90, true);
    expect(both.span(TURN).attributes).not.toHaveProperty("agent_monitor.compliance.risk_score");
  });

  it("are told to nobody when they come late", () => {
    const late = converse();
    for (const finding of [OPEN, SECRET]) {
      late.tell({
        ...example("compliance_violation"),
        metadata: { eventId: "answer-1", finding },
      });
    }
    const findings = late.records().filter(({ eventName }) => eventName === FINDING);
    expect(findings.map(({ attributes }) => attributes)).toMatchObject([
      {
        "agent_monitor.compliance.rule.id": "open-rule",
        "agent_monitor.compliance.answer.id": "answer-1",
      },
    ]);
    expect(late.records()).toHaveLength(2);
  });
});
