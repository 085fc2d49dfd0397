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
import { judgeCases, type CaseExchange } from "./judge-cases.ts";
import { askModel, loadJudge } from "./judge-model.ts";
import { writeText } from "./judge-reports.ts";
import {
  createQuestions,
  type Ask,
  type Question,
  type QuestionOptions,
  type Questions,
} from "./questions.ts";
import {
  openRecording,
  toRecordedFiles,
  type KnownRequest,
  type RecordedFiles,
} from "./recording.ts";
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

/** Selects the questions asked of an exchange. */
interface Plan {
  readonly toQuestions: (exchange: CaseExchange) => readonly Question[];
  /** Counts recorded requests, and those that no exchange leads to any more; absent: nothing is recorded. */
  readonly countRequests?: () => { readonly missing: number; readonly known: number };
}

/** Options of a run. */
interface RunOptions {
  readonly options: QuestionOptions;
  readonly args: RunArguments;
  readonly toPlan: (questions: Questions) => Plan;
  readonly ask: Ask;
  readonly maxRunning: number;
  /** Number of problems in reading recorded lines. */
  readonly problems: number;
}

/** Opens cases, and creates the source of their requests. */
export async function openCases(target: CheckTarget, options: QuestionOptions) {
  const check = await openCheck(target);
  // As in a monitor: a bank's own rules are described by their own text, without cases.
  const rules = toJudgeRules(check.checker.rules, readBuiltInSource().rules);
  return { ...check, questions: createQuestions(rules, options) };
}

/** Judges cases, and prints the result. @returns The exit code. */
async function runJudge(run: RunOptions): Promise<number> {
  const { options, args, toPlan, ask, maxRunning } = run;
  const { checker, source, questions } = await openCases(args, options);
  const { toQuestions, countRequests } = toPlan(questions);
  const tally = new JudgeTally(options, questions);
  const findings = judgeCases({ checker, source, toQuestions, ask, tally, maxRunning });
  const toSummary = () => tally.toSummary();
  const isText = args.format === "text";
  await printLines(
    isText ? writeText(findings, toSummary) : writeJson("told", findings, toSummary),
  );
  const { missing, known } = countRequests?.() ?? { missing: 0, known: 0 };
  if (missing > 0)
    warn(
      `recorded with another prompt, other rules or other cases: ${missing} of ${known} requests are missing`,
    );
  const open = missing + run.problems + tally.unjudged;
  return open > 0 ? EXIT_CODES.incomplete : toExitCode(checker.summary, args);
}

/** Asks the recorded questions, without the gate. */
function planByRequests(questions: Questions, requests: readonly KnownRequest[]): Plan {
  const known = new Map(requests.map((request) => [request.id, request]));
  const made = new Set<string>();
  return {
    toQuestions(exchange) {
      const all = questions.toAll(exchange, questions.families, "everything");
      return all.flatMap((question) => {
        const request = known.get(question.request.id);
        if (!request) return [];
        made.add(request.id);
        return [{ ...question, reason: request.reason }];
      });
    },
    countRequests: () => ({ missing: known.size - made.size, known: known.size }),
  };
}

/** Judges recorded requests and replies again: no model is called. */
export async function runRecorded(files: RecordedFiles, args: RunArguments): Promise<number> {
  let problems = 0;
  const { options, requests, replies } = await readRecordedRun(files, (problem) => {
    problems++;
    warn(problem);
  });
  return runJudge({
    options,
    args,
    toPlan: (questions) => planByRequests(questions, requests),
    ask: replayReplies(replies),
    maxRunning: 1,
    problems,
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
  return runJudge({
    options,
    args,
    toPlan: (questions) => ({
      toQuestions(exchange) {
        const asked = questions.toAsked(exchange);
        for (const question of asked) recording?.noteRequest(question, exchange.place);
        return asked;
      },
    }),
    ask: askModel({ options, clock: CLI_CLOCK, onWarning: warn }),
    maxRunning: options.maxConcurrency * AHEAD,
    problems: 0,
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
