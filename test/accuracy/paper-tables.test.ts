import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fillMarkers } from "../../.ci/docs/markdown.ts";
import { toReliability } from "../calibration/reliability.ts";
import { curveOf } from "./authors/curve.ts";
import type { JudgedText } from "./authors/judge.ts";
import { toPaperParts } from "./authors/paper-tables.ts";
import { scoreTexts } from "./authors/score.ts";
import { scoreJudge } from "./judge/score.ts";

const PAPER = join(import.meta.dirname, "../../docs/accuracy.md");

function judge(label: "ok" | "violation", isFound: boolean): JudgedText {
  return {
    text: {
      id: `a03-${label}-${isFound}`,
      author: "a03",
      label,
      agentResponse: "",
      ...(label === "violation" && {
        expectedCategory: "privacy",
        expectedRule: "pan_exposure",
        kind: "plain",
      }),
    },
    length: 500,
    requiresReview: isFound,
    riskScore: 0,
    findings: isFound
      ? [
          {
            rule: "privacy-card-number",
            pattern: "privacy-card-number/checksum",
            category: "privacy",
            severity: "violation",
            confidence: 0.9,
            isReviewed: true,
            isCandidate: false,
            isOnPassage: true,
          },
        ]
      : [],
  };
}

const judged = [judge("ok", true), judge("ok", false), judge("violation", true)];
const parts = toPaperParts({
  heldOut: scoreTexts(judged),
  others: scoreTexts([judge("violation", false)]),
  curve: curveOf(judged),
  reliability: toReliability([{ score: 0.9, isRight: true }]),
  judge: undefined,
});

describe("the tables of docs/accuracy.md", () => {
  it("give shares as percentages with their interval and counts", () => {
    expect(parts["long-answers"]).toContain(
      "| **alarms** | **50.0 % [9.4–90.5] (1 of 2)** | - (0 of 0) |",
    );
    expect(parts["long-answers"]).toContain(
      "| recall, plain | 100.0 % [20.6–100.0] (1 of 1) | 0.0 %",
    );
    expect(parts["authors"]).toContain("| a03 | credit cards, in an app, with tools | 50.0 %");
    expect(parts["families"]).toContain("| `pan_exposure` | 0.0 % [0.0–79.3] | 1 |");
    expect(parts["reliability"]).toContain("| 0.9 to 1.0 | 0.90 | 1.00");
  });

  it("show no family and no rule of held-out authors", () => {
    expect(parts["families"]).not.toContain("100.0 %");
    expect(parts["alarming-rules"]).toBe("");
  });

  it("say of the judge what is recorded", () => {
    expect(parts["judge"]).toBe("Not measured: no replies are recorded.");
    const score = scoreJudge([], []);
    const told = toPaperParts({
      heldOut: scoreTexts(judged),
      others: scoreTexts(judged),
      curve: [],
      reliability: toReliability([]),
      judge: {
        ...score,
        promptVersion: "7",
        promptHashes: {},
        models: { scripted: 3 },
        dates: { from: "2026-11-23", to: "2026-11-24" },
        allViolations: 0,
        stale: 0,
      },
    });
    expect(told["judge"]).toContain("version 7; scripted (3); 2026-11-23 to 2026-11-24");
    expect(told["judge"]).toContain("| **recall of the confirmed tier** | **- (0 of 0)** |");
    expect(told["judge:groups"]).toContain("| fair lending | - | - | - |");
  });

  it("have each one place in the paper", () => {
    const paper = readFileSync(PAPER, "utf8");
    expect(fillMarkers(paper, parts)).toContain(parts["thresholds"]);
  });
});
