import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fillParts } from "../../../.ci/docs/markdown.ts";
import type { Ask } from "../../../src/cli/judge/questions.ts";
import { replayReplies } from "../../../src/cli/judge/replay.ts";
import { PROMPT_VERSION } from "../../../src/judge/prompt.ts";
import type { CommandAnswer } from "../authors/command.ts";
import { digestOfFindings } from "../authors/digest.ts";
import { findRun } from "../authors/held-out.ts";
import { toJudgeParts } from "../authors/paper-tables.ts";
import {
  GOLDEN_FINDINGS,
  HELD_OUT,
  JUDGE_REPLIES,
  REPOSITORY,
  RUN_LOG,
} from "../authors/places.ts";
import { readRunsFile } from "../authors/run-log.ts";
import { readAuthorTexts } from "../authors/texts.ts";
import { createReplay } from "../evaluate-items.ts";
import { createTextQuestions, judgeAuthorText, type JudgedAuthorText } from "./judge-text.ts";
import { formatJudge } from "./print.ts";
import { readRecordedTexts } from "./recorded.ts";
import { scoreJudge, type JudgeScore } from "./score.ts";

/** What the judge's replies came to, and of which prompt and models they are. */
export interface RecordedJudge extends JudgeScore {
  readonly promptVersion: string;
  /** By family. */
  readonly promptHashes: Readonly<Record<string, string>>;
  /** Number of replies by model. */
  readonly models: Readonly<Record<string, number>>;
  readonly dates: { readonly from: string; readonly to: string } | null;
  /** Violations that may be asked about. */
  readonly allViolations: number;
  /** Recorded requests that nothing comes to any more. */
  readonly stale: number;
}

/** Where texts and replies are. */
export interface JudgePlaces {
  readonly texts: string;
  readonly replies: string;
}

/** Scores the recorded replies about texts; `undefined` without any. No item of the texts is told. */
export async function scoreReplies({
  texts,
  replies,
}: JudgePlaces): Promise<RecordedJudge | undefined> {
  const recorded = readRecordedTexts(replies);
  if (recorded.byText.size === 0) return undefined;
  const questions = createTextQuestions();
  const replay = createReplay([]);
  const asked = new Set<string>();
  const recall = replayReplies(recorded.replies);
  const ask: Ask = async (question) => {
    asked.add(question.request.id);
    return recall(question);
  };
  const all = readAuthorTexts(texts);
  const judged: JudgedAuthorText[] = [];
  for (const text of all) {
    const isSampled = recorded.byText.has(text.id);
    // Every text is replayed, so that nothing depends on which were asked about.
    const replayed = replay(text);
    if (text.label === "ok" || isSampled)
      judged.push(await judgeAuthorText(text, replayed, { questions, ask, isSampled }));
  }
  const isViolation = ({ text }: JudgedAuthorText): boolean => text.label === "violation";
  return {
    promptVersion: PROMPT_VERSION,
    promptHashes: questions.promptHashes,
    models: recorded.models,
    dates: recorded.dates ?? null,
    allViolations: all.filter(({ label }) => label === "violation").length,
    stale: [...recorded.replies.keys()].filter((id) => !asked.has(id)).length,
    ...scoreJudge(
      judged.filter((one) => !isViolation(one)),
      judged.filter(isViolation),
    ),
  };
}

/** An answer, and whether nothing is missing and what is required is met. */
export type JudgeAnswer = CommandAnswer & { readonly isMet: boolean };

const notScored = (why: string): JudgeAnswer => ({
  lines: [`the judge: not scored: ${why}`],
  figures: { judge: null, judgeNote: `not scored: ${why}` },
  isMet: true,
});

/** Says what a score came to. */
export function answerScore(score: RecordedJudge, note: string): JudgeAnswer {
  const { missing, needed } = score.requests;
  const { stale, thresholds } = score;
  const gone = missing + stale;
  const problem = `recorded with another prompt or other rules: ${missing} of ${needed} requests are missing, ${stale} recorded ones are of none`;
  return {
    lines: [...formatJudge(score), `  ${note}`, ...(gone > 0 ? [`  ${problem}`] : [])],
    figures: { judge: score, judgeNote: gone > 0 ? problem : note },
    isMet: gone === 0 && thresholds.every(({ isMet }) => isMet),
  };
}

function writeTables(score: RecordedJudge): void {
  const path = join(REPOSITORY, "docs/accuracy.md");
  writeFileSync(path, fillParts(readFileSync(path, "utf8"), toJudgeParts(score)));
}

/**
 * Scores the recorded replies about held-out texts, if this behaviour was scored in a logged run; else says why not.
 *
 * @param isWritten - Whether to write the tables of docs/accuracy.md.
 */
export async function scoreRecordedJudge(isWritten = false): Promise<JudgeAnswer> {
  const run = findRun(readRunsFile(RUN_LOG), digestOfFindings(GOLDEN_FINDINGS));
  if (!run) return notScored("no logged run on the held-out authors has this behaviour");
  const score = await scoreReplies({ texts: HELD_OUT, replies: JUDGE_REPLIES });
  if (!score) return notScored("no replies are recorded in test/fixtures/judge");
  if (isWritten) writeTables(score);
  return answerScore(score, `the rules of run ${run.number} in test/accuracy/held-out-runs.md`);
}
