import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const TSX = join(ROOT, "node_modules/.bin/tsx");

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function run(...args: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(TSX, args, { cwd: ROOT }, (error, out, err) => {
      resolve({ code: typeof error?.code === "number" ? error.code : error ? -1 : 0, out, err });
    });
  });
}

describe("docs/rule-authors.md", () => {
  const text = readFileSync(join(ROOT, "docs/rule-authors.md"), "utf8");

  it.each(["rule.ts", "verify.ts"])("shows examples/custom-rule/%s as it is", (name) => {
    const source = readFileSync(join(ROOT, "examples/custom-rule", name), "utf8");
    expect(text).toContain(`\`\`\`ts\n${source}\`\`\``);
  });
});

describe("examples/custom-rule", () => {
  it("verifies its rule", async () => {
    const outcome = await run("examples/custom-rule/verify.ts");
    expect(outcome).toEqual({ code: 0, out: "bank-fee-waiver: 6 cases hold\n", err: "" });
  });

  it("checks transcripts with its rule", async () => {
    const { code, out, err } = await run(
      "src/cli.ts",
      "check",
      "examples/custom-rule/transcripts.jsonl",
      "--rules",
      "examples/custom-rule/rule.ts",
      "--fail-on",
      "warning",
      "--format",
      "json",
    );
    expect({ code, err }).toEqual({ code: 1, err: "" });
    const { findings, summary } = JSON.parse(out);
    const own = findings.filter(({ rule }: { rule: string }) => rule === "bank-fee-waiver");
    expect(own).toMatchObject([{ line: 1, conversation: "call-1", turn: 2, severity: "warning" }]);
    expect(summary).toMatchObject({ conversations: 3, answers: 3, evaluated: 3, errors: 0 });
  });
});
