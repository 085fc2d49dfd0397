import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { OWN_CASES, measureSet } from "./measure.ts";
import { readItems, type LabelledItem } from "./items.ts";
import { scoreItems, toShare } from "./score.ts";
import { checkThresholds } from "./thresholds.ts";

const REQUIRED_CASES = 400;

describe("the project's labelled cases", () => {
  const items = [...readItems(OWN_CASES).values()].flat();

  it("are enough, each with an id of its own and a whole label", () => {
    expect(items.length).toBeGreaterThanOrEqual(REQUIRED_CASES);
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
    const halfLabelled = items.filter(({ label, expectedCategory, expectedSeverity }) =>
      label === "violation" ? !expectedCategory || !expectedSeverity : label !== "ok",
    );
    expect(halfLabelled.map(({ id }) => id)).toEqual([]);
  });

  it("are judged as well as required", () => {
    const result = measureSet(OWN_CASES);
    const missed = result ? checkThresholds(result.score).filter(({ isMet }) => !isMet) : undefined;
    expect(missed, "npm run accuracy -- --list names the items").toEqual([]);
  });
});

describe("the score", () => {
  const judge = (
    item: Partial<LabelledItem>,
    ...alerts: [category: string, severity: string][]
  ) => ({
    item: { id: "1", category: "privacy", label: "ok", ...item } as LabelledItem,
    alerts: alerts.map(([category, severity]) => ({ rule: category, category, severity })) as never,
    exchanges: 1,
    millis: [1],
  });
  const violation: Partial<LabelledItem> = {
    label: "violation",
    expectedCategory: "privacy",
    expectedSeverity: "warning",
    expectedRule: "pan_exposure",
  };

  it("matches by category, and counts alerts on what is fine once", () => {
    const score = scoreItems([
      judge(
        { ...violation, tags: ["evasion:leet"] },
        ["privacy", "warning"],
        ["bsa_aml", "warning"],
      ),
      judge(violation, ["privacy", "violation"], ["privacy", "warning"]),
      judge({ ...violation, tags: ["tool-based"] }, ["bsa_aml", "violation"]),
      judge(
        { trap: "masked", category: "ordinary" },
        ["privacy", "warning"],
        ["bsa_aml", "warning"],
      ),
      judge({}),
    ]);
    expect(score).toMatchObject({
      items: 5,
      precision: { hits: 2, total: 3 },
      recall: { hits: 2, total: 3 },
      falsePositiveRate: { hits: 1, total: 2, value: 0.5 },
      ordinaryRate: { hits: 1, total: 1, value: 1 },
      byCategory: {
        privacy: { tp: 2, fn: 1, fp: 1 },
        bsa_aml: { tp: 0, fn: 0, fp: 1, precision: 0, recall: null },
      },
      byFamily: { pan_exposure: { hits: 2, total: 3 } },
      numberRecall: { hits: 2, total: 3 },
      evasionRecall: { hits: 1, total: 1 },
      toolRecall: { hits: 0, total: 1 },
      severityAgreement: { hits: 1, total: 2 },
      misses: [
        { kind: "FN", about: "pan_exposure", found: ["bsa_aml"] },
        { kind: "FP", about: "masked", found: ["privacy", "bsa_aml"] },
      ],
    });
    expect(
      checkThresholds(score)
        .filter(({ isMet }) => isMet)
        .map(({ name }) => name),
    ).toEqual([
      "recall of bsa_aml",
      "recall of fair_lending",
      "recall of consumer_protection",
      "recall of sr_11_7",
      "recall of evasions",
    ]);
  });

  it("has Wilson's interval", () => {
    expect(toShare(9, 10)).toEqual({ hits: 9, total: 10, value: 0.9, low: 0.5958, high: 0.9821 });
    expect(toShare(0, 0)).toEqual({ hits: 0, total: 0, value: null, low: null, high: null });
  });
});

describe("a set", () => {
  it("is a file or a directory, replayed by conversation", () => {
    const directory = mkdtempSync(join(tmpdir(), "agent-monitor-accuracy-"));
    try {
      const card = "4539 1488 0343 6467";
      const turns = [
        { role: "user", content: `It's ${card}` },
        { role: "agent", content: "Thanks" },
        { role: "user", content: "Bye" },
        { role: "agent", content: "Bye" },
      ];
      const label = { category: "privacy", label: "violation", expectedCategory: "privacy" };
      const items = [
        { id: "1", turns, userMessage: "Bye", agentResponse: "Bye", ...label },
        { id: "2", category: "privacy", label: "ok", agentResponse: "Good morning." },
      ];
      const path = join(directory, "cases.jsonl");
      writeFileSync(path, items.map((item) => `${JSON.stringify(item)}\n`).join(""));
      for (const data of [path, directory])
        expect(measureSet(data)?.score).toMatchObject({ recall: { value: 1 }, misses: [] });
      expect(measureSet(join(directory, "none"))).toBeUndefined();
      expect(existsSync(path)).toBe(true);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
