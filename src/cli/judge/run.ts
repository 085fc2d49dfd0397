import { toJudgeRules } from "../../assessment/judge-input.ts";
import { readBuiltInSource } from "../../packs.ts";
import { systemClock, type Clock } from "../../util/clock.ts";
import { EXIT_CODES, toExitCode, type FailureLimits } from "../check/checker.ts";
import {
  openCheck,
  type CheckArguments,
  type CheckTarget,
  type JudgingArguments,
} from "../check/open-check.ts";
import { writeJson } from "../check/reports.ts";
import { UsageError } from "../parse-arguments.ts";
import { printLines, warn } from "../run-command.ts";
import { judgeCases, type CaseExchange, type JudgeCasesOptions } from "./judge-cases.ts";
import { askModel, loadJudge } from "./judge-model.ts";
import { writeText } from "./judge-reports.ts";
import { createQuestions, type QuestionOptions } from "./questions.ts";
import { openRecording, toRecordedFiles, type RecordedFiles } from "./recording.ts";
import { readRecordedRun, replayReplies } from "./replay.ts";
import { JudgeTally } from "./tally.ts";

/** Its timers keep the process alive: nothing else does while a model is slow. */
const CLI_CLOCK: Clock = {
  ...systemClock,
  schedule: (callback, delay) => systemClock.schedule(callback, delay, true),
};

/** Waiting exchanges, so that a slow one does not block further calls. */
const AHEAD = 4;

/** Formats of a report. */
export const JUDGE_FORMATS = ["text", "json"] as const;

type RunArguments = CheckTarget &
  FailureLimits & { readonly format: (typeof JUDGE_FORMATS)[number] };

/** Opens cases, and creates the source of their requests. */
export async function openCases(target: CheckTarget, options: QuestionOptions) {
  const check = await openCheck(target);
  // As in a monitor: a bank's own rules are described by their own text, without cases.
  const rules = toJudgeRules(check.checker.rules, readBuiltInSource().rules);
  return { ...check, options, questions: createQuestions(rules, options) };
}

/**
 * Judges cases, and prints the result.
 *
 * @param work - Selects the questions of an exchange, and asks them.
 * @param countOpen - Counts what a recording lacks, once all cases are judged.
 * @returns The exit code.
 */
async function runJudge(
  args: RunArguments,
  { checker, source, options, questions }: Awaited<ReturnType<typeof openCases>>,
  work: Pick<JudgeCasesOptions, "ask" | "maxRunning" | "toQuestions">,
  countOpen = () => 0,
): Promise<number> {
  const tally = new JudgeTally(options, questions);
  const findings = judgeCases({ checker, source, tally, ...work });
  const toSummary = () => tally.toSummary();
  const isText = args.format === "text";
  await printLines(
    isText ? writeText(findings, toSummary) : writeJson("told", findings, toSummary),
  );
  const open = countOpen() + tally.unjudged;
  return open > 0 ? EXIT_CODES.incomplete : toExitCode(checker.summary, args);
}

/** Judges recorded requests and replies again: no model is called. */
export async function runRecorded(files: RecordedFiles, args: RunArguments): Promise<number> {
  let problems = 0;
  const { options, requests, replies } = await readRecordedRun(files, (problem) => {
    problems++;
    warn(problem);
  });
  const cases = await openCases(args, options);
  const { families, toAll } = cases.questions;
  const known = new Map(requests.map((request) => [request.id, request]));
  const made = new Set<string>();
  // What was recorded is asked, without the gate.
  const toQuestions = (exchange: CaseExchange) =>
    toAll(exchange, families, "everything").flatMap((question) => {
      const request = known.get(question.request.id);
      if (!request) return [];
      made.add(request.id);
      return [{ ...question, reason: request.reason }];
    });
  const work = { toQuestions, ask: replayReplies(replies), maxRunning: 1 };
  return runJudge(args, cases, work, () => {
    const missing = known.size - made.size;
    if (missing > 0)
      warn(
        `recorded with another prompt, other rules or other cases: ${missing} of ${known.size} requests are missing`,
      );
    return missing + problems;
  });
}

/** Asks a model the questions that the gate lets through, as a monitor would. */
async function runModel(
  { module, record }: Extract<JudgingArguments, { kind: "model" }>,
  args: RunArguments,
): Promise<number> {
  const loaded = await loadJudge(module);
  const recording = record === undefined ? undefined : openRecording(record, loaded, CLI_CLOCK);
  const options = recording ? { ...loaded, model: recording.recordReplies(loaded.model) } : loaded;
  const cases = await openCases(args, options);
  return runJudge(args, cases, {
    toQuestions(exchange) {
      const asked = cases.questions.toAsked(exchange);
      for (const question of asked) recording?.noteRequest(question, exchange.place);
      return asked;
    },
    ask: askModel({ options, clock: CLI_CLOCK, onWarning: warn }),
    maxRunning: options.maxConcurrency * AHEAD,
  });
}

/** Checks conversations with a judge beside the rules, and reports how far both agree with labels. */
export async function checkWithJudge(
  judging: JudgingArguments,
  { format, ...args }: CheckArguments,
): Promise<number> {
  if (format === "sarif") throw new UsageError("--format sarif is for rules alone: text or json");
  if (judging.kind === "model") return runModel(judging, { ...args, format });
  return runRecorded(toRecordedFiles(judging.folder), { ...args, format });
}
