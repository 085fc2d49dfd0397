import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { PackError } from "../../../src/compliance/packs/pack-error.ts";
import { readRulePackFile } from "../../../src/compliance/packs/read-rule-pack.ts";
import { POLICY, POLICY_PATH, problemsOf, read } from "./policy-fixture.ts";

const directory = mkdtempSync(join(tmpdir(), "agent-monitor-policy-"));
afterAll(() => rmSync(directory, { recursive: true }));

/** Gives the policy with one text of it replaced. */
function having(from: string, to: string): string {
  expect(POLICY).toContain(from);
  return POLICY.replace(from, to);
}

/** Gives the place, as problems name it, of the first line that holds a text. */
function placeOf(text: string, part: string): string {
  const before = text.slice(0, text.indexOf(part)).split("\n");
  return `policy.yaml:${before.length}:${(before.at(-1) ?? "").length + 1}`;
}

describe("a pack in one file", () => {
  it("is read with rules, words and overrides, and the digest that sha256sum prints", () => {
    const { id, version, sha256, rules, overrides } = readRulePackFile(POLICY_PATH);
    expect({ id, version }).toEqual({ id: "example-bank", version: "1.0.0" });
    expect(sha256).toBe(createHash("sha256").update(POLICY).digest("hex"));
    expect(rules.map(({ facts }) => facts.id)).toEqual(["bank-fee-waiver"]);
    expect(rules[0]?.phrases["promise"]?.unless).toEqual(["pass~ ..3 on", "colleague~"]);
    expect(overrides["consumer-protection-escalation"]).toEqual({ active: false });
  });

  it.each([
    [
      "an unknown member",
      "    impact:",
      "    colour: red\n    impact:",
      "colour",
      /is no known member/,
    ],
    ["a wrong type", "threshold: 0.7", "threshold: high", "high", /threshold: .*number/],
    ["a check", "    impact:", "    check: iban\n    impact:", "check: iban", /is no known member/],
    [
      "an unknown rule",
      "consumer-protection-fees:",
      "consumer-protection-fee:",
      "consumer-protection-fee:",
      /did you mean "consumer-protection-fees"/,
    ],
    ["an unknown pattern", "tool-fee:", "tool-fees:", "tool-fees:", /did you mean "tool-fee"/],
    [
      "a built-in id",
      "id: bank-fee-waiver",
      "id: privacy-iban",
      "privacy-iban",
      /is a built-in rule/,
    ],
    ["an unknown name", "{waive} ..4", "{waiver} ..4", "(i|we)", /\{waiver\} is not known/],
    ["a phrase that doesn't parse", "{waive} ..4 fee~", "{waive} ..4 (fee~", "(i|we)", /\(/],
    [
      "a name of the built-in words",
      "  waive: |",
      "  offer: |\n    lend~\n  waive: |",
      "offer: |",
      /words.offer: the name stands in the built-in words already/,
    ],
    [
      "a list that contains itself",
      "        colleague~",
      "        @passedOn",
      "passedOn: |",
      /contains itself/,
    ],
    [
      "an alias",
      "notes: Read by nobody but its author.",
      "notes: &a x\n  more: *a",
      "*a",
      /expected no alias/,
    ],
    [
      "an unknown pattern of a rule at which no model looks",
      "escalation:\n    active: false",
      "escalation:\n    active: false\n  privacy-iban:\n    patterns:\n      learned: { active: false }",
      "learned:",
      /privacy-iban.patterns.learned: the rule has no pattern of this name/,
    ],
    [
      "a violation that a model alone would say",
      "escalation:\n    active: false",
      "escalation:\n    patterns:\n      learned:\n        severity: violation",
      "severity: violation",
      /is a warning at most/,
    ],
    [
      "a second look at what digits prove",
      "escalation:\n    active: false",
      "escalation:\n    active: false\n  privacy-iban:\n    secondLook: { active: false }",
      "secondLook:",
      /the second look doesn't judge this rule/,
    ],
    [
      "a second look that is neither on nor off",
      "overrides:",
      "secondLook:\n  active: never\noverrides:",
      "never",
      /secondLook.active: .*boolean/,
    ],
    [
      "an empty override",
      "escalation:\n    active: false",
      "escalation: {}",
      "{}",
      /expected at least one member/,
    ],
  ])("is refused for %s, with its place", (_title, from, to, at, message) => {
    const text = having(from, to);
    const problems = problemsOf(text);
    expect(problems.join("\n")).toMatch(message);
    expect(problems.some((line) => line.startsWith(`${placeOf(text, at)}:`))).toBe(true);
  });

  it("is refused for a pattern by the name of what the second look finds", () => {
    const text = POLICY.replaceAll("promise", "learned");
    expect(problemsOf(text).join("\n")).toMatch(
      /patterns.learned: is the name of what the second look finds by itself/,
    );
  });

  it("may be one switch alone", () => {
    const text = "pack: { id: own, version: 1.0.0, title: Own }\nsecondLook: { active: false }\n";
    expect(read(text)).toMatchObject({ secondLook: { active: false }, rules: [], overrides: {} });
  });

  it("is refused for an id that stands twice", () => {
    const [before = "", rule = ""] = POLICY.split("  - id: bank-fee-waiver");
    const [own = "", overrides = ""] = rule.split("# Built-in rules");
    const twice = `${before}  - id: bank-fee-waiver${own}  - id: bank-fee-waiver${own}# ${overrides}`;
    expect(problemsOf(twice).join("\n")).toMatch(/id: "bank-fee-waiver" is the id of the rule/);
  });

  it("lists what is wrong with form, names, phrases and changes at once", () => {
    const text = having("threshold: 0.7", "threshold: high")
      .replace("version: 1.0.0\n  title", "version: one\n  title")
      .replace("severity: warning", "severity: bad\n    colour: red")
      .replace("{waive} ..4 fee~", "{waiver} ..4 fee~\n          (fee")
      .replace("        colleague~", "        colleague~\n        ..99 on")
      .replace("tool-fee:", "tool-fees:")
      .replace("escalation:\n    active: false", "escalatio:\n    active: 7");
    const at = (part: string, message: string): string => `${placeOf(text, part)}: ${message}`;
    expect(problemsOf(text)).toEqual([
      expect.stringContaining(at("one\n", "pack.version:")),
      expect.stringContaining(at("bad", "rules.0.severity:")),
      expect.stringContaining(at("colour", "rules.0.colour: is no known member")),
      expect.stringContaining(at("(i|we)", "{waiver} is not known")),
      expect.stringContaining(at("(fee", 'expected ")"')),
      expect.stringContaining(at("..99", "expected a gap of 1 to 24 words")),
      expect.stringContaining(at("high", "overrides.consumer-protection-fees.threshold:")),
      expect.stringContaining(at("tool-fees", "overrides.consumer-protection-fees.patterns")),
      expect.stringContaining(at("consumer-protection-escalatio:", "overrides.")),
      expect.stringContaining(at("7\n", "overrides.consumer-protection-escalatio.active:")),
    ]);
  });

  it("lists all problems at once", () => {
    const text = having("threshold: 0.7", "threshold: 7")
      .replace("1.0.0", "one")
      .replace("severity: warning", "severity: bad");
    expect(problemsOf(text)).toHaveLength(3);
  });

  it("is refused when lists that name lists explode", () => {
    const lists = Array.from({ length: 30 }, (_, index) => {
      const inner = index === 29 ? "colleague~" : `@l${index + 1}`;
      return `      l${index}: |\n        ${inner}\n        ${inner}`;
    });
    const text = having("    phrases:\n", `    phrases:\n${lists.join("\n")}\n`).replace(
      "          @passedOn",
      "          @passedOn\n          @l0",
    );
    expect(problemsOf(text).join("\n")).toMatch(/expected at most 5000 phrases, lists included/);
  });

  it("is refused without reading on when the file is huge, is none, or holds no text", () => {
    const path = join(directory, "large.yaml");
    writeFileSync(path, "");
    truncateSync(path, 100 * 1024 * 1024);
    expect(() => readRulePackFile(path)).toThrow(/large\.yaml:1:1: expected at most 4194304 bytes/);
    expect(() => readRulePackFile(join(directory, "none.yaml"))).toThrow(
      /can't be read \(ENOENT\)/,
    );
    expect(() => readRulePackFile(directory)).toThrow(PackError);
    writeFileSync(path, Buffer.from([0xff, 0xfe, 0x00]));
    expect(() => readRulePackFile(path)).toThrow(/expected UTF-8/);
    expect(problemsOf(`x: ${"y".repeat(2 ** 20)}`).join()).toMatch(
      /expected at most 1048576 characters/,
    );
  });

  it("is refused when it holds nothing", () => {
    expect(problemsOf("pack: { id: a, version: 1.0.0, title: A }").join()).toMatch(
      /expected rules or overrides/,
    );
    expect(problemsOf("").length).toBeGreaterThan(0);
    expect(problemsOf("[]").length).toBeGreaterThan(0);
    expect(() => read(POLICY)).not.toThrow();
  });
});
