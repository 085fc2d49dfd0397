import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { runCommand, type Finished } from "../helpers/command.ts";
import { AUTHORS } from "../accuracy/authors/places.ts";

const POLICY = join(import.meta.dirname, "../../examples/policy/policy.yaml");

const directory = mkdtempSync(join(tmpdir(), "agent-monitor-policy-"));
afterAll(() => rmSync(directory, { recursive: true }));

function write(name: string, text: string): string {
  writeFileSync(join(directory, name), text);
  return name;
}

/** Violations of an author, of whom the second look finds most by itself. */
function readFixture(): string {
  const folder = AUTHORS;
  const lines = gunzipSync(readFileSync(join(folder, "a01.jsonl.gz")))
    .toString()
    .split("\n");
  return lines
    .filter((line) => line.includes('"label":"violation"'))
    .slice(0, 60)
    .join("\n");
}

const cli = (args: readonly string[], input = ""): Promise<Finished> =>
  runCommand(args, { cwd: directory, input });

const policy = (args: readonly string[], input = ""): Promise<Finished> =>
  cli(["policy", ...args], input);

const CARD = "4539 1488 0343 6467";
const TRANSCRIPTS = [
  { agentResponse: `I have waived the overdraft fee for you, card ${CARD}.` },
  {
    userMessage: "What does the wire cost?",
    agentResponse: "It's free of charge.",
    toolsUsed: [
      { name: "getWireQuote", parameters: {}, result: { transferFee: 25 }, success: true },
    ],
  },
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join("");

describe("policy test", () => {
  it("says what comes and goes, with masked samples, and that the cases hold", async () => {
    const file = write("transcripts.jsonl", TRANSCRIPTS);
    const { code, out, err } = await policy(["test", POLICY, "--on", file, "--json"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const report = JSON.parse(out) as { patterns: { pattern: string }[] };
    expect(report).toMatchObject({
      pack: { id: "example-bank" },
      cases: { held: 4, failures: [] },
      answers: 2,
      new: 1,
      vanished: 1,
    });
    const of = (name: string) => report.patterns.find(({ pattern }) => pattern === name);
    expect(of("bank-fee-waiver/promise")).toMatchObject({
      hits: 1,
      new: 1,
      vanished: 0,
      samples: [{ kind: "new", file, line: 1, severity: "warning" }],
    });
    expect(of("consumer-protection-fees/tool-fee")).toMatchObject({ hits: 0, vanished: 1 });
    expect(out).not.toContain(CARD);
  });

  it("finds nothing new beside the same pack, and reads the standard input", async () => {
    const args = ["test", POLICY, "--on", "-", "--active", POLICY];
    const { code, out } = await policy(args, TRANSCRIPTS);
    expect(code).toBe(0);
    expect(out).toContain("2 answers: 0 new, 0 vanished, 0 changed");
  });

  it("fails when a case doesn't hold, and says when a line can't be read", async () => {
    const text = readFileSync(POLICY, "utf8").replace(
      "I can't waive the fee.",
      "I waived the fee.",
    );
    const bad = write("bad.yaml", text);
    const failed = await policy(["test", bad, "--on", "-"], TRANSCRIPTS);
    expect(failed.code).toBe(1);
    expect(failed.out).toContain("I waived the fee.");
    expect((await policy(["test", POLICY, "--on", "-"], "no JSON\n")).code).toBe(2);
    expect((await policy(["test", POLICY])).err).toContain("needs --on");
    const refused = await policy(["test", write("none.yaml", "rules: no\n"), "--on", "-"]);
    expect(refused).toMatchObject({
      code: 2,
      err: expect.stringContaining("none.yaml:1:8:") as string,
    });
  });
});

describe("a pack that can't be taken", () => {
  it("is refused by every command with all problems, and nothing is evaluated", async () => {
    const text = readFileSync(POLICY, "utf8")
      .replace("severity: warning", "severity: bad")
      .replace("{waive} ..4 fee~", "{waiver} ..4 (fee~")
      .replace("threshold: 0.7", "colour: red")
      .replace("tool-fee:", "tool-fees:");
    const bad = write("all-bad.yaml", text);
    const huge = write("huge.yaml", "");
    truncateSync(join(directory, huge), 100 * 1024 * 1024);
    const transcripts = write("transcripts.jsonl", TRANSCRIPTS);
    const lines = (err: string) => err.split("\n").filter((line) => line.includes(".yaml:"));
    const runs = [
      await policy(["test", bad, "--on", transcripts]),
      await policy(["diff", bad, bad]),
      await policy(["explain", "bank-fee-waiver", "--pack", bad]),
      await cli(["check", transcripts, "--rules", bad, "--rules", huge]),
    ];
    expect(runs.map(({ code, out }) => ({ code, out }))).toEqual(
      runs.map(() => ({ code: 2, out: "" })),
    );
    expect(runs.map(({ err }) => lines(err).length)).toEqual([5, 5, 5, 6]);
    expect(runs[3]?.err).toMatch(/huge\.yaml:1:1: expected at most 4194304 bytes, got more/);
  });
});

describe("policy diff", () => {
  it("says what another version changes, and nothing of the same", async () => {
    const text = readFileSync(POLICY, "utf8");
    const other = write(
      "other.yaml",
      text.replace("threshold: 0.7", "threshold: 0.8").replace("    refund~\n", "    give~ back\n"),
    );
    const { code, out } = await policy(["diff", POLICY, other]);
    expect(code).toBe(1);
    expect(out).toContain("overrides.consumer-protection-fees.threshold\n  - 0.7\n  + 0.8\n");
    expect(out).toMatch(/words\.waive\n.*refund~.*\n.*give~ back/);
    expect(await policy(["diff", POLICY, POLICY])).toMatchObject({
      code: 0,
      out: "nothing differs\n",
    });
  });
});

describe("policy explain of a built-in rule", () => {
  const RULES = join(import.meta.dirname, "../../src/compliance/rules");

  it("shows what its file says: law, version, pack, each phrase, and the words that they name", async () => {
    const { code, out } = await policy(["explain", "bsa-aml-sanctions"]);
    expect(code).toBe(0);
    const text = readFileSync(join(RULES, "bsa-aml/sanctions.yaml"), "utf8");
    const said = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(text)?.[1] ?? "-";
    expect(out).toContain(`version: ${said("version")}\n`);
    expect(out).toMatch(/^pack: agent-monitor \d+\.\d+\.\d+, SHA-256 [0-9a-f]{64}$/m);
    expect(out).toMatch(/^law: .+ \(in force, as of \d{4}-\d{2}-\d{2}\)$/m);
    // Every phrase of the first pattern, in its order.
    const phrases = (/\n {4}match: \|\n((?: {6}.*\n)+)/.exec(text)?.[1] ?? "")
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "" && !line.startsWith("# "));
    expect(phrases.length).toBeGreaterThan(5);
    expect(out).toContain(phrases.map((line) => `    ${line}\n`).join(""));
    expect(out).toMatch(/^list \{relative\}:\n(?: {4}.*\n)* {4}mother~\n/m);
    expect(out).toMatch(/^violating:\n {2}\{/m);
  });

  it("shows the words of one pattern alone, and the probes of a check", async () => {
    const { out } = await policy(["explain", "consumer-protection-fees/hidden-fee", "--json"]);
    const { patterns, text } = JSON.parse(out) as {
      patterns: string[];
      text: { patterns: object; probes: object; lists: Record<string, string[]> };
    };
    expect(patterns).toEqual(["hidden-fee"]);
    expect(Object.keys(text.patterns)).toEqual(["hidden-fee"]);
    expect(text.probes).toEqual({});
    const checked = await policy(["explain", "sr-11-7-unsupported-action", "--json"]);
    const { text: other } = JSON.parse(checked.out) as { text: { probes: object } };
    expect(Object.keys(other.probes)).toContain("claims");
  });

  it("shows how often each pattern was right in labelled answers; of a bank's rule nothing is known", async () => {
    const id = "bsa-aml-structuring-advice/split-by-time";
    const { out } = await policy(["explain", id]);
    const figures = JSON.parse(
      readFileSync(join(RULES, "../packs/pattern-figures.json"), "utf8"),
    ) as { patterns: Record<string, [number, number]> };
    const [violations, ordinary] = figures.patterns[id] ?? [];
    expect(violations).toBeGreaterThan(10);
    expect(out).toMatch(/^measured by the wording alone, in long answers of \d+ authors/m);
    expect(out).toContain(
      `  split-by-time: found in ${violations} violations and ${ordinary} ordinary answers\n`,
    );
    const own = await policy(["explain", "bank-fee-waiver", "--pack", POLICY, "--json"]);
    expect(JSON.parse(own.out)).toMatchObject({ measured: null });
  });

  it("shows it as a pack changes it: threshold, patterns, lists, and by which pack", async () => {
    const file = write(
      "lists.yaml",
      "pack: { id: lists, version: 1.2.3, title: L }\nlistOverrides: { words: { relative: { add: [godmother], remove: ['mother~'] } } }\noverrides: { bsa-aml-sanctions: { threshold: 0.9, active: false } }\n",
    );
    const { out } = await policy(["explain", "bsa-aml-sanctions", "--pack", file, "--json"]);
    const { text, ...facts } = JSON.parse(out) as { text: { lists: Record<string, string[]> } };
    expect(facts).toMatchObject({ threshold: 0.9, active: false });
    expect(facts).toMatchObject({
      changedBy: expect.stringMatching(/^lists 1\.2\.3, SHA/) as string,
    });
    expect(text.lists["{relative}"]).toContain("godmother");
    expect(text.lists["{relative}"]).not.toContain("mother~");
  });
});

describe("policy explain of the second look", () => {
  const LEARNED = "fair-lending-discouragement/learned";
  interface Look {
    readonly model: string;
    readonly candidatesFrom: number;
    readonly finds: { readonly threshold: number };
  }
  const facts = JSON.parse(
    readFileSync(join(import.meta.dirname, "../../src/compliance/learned/model.json"), "utf8"),
  ) as { version: string; trainedOn: string; baseRate: number; candidateThreshold: number };

  it("says which model finds it, from which probability on, and where to read about it", async () => {
    const { code, out } = await policy(["explain", LEARNED, "--json"]);
    expect(code).toBe(0);
    const { secondLook, ...others } = JSON.parse(out) as { secondLook: Look };
    expect(others).toMatchObject({ patterns: ["learned"], text: null });
    expect(secondLook).toMatchObject({
      active: true,
      switchedOffBy: null,
      modelCard: "docs/model-card.md",
      trainedOn: facts.trainedOn,
      baseRate: facts.baseRate,
      candidatesFrom: facts.candidateThreshold,
      finds: { pattern: LEARNED, active: true, severity: "warning", threshold: 0.6 },
    });
    expect(secondLook.model).toMatch(
      new RegExp(`^version ${facts.version}, SHA-256 [0-9a-f]{64}$`),
    );
  });

  it("shows it with the rule, as a pack leaves it; a rule that digits prove has none", async () => {
    const { out } = await policy(["explain", "fair-lending-discouragement"]);
    expect(out).toMatch(/^patterns: .*, learned$/m);
    expect(out).toMatch(/^second look:\n {2}model: version /m);
    expect(out).toContain(`finds: ${LEARNED} (warning) from 0.6 on\n`);
    const file = write(
      "look.yaml",
      "pack: { id: look, version: 1.2.3, title: L }\nsecondLook: { active: false }\n",
    );
    const off = await policy(["explain", LEARNED, "--pack", file, "--json"]);
    expect(JSON.parse(off.out)).toMatchObject({
      secondLook: {
        active: false,
        switchedOffBy: expect.stringMatching(/^look 1\.2\.3, SHA/) as string,
        finds: { active: false },
      },
    });
    const digits = await policy(["explain", "privacy-iban", "--json"]);
    expect(JSON.parse(digits.out)).toMatchObject({ secondLook: null });
    const unknown = await policy(["explain", "privacy-iban/learned"]);
    expect(unknown.code).toBe(2);
  });

  it("is counted by policy test, and compared by policy diff", async () => {
    const pack = (rest: string) => `pack: { id: look, version: 1.2.3, title: L }\n${rest}\n`;
    const off = write("off.yaml", pack("secondLook: { active: false }"));
    const on = write(
      "on.yaml",
      pack(
        "overrides: { fair-lending-discouragement: { patterns: { learned: { severity: info } } } }",
      ),
    );
    const { code, out } = await policy(["diff", on, off]);
    expect(code).toBe(1);
    expect(out).toContain("secondLook");
    const texts = write("answers.jsonl", readFixture());
    const counted = JSON.parse((await policy(["test", off, "--on", texts, "--json"])).out) as {
      patterns: { pattern: string; vanished: number }[];
    };
    const learned = counted.patterns.filter(({ pattern }) => pattern.endsWith("/learned"));
    expect(learned.reduce((sum, { vanished }) => sum + vanished, 0)).toBeGreaterThan(0);
  });
});

describe("policy explain", () => {
  it("shows a rule of a pack with law, phrases and cases, and a built-in one", async () => {
    const { code, out } = await policy(["explain", "bank-fee-waiver/promise", "--pack", POLICY]);
    expect(code).toBe(0);
    expect(out).toContain("law: Fee policy FP-12, section 3 (guidance, as of 2026-11-21)");
    expect(out).toContain("    (i|we) (will|have|can)? {waive} ..4 fee~\n");
    expect(out).toContain("I have waived the overdraft fee for you.");
    const builtIn = await policy(["explain", "privacy-iban", "--json"]);
    expect(JSON.parse(builtIn.out)).toMatchObject({ id: "privacy-iban", category: "privacy" });
    expect(out).toContain("list {waive}:\n    waive~\n");
    const unknown = await policy(["explain", "privacy-ibans"]);
    expect(unknown).toMatchObject({ code: 2 });
    expect(unknown.err).toContain("did you mean privacy-iban?");
  });
});
