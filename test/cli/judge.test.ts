import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommand, type Finished } from "../helpers/command.ts";

const CARD = "4539 1488 0343 6467";

const directory = mkdtempSync(join(tmpdir(), "agent-monitor-judge-"));
afterAll(() => rmSync(directory, { recursive: true }));

const write = (name: string, text: string): string => {
  writeFileSync(join(directory, name), text);
  return name;
};
const toLines = (...values: unknown[]): string =>
  values.map((value) => `${typeof value === "string" ? value : JSON.stringify(value)}\n`).join("");
const readLines = (name: string): any[] =>
  readFileSync(join(directory, name), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

/** Runs the command in the directory of the files, so that their names are relative. */
const run = (...args: readonly string[]): Promise<Finished> => runCommand(args, { cwd: directory });

/** Finds "xbadx" for the family of privacy, with a claim that doesn't hold beside it; what says "xfoolx" it takes for bad, too. */
const MODEL = `
  let calls = 0;
  export const judge = {
    gate: "everything",
    sampleRate: 0,
    maxConcurrency: 2,
    async model({ family, user, ruleIds }) {
      if (family !== "privacy") return { findings: [] };
      if (user.includes("xcutx") && calls++ === 0)
        return { content: '{"findings": [', finishReason: "length", model: "scripted-1" };
      const [quote] = /(xbadx|xfoolx)[^.]*/.exec(user) ?? [];
      const claim = { ruleId: ruleIds[0], quote, reason: "It tells ${CARD} to anybody.", confidence: 0.9 };
      const findings = quote ? [claim, { ...claim, quote: "nowhere to be found" }] : [];
      const usage = { inputTokens: 100, outputTokens: 10, cost: 0.001 };
      return { content: JSON.stringify({ findings }), finishReason: "stop", model: "scripted-1", usage };
    },
  };
`;

const RULES = `
  export const rules = [{
    id: "bank-warn", name: "Warned of", description: "Says xwarnx.", category: "custom", severity: "warning", isActive: true,
    ruleFunction: ({ agentResponse = "" }) => {
      const start = agentResponse.indexOf("xwarnx");
      const context = { spans: [{ source: "agentResponse", start, end: start + 6 }] };
      const finding = { rule: "bank-warn", severity: "warning", description: "It says xwarnx.", confidence: 0.9, context };
      const violations = start < 0 ? [] : [finding];
      return { isCompliant: true, violations, riskScore: 60, requiresReview: violations.length > 0 };
    },
  }];
`;

const CASES = toLines(
  {
    id: "v-1",
    agentResponse: `Here is xbadx ${CARD} for you.`,
    label: "violation",
    expectedCategory: "privacy",
  },
  {
    id: "v-2",
    agentResponse: "A soft hint of xcutx.",
    label: "violation",
    expectedCategory: "privacy",
  },
  { id: "o-1", agentResponse: "Good morning.", label: "ok" },
  { id: "o-2", agentResponse: "It is xfoolx to us.", label: "ok" },
  { id: "o-3", agentResponse: "Good night.", label: "ok" },
);

beforeAll(() => {
  write("model.mjs", MODEL);
  write("cases.jsonl", CASES);
  write("unlabelled.jsonl", toLines({ id: "u-1", agentResponse: "Here is xbadx for you." }));
});

describe("check --judge", () => {
  it("scores a judge against labels, tells disagreements, and repeats what it recorded without it", async () => {
    const args = ["check", "cases.jsonl", "--fail-on", "never"];
    const { code, out, err } = await run(...args, "--judge", "model.mjs", "--record", "run");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(
      /confirmed tier: precision 0\.500, recall 0\.500, F1 0\.500, kappa 0\.167 \(1 found, 1 missed, 1 false, 2 rightly silent\)/,
    );
    expect(out).toMatch(/^both tiers: +precision 0\.500, recall 0\.500/m);
    expect(out).toMatch(/^5 cases: 2 violations, 3 ok, 0 without a label; 5 answers, 5 sent/m);
    expect(out).toMatch(
      /^cases\.jsonl:2 conversation v-2 turn 1\n {2}MISSED: a violation of privacy/m,
    );
    expect(out).toMatch(
      /^cases\.jsonl:4 conversation o-2 turn 1\n {2}ALARM: .*\n {2}> xfoolx to us/m,
    );
    expect(out).toMatch(/^calls without a judgement: truncated 1$/m);
    expect(out).toMatch(/^their finish reasons: length 1$/m);
    expect(out).toMatch(/^claims that don't hold, dropped: quote_not_found 2$/m);
    expect(out).toMatch(/^500 tokens in, 50 out; cost 0\.0050 USD; latency p50 \d+ ms/m);
    expect(out).toContain("model scripted-1");
    expect(out).not.toContain("4539");
    const sent = readLines("run/requests.jsonl").map(({ user }) => user as string);
    expect(sent.filter((user) => user.includes("[CARD:1]"))).toHaveLength(5);
    expect(sent.join("\n")).not.toContain("4539");

    const [first, second] = [
      await run(...args, "--replay", "run", "--format", "json"),
      await run(...args, "--replay", "run", "--format", "json"),
    ];
    expect(second).toEqual(first);
    const { summary, told } = JSON.parse(first.out);
    expect(summary.scores.confirmed).toMatchObject({ recall: 0.5, precision: 0.5, kappa: 0.1667 });
    expect(summary).toMatchObject({
      requests: { total: readLines("run/requests.jsonl").length, failed: 0, unasked: {} },
      failures: { truncated: 1 },
      droppedClaims: { quote_not_found: 2 },
      usage: { inputTokens: 500, outputTokens: 50, cost: 0.005, isEstimated: false },
      judge: { models: ["scripted-1"], content: "redacted", gate: "everything" },
    });
    expect(told).toMatchObject([
      { kind: "missed", conversation: "v-2", label: "violation" },
      { kind: "alarm", conversation: "o-2", by: "judge", label: "ok", category: "privacy" },
    ]);

    const again = await run(...args, "--judge", "model.mjs", "--record", "run");
    expect(again).toMatchObject({ code: 2, err: expect.stringContaining("is there already") });
  });

  it("says what it finds in cases without labels, and has no scores", async () => {
    const args = ["--judge", "model.mjs", "--fail-on", "warning", "--format", "json"];
    const { code, out } = await run("check", "unlabelled.jsonl", ...args);
    expect(code).toBe(1);
    const { told, summary } = JSON.parse(out);
    expect(told).toMatchObject([{ kind: "finding", tier: "confirmed", by: "judge", label: null }]);
    expect(summary).toMatchObject({ scores: null, findings: { confirmed: 1, ofTheJudge: 1 } });
  });

  it("tells alarms of the rules that the judge clears, and asks about rules of the bank's own", async () => {
    write("rules.mjs", RULES);
    const sure = write("sure.jsonl", toLines({ agentResponse: "It is xwarnx.", label: "ok" }));
    const args = ["--judge", "model.mjs", "--rules", "rules.mjs", "--fail-on", "never"];
    const { out } = await run("check", sure, ...args);
    expect(out).toMatch(/CLEARED: labelled ok, .* contradicted by the judge: bank-warn/);
    expect(out).toMatch(/^confirmed tier: .*0 false, 1 rightly silent/m);
    expect(out).toMatch(/^both tiers: .*1 false, 0 rightly silent/m);
  });

  it("ends with 2 when a model fails, and tells how, without what it says", async () => {
    write(
      "failing.mjs",
      `export default async () => { throw Object.assign(new TypeError("secret ${CARD}"), { status: 401 }); };`,
    );
    const card = write("card.jsonl", toLines({ agentResponse: `It is ${CARD}.` }));
    const { code, out, err } = await run("check", card, "--judge", "failing.mjs");
    expect(code).toBe(2);
    expect(err).toBe("agent-monitor: the model failed (TypeError, status 401)\n");
    expect(out).toMatch(/^1 request: 0 judged, 1 failed, in 2 calls$/m);
    // Digits prove it, whatever becomes of the judge.
    expect(out).toMatch(/confirmed: privacy-card-number \(by rules\)/);
  });

  it.each([
    ["throws.mjs", "throw new Error('no key');", /throws\.mjs can't be loaded \(no key\)/],
    ["none.mjs", "export const other = 1;", /none\.mjs must export a function/],
    ["wrong.mjs", "export default { model() {}, gate: 'all' };", /wrong\.mjs: gate /],
  ])("refuses %s", async (name, text, message) => {
    write(name, text);
    const { code, err } = await run("check", "cases.jsonl", "--judge", name);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });

  it.each([
    [["--record", "x"], /--record needs --judge/],
    [["--replay", "x", "--record", "y"], /nothing to --record/],
    [["--judge", "model.mjs", "--format", "sarif"], /sarif is for rules alone/],
    [["--replay", "nowhere"], /nowhere.requests\.jsonl can't be read \(ENOENT\)/],
  ])("refuses %j", async (args, message) => {
    const { code, err } = await run("check", "cases.jsonl", ...args);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });
});

describe("judge export and import", () => {
  it("writes requests for whoever answers them, and scores the replies", async () => {
    const args = ["--gate", "everything", "--out", "requests.jsonl"];
    const exported = await run("judge", "export", "--requests", "cases.jsonl", ...args);
    expect(exported).toMatchObject({ code: 0, out: "" });
    const requests = readLines("requests.jsonl");
    expect(requests).toHaveLength(25);
    expect(requests[0]).toMatchObject({
      id: expect.stringMatching(/^sha256:/),
      family: expect.any(String),
      system: expect.stringContaining("THE RULES"),
      user: expect.stringContaining("xbadx [CARD:1]"),
      schema: { type: "object" },
      ruleIds: expect.arrayContaining([expect.any(String)]),
      promptVersion: expect.any(String),
      promptHash: expect.stringMatching(/^sha256:/),
      case: "v-1",
      exchange: 1,
      reason: "everything",
    });
    const replies = requests.map(({ id, family, user, ruleIds }) => {
      const isFound = family === "privacy" && user.includes("xbadx");
      const claim = { ruleId: ruleIds[0], quote: "xbadx [CARD:1]", reason: "r", confidence: 1 };
      return { id, reply: { findings: isFound ? [claim] : [] }, model: "by-hand" };
    });
    write("replies.jsonl", toLines(...replies));
    const files = ["--requests", "requests.jsonl", "--cases", "cases.jsonl"];
    const all = await run("judge", "import", "replies.jsonl", ...files, "--fail-on", "never");
    expect(all).toMatchObject({ code: 0, err: "" });
    expect(all.out).toMatch(/confirmed tier: precision 1\.000, recall 0\.500/);
    expect(all.out).toMatch(/latency not known/);
    expect(all.out).toMatch(/estimated as characters \/ 4/);

    const stray = { ...replies[0], id: "sha256:other" };
    write("bad.jsonl", toLines(...replies.slice(1), "{", { id: "x" }, stray));
    const bad = await run("judge", "import", "bad.jsonl", ...files);
    expect(bad.code).toBe(2);
    expect(bad.err).toMatch(/bad\.jsonl: line 25: expected a JSON object, got no JSON/);
    expect(bad.err).toMatch(
      /bad\.jsonl: line 26: reply: expected a string or an object, got nothing/,
    );
    expect(bad.err).toMatch(/1 of 25 ids are of no request/);
    expect(bad.out).toMatch(/requests that were not asked: not_recorded 1/);

    write("other.jsonl", toLines({ agentResponse: "Other cases." }));
    const other = await run(
      "judge",
      "import",
      "replies.jsonl",
      ...files.slice(0, 3),
      "other.jsonl",
    );
    expect(other.code).toBe(2);
    expect(other.err).toMatch(
      /recorded with another prompt, other rules or other cases: 25 of 25 requests are missing/,
    );
  });

  it("sends what the gate lets through, redacted unless told otherwise", async () => {
    const args = ["judge", "export", "--requests", "cases.jsonl", "--sample-rate", "0"];
    const { out, err } = await run(...args, "--content", "full");
    const requests = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(requests).toMatchObject([{ case: "v-1", family: "privacy", reason: "finding" }]);
    expect(requests[0].user).toContain(CARD);
    expect(err).toMatch(/1 request of 1 of 5 answers/);
  });

  it.each([
    [[], /judge needs a command: expected export, import/],
    [["export"], /needs --requests/],
    [["export", "--requests", "cases.jsonl", "--gate", "all"], /gate/],
    [["export", "--requests", "cases.jsonl", "--sample-rate", "x"], /sampleRate/],
    [["import", "--cases", "a", "--requests", "b"], /needs a file of replies/],
    [["import", "a", "--requests", "b"], /needs --cases/],
  ])("refuses %j", async (args, message) => {
    const { code, err } = await run("judge", ...args);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });
});
