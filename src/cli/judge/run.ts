import { toJudgeRules } from "../../assessment/judge-input.ts";
import { readBuiltInSource } from "../../packs.ts";
import { systemClock, type Clock } from "../../util/clock.ts";
import type { CheckArguments } from "../check/arguments.ts";
import { openCheck, warn, type CheckTarget, type OpenedCheck } from "../check/open-check.ts";
import { EXIT_CODES, toExitCode } from "../check/summary.ts";
import { openOutput } from "../spool/output.ts";
import { judgeCases } from "./judge-cases.ts";
import { createJsonJudgeReport, createTextJudgeReport } from "./judge-reports.ts";
import { createQuestions, type Ask, type QuestionOptions, type Questions } from "./questions.ts";
import type { Plan } from "./request-line.ts";
import { JudgeTally } from "./tally.ts";

/** Its timers keep the process alive: nothing else does while a model is slow. */
export const CLI_CLOCK: Clock = {
  ...systemClock,
  schedule: (callback, delay) => systemClock.schedule(callback, delay, true),
};

/** Formats of a report. */
export const JUDGE_FORMATS = ["text", "json"] as const;

/** Options of a run. */
export interface RunOptions {
  readonly options: QuestionOptions;
  readonly args: CheckTarget &
    Pick<CheckArguments, "failOn"> & { readonly format: (typeof JUDGE_FORMATS)[number] };
  readonly toPlan: (questions: Questions) => Plan;
  readonly ask: Ask;
  readonly maxRunning: number;
  /** Number of problems in reading recorded lines. */
  readonly problems: number;
}

/** Opens cases, and creates the source of their requests. */
export async function openCases(
  target: CheckTarget,
  options: QuestionOptions,
): Promise<{ readonly check: OpenedCheck; readonly questions: Questions }> {
  const check = await openCheck(target);
  // As in a monitor: a bank's own rules are described by their own text, without cases.
  const rules = toJudgeRules(check.checker.rules, readBuiltInSource().rules);
  return { check, questions: createQuestions(rules, options) };
}

const REPORTS = { text: createTextJudgeReport, json: createJsonJudgeReport } as const;

/** Judges cases, and prints the result. @returns The exit code. */
export async function runJudge(run: RunOptions): Promise<number> {
  const { options, args, ask, maxRunning } = run;
  const { check, questions } = await openCases(args, options);
  const { checker, source } = check;
  const { toQuestions, countRequests } = run.toPlan(questions);
  const tally = new JudgeTally(options, questions);
  const report = REPORTS[args.format]();
  const output = await openOutput(undefined);
  const write = async (lines: readonly string[]): Promise<void> => {
    for (const line of lines) await output.write(Buffer.from(line));
  };
  await write(report.begin());
  const reported = judgeCases({ checker, source, toQuestions, ask, tally, maxRunning });
  for await (const finding of reported) await write(report.finding(finding));
  const summary = tally.toSummary();
  await write(report.end(summary));
  await output.close();
  const { missing, known } = countRequests();
  if (missing > 0)
    warn(
      `recorded with another prompt, other rules or other cases: ${missing} of ${known} requests are missing`,
    );
  const open = missing + run.problems + tally.unjudged;
  return open > 0 ? EXIT_CODES.incomplete : toExitCode(checker.summary, args);
}
