import { afterEach, describe, expect, it } from "vitest";
import type { ComplianceEvaluation } from "../../src/compliance/evaluation.ts";
import type { JudgeModel } from "../../src/config/judge-options.ts";
import type { AgentMonitor } from "../../src/monitor/monitor.ts";
import { startJudgedMonitor, type JudgedMonitor } from "../helpers/judged-monitor.ts";

const RULE = "consumer-protection-pressure";
const QUOTE = "you will regret to think it over";
const DRAFT = `Act today, or ${QUOTE}.`;
const NOTHING = '{"findings": []}';
const LONG = 60_000;

let open: JudgedMonitor[] = [];

afterEach(async () => {
  for (const test of open) await test.close();
  open = [];
});

async function start(): Promise<JudgedMonitor> {
  const test = await startJudgedMonitor({ gate: "everything" });
  open.push(test);
  return test;
}

async function evaluate(
  { complianceEngine }: AgentMonitor,
  deadline: number,
): Promise<ComplianceEvaluation> {
  const agent = { agentId: "assistant", agentCategory: "persona", sessionId: "s" } as const;
  const context = { ...agent, timestamp: 1, agentResponse: DRAFT };
  const evaluation = await complianceEngine?.evaluateAsync(context, { deadline });
  if (!evaluation) throw new Error("there is no engine");
  return evaluation;
}

const listOwn = ({ violations }: ComplianceEvaluation): string[] =>
  violations.filter(({ context }) => context?.detectedPattern === "judge").map(({ rule }) => rule);

/** Finds the quote, by one family of rules, and is asked by the others what a test says. */
const toModel =
  (others: JudgeModel): JudgeModel =>
  async (request, call) => {
    if (!request.ruleIds.includes(RULE)) return others(request, call);
    const claim = { ruleId: RULE, quote: QUOTE, reason: "It presses.", confidence: 0.9 };
    return JSON.stringify({ findings: [claim] });
  };

/** Replies never; it does not even look at its signal. */
const hang: JudgeModel = () => new Promise(() => undefined);

describe("a draft", () => {
  it("has what the model finds in time", async () => {
    const { monitor, judge } = await start();
    judge.reply = toModel(async () => NOTHING);
    const evaluation = await evaluate(monitor, LONG);
    expect(evaluation.metadata.secondStage).toBe("judged");
    expect(listOwn(evaluation)).toEqual([RULE]);
    expect(evaluation.requiresReview).toBe(true);
  });

  it("has at the deadline what was found by then, and says that it is a part", async () => {
    const { monitor, judge } = await start();
    judge.reply = toModel((request, call) =>
      request.family === "privacy" ? hang(request, call) : Promise.resolve(NOTHING),
    );
    const evaluation = await evaluate(monitor, 500);
    expect(evaluation.metadata.secondStage).toBe("partial");
    expect(listOwn(evaluation)).toEqual([RULE]);
    expect(evaluation.requiresReview).toBe(true);
    expect(monitor.stats().judge).toMatchObject({ pending: 0, dropped: { too_old: 1 } });
  });

  it("has what was found where calls for other families fail", async () => {
    const { monitor, judge } = await start();
    judge.reply = toModel(async (request) => (request.family === "privacy" ? "no JSON" : NOTHING));
    const evaluation = await evaluate(monitor, LONG);
    expect(evaluation.metadata.secondStage).toBe("partial");
    expect(listOwn(evaluation)).toEqual([RULE]);
  });

  it.each([
    { name: "nothing in time", reply: hang, deadline: 50, outcome: "too_late" },
    { name: "only failures", reply: async () => "no JSON", deadline: LONG, outcome: "failed" },
  ])("has the rules' findings alone where there is $name", async ({ reply, deadline, outcome }) => {
    const { monitor, judge } = await start();
    judge.reply = reply;
    const evaluation = await evaluate(monitor, deadline);
    expect(evaluation.metadata.secondStage).toBe(outcome);
    expect(listOwn(evaluation)).toEqual([]);
    expect(monitor.stats().judge?.pending).toBe(0);
  });

  it("of the model's own function is not judged, without end", async () => {
    const { monitor, judge } = await start();
    const outcomes: unknown[] = [];
    judge.reply = async () => {
      const evaluation = await evaluate(monitor, LONG);
      outcomes.push(evaluation.metadata.secondStage);
      return NOTHING;
    };
    const evaluation = await evaluate(monitor, 5000);
    expect(evaluation.metadata.secondStage).toBe("judged");
    expect(new Set(outcomes)).toEqual(new Set(["not_asked"]));
    expect(judge.requests).toHaveLength(outcomes.length);
  });
});
