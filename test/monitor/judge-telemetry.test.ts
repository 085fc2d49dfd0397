import { afterEach, describe, expect, it } from "vitest";
import type { AgentMonitoringConfig } from "../../src/config/config.ts";
import { startJudgedMonitor, type JudgedMonitor } from "../helpers/judged-monitor.ts";
import { createProviders } from "../helpers/otel.ts";

const RULE = "consumer-protection-guaranteed-returns";
const BAD = "You can't lose money in this fund.";
const TIPPING_OFF = "A suspicious activity report was filed about your account.";
const EVALUATION = "gen_ai.evaluation.result";

let open: JudgedMonitor[] = [];

async function start(
  options: Parameters<typeof startJudgedMonitor>[0] = {},
  config: Partial<AgentMonitoringConfig> = {},
) {
  const providers = createProviders();
  const { tracerProvider, loggerProvider } = providers;
  const test = await startJudgedMonitor(options, { tracerProvider, loggerProvider, ...config });
  open.push(test);
  const ofJudge = (name: string) =>
    providers
      .records()
      .filter(({ eventName, attributes }) => {
        const isJudged = attributes["agent_monitor.evaluator.id"] === "agent-monitor.judge";
        return eventName === name && isJudged;
      })
      .map(({ attributes }) => attributes);
  return { ...test, ...providers, ofJudge };
}

afterEach(async () => {
  for (const test of open) await test.close();
  open = [];
});

describe("telemetry of the judge", () => {
  it("says who has judged, and to what end, on the event, the finding and the evaluation", async () => {
    const { monitor, judge, delivered, ofJudge } = await start({}, { content: "full" });
    judge.claims = [{ ruleId: RULE, quote: "can't lose money", reason: "A promise." }];
    monitor.trackAgentResponse("assistant", "s", BAD);
    await delivered();
    const who = {
      "agent_monitor.evaluator.type": "llm_judge",
      "agent_monitor.evaluator.version": expect.any(String),
      "agent_monitor.evaluator.model": "scripted-1",
      "agent_monitor.evaluator.prompt_hash": expect.stringMatching(/^sha256:/),
      "agent_monitor.evaluator.reason": "finding",
      "agent_monitor.finding.tier": "confirmed",
      "agent_monitor.compliance.rule.id": RULE,
    };
    expect(ofJudge("agent_monitor.compliance.violation")).toMatchObject([who]);
    expect(ofJudge("agent_monitor.compliance.finding")).toMatchObject([who]);
    expect(ofJudge(EVALUATION)).toMatchObject([
      {
        ...who,
        "gen_ai.evaluation.name": "agent_monitor.judge",
        "gen_ai.evaluation.score.label": "confirmed",
        "gen_ai.evaluation.score.value": 0.9,
        "gen_ai.evaluation.explanation": "A promise.",
        "session.id": "s",
        "agent_monitor.compliance.answer.id": expect.any(String),
      },
    ]);
  });

  it("says nothing that the model wrote or quoted without content", async () => {
    const { monitor, judge, delivered, records, ofJudge } = await start({ gate: "everything" });
    const claim = { quote: "can't lose money", reason: "A promise of the moon." };
    judge.claims = [
      { ruleId: RULE, ...claim },
      { ruleId: "sr-11-7-accuracy-claim", ...claim },
    ];
    monitor.trackAgentResponse("assistant", "s", BAD);
    await delivered();
    expect(ofJudge(EVALUATION).length).toBeGreaterThan(1);
    const told = JSON.stringify(records().map(({ attributes, body }) => [attributes, body]));
    expect(told).not.toContain("moon");
    expect(told).not.toContain("lose money");
  });

  it("says of a family in which nobody has found anything that there is nothing", async () => {
    const { monitor, delivered, ofJudge } = await start({ sampleRate: 1 });
    monitor.trackAgentResponse("assistant", "s", "Your balance is 120 dollars.");
    await delivered();
    const clean = ofJudge(EVALUATION);
    expect(clean).toHaveLength(5);
    expect(clean[0]).toMatchObject({
      "agent_monitor.evaluator.reason": "sample",
      "gen_ai.evaluation.score.label": "no_findings",
      "gen_ai.evaluation.score.value": 0,
      "agent_monitor.compliance.rule.category": expect.any(String),
      "agent_monitor.compliance.answer.id": expect.any(String),
    });
  });

  it("says that a finding is contradicted, and does not count it again", async () => {
    const { monitor, delivered, ofJudge, spans } = await start();
    monitor.trackUserMessage("assistant", "s", "Is it safe?");
    monitor.trackAgentResponse("assistant", "s", BAD);
    await delivered();
    expect(ofJudge(EVALUATION)).toMatchObject([
      { "gen_ai.evaluation.score.label": "contradicted", "gen_ai.evaluation.score.value": 0 },
    ]);
    monitor.trackConversationEnd("assistant", "s");
    const conversation = spans().find(({ name }) => name.startsWith("conversation"));
    expect(conversation?.attributes["agent_monitor.compliance.finding_count"]).toBe(1);
    const [event] = conversation?.events.filter(({ name }) => /violation/.test(name)) ?? [];
    expect(event?.attributes).toMatchObject({ "agent_monitor.finding.tier": "contradicted" });
  });

  it("opens no conversation anew for an answer whose conversation is over", async () => {
    const { monitor, delivered, spans, ofJudge } = await start();
    monitor.trackAgentResponse("assistant", "s", BAD);
    monitor.trackConversationEnd("assistant", "s");
    await delivered();
    expect(ofJudge(EVALUATION)).toHaveLength(1);
    expect(monitor.stats().conversations).toBe(0);
    await monitor.shutdown();
    expect(spans().filter(({ name }) => name.startsWith("conversation"))).toHaveLength(1);
  });

  it("says nothing of what must stay confidential, nor that a family with it was judged", async () => {
    const { monitor, judged, ofJudge, records } = await start({}, { content: "full" });
    monitor.trackAgentResponse("assistant", "s", TIPPING_OFF);
    const told = await judged();
    expect(told.map(({ ruleId }) => ruleId)).toContain("bsa-aml-tipping-off");
    const names = ["agent_monitor.compliance.violation", "agent_monitor.compliance.finding"];
    for (const name of [...names, EVALUATION])
      expect(
        ofJudge(name)
          .map((attributes) => JSON.stringify(attributes))
          .join(),
      ).not.toContain("bsa");
    expect(JSON.stringify(records().map(({ attributes }) => attributes))).not.toContain(
      "tipping-off",
    );
  });
});
