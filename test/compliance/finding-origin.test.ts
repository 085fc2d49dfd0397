import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readPackFiles } from "../../.ci/compile-packs.ts";
import { builtInRules } from "../../src/compliance/built-in-rules.ts";
import { builtInModelFacts } from "../../src/compliance/learned/built-in-second-look.ts";
import { defineRule } from "../../src/compliance/define-rule.ts";
import { readRuleCases } from "../helpers/rule-cases.ts";
import { context, createTestEngine, ruleOf } from "./engine-fixtures.ts";

const definition = {
  id: "custom-greeting",
  name: "Greeting",
  description: "Says hi.",
  explanation: "The agent greets.",
  category: "custom",
  severity: "warning",
  law: { citation: "None", asOf: "2026-11-21", status: "guidance" },
  recommendation: "Say nothing.",
  impact: { customer: "none", business: "none" },
  phrases: { hi: { match: ["hi"] } },
} as const;

const digest = (text: string | Buffer): string => createHash("sha256").update(text).digest("hex");

it("a finding of a built-in rule names the rule's version, and the pack with its digest", () => {
  // As `sha256sum` prints them, in the order of their paths.
  const { pack, rules, words } = readPackFiles();
  const lines = [pack, ...rules, ...words]
    .map(({ path }) => path)
    .toSorted()
    .map((path) => `${digest(readFileSync(path))}  ${path}\n`);
  const casesOf = readRuleCases();
  const { engine } = createTestEngine({ rules: builtInRules, secondLook: null });
  for (const { id, version } of builtInRules) {
    const testCase = casesOf[id]?.violating.find(({ history }) => !history);
    const { violations } = engine.evaluate({ ...context, ...testCase, sessionId: id });
    const finding = violations.find(({ rule }) => rule === id);
    expect(finding?.context, id).toMatchObject({
      ruleVersion: version,
      packId: "agent-monitor",
      packVersion: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string,
      packSha256: digest(lines.join("")),
    });
  }
});

it("a finding that the second look confirmed names its model, with the digest of its files", () => {
  const files = ["model.bin", "model.json"].map((name) => `src/compliance/learned/${name}`);
  const lines = files.map((path) => `${digest(readFileSync(path))}  ${path}\n`);
  const model = {
    secondLookVersion: builtInModelFacts().version,
    secondLookSha256: digest(lines.join("")),
  };
  const { engine } = createTestEngine({ rules: builtInRules });
  const of = (agentResponse: string) =>
    engine.evaluate({ ...context, userMessage: "Hello.", agentResponse }).violations[0]?.context;
  const confirmed = of("It is simple. Don't bother applying, we don't lend to people on welfare.");
  expect(confirmed).toMatchObject({ packId: "agent-monitor", ...model });
  expect(of("Your card is 4539 5787 6362 1486.")).not.toHaveProperty("secondLookVersion");
});

it.each([
  ["of defineRule", defineRule({ ...definition, version: "2.0.1" })],
  ["that is a plain object", { ...ruleOf("custom-plain", [{}]), version: "2.0.1" }],
])("a finding of a rule %s names its version, and no pack", (_title, rule) => {
  const { engine } = createTestEngine();
  engine.addRule(rule);
  const { violations } = engine.evaluate(context);
  expect(violations).toHaveLength(1);
  expect(violations[0]?.context).toMatchObject({ ruleVersion: "2.0.1" });
  expect(violations[0]?.context).not.toHaveProperty("packId");
});

it("a finding of a rule without a version names none", () => {
  const { engine } = createTestEngine();
  engine.addRule(defineRule(definition));
  expect(engine.evaluate(context).violations[0]?.context).not.toHaveProperty("ruleVersion");
});
