import { describe, expect, it } from "vitest";
import type { ComplianceResult } from "../../src/events/compliance.ts";
import type { ComplianceViolationEvent } from "../../src/events/detailed-event.ts";
import { createFakeClock } from "../helpers/clock.ts";
import { startMonitor } from "../helpers/monitor.ts";
import { context, createTestEngine, NOW, ruleOf, ruleThat, SECRET } from "./engine-fixtures.ts";

const found = (id: string): ComplianceResult => ({
  isCompliant: false,
  violations: [{ rule: id, severity: "warning", description: "found later" }],
  riskScore: 10,
  requiresReview: false,
});

describe("a rule that gives a promise", () => {
  it("holds nothing up and reports its findings later", async () => {
    const clock = createFakeClock(NOW);
    const rules = [ruleThat("slow", async () => found("slow")), ruleOf("quick", [{}])];
    const { engine } = createTestEngine({ rules, clock });
    const result = engine.evaluate(context);
    expect(result.violations.map(({ rule }) => rule)).toEqual(["quick"]);
    expect(result.metadata).toMatchObject({ rulesPending: ["slow"], rulesEvaluated: 1 });
    expect(await result.late).toEqual([
      {
        rule: "slow",
        category: "custom",
        severity: "warning",
        description: "found later",
        timestamp: NOW,
      },
    ]);
    expect(clock.pending).toBe(0);
  });

  it.each([
    ["is rejected", () => Promise.reject(new RangeError(SECRET)), "RangeError"],
    ["gives no result", async () => 7, "RuleResultError"],
    [
      "throws when awaited",
      () => ({
        then: () => {
          throw new TypeError(SECRET);
        },
      }),
      "TypeError",
    ],
  ])("costs its own findings only when it %s", async (_name, act, name) => {
    const { engine, lines } = createTestEngine({
      rules: [ruleThat("bad", act)],
      clock: createFakeClock(),
    });
    expect(await engine.evaluate(context).late).toEqual([]);
    expect(lines).toEqual([
      expect.stringContaining(`rule "bad" gave no answer in 250 ms: ${name}`),
    ]);
    expect(lines.join()).not.toContain(SECRET);
  });

  it("is given up after 250 ms", async () => {
    const clock = createFakeClock();
    const { engine, lines } = createTestEngine({
      rules: [ruleThat("never", () => new Promise(() => undefined))],
      clock,
    });
    const { late } = engine.evaluate(context);
    await clock.advance(250);
    expect(await late).toEqual([]);
    expect(lines).toHaveLength(1);
  });

  it("has its finding delivered in an event of its own, joined to the answer", async () => {
    const started = await startMonitor();
    const { monitor } = started;
    monitor.complianceEngine?.addRule(ruleThat("bank-later", async () => found("bank-later")));
    monitor.trackAgentResponse("agent", "session", "Good morning.");
    const [answer, later] = await started.delivered();
    expect(answer).toMatchObject({ interactionType: "agent_response", complianceFlags: [] });
    expect(later).toMatchObject({
      interactionType: "compliance_violation",
      ruleId: "bank-later",
      severity: "warning",
      violationType: "custom",
      description: "found later",
      sessionId: "session",
      metadata: { eventId: answer?.eventId },
    });
    await started.close();
  });

  it("says on that event what the answer comes to now, its own score included", async () => {
    const started = await startMonitor();
    const { monitor } = started;
    const risky = { ...found("bank-later"), riskScore: 90 };
    monitor.complianceEngine?.addRule(ruleThat("bank-later", async () => risky));
    monitor.trackAgentResponse("agent", "session", "Good morning.");
    const [answer, later] = await started.delivered();
    expect(answer).toMatchObject({ riskScore: 0, requiresReview: false });
    expect(later).toMatchObject({ metadata: { riskScore: 90, requiresReview: true } });
    await started.close();
  });

  it("adds to the score of the others, and never lowers it", async () => {
    const rules = [ruleThat("slow", async () => found("slow")), ruleOf("quick", [{}])];
    const { engine } = createTestEngine({ rules, clock: createFakeClock(NOW) });
    const result = engine.evaluate(context);
    const verdict = await result.lateVerdict;
    expect(verdict?.riskScore).toBeGreaterThan(result.riskScore);
  });

  it("gives no confidential finding away by a score on the event of another one", async () => {
    const started = await startMonitor();
    const { monitor } = started;
    const secret = { ...found("bank-secret"), riskScore: 95 };
    const violations = secret.violations.map((violation) => ({
      ...violation,
      context: { confidential: true },
    }));
    monitor.complianceEngine?.addRule(
      ruleThat("bank-secret", async () => ({ ...secret, violations })),
    );
    monitor.complianceEngine?.addRule(ruleThat("bank-later", async () => found("bank-later")));
    monitor.trackAgentResponse("agent", "session", "Good morning.");
    const [, ...later] = await started.delivered();
    const byRule = new Map(
      later.map((event) => [(event as ComplianceViolationEvent).ruleId, event.metadata]),
    );
    expect(byRule.get("bank-secret")).toMatchObject({ requiresReview: true });
    expect(byRule.get("bank-later")).not.toHaveProperty("riskScore");
    await started.close();
  });

  it("is delivered as well when the monitor is shut down meanwhile", async () => {
    const started = await startMonitor();
    const { monitor, sink } = started;
    let find = (): void => undefined;
    const asked = new Promise<void>((resolve) => (find = resolve));
    const rule = ruleThat("bank-later", async () => asked.then(() => found("bank-later")));
    monitor.complianceEngine?.addRule(rule);
    await monitor.ready();
    monitor.trackAgentResponse("agent", "session", "Good morning.");
    const shutdown = monitor.shutdown();
    find();
    await shutdown;
    const kinds = sink.events.map(({ interactionType }) => interactionType);
    expect(kinds).toEqual(["agent_response", "compliance_violation"]);
    await started.close();
  });
});
