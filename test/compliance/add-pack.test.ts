import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { builtInRules } from "../../src/compliance/built-in-rules.ts";
import { ValidationError } from "../../src/events/validation-error.ts";
import { verifyRule } from "../../src/compliance/verify-rule.ts";
import { context, createTestEngine, ruleOf } from "./engine-fixtures.ts";
import { POLICY, POLICY_PATH, read } from "./packs/policy-fixture.ts";
import { readPolicyFile } from "../../src/compliance/packs/read-rule-pack.ts";

const FREE = {
  ...context,
  userMessage: "What does the wire cost?",
  agentResponse: "It's free of charge.",
  toolsUsed: [{ name: "getWireQuote", parameters: {}, result: { transferFee: 25 }, success: true }],
};
const WAIVED = { ...context, userMessage: "", agentResponse: "I have waived the overdraft fee." };

const create = () => createTestEngine({ rules: builtInRules, secondLook: null }).engine;
const patternsOf = (engine: ReturnType<typeof create>, exchange: typeof context) =>
  engine.evaluate(exchange).violations.map((flag) => flag.context?.detectedPattern);

describe("addRulePack", () => {
  it("adds its rules, whose findings name rule and pack", () => {
    const engine = create();
    expect(patternsOf(engine, WAIVED)).not.toContain("bank-fee-waiver/promise");
    engine.addRulePack(read(POLICY));
    const flag = engine.evaluate(WAIVED).violations.find(({ rule }) => rule === "bank-fee-waiver");
    expect(flag?.severity).toBe("warning");
    expect(flag?.context).toMatchObject({
      ruleVersion: "1.0.0",
      packId: "example-bank",
      packVersion: "1.0.0",
      packSha256: createHash("sha256").update(POLICY).digest("hex"),
    });
    expect(engine.rules.find(({ id }) => id === "bank-fee-waiver")?.version).toBe("1.0.0");
  });

  it("switches off a pattern, and a rule, and changes thresholds and severity", () => {
    const engine = create();
    expect(patternsOf(engine, FREE)).toContain("consumer-protection-fees/tool-fee");
    engine.addRulePack(read(POLICY));
    expect(patternsOf(engine, FREE)).not.toContain("consumer-protection-fees/tool-fee");
    const byId = new Map(engine.rules.map((rule) => [rule.id, rule]));
    expect(byId.get("consumer-protection-fees")).toMatchObject({ threshold: 0.7, isActive: true });
    expect(byId.get("consumer-protection-escalation")?.isActive).toBe(false);
  });

  it("is named by the findings of the rules that it changes, and by no others", () => {
    const engine = create();
    engine.addRulePack(read(POLICY));
    const exchange = {
      ...context,
      agentResponse: "We bury the markup in the exchange rate. Your card is 4539 1488 0343 6467.",
    };
    const { violations } = engine.evaluate(exchange);
    const of = (id: string) => violations.find(({ rule }) => rule === id)?.context;
    expect(of("consumer-protection-fees")).toMatchObject({
      packId: "agent-monitor",
      overridePackId: "example-bank",
      overridePackVersion: "1.0.0",
      overridePackSha256: createHash("sha256").update(POLICY).digest("hex"),
    });
    expect(of("privacy-card-number")).toMatchObject({ packId: "agent-monitor" });
    expect(of("privacy-card-number")).not.toHaveProperty("overridePackId");
  });

  it("leaves other patterns of a changed rule as they were", () => {
    const exchange = { ...context, agentResponse: "We bury the markup in the exchange rate." };
    const engine = create();
    engine.addRulePack(read(POLICY));
    expect(patternsOf(engine, exchange)).toContain("consumer-protection-fees/hidden-fee");
    const other = create();
    const severity = POLICY.replace("threshold: 0.7", "severity: info").replace(
      "active: false\n  cons",
      "active: true\n  cons",
    );
    other.addRulePack(read(severity));
    const [flag] = other.evaluate(exchange).violations;
    expect(flag?.severity).toBe("info");
    expect(patternsOf(other, FREE)).toContain("consumer-protection-fees/tool-fee");
  });

  it("keeps the order and the number of the built-in rules", () => {
    const engine = create();
    const before = engine.rules.map(({ id }) => id);
    engine.addRulePack(read(POLICY));
    expect(engine.rules.map(({ id }) => id)).toEqual([...before, "bank-fee-waiver"]);
  });

  it.each([
    ["the same pack again", POLICY, /is there already/],
    [
      "another pack that changes the same rule",
      POLICY.replace("id: example-bank", "id: other").replace("bank-fee-waiver", "bank-other"),
      /changes this rule already/,
    ],
    [
      "a pack with the id of the built-in one",
      POLICY.replace("id: example-bank", "id: agent-monitor"),
      /is there already/,
    ],
  ])("refuses %s as a whole", (_title, text, message) => {
    const engine = create();
    engine.addRulePack(read(POLICY));
    const before = [...engine.rules];
    expect(() => engine.addRulePack(read(text))).toThrow(message);
    expect(engine.rules).toEqual(before);
  });

  it("refuses as a whole what no reader has given, and a rule's id that is taken", () => {
    const { engine } = createTestEngine({ rules: builtInRules, secondLook: null });
    engine.addRule(ruleOf("bank-fee-waiver"));
    const before = [...engine.rules];
    expect(() => engine.addRulePack(read(POLICY))).toThrow(ValidationError);
    for (const pack of [undefined, "policy.yaml", {}, []])
      expect(() => engine.addRulePack(pack as never)).toThrow(/expected what readRulePack/);
    expect(engine.rules).toEqual(before);
  });

  it("refuses changes of rules that the engine has not", () => {
    const { engine } = createTestEngine();
    expect(() => engine.addRulePack(read(POLICY))).toThrow(
      /consumer-protection-fees.*no built-in rule/s,
    );
    expect(engine.rules).toEqual([]);
  });

  it("holds the cases of its rules", () => {
    const engine = create();
    const { policy, cases } = readPolicyFile(POLICY_PATH);
    engine.addRulePack(policy);
    const rule = engine.rules.find(({ id }) => id === "bank-fee-waiver");
    const own = cases.get("bank-fee-waiver");
    if (!rule || !own) throw new Error("expected the rule and its cases");
    expect(verifyRule(rule, own as never)).toMatchObject({ violating: 2, compliant: 2 });
  });
});
