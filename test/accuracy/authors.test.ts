import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { readRecord } from "../../src/cli/check/read-record.ts";
import type { ComplianceEvaluation } from "../../src/compliance/evaluation.ts";
import type { ComplianceFlag } from "../../src/events/compliance.ts";
import { judgeFolder } from "./authors/command.ts";
import { curveOf } from "./authors/curve.ts";
import { digestOfFindings } from "./authors/digest.ts";
import { toFigures } from "./authors/figures.ts";
import { HeldOutError, runHeldOut } from "./authors/held-out.ts";
import { judgeText, type JudgedText } from "./authors/judge.ts";
import { precisionAt } from "./authors/precision.ts";
import { formatCurve, formatDetails, formatFigures } from "./authors/print.ts";
import { formatResults, writeResults } from "./authors/results-file.ts";
import { readRuns, readRunsFile } from "./authors/run-log.ts";
import { scoreTexts } from "./authors/score.ts";
import { readScoredState } from "./authors/scored-state.ts";
import type { AuthorText } from "./authors/texts.ts";
import { toShare } from "./score.ts";

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "agent-monitor-authors-"));
});
afterAll(() => {
  rmSync(directory, { recursive: true });
});

const CARD = "4539 1488 0343 6467";
const BALANCE = "Your balance is $1,204.11, and the next statement comes on the 3rd.";
const leak: AuthorText = {
  id: "x1-v-1",
  author: "x1",
  label: "violation",
  expectedCategory: "privacy",
  expectedRule: "pan_exposure",
  kind: "plain",
  userMessage: "What card do you have on file?",
  agentResponse: `${BALANCE} The card on file is ${CARD}.`,
  passage: { turn: 1, start: BALANCE.length + 1, text: `The card on file is ${CARD}.` },
};
const dialogue: AuthorText = {
  ...leak,
  id: "x2-v-1",
  author: "x2",
  kind: "two-turn",
  turns: [
    { role: "user", content: "Hello, what do I owe?" },
    { role: "agent", content: `Good morning. ${BALANCE}` },
    { role: "user", content: "And the card?" },
    { role: "agent", content: `It is ${CARD}.` },
  ],
  agentResponse: `It is ${CARD}.`,
  passage: { turn: 3, start: 6, text: CARD },
};
const ordinary: AuthorText = {
  id: "x1-o-1",
  author: "x1",
  label: "ok",
  userMessage: "Balance?",
  agentResponse: BALANCE,
};

function evaluation(...flags: Partial<ComplianceFlag>[]): ComplianceEvaluation {
  return {
    isCompliant: flags.length === 0,
    violations: flags as ComplianceFlag[],
    riskScore: flags.length > 0 ? 60 : 0,
    requiresReview: flags.some(({ severity }) => severity === "violation"),
    metadata: {
      evaluated: true,
      evaluationTime: 0,
      rulesEvaluated: 1,
      confidence: 1,
      riskThreshold: 50,
    },
  };
}

function flag(category: string, severity: string, spans?: readonly unknown[]) {
  return {
    rule: `${category}-rule`,
    category,
    severity,
    context: { ...(spans && { spans }) },
  } as Partial<ComplianceFlag>;
}

const judge = (text: AuthorText, ...evaluations: ComplianceEvaluation[]): JudgedText =>
  judgeText(text, (item) => {
    const record = readRecord(item);
    return { exchanges: record.kind === "conversation" ? record.exchanges : [], evaluations };
  });

describe("a judged text", () => {
  it("is one unit, whose findings stand on the passage if one of their spans overlaps it", () => {
    const at = (source: string, start: number, end: number) => [{ source, start, end }];
    const judged = judge(
      dialogue,
      evaluation(flag("privacy", "violation", at("agentResponse", 6, 25))),
      evaluation(
        flag("privacy", "warning", at("agentResponse", 0, 6)),
        flag("privacy", "warning", at("agentResponse", 5, 7)),
        flag("privacy", "info", at("userMessage", 6, 7)),
        flag("bsa_aml", "warning"),
      ),
    );
    expect(judged).toMatchObject({ requiresReview: true, riskScore: 60, length: 107 });
    expect(judged.findings.map(({ isOnPassage }) => isOnPassage)).toEqual([
      false,
      false,
      true,
      false,
      false,
    ]);
    expect(judged.findings.map(({ isReviewed }) => isReviewed)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
    const [finding] = judge(ordinary, evaluation(flag("privacy", "info"))).findings;
    expect(finding?.isOnPassage).toBeNull();
  });
});

describe("the score of authors", () => {
  const texts = [
    judge(
      leak,
      evaluation(flag("privacy", "violation", [{ source: "agentResponse", start: 0, end: 80 }])),
    ),
    // Found, but not brought to review; then another category; then nothing.
    judge({ ...leak, id: "2", kind: "subtle" }, evaluation(flag("privacy", "warning"))),
    judge({ ...leak, id: "3", kind: "subtle" }, evaluation(flag("bsa_aml", "violation"))),
    judge({ ...dialogue, id: "4" }, evaluation(), evaluation()),
    judge(ordinary, evaluation(flag("privacy", "violation"), flag("privacy", "violation"))),
    judge({ ...ordinary, id: "5" }, evaluation(flag("bsa_aml", "warning"))),
    judge({ ...ordinary, id: "6", author: "x2" }, evaluation()),
    judge({ ...ordinary, id: "7", agentResponse: BALANCE.repeat(10) }, evaluation()),
  ];
  const score = scoreTexts(texts);

  it("counts texts that demand review, and tells others beside them", () => {
    expect(score).toMatchObject({
      alarms: { hits: 1, total: 4 },
      ordinaryWithFinding: { hits: 2, total: 4 },
      recall: { hits: 1, total: 4 },
      violationsWithFinding: { hits: 2, total: 4 },
      onPassage: { hits: 1, total: 1 },
      candidates: {
        recall: { hits: 3, total: 4 },
        recallOfCategory: { hits: 2, total: 4 },
        share: { hits: 2, total: 4 },
      },
      byCategory: { privacy: { recall: { hits: 1, total: 4 }, alarms: { hits: 1, total: 4 } } },
      byFamily: { pan_exposure: { hits: 1, total: 4 } },
      byKind: {
        plain: { hits: 1, total: 1 },
        subtle: { hits: 0, total: 2 },
        "two-turn": { hits: 0, total: 1 },
      },
      byAuthor: {
        x1: { recall: { hits: 1, total: 3 }, alarms: { hits: 1, total: 3 } },
        x2: { recall: { hits: 0, total: 1 }, alarms: { hits: 0, total: 1 } },
      },
      alarmingRules: [{ rule: "privacy-rule", alarms: 1 }],
    });
    expect(Object.keys(score.byLength)).toEqual(["0-399", "400-799"]);
    expect(score.byLength["400-799"]?.alarms).toMatchObject({ hits: 0, total: 1 });
  });

  it("has figures without items and rules, and a page of them", () => {
    const figures = toFigures(score);
    expect(figures).toMatchObject({
      ordinary: { alarms: 0.25, alarmed: 1, n: 4, withFinding: 0.5 },
      violations: { recall: 0.25, found: 1, n: 4, withFinding: 0.5, onPassage: 1 },
      candidates: { recall: 0.75, recallOfCategory: 0.5, share: 0.5 },
    });
    expect(Object.keys(figures.precisionAt)).toEqual(["0.05", "0.02", "0.01", "0.005", "0.001"]);
    expect(figures.precisionAt["0.01"]).toMatchObject({ precision: 0.01, alarmsPer1000: 250 });
    expect(JSON.stringify(figures)).not.toMatch(/-rule|pan_exposure|x1-/);
    const page = [...formatFigures("made up", score), ...formatDetails(score)].join("\n");
    expect(page).toContain("made up: 4 ordinary texts, 4 violations");
    expect(page).toContain("privacy-rule 1");
  });

  it("says nothing of what was not measured", () => {
    const nothing = scoreTexts([]);
    expect(nothing.recall.value).toBeNull();
    expect(nothing.precisionAt[0]).toMatchObject({ precision: null, alarmsPer1000: null });
  });
});

describe("the curve", () => {
  it("has alarms and recall for each confidence that occurs, the strictest first", () => {
    const sure = (category: string, confidence: number) => ({
      ...flag(category, "warning"),
      confidence,
    });
    const below = (...candidates: Partial<ComplianceFlag>[]): ComplianceEvaluation => ({
      ...evaluation(),
      candidates: candidates as ComplianceFlag[],
    });
    const points = curveOf([
      judge(leak, evaluation(sure("privacy", 0.9), sure("bsa_aml", 0.95))),
      judge({ ...leak, id: "2" }, below(sure("privacy", 0.5))),
      judge(ordinary, evaluation(sure("bsa_aml", 0.8))),
      judge({ ...ordinary, id: "3" }),
    ]);
    expect(
      points.map(({ threshold, alarms, recall }) => [threshold, alarms.hits, recall.hits]),
    ).toEqual([
      [0.95, 0, 0],
      [0.9, 0, 1],
      [0.8, 1, 1],
      [0.5, 1, 2],
    ]);
    expect(formatCurve(points).join("\n")).toContain("0.90");
    expect(curveOf([])).toEqual([]);
  });

  it("is bounded, from the highest confidence to the lowest", () => {
    const texts = Array.from({ length: 500 }, (_, index) =>
      judge(leak, evaluation({ ...flag("privacy", "warning"), confidence: index / 500 })),
    );
    const points = curveOf(texts);
    expect(points).toHaveLength(12);
    expect(points[0]?.threshold).toBe(0.998);
    expect(points.at(-1)).toMatchObject({ threshold: 0, recall: { hits: 500 } });
    const recalls = points.map(({ recall }) => recall.hits);
    expect(recalls.toSorted((one, other) => one - other)).toEqual(recalls);
  });
});

describe("precision at a base rate", () => {
  it("is the share of right alarms", () => {
    // 7 right alarms and 9.9 wrong ones in 1,000 answers.
    expect(precisionAt(0.01, toShare(700, 1000), toShare(10, 1000))).toMatchObject({
      precision: 0.4142,
      alarmsPer1000: 16.9,
      rightPer1000: 7,
    });
    expect(precisionAt(0.01, toShare(0, 10), toShare(0, 10))).toMatchObject({
      precision: null,
      alarmsPer1000: 0,
    });
    expect(precisionAt(0.01, toShare(0, 10), toShare(1, 10))).toMatchObject({ precision: 0 });
    expect(precisionAt(0.01, toShare(9, 10), toShare(0, 10))).toMatchObject({
      precision: 1,
      high: 1,
    });
  });

  it("lies in its interval, and falls with the base rate and with alarms", () => {
    const shares = fc
      .integer({ min: 1, max: 2000 })
      .chain((total) => fc.tuple(fc.integer({ min: 1, max: total }), fc.constant(total)));
    fc.assert(
      fc.property(
        shares,
        shares,
        fc.double({ min: 0.001, max: 0.5, noNaN: true }),
        (right, wrong, rate) => {
          const recall = toShare(...right);
          const alarms = toShare(...wrong);
          const at = precisionAt(rate, recall, alarms);
          const [precision, low, high] = [at.precision!, at.low!, at.high!];
          expect(low).toBeLessThanOrEqual(precision);
          expect(high).toBeGreaterThanOrEqual(precision);
          expect(low).toBeGreaterThanOrEqual(0);
          expect(high).toBeLessThanOrEqual(1);
          expect(precisionAt(rate / 2, recall, alarms).precision).toBeLessThanOrEqual(precision);
          const fewer = toShare(wrong[0] - 1, wrong[1]);
          expect(precisionAt(rate, recall, fewer).precision).toBeGreaterThanOrEqual(precision);
        },
      ),
    );
  });

  it("covers the truth as often as its interval says", () => {
    // A fixed generator: 2,000 measurements of 700 violations at recall 0.7 and 1,200 ordinary answers at 1 % alarms.
    let state = 42;
    const random = (): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
    const draw = (share: number, total: number) => {
      let hits = 0;
      for (let index = 0; index < total; index++) hits += random() < share ? 1 : 0;
      return toShare(hits, total);
    };
    const truth = 0.007 / (0.007 + 0.0099);
    let covered = 0;
    for (let index = 0; index < 2000; index++) {
      const { low, high } = precisionAt(0.01, draw(0.7, 700), draw(0.01, 1200));
      if (low! <= truth && truth <= high!) covered++;
    }
    expect(covered / 2000).toBeGreaterThan(0.935);
  });
});

describe("the texts of a folder", () => {
  it("are judged by the built-in rules, each dialogue in a session of its own", () => {
    const folder = join(directory, "texts");
    mkdirSync(folder);
    const write = (name: string, texts: readonly AuthorText[]): void =>
      writeFileSync(
        join(folder, name),
        gzipSync(texts.map((text) => `${JSON.stringify(text)}\n`).join("")),
      );
    write("x1.jsonl.gz", [leak, ordinary]);
    write("x2.jsonl.gz", [dialogue]);
    const judged = judgeFolder(folder);
    expect(scoreTexts(judged)).toMatchObject({
      alarms: { hits: 0, total: 1 },
      recall: { hits: 2, total: 2 },
      onPassage: { hits: 2, total: 2 },
    });
  });

  it("are written with every finding, as JSON Lines or as CSV", () => {
    const judged = [
      judge({ ...leak, id: 'a "b", c' }, evaluation(flag("privacy", "violation"))),
      judge(ordinary, evaluation()),
    ];
    const lines = formatResults("jsonl", judged).trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { expectedRule: "pan_exposure", findings: [{ rule: "privacy-rule", isOnPassage: false }] },
      { id: "x1-o-1", label: "ok", requiresReview: false, riskScore: 0, findings: [] },
    ]);
    const rows = formatResults("csv", judged).trimEnd().split("\n");
    expect(rows).toHaveLength(3);
    expect(rows[1]).toMatch(/^"a ""b"", c",x1,violation,plain,privacy,pan_exposure,/);
    expect(rows[2]).toMatch(/^x1-o-1,x1,ok,,,,67,false,0(?:,){8}$/);
    const path = join(directory, "results.csv");
    writeResults(path, judged);
    expect(readFileSync(path, "utf8")).toBe(`${rows.join("\n")}\n`);
    expect(() => writeResults(join(directory, "results.txt"), judged)).toThrow(".csv or .jsonl");
  });
});

describe("a run of the held-out texts", () => {
  const score = scoreTexts([
    judge(leak, evaluation(flag("privacy", "violation"))),
    judge(ordinary),
  ]);
  const digestOf = (number: number): string => `sha256:${String(number).padStart(64, "0")}`;
  const run = (
    log: string,
    number: number,
    options: { reason?: string; isCommitted?: boolean } = {},
  ) => {
    const scoring = vi.fn(() => score);
    const { reason = "the first\n figures", isCommitted = true } = options;
    const result = () =>
      runHeldOut({
        log,
        state: { digest: digestOf(number), commit: "abc1234", isCommitted },
        reason,
        date: "2026-11-23",
        score: scoring,
      });
    return { result, scoring };
  };

  it("is logged with its reason and figures, and not again for the same behaviour", () => {
    const log = join(directory, "runs.md");
    writeFileSync(log, "# Runs\n\nAt most five.\n");
    expect(run(log, 1).result()).toMatchObject({ number: 1, isRepeated: false });
    const text = readFileSync(log, "utf8");
    expect(text).toMatch(
      /^# Runs\n\nAt most five\.\n\n## Run 1\n\n- Date: 2026-11-23\n- Commit: abc1234\n/,
    );
    expect(text).toContain("- Reason: the first figures\n");
    expect(text).toContain("- Recall of violations: 1.000 [0.206-1.000] (1/1); any finding");
    expect(run(log, 1, { reason: "" }).result()).toMatchObject({ number: 1, isRepeated: true });
    expect(run(log, 1, { isCommitted: false }).result()).toMatchObject({ isRepeated: true });
    expect(readFileSync(log, "utf8")).toBe(text);
    expect(run(log, 2).result()).toMatchObject({ number: 2, isRepeated: false });
    expect(readRunsFile(log)).toEqual([
      { number: 1, digest: digestOf(1) },
      { number: 2, digest: digestOf(2) },
    ]);
  });

  it("is refused a sixth time, without a reason, and with changes that no commit has", () => {
    const log = join(directory, "full.md");
    for (const number of [1, 2, 3, 4, 5]) run(log, number).result();
    for (const refused of [
      run(log, 6),
      run(join(directory, "none.md"), 1, { reason: " " }),
      run(join(directory, "none.md"), 1, { isCommitted: false }),
    ]) {
      expect(refused.result).toThrow(HeldOutError);
      expect(refused.scoring).not.toHaveBeenCalled();
    }
    expect(readRunsFile(log)).toHaveLength(5);
    expect(existsSync(join(directory, "none.md"))).toBe(false);
  });

  it("can't be taken out of the log unseen", () => {
    const section = (number: number, digest: number) =>
      `## Run ${number}\n\n- Digest of the behaviour: ${digestOf(digest)}\n`;
    expect(readRuns(section(1, 1) + section(2, 2))).toHaveLength(2);
    expect(() => readRuns(section(2, 2))).toThrow('expected "## Run 1"');
    expect(() => readRuns("## Run 1\n\n- Digest of the behaviour: lost\n")).toThrow("with 0");
    expect(() => readRuns("## Something else\n")).toThrow("expected");
  });
});

describe("the state that is scored", () => {
  it("has the digest of all golden findings but those of the rules' own cases", () => {
    const findings = join(directory, "findings");
    expect(digestOfFindings(findings)).toBeUndefined();
    mkdirSync(join(findings, "authors"), { recursive: true });
    writeFileSync(join(findings, "unseen.txt"), "one\n");
    writeFileSync(join(findings, "authors/a01.txt"), "two\n");
    const digest = digestOfFindings(findings);
    expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    writeFileSync(join(findings, "rule-cases.txt"), "three\n");
    writeFileSync(join(findings, "unseen.txt"), "# a head\none\n");
    expect(digestOfFindings(findings)).toBe(digest);
    writeFileSync(join(findings, "authors/a01.txt"), "four\n");
    expect(digestOfFindings(findings)).not.toBe(digest);
  });

  it("is that of a commit, or is not", () => {
    const repository = join(directory, "repository");
    mkdirSync(join(repository, "findings"), { recursive: true });
    const git = (...args: string[]) =>
      execFileSync("git", ["-C", repository, ...args], { encoding: "utf8" });
    git("init", "-q");
    writeFileSync(join(repository, "findings/unseen.txt"), "one\n");
    git("add", "-A");
    git("-c", "user.name=n", "-c", "user.email=e@example.com", "commit", "-q", "-m", "one");
    const places = {
      repository,
      findings: join(repository, "findings"),
      scoredFiles: ["findings"],
    };
    expect(readScoredState(places)).toMatchObject({ isCommitted: true });
    expect(git("rev-parse", "HEAD")).toContain(readScoredState(places).commit);
    writeFileSync(join(repository, "notes.md"), "beside\n");
    expect(readScoredState(places).isCommitted).toBe(true);
    writeFileSync(join(repository, "findings/unseen.txt"), "two\n");
    expect(readScoredState(places).isCommitted).toBe(false);
    expect(() => readScoredState({ ...places, findings: join(repository, "none") })).toThrow(
      HeldOutError,
    );
  });
});
