import { afterEach, describe, expect, it } from "vitest";
import { defineRule } from "../../src/compliance/define-rule.ts";
import type { AgentResponseEvent, DetailedEvent } from "../../src/events/detailed-event.ts";
import type { AgentMonitor } from "../../src/monitor/monitor.ts";
import { startJudgedMonitor, type JudgedMonitor } from "../helpers/judged-monitor.ts";
import { agentInfo, type TestMonitor } from "../helpers/monitor.ts";

const RULE = "consumer-protection-guaranteed-returns";
const BAD = "You can't lose money in this fund.";
const OTHER = "consumer-protection-pressure";
const CLEAN = "Your balance is 120 dollars.";
const CARD = "4111 1111 1111 1111";
const FAMILIES = ["sr_11_7", "fair_lending", "bsa_aml", "privacy", "consumer_protection"];

let open: JudgedMonitor[] = [];

async function start(...given: Parameters<typeof startJudgedMonitor>): Promise<JudgedMonitor> {
  const test = await startJudgedMonitor(...given);
  open.push(test);
  return test;
}

afterEach(async () => {
  for (const test of open) await test.close();
  open = [];
});

function findAnswer({ sink }: TestMonitor): AgentResponseEvent {
  const answer = (sink.events as DetailedEvent[]).find(
    (event): event is AgentResponseEvent => event.interactionType === "agent_response",
  );
  if (!answer) throw new Error("no answer was delivered");
  return answer;
}

/** Adds a rule that finds a word, in the family of the bank's own rules. */
function addWordRule(monitor: AgentMonitor, confidence: number): void {
  monitor.complianceEngine?.addRule(
    defineRule({
      id: "custom-moon",
      name: "Moon",
      description: "Flags the moon.",
      explanation: "It says moon.",
      category: "custom",
      severity: "warning",
      law: { citation: "None", asOf: "2026-11-22", status: "guidance" },
      recommendation: "Say sun.",
      impact: { customer: "minimal", business: "minimal" },
      phrases: { said: { match: ["moon"], confidence } },
    }),
  );
}

describe("what is judged", () => {
  it("is an answer with a finding, by the rules of its family", async () => {
    const { monitor, judge, judged } = await start();
    monitor.trackUserMessage("assistant", "s", "Is the fund safe?");
    monitor.trackAgentResponse("assistant", "s", BAD);
    await judged();
    expect(judge.requests.map(({ family }) => family)).toEqual(["consumer_protection"]);
    expect(judge.requests[0]?.user).toContain("Is the fund safe?");
    expect(judge.requests[0]?.system).toContain(RULE);
    expect(monitor.stats().judge).toMatchObject({ submitted: 1, judged: 1, pending: 0 });
  });

  it("is an answer with a candidate, unless the gate is for findings", async () => {
    for (const gate of ["candidates", "findings"] as const) {
      const { monitor, judge, delivered } = await start({ gate });
      addWordRule(monitor, 0.3);
      monitor.trackAgentResponse("assistant", "s", "The moon is up.");
      await delivered();
      const families = judge.requests.map(({ family }) => family);
      expect(families).toEqual(gate === "candidates" ? ["custom"] : []);
    }
  });

  it("is a sample of all others, by every family that applies to the agent", async () => {
    const { monitor, judge, delivered } = await start({ sampleRate: 1 });
    await monitor.registerAgent({
      ...agentInfo,
      complianceSettings: {
        sr11_7_enabled: true,
        fair_lending_monitoring: false,
        bsa_aml_checks: true,
      },
    });
    monitor.trackAgentResponse("assistant", "s", CLEAN);
    monitor.trackAgentResponse("stranger", "s", CLEAN);
    await delivered();
    const families = judge.requests.map(({ family }) => family);
    expect(families.slice(0, 4).toSorted()).toEqual(
      FAMILIES.filter((family) => family !== "fair_lending").toSorted(),
    );
    expect(families.slice(4).toSorted()).toEqual(FAMILIES.toSorted());
  });

  it("is no answer in which nothing was found, and none of other agents, whatever they say", async () => {
    const { monitor, judge, delivered } = await start({ agents: ["teller"] });
    monitor.trackAgentResponse("teller", "s", CLEAN);
    monitor.trackAgentResponse("assistant", "s", BAD);
    await delivered();
    expect(judge.requests).toEqual([]);
    expect(monitor.stats().judge).toMatchObject({ submitted: 0, pending: 0 });
  });

  it("is no draft of `evaluate`", async () => {
    const { monitor, judge, delivered } = await start({ gate: "everything" });
    const context = { agentId: "assistant", agentCategory: "persona", sessionId: "s" } as const;
    monitor.complianceEngine?.evaluate({ ...context, timestamp: 1, agentResponse: BAD });
    await delivered();
    expect(judge.requests).toEqual([]);
  });

  it("is nothing without checks, which is told as an ignored setting", async () => {
    const { monitor, judge, delivered, lines } = await start(
      { gate: "everything" },
      { enableComplianceChecks: false },
    );
    monitor.trackAgentResponse("assistant", "s", BAD, {}, { complianceChecks: true });
    await delivered();
    expect(judge.requests).toEqual([]);
    expect(monitor.stats().judge).toBeUndefined();
    expect(monitor.stats().ignoredSettings?.join()).toContain("judge does nothing");
    expect(lines.join("\n")).toContain("judge does nothing without enableComplianceChecks");
  });

  it("is seen with the turns before it, and redacted whatever `redact` says", async () => {
    const { monitor, judge, delivered } = await start();
    monitor.trackUserMessage("assistant", "s", `My card is ${CARD}.`);
    monitor.trackAgentResponse("assistant", "s", CLEAN);
    monitor.trackUserMessage("assistant", "s", "And the fund?");
    monitor.trackAgentResponse("assistant", "s", BAD);
    await delivered();
    const last = judge.requests.findLast(({ family }) => family === "consumer_protection");
    expect(last?.user).toContain("customer: My card is [CARD:1].");
    expect(last?.user).toContain(BAD);
    expect(JSON.stringify(judge.requests)).not.toContain(CARD);
  });

  it("is seen without what the bank itself takes out, and without all kinds", async () => {
    const custom = (text: string): string => text.replaceAll("ACME-77", "[PROJECT]");
    const redact = { kinds: ["email" as const], custom };
    const { monitor, judge, delivered } = await start({}, { redact });
    monitor.trackUserMessage("assistant", "s", `My card is ${CARD}. How is ACME-77?`);
    monitor.trackAgentResponse("assistant", "s", `ACME-77: ${BAD}`);
    await delivered();
    expect(judge.requests[0]?.user).toContain(`[PROJECT]: ${BAD}`);
    expect(JSON.stringify(judge.requests)).not.toContain("ACME-77");
    expect(JSON.stringify(judge.requests)).not.toContain(CARD);
  });

  it("is seen as it is where the content policy says so", async () => {
    const { monitor, judge, delivered } = await start({ content: "full" }, { redact: true });
    monitor.trackUserMessage("assistant", "s", `My card is ${CARD}.`);
    monitor.trackAgentResponse("assistant", "s", BAD);
    const events = await delivered();
    expect(judge.requests[0]?.user).toContain(CARD);
    expect(JSON.stringify(events)).not.toContain(CARD);
  });
});

describe("an opinion on a finding", () => {
  it("restates it as confirmed where the judge shares it, in an event that names the answer", async () => {
    const test = await start();
    const { monitor, judge, judged } = test;
    judge.claims = [{ ruleId: RULE, quote: "can't lose money", reason: "A\npromise." }];
    monitor.trackAgentResponse("assistant", "s", BAD);
    const [event, ...others] = await judged();
    const answer = findAnswer(test);
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      eventId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab]/),
      ruleId: RULE,
      requestId: answer.requestId,
      metadata: {
        eventId: answer.eventId,
        tier: "confirmed",
        requiresReview: true,
        opinion: { quote: "can't lose money", reason: "A promise.", confidence: 0.9 },
        evaluator: {
          id: "agent-monitor.judge",
          type: "llm_judge",
          model: "scripted-1",
          version: expect.any(String),
          promptHash: expect.stringMatching(/^sha256:/),
        },
      },
    });
    expect(event?.metadata?.["finding"]).toEqual(answer.complianceFlags?.[0]);
    expect(monitor.stats().judge).toMatchObject({ confirmed: 1, contradicted: 0, findings: 0 });
  });

  it("restates it as contradicted where not, and has the stated share reviewed", async () => {
    for (const contradictedReviewRate of [0, 1]) {
      const { monitor, judged } = await start({ contradictedReviewRate });
      monitor.trackAgentResponse("assistant", "s", BAD);
      const [event] = await judged();
      expect(event?.metadata).toMatchObject({
        tier: "contradicted",
        requiresReview: contradictedReviewRate === 1,
        opinion: {},
      });
      expect(monitor.stats().judge).toMatchObject({ confirmed: 0, contradicted: 1 });
      expect(monitor.stats().compliance).toMatchObject({ findings: 1, reviews: 1 });
    }
  });

  it("is no event where the exchange was too long to be sent whole", async () => {
    const { monitor, judged } = await start({ maxTextLength: 1000 });
    addWordRule(monitor, 0.9);
    monitor.trackAgentResponse("assistant", "s", `The moon. ${"All is well. ".repeat(200)}`);
    expect(await judged()).toEqual([]);
    expect(monitor.stats().judge).toMatchObject({ judged: 1, confirmed: 0, contradicted: 0 });
  });
});

describe("a finding of the judge's own", () => {
  const SOFT =
    "Act today. Your card 4111 1111 1111 1111 waits, and you will regret to think it over.";
  const QUOTE = "you will regret to think it over";

  it("is a warning to be reviewed, which says where it stands in the answer as it is", async () => {
    const test = await start({ gate: "everything" });
    const { monitor, judge, judged } = test;
    judge.claims = [{ ruleId: OTHER, quote: QUOTE, reason: "It presses.", confidence: 0.8 }];
    await monitor.registerAgent(agentInfo);
    monitor.trackAgentResponse("assistant", "s", SOFT);
    const events = await judged();
    const answer = findAnswer(test);
    const own = events.filter(({ ruleId }) => ruleId === OTHER);
    expect(own).toHaveLength(1);
    const start_ = SOFT.indexOf(QUOTE);
    expect(own[0]).toMatchObject({
      severity: "warning",
      violationType: "consumer_protection",
      description: "It presses.",
      agentVersion: agentInfo.version,
      metadata: {
        eventId: answer.eventId,
        tier: "confirmed",
        requiresReview: true,
        quote: QUOTE,
        reason: "It presses.",
        finding: {
          rule: OTHER,
          category: "consumer_protection",
          confidence: 0.8,
          recommendation: expect.any(String),
          context: {
            detectedPattern: "judge",
            detectedContent: expect.stringContaining(QUOTE),
            spans: [{ source: "agentResponse", start: start_, end: start_ + QUOTE.length }],
            ruleVersion: expect.any(String),
            packId: "agent-monitor",
            packVersion: expect.any(String),
            packSha256: expect.any(String),
            regulatoryImpact: expect.any(String),
          },
        },
      },
    });
    expect(own[0]?.metadata).not.toHaveProperty("opinion");
    expect(JSON.stringify(own[0])).not.toContain(CARD);
    expect(monitor.stats().judge).toMatchObject({ findings: 1 });
    // The answer's own record stays what it was.
    expect(answer.complianceFlags?.some(({ rule }) => rule === OTHER)).toBe(false);
  });

  it("has the same id whoever judges, and another one for another passage", async () => {
    const { monitor, judge, judged } = await start({ gate: "everything" });
    judge.claims = [
      { ruleId: OTHER, quote: QUOTE },
      { ruleId: OTHER, quote: "Act today." },
    ];
    monitor.trackAgentResponse("assistant", "s", SOFT);
    const ids = (await judged())
      .filter(({ ruleId }) => ruleId === OTHER)
      .map(({ eventId }) => eventId);
    expect(new Set(ids).size).toBe(2);
  });

  it("is dropped and counted where the rule is not in the list or the quote not in the text", async () => {
    const { monitor, judge, judged } = await start({ gate: "everything" });
    judge.reply = (request) =>
      Promise.resolve({
        findings: [
          { ruleId: "no-such-rule", quote: QUOTE, reason: "", confidence: 1 },
          { ruleId: request.ruleIds[0], quote: "it is nowhere", reason: "", confidence: 1 },
        ],
      });
    monitor.trackAgentResponse("assistant", "s", CLEAN);
    expect(await judged()).toEqual([]);
    expect(monitor.stats().judge).toMatchObject({
      findings: 0,
      droppedClaims: { unknown_rule: 5, quote_not_found: 5 },
    });
  });
});

describe("the mode observe", () => {
  it("records what the judge says, and demands and spares no review", async () => {
    const { monitor, judge, judged } = await start({ mode: "observe", gate: "everything" });
    judge.claims = [{ ruleId: OTHER, quote: "balance is 120" }];
    monitor.trackAgentResponse("assistant", "calm", CLEAN);
    await monitor.flush();
    judge.claims = [];
    monitor.trackAgentResponse("assistant", "bad", BAD);
    const events = await judged();
    const ofSession = (session: string) =>
      events.filter(({ sessionId }) => sessionId === session).map(({ metadata }) => metadata);
    expect(ofSession("calm")).toMatchObject([
      { mode: "observe", tier: "confirmed", requiresReview: false },
    ]);
    expect(ofSession("bad")).toMatchObject([
      { mode: "observe", tier: "contradicted", requiresReview: true },
    ]);
  });
});
