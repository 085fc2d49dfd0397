import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compareGolden } from "./compare-golden.ts";
import { toFindingsFile } from "./findings.ts";
import { makeGoldenFiles } from "./make-golden-files.ts";

it("finds in all texts and captures what it found when the golden files were accepted", async () => {
  const differences = compareGolden(import.meta.dirname, await makeGoldenFiles());
  expect(differences, "review, then npm run golden -- --write").toEqual([]);
}, 180_000);

describe("the comparison", () => {
  const finding = {
    rule: "privacy-x",
    category: "privacy" as const,
    severity: "warning" as const,
    description: "A number.",
    confidence: 0.8,
    context: {
      detectedPattern: "privacy-x/number",
      spans: [{ source: "agentResponse", start: 3, end: 9 }],
    },
  };
  const makeFile = (description: string, confidence: number) =>
    toFindingsFile("set", [
      { id: "b", evaluations: [evaluationOf()] },
      {
        id: "a",
        evaluations: [evaluationOf(), evaluationOf({ ...finding, description, confidence })],
      },
    ]);
  const evaluationOf = (...violations: (typeof finding)[]) => ({
    isCompliant: true,
    violations,
    riskScore: violations.length,
    requiresReview: violations.length > 0,
    metadata: {
      evaluated: true,
      evaluationTime: Math.random(),
      rulesEvaluated: 1,
      confidence: 1,
      riskThreshold: 50,
    },
  });

  const compareWith = (committed: Readonly<Record<string, string>>): string[] => {
    const directory = mkdtempSync(join(tmpdir(), "agent-monitor-golden-"));
    try {
      mkdirSync(join(directory, "findings"));
      for (const [path, text] of Object.entries(committed))
        writeFileSync(join(directory, path), text);
      return compareGolden(directory, [makeFile("A number.", 0.8)]);
    } finally {
      rmSync(directory, { recursive: true });
    }
  };

  it("sums up an item in a line, and takes no notice of the time", () => {
    const { path, text } = makeFile("A number.", 0.8);
    expect(text.split("\n")).toEqual([
      "# 2 items, 3 exchanges, 1 with findings or candidates",
      expect.stringMatching(/^# SHA-256 of all, texts of findings included: [0-9a-f]{64}$/),
      "a#2 | 1 review | privacy-x/number warning 0.8 agentResponse 3-9",
      "",
    ]);
    expect(compareWith({ [path]: text })).toEqual([]);
  });

  it("names the lines that differ, texts of findings by their digest", () => {
    const path = "findings/set.txt";
    expect(compareWith({ [path]: makeFile("A number.", 0.7).text })).toEqual([
      "findings/set.txt: 4 lines differ",
      expect.stringMatching(/^ {2}[-+] # SHA-256/),
      expect.stringMatching(/^ {2}[-+] # SHA-256/),
      "  - a#2 | 1 review | privacy-x/number warning 0.7 agentResponse 3-9",
      "  + a#2 | 1 review | privacy-x/number warning 0.8 agentResponse 3-9",
    ]);
    expect(compareWith({ [path]: makeFile("Some number.", 0.8).text })).toEqual([
      "findings/set.txt: 2 lines differ",
      expect.stringContaining("SHA-256"),
      expect.stringContaining("SHA-256"),
    ]);
  });

  it("names a file that is missing, and one that nothing makes any more", () => {
    const differences = compareWith({ "findings/gone.txt": "gone\n" });
    expect(differences).toContain("findings/set.txt: 3 lines differ");
    expect(differences).toContain("findings/gone.txt: 1 lines differ");
  });
});
