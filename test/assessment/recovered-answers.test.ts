import { beforeAll, describe, expect, it } from "vitest";
import { markUnread, toUncheckedAnswer } from "../../src/assessment/answer-verdict.ts";
import {
  type KeptExchange,
  createAnswerRecovery,
  type AnswerRecoveryOptions,
  writeKeptExchange,
} from "../../src/assessment/recovered-answers.ts";
import { ComplianceEngine } from "../../src/compliance/engine.ts";
import type { CompleteEvent, CompletedEvent } from "../../src/delivery/pending-event.ts";
import type { ComplianceFlag, ComplianceRule } from "../../src/events/compliance.ts";
import type { AgentResponseEvent, DetailedEvent } from "../../src/events/detailed-event.ts";
import { createRedactor } from "../../src/redaction/redactor.ts";
import { createFakeClock } from "../helpers/clock.ts";
import { createCollectingLog } from "../helpers/exporter.ts";

const BAD = "You can't lose money in this fund: a 5 % return is guaranteed every year.";
const RULE = "consumer-protection-guaranteed-returns";
const FLAGGED: unknown = expect.arrayContaining([expect.objectContaining({ rule: RULE })]);
const CARD = "4111 1111 1111 1111";
const settings = { sr11_7_enabled: true, fair_lending_monitoring: true, bsa_aml_checks: true };

const clock = createFakeClock();
const { log } = createCollectingLog(clock);
let engine: ComplianceEngine;

beforeAll(() => {
  engine = new ComplianceEngine({ clock, log });
  engine.preparation.finish();
});

function toAnswer(content: string, more: Partial<AgentResponseEvent> = {}): AgentResponseEvent {
  return {
    interactionType: "agent_response",
    eventId: "event-1",
    timestamp: 1000,
    sessionId: "s",
    agentId: "assistant",
    environment: "production",
    requestId: "request-1",
    content,
    contentLength: content.length,
    ...more,
  };
}

function toExchange(content: string, more: Partial<KeptExchange> = {}): KeptExchange {
  const context = {
    agentId: "assistant",
    agentCategory: "persona",
    sessionId: "s",
    timestamp: 1000,
    userMessage: "Is the fund safe?",
    agentResponse: content,
  } as const;
  return { eventId: "event-1", context, settings, ...more };
}

const findings: [ComplianceFlag, string][] = [];

const record = (flag: ComplianceFlag, { eventId }: AgentResponseEvent): void =>
  void findings.push([flag, eventId]);

const WITHOUT_JUDGE: Omit<AnswerRecoveryOptions["answerCheck"], "whenReady"> = {
  follow: ({ late }, answer) =>
    void late?.then((flags) => flags.forEach((flag) => record(flag, answer))),
  emitBeside: (said) => said.complianceFlags?.forEach((flag) => record(flag, said)),
  toChecked: () => ({}),
  handOver: () => undefined,
};

function recover(options: Partial<AnswerRecoveryOptions> = {}): CompleteEvent {
  return createAnswerRecovery({
    answerCheck: { ...WITHOUT_JUDGE, whenReady: () => Promise.resolve(engine) },
    redactor: undefined,
    eventSizeLimit: 256 * 1024,
    clock,
    ...options,
  });
}

async function complete(
  recovered: CompleteEvent,
  event: AgentResponseEvent,
  exchange: string | undefined,
): Promise<CompletedEvent> {
  const stored = { ...toUncheckedAnswer(event), writerId: "w", sequence: 3 };
  return recovered(Buffer.from(JSON.stringify(stored)), Buffer.from(exchange ?? ""));
}

function parse(completed: CompletedEvent): Record<string, unknown> {
  if (typeof completed === "string") throw new Error(`expected an event, got ${completed}`);
  expect(completed.bytes).toBe(Buffer.byteLength(completed.json));
  return JSON.parse(completed.json) as Record<string, unknown>;
}

describe("an answer that is recovered", () => {
  it("has the findings, and no mark and no place any more", async () => {
    const exchange = writeKeptExchange(toExchange(BAD), undefined);
    const event = parse(await complete(recover(), toAnswer(BAD), exchange));
    expect(event).toMatchObject({
      content: BAD,
      complianceFlags: FLAGGED,
      riskScore: expect.any(Number),
    });
    for (const gone of ["metadata", "writerId", "sequence"]) expect(event).not.toHaveProperty(gone);
  });

  it("is a clean one when the rules say so, with the rest of its metadata", async () => {
    const answer = toAnswer("Your branch opens at nine.", { metadata: { llmLatency: 3 } });
    const exchange = writeKeptExchange(toExchange(answer.content), undefined);
    const event = parse(await complete(recover(), answer, exchange));
    expect(event).toMatchObject({ complianceFlags: [], requiresReview: false });
    expect(event["metadata"]).toEqual({ llmLatency: 3 });
  });

  it("is checked whole where the event has a part of it", async () => {
    const exchange = writeKeptExchange(toExchange(`${"word ".repeat(200)}${BAD}`), undefined);
    const event = parse(await complete(recover(), toAnswer("word word"), exchange));
    expect(JSON.stringify(event)).toContain(RULE);
  });

  it("is checked under the settings that its agent had", async () => {
    const advice =
      "Deposit it in three parts below 10,000 dollars on different days, so no report is filed.";
    const rulesOf = async (isOn: boolean): Promise<string> => {
      const exchange = toExchange(advice, { settings: { ...settings, bsa_aml_checks: isOn } });
      const { userMessage: _, ...context } = exchange.context;
      const userMessage = "How should I pay in the cash from the sale?";
      const kept = writeKeptExchange(
        { ...exchange, context: { ...context, userMessage } },
        undefined,
      );
      return JSON.stringify(parse(await complete(recover(), toAnswer(advice), kept)));
    };
    expect(await rulesOf(true)).toContain("bsa-aml-structuring-advice");
    expect(await rulesOf(false)).not.toContain("bsa-aml-structuring-advice");
  });

  it("is remembered for the next one, and not for what this process sees of the session", async () => {
    const seen: number[] = [];
    const spy = {
      id: "custom-spy",
      name: "Spy",
      description: "Looks.",
      category: "custom",
    } as const;
    const rule: ComplianceRule = {
      ...spy,
      severity: "info",
      isActive: true,
      ruleFunction: ({ timestamp }) => {
        seen.push(timestamp);
        return { isCompliant: true, violations: [], riskScore: 0, requiresReview: false };
      },
    };
    engine.addRule(rule);
    const exchange = writeKeptExchange(toExchange(BAD), undefined);
    await complete(recover(), toAnswer(BAD), exchange);
    engine.removeRule(rule.id);
    expect(seen).toEqual([1000]);
  });

  it("tells what asynchronous rules find in an event of its own", async () => {
    const finding = {
      rule: "custom-late",
      severity: "warning",
      description: "Found late.",
    } as const;
    engine.addRule({
      id: "custom-late",
      name: "Late",
      description: "Finds late.",
      category: "custom",
      severity: "warning",
      isActive: true,
      ruleFunction: () =>
        Promise.resolve({
          isCompliant: false,
          violations: [finding],
          riskScore: 40,
          requiresReview: true,
        }),
    });
    const exchange = writeKeptExchange(toExchange(BAD), undefined);
    await complete(recover(), toAnswer(BAD), exchange);
    engine.removeRule("custom-late");
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(findings).toMatchObject([[{ rule: "custom-late" }, "event-1"]]);
  });

  it("is checked where it stands beside a tool call, and told of in events of their own", async () => {
    findings.splice(0);
    const { content: _text, contentLength: _length, ...base } = toAnswer(BAD);
    const call: DetailedEvent = {
      ...base,
      interactionType: "tool_call",
      toolName: "get_fund",
      toolCategory: "read",
      riskLevel: "low",
      toolParameters: {},
      metadata: { toolCallId: "c1" },
    };
    const exchange = Buffer.from(writeKeptExchange(toExchange(BAD), undefined) ?? "");
    const stored = Buffer.from(JSON.stringify({ ...markUnread(call), writerId: "w", sequence: 3 }));
    expect(parse(await recover()(stored, exchange))).toEqual(call);
    expect(findings.map(([{ rule }, id]) => [rule, id])).toContainEqual([RULE, "event-1"]);
    const read = Buffer.from(JSON.stringify(call));
    expect(await recover()(read, exchange)).toBe("unchanged");
  });

  it("stays as it is without rules, without its exchange, with another's, or once it is checked", async () => {
    const exchange = writeKeptExchange(toExchange(BAD), undefined);
    const off = { ...WITHOUT_JUDGE, whenReady: () => Promise.resolve("off" as const) };
    expect(await complete(recover({ answerCheck: off }), toAnswer(BAD), exchange)).toBe(
      "unchanged",
    );
    for (const other of ["", "{}", "null", '{"eventId":"event-1","context":{},"settings":{}}'])
      expect(await complete(recover(), toAnswer(BAD), other)).toBe("unchanged");
    const others = writeKeptExchange(toExchange(BAD, { eventId: "event-2" }), undefined);
    expect(await complete(recover(), toAnswer(BAD), others)).toBe("unchanged");
    const checked = toAnswer(BAD, { complianceFlags: [], riskScore: 0 });
    expect(await complete(recover(), checked, exchange)).toBe("unchanged");
    const broken = recover()(Buffer.from("{"), Buffer.from(exchange ?? ""));
    expect(await broken).toBe("unchanged");
  });

  it("waits for the next process when the rules of this one are not to be ready any more", async () => {
    const closed = { ...WITHOUT_JUDGE, whenReady: () => Promise.resolve("closed" as const) };
    const exchange = writeKeptExchange(toExchange(BAD), undefined);
    expect(await complete(recover({ answerCheck: closed }), toAnswer(BAD), exchange)).toBe(
      "not_now",
    );
  });
});

describe("what is kept of an exchange", () => {
  it("has nothing that redaction takes out, wherever it stands, and says that it is not whole", async () => {
    const redactor = createRedactor();
    const { context, ...exchange } = toExchange(`${BAD} Your card is ${CARD}.`);
    const toolsUsed = [{ name: "get", parameters: { CARD }, result: [CARD], success: true }];
    const kept = writeKeptExchange(
      { ...exchange, context: { ...context, userMessage: CARD, toolsUsed, metadata: { CARD } } },
      redactor,
    );
    expect(kept).not.toContain("4111");
    const answer = toAnswer(redactor.text(context.agentResponse ?? ""));
    const event = parse(await complete(recover(), answer, kept));
    expect(event).toMatchObject({
      complianceFlags: FLAGGED,
      requiresReview: true,
      metadata: { evaluated: false },
    });
  });

  it("is checked as any other when redaction finds nothing in it", async () => {
    const content = "Your branch opens at nine.";
    const kept = writeKeptExchange(toExchange(content), createRedactor());
    const event = parse(await complete(recover(), toAnswer(content), kept));
    expect(event).toMatchObject({ requiresReview: false });
  });

  it("is nothing where it is too long, and JSON whatever is in it", () => {
    expect(writeKeptExchange(toExchange("x".repeat(2_000_000)), undefined)).toBeUndefined();
    const cyclic: Record<string, unknown> = { big: 1n };
    cyclic["self"] = cyclic;
    const { context, ...exchange } = toExchange(BAD);
    const toolsUsed = [{ name: "get", parameters: cyclic, result: null, success: true }];
    const kept = writeKeptExchange({ ...exchange, context: { ...context, toolsUsed } }, undefined);
    expect(() => JSON.parse(kept ?? "") as unknown).not.toThrow();
  });
});
