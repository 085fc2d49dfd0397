import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startPlatform } from "../../src/platform/index.ts";
import { runCommand, type Finished } from "../helpers/command.ts";
import { createBatch, createEvent, postBatch } from "../platform/helpers.ts";

const CARD = "4539 1488 0343 6467";

const directory = mkdtempSync(join(tmpdir(), "agent-monitor-check-"));
afterAll(() => rmSync(directory, { recursive: true }));

const write = (name: string, text: string): string => {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
};
const toLines = (...values: unknown[]): string =>
  values.map((value) => `${typeof value === "string" ? value : JSON.stringify(value)}\n`).join("");

/** Runs `agent-monitor check` in the directory of the files, so that their names are relative. */
const check = (args: readonly string[], input: string | Buffer = ""): Promise<Finished> =>
  runCommand(["check", ...args], { cwd: directory, input });

// Severity by the word that is found: the tests don't depend on what the built-in rules find in words.
const RULES = `
  const rule = (id, severity, word) => ({
    id, name: id, description: "Says " + word + ".", category: "custom", severity, isActive: true,
    ruleFunction: ({ agentResponse = "", userMessage = "" }) => {
      const source = agentResponse.includes(word) ? "agentResponse" : "userMessage";
      const start = { agentResponse, userMessage }[source].indexOf(word);
      const violations = start < 0 ? [] : [{
        rule: id, severity, description: "It says " + word + ".", confidence: 0.5,
        context: { detectedContent: word, detectedPattern: id + "/word", regulatoryImpact: "12 CFR 1",
          spans: [{ source, start, end: start + word.length }] },
      }];
      return { isCompliant: true, violations, riskScore: 0, requiresReview: false };
    },
  });
  export const rules = [rule("bank-note", "info", "xnotex"), rule("bank-warn", "warning", "xwarnx")];
`;

beforeAll(() => {
  write("rules.mjs", RULES);
  write("card.jsonl", toLines({ id: "c-1", agentResponse: `It's ${CARD}.` }));
  write("clean.jsonl", toLines({ agentResponse: "Good morning." }));
  write("warn.jsonl", toLines({ userMessage: "xwarnx", agentResponse: "Hello." }));
});

describe("agent-monitor check", () => {
  it("prints findings with place, rule, masked excerpt, explanation and law, and a summary", async () => {
    const { code, out, err } = await check(["card.jsonl"]);
    expect({ code, err }).toEqual({ code: 1, err: "" });
    expect(out).toMatch(/^card\.jsonl:1 conversation c-1 turn 1$/m);
    expect(out).toMatch(/^ {2}violation privacy-card-number\/\S+ \(privacy, confidence [\d.]+\)$/m);
    expect(out).toMatch(/^ {2}> It's \*{4} \*{4} \*{4} 6467\.$/m);
    expect(out).toMatch(/^ {2}Do: Show the last four/m);
    expect(out).toMatch(/^ {2}Law: PCI DSS/m);
    expect(out).toMatch(/^privacy +1 +0 +0$/m);
    expect(out).toMatch(/^1 conversation, 1 answer, 1 evaluated: 1 violation, 0 warnings, 0 info/m);
    expect(out).not.toContain("4539");
  });

  it("reads the standard input, with a byte order mark, CRLF and empty lines", async () => {
    const input = `\ufeff${toLines({ agentResponse: "Hi" }, "", { agentResponse: CARD })}`;
    const { code, out } = await check(["-", "--format", "json"], input.replaceAll("\n", "\r\n"));
    const { findings, summary } = JSON.parse(out);
    expect(findings).toMatchObject([{ file: "stdin", line: 3, conversation: null, turn: 1 }]);
    expect(summary).toMatchObject({ conversations: 2, answers: 2, evaluated: 2, errors: 0 });
    expect(code).toBe(1);
  });

  it("reports what can't be read by line, evaluates the rest, and ends with 2", async () => {
    const bytes = Buffer.concat([
      Buffer.from(toLines("hunter2", { agentResponse: CARD }, { turns: [{ role: "hunter2" }] })),
      Buffer.from([0xff, 0x0a]),
      Buffer.alloc(16 * 1024 * 1024 + 1, "x"),
    ]);
    const { code, out, err } = await check(["-", "--format", "json"], bytes);
    expect(code).toBe(2);
    expect(err.trimEnd().split("\n")).toEqual([
      "agent-monitor: stdin: line 1: expected a JSON object, got no JSON",
      "agent-monitor: stdin: line 3: turns[0].role: expected user, agent, assistant, tool or system, got another string",
      "agent-monitor: stdin: line 4: expected JSON in UTF-8, got other bytes",
      "agent-monitor: stdin: line 5: expected at most 16777216 bytes, got more",
    ]);
    expect(JSON.parse(out)).toMatchObject({
      findings: [{ line: 2, rule: "privacy-card-number" }],
      summary: { errors: 4, findings: 1, bySeverity: { violation: 1 } },
    });
  });

  it.each([
    [["clean.jsonl"], 0],
    [["warn.jsonl", "--rules", "rules.mjs"], 0],
    [["warn.jsonl", "--rules", "rules.mjs", "--fail-on", "warning"], 1],
    [["warn.jsonl", "--rules", "rules.mjs", "--risk-threshold", "60"], 1],
    [["warn.jsonl", "--rules", "rules.mjs", "--risk-threshold", "61"], 0],
    [["card.jsonl", "--fail-on", "never"], 0],
    [["none.jsonl"], 2],
  ])("ends by severity and risk: %j with %i", async (args, code) => {
    expect(await check(args)).toMatchObject({ code });
  });

  it.each([
    [[], /check needs one file/],
    [["a", "b"], /check needs one file/],
    [["a", "--format", "xml"], /--format must be text, json, sarif \(got xml\)/],
    [["a", "--fail-on", "error"], /--fail-on must be violation, warning, info, never/],
    [["a", "--risk-threshold", "101"], /--risk-threshold must be 0 to 100 \(got 101\)/],
    [["a", "--rules", "none.mjs"], /--rules: none\.mjs can't be loaded/],
    [
      ["a", "--rules", "malformed.mjs"],
      /--rules: malformed\.mjs: compliance rule: id .*; severity .*/,
    ],
    [["a", "--rules", "empty.mjs"], /must export an array of rules, by default or as "rules"/],
    [["a", "--settings", "settings.json"], /settings\.json has unknown members: bsa_aml_check\b/],
  ])("ends with 2 and says what is wrong: %j", async (args, message) => {
    write("malformed.mjs", "export default [{ name: 'x', category: 'custom' }];");
    write("empty.mjs", "export const rule = 1;");
    write("settings.json", '{"bsa_aml_check":false}');
    const { code, err } = await check(args);
    expect(err).toMatch(message);
    expect(code).toBe(2);
  });

  it("takes settings for every line, and those of a line", async () => {
    write("custom.json", '{"custom_rules":["bank-warn"],"risk_threshold":90}');
    const input = toLines(
      { agentResponse: "xwarnx xnotex" },
      { agentResponse: "xwarnx xnotex", context: { complianceSettings: { custom_rules: [] } } },
    );
    const run = async (...args: string[]): Promise<string[]> => {
      const { out } = await check(
        ["-", "--format", "json", "--rules", "rules.mjs", ...args],
        input,
      );
      return JSON.parse(out).findings.map(
        ({ line, rule }: { line: number; rule: string }) => `${line} ${rule}`,
      );
    };
    expect(await run()).toEqual(["1 bank-note", "1 bank-warn"]);
    expect(await run("--settings", "custom.json")).toEqual(["1 bank-warn", "2 bank-warn"]);
  });

  it("ends with 2 when a rule fails, and tells it once, without content", async () => {
    write(
      "broken.mjs",
      `export default [{ id: "bank-broken", name: "b", description: "", category: "custom", severity: "info",
        isActive: true, ruleFunction: ({ agentResponse }) => { throw new Error(agentResponse); } }];`,
    );
    const input = toLines({ agentResponse: "hunter2" }, { agentResponse: "hunter2" });
    const { code, out, err } = await check(["-", "--rules", "broken.mjs"], input);
    expect(code).toBe(2);
    expect(err).toBe('agent-monitor: compliance rule "bank-broken" failed: Error\n');
    expect(out).toContain("rules that failed: bank-broken (2)");
    expect(out).not.toContain("hunter2");
  });

  it("waits for rules that answer later, and tells which did not", async () => {
    write(
      "late.mjs",
      `const rule = (id, ruleFunction) =>
        ({ id, name: id, description: "", category: "custom", severity: "warning", isActive: true, ruleFunction });
      const violations = [{ rule: "bank-late", severity: "warning", description: "Late." }];
      export default [
        rule("bank-late", async () => ({ isCompliant: true, violations, riskScore: 0, requiresReview: false })),
        rule("bank-lost", () => new Promise(() => undefined)),
      ];`,
    );
    const input = toLines({ agentResponse: "Hi" });
    const { code, out } = await check(["-", "--format", "json", "--rules", "late.mjs"], input);
    expect(JSON.parse(out)).toMatchObject({
      findings: [{ rule: "bank-late" }],
      summary: { ruleErrors: { "bank-lost": 1 }, requiresReview: 1, maxRiskScore: 70 },
    });
    expect(code).toBe(2);
  });

  it("evaluates what the platform exports, by session", async () => {
    const platform = await startPlatform({ port: 0 });
    try {
      const content = `Charge ${CARD}`;
      const event = createEvent("user_message", { content, contentLength: content.length });
      expect((await postBatch(platform, createBatch([event]))).status).toBe(202);
      const exported = await fetch(`${platform.url}/api/batches/export`);
      const { code, out } = await check(["-", "--format", "json"], await exported.text());
      expect(JSON.parse(out)).toMatchObject({
        findings: [
          { line: 1, rule: "privacy-card-number", severity: "warning", source: "userMessage" },
        ],
        summary: { conversations: 1, errors: 0 },
      });
      expect(code).toBe(0);
    } finally {
      await platform.close();
    }
  });

  it("writes SARIF 2.1.0", async () => {
    const input = toLines(
      {
        id: "c-1",
        turns: [
          { role: "user", content: "xnotex" },
          { role: "agent", content: `xwarnx ${CARD}` },
        ],
      },
      "no json",
    );
    const args = ["--format", "sarif", "--rules", "rules.mjs"];
    write("sarif file.jsonl", input);
    const { out, code } = await check(["sarif file.jsonl", ...args]);
    expect(code).toBe(2);
    const log = JSON.parse(out);
    expect(log).toMatchObject({
      $schema: expect.stringMatching(/sarif-2\.1\.0\.json$/),
      version: "2.1.0",
    });
    expect(log.runs).toHaveLength(1);
    const [run] = log.runs;
    const { driver } = run.tool;
    expect(driver).toMatchObject({ name: "agent-monitor", version: expect.any(String) });
    expect(new Set(driver.rules.map(({ id }: { id: string }) => id)).size).toBe(
      driver.rules.length,
    );
    for (const rule of driver.rules) {
      expect(rule).toMatchObject({
        id: expect.stringMatching(/\S/),
        shortDescription: { text: expect.stringMatching(/\S/) },
        fullDescription: { text: expect.stringMatching(/\S/) },
        help: { text: expect.stringMatching(/\S/), markdown: expect.stringMatching(/\S/) },
        defaultConfiguration: { level: expect.stringMatching(/^(none|note|warning|error)$/) },
        properties: { tags: expect.arrayContaining(["compliance"]) },
      });
    }
    const card = driver.rules.find(({ id }: { id: string }) => id === "privacy-card-number");
    expect(card.help.text).toMatch(/Law: PCI DSS .* as of \d{4}-\d\d-\d\d\)/);
    expect(run.results).toHaveLength(3);
    const levels: Record<string, string> = {};
    for (const result of run.results) {
      levels[result.ruleId] = result.level;
      expect(driver.rules[result.ruleIndex].id).toBe(result.ruleId);
      expect(result.message.text).toMatch(/\S/);
      expect(result.locations).toEqual([
        {
          physicalLocation: {
            artifactLocation: { uri: "sarif%20file.jsonl" },
            region: { startLine: 1 },
          },
          logicalLocations: [{ fullyQualifiedName: expect.stringMatching(/^c-1\/turn [12]$/) }],
        },
      ]);
      expect(result.partialFingerprints).toEqual({
        "agentMonitorFinding/v1": expect.stringMatching(/^[0-9a-f]{32}$/),
      });
    }
    expect(levels).toMatchObject({
      "bank-note": "note",
      "bank-warn": "warning",
      "privacy-card-number": "error",
    });
    expect(run.invocations).toEqual([
      {
        executionSuccessful: false,
        toolExecutionNotifications: [
          {
            level: "error",
            message: { text: expect.stringContaining("line 2: expected a JSON object") },
          },
        ],
      },
    ]);
    expect(out).not.toContain("4539");

    const fingerprints = (text: string): unknown[] =>
      JSON.parse(text).runs[0].results.map((result: any) => result.partialFingerprints);
    const moved = await check(["-", ...args], toLines({ agentResponse: "Hi" }) + input);
    expect(fingerprints(moved.out)).toEqual(fingerprints(out));
  });
});

describe("packs", () => {
  const policy = join(import.meta.dirname, "../../examples/policy/policy.yaml");

  it("run beside rules of modules, and change the built-in ones", async () => {
    const file = write(
      "packs.jsonl",
      toLines({ agentResponse: "I have waived the overdraft fee for you." }),
    );
    const { code, out } = await check([file, "--rules", policy, "--format", "json"]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      findings: [{ rule: "bank-fee-waiver", severity: "warning" }],
    });
  });

  it("are refused with the problems of all of them", async () => {
    const file = write("none.jsonl", toLines({ agentResponse: "Hello." }));
    const bad = write("bad.yaml", "pack: { id: bad, version: one, title: Bad }\nrules: no\n");
    const { code, err } = await check([file, "--rules", bad, "--rules", "missing.yml"]);
    expect(code).toBe(2);
    expect(err).toMatch(/bad\.yaml:1:27: pack\.version/);
    expect(err).toMatch(/bad\.yaml:2:8: rules/);
    expect(err).toMatch(/missing\.yml:1:1: can't be read \(ENOENT\)/);
  });
});
