import { afterEach, describe, expect, it } from "vitest";
import type { InteractionContext } from "../../src/events/compliance.ts";
import type { AgentMonitor } from "../../src/monitor/monitor.ts";
import { startJudgedMonitor, type JudgedMonitor } from "../helpers/judged-monitor.ts";
import { startMonitor, type TestMonitor } from "../helpers/monitor.ts";

const OTHER = "consumer-protection-pressure";
const CLEAN = "Your balance is 120 dollars.";
const DRAFT: InteractionContext = {
  agentId: "assistant",
  agentCategory: "persona",
  sessionId: "s",
  timestamp: 1,
  agentResponse: CLEAN,
};

let open: TestMonitor[] = [];
afterEach(async () => {
  for (const test of open) await test.close();
  open = [];
});

async function start(...given: Parameters<typeof startJudgedMonitor>): Promise<JudgedMonitor> {
  const test = await startJudgedMonitor(...given);
  open.push(test);
  return test;
}

function engineOf(monitor: AgentMonitor): NonNullable<AgentMonitor["complianceEngine"]> {
  if (!monitor.complianceEngine) throw new Error("there are no checks");
  return monitor.complianceEngine;
}

describe("a draft", () => {
  it("has the judge's findings when they come in time, and makes no event", async () => {
    const { monitor, judge, delivered } = await start({ gate: "everything" });
    judge.claims = [{ ruleId: OTHER, quote: "balance is 120", reason: "It presses." }];
    const evaluation = await engineOf(monitor).evaluateAsync(DRAFT);
    expect(evaluation).toMatchObject({
      requiresReview: true,
      violations: [
        {
          rule: OTHER,
          severity: "warning",
          description: "It presses.",
          context: { spans: [{ source: "agentResponse", start: 5, end: 19 }] },
        },
      ],
      metadata: { secondStage: "judged", evaluated: true },
    });
    expect(evaluation).not.toHaveProperty("candidates");
    expect(evaluation).not.toHaveProperty("turns");
    expect(await delivered()).toEqual([]);
    expect(monitor.stats().judge).toMatchObject({ submitted: 5, judged: 5 });
  });

  it("is what the rules say at the deadline, and the call is given up", async () => {
    const { monitor, judge } = await start({ gate: "everything" });
    const signals: AbortSignal[] = [];
    judge.reply = (_request, { signal }) => {
      signals.push(signal);
      return new Promise(() => undefined);
    };
    const draft = { ...DRAFT, agentResponse: "You can't lose money in this fund." };
    const evaluation = await engineOf(monitor).evaluateAsync(draft, { deadline: 30 });
    expect(evaluation.metadata.secondStage).toBe("too_late");
    expect(evaluation.violations).toHaveLength(1);
    expect(signals.length).toBeGreaterThan(0);
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
    await monitor.flush();
    expect(monitor.stats().judge).toMatchObject({ pending: 0, dropped: { too_old: 5 } });
  });

  it("is not judged where the gate does not let it through, nor for other agents", async () => {
    const settings: Parameters<typeof startJudgedMonitor>[0][] = [
      {},
      { gate: "everything", agents: ["teller"] },
    ];
    for (const options of settings) {
      const { monitor, judge } = await start(options);
      const evaluation = await engineOf(monitor).evaluateAsync(DRAFT);
      expect(evaluation.metadata.secondStage).toBe("not_asked");
      expect(judge.requests).toEqual([]);
    }
  });

  it("is what the rules say when the model fails, or the context can't be read", async () => {
    const { monitor, judge } = await start({ gate: "everything" });
    judge.reply = () => Promise.reject(new Error("away"));
    const engine = engineOf(monitor);
    const failed = await engine.evaluateAsync(DRAFT, { deadline: Number.NaN });
    expect(failed).toMatchObject({ violations: [], metadata: { secondStage: "failed" } });
    const hostile = new Proxy({} as InteractionContext, {
      get() {
        throw new Error("no");
      },
    });
    expect((await engine.evaluateAsync(hostile)).metadata.evaluated).toBe(false);
    expect((await engine.evaluateAsync(DRAFT, null as never)).metadata.evaluated).toBe(true);
  });

  it("is what `evaluate` gives without a judge", async () => {
    const test = await startMonitor();
    open.push(test);
    await test.monitor.ready();
    const engine = engineOf(test.monitor);
    const { metadata: early, ...one } = await engine.evaluateAsync(DRAFT);
    const { metadata: late, ...other } = engine.evaluate(DRAFT);
    expect(one).toEqual(other);
    expect(early.rulesEvaluated).toBe(late.rulesEvaluated);
    expect(early).not.toHaveProperty("secondStage");
  });

  it("demands no review where the judge is to observe", async () => {
    const { monitor, judge } = await start({ gate: "everything", mode: "observe" });
    judge.claims = [{ ruleId: OTHER, quote: "balance is 120" }];
    const evaluation = await engineOf(monitor).evaluateAsync(DRAFT);
    expect(evaluation).toMatchObject({ requiresReview: false, violations: [{ rule: OTHER }] });
  });
});
