import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ClaimProblem } from "../src/judge/judge-reply.ts";
import type { JudgeDropReason } from "../src/judge/judge-stats.ts";
import type { JudgeFailure } from "../src/judge/judgement.ts";

const DOCUMENT = join(import.meta.dirname, "../docs/judge.md");
const text = readFileSync(DOCUMENT, "utf8");

// Objects, because the compiler sees then that none is missing.
const DROPS: Readonly<Record<JudgeDropReason, true>> = {
  queue_full: true,
  budget: true,
  circuit_open: true,
  failed: true,
  too_old: true,
  shutdown: true,
};
const REASONS: Readonly<Record<ClaimProblem | JudgeFailure, true>> = {
  unknown_rule: true,
  quote_not_found: true,
  quote_too_short: true,
  low_confidence: true,
  empty: true,
  truncated: true,
  not_json: true,
  not_schema: true,
  too_long: true,
  timeout: true,
  error: true,
  rate_limited: true,
  closed: true,
};

describe("docs/judge.md", () => {
  it.each(Object.keys(DROPS))("says what causes %s, and what to do", (reason) => {
    const row = text.split("\n").find((line) => line.startsWith(`| \`${reason}\` |`));
    expect(row?.split("|").filter((cell) => cell.trim() !== "")).toHaveLength(3);
  });

  it.each(Object.keys(REASONS))("names the reason %s", (reason) => {
    expect(text).toContain(`\`${reason}\``);
  });

  it("shows examples as they are", () => {
    const blocks = Array.from(text.matchAll(/^```ts\n([^]*?)^```$/gm), ([, block = ""]) => block);
    const programs = blocks.filter((block) => block.includes("import "));
    const sources = ["judge.ts", "judge-draft.ts"].map((name) =>
      readFileSync(join(import.meta.dirname, "../examples", name), "utf8"),
    );
    expect(programs).toEqual(sources);
  });
});
