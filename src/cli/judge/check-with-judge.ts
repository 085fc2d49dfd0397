import { join } from "node:path";
import type { ResolvedJudgeOptions } from "../../config/judge-options.ts";
import type { CheckArguments, JudgingArguments } from "../check/arguments.ts";
import { warn } from "../check/open-check.ts";
import { UsageError } from "../parse-arguments.ts";
import { askModel, loadJudge } from "./judge-model.ts";
import { openRecording, RECORDED_FILES } from "./recording.ts";
import { readRecordedRun, replayReplies } from "./replay.ts";
import { planByGate, planByRequests } from "./request-line.ts";
import { CLI_CLOCK, runJudge, type RunOptions } from "./run.ts";

type Args = RunOptions["args"];

/** Waiting exchanges, so that a slow one does not block further calls. */
const AHEAD = 4;

/** Judges recorded requests and replies again: no model is called. */
export async function runRecorded(
  files: { readonly requests: string; readonly replies: string },
  args: Args,
): Promise<number> {
  let problems = 0;
  const recorded = await readRecordedRun(files, (problem) => {
    problems++;
    warn(problem);
  });
  const { options, requests, replies } = recorded;
  return runJudge({
    options,
    args,
    toPlan: (questions) => planByRequests(questions, requests),
    ask: replayReplies(replies),
    maxRunning: 1,
    problems,
  });
}

async function runModel(
  { module, record }: Extract<JudgingArguments, { kind: "model" }>,
  args: Args,
): Promise<number> {
  const loaded = await loadJudge(module);
  const recording = record === undefined ? undefined : openRecording(record, loaded, CLI_CLOCK);
  const options: ResolvedJudgeOptions = recording
    ? { ...loaded, model: recording.recordReplies(loaded.model) }
    : loaded;
  return runJudge({
    options,
    args,
    toPlan(questions) {
      const { toQuestions, countRequests } = planByGate(questions);
      return {
        toQuestions(exchange) {
          const asked = toQuestions(exchange);
          for (const question of asked) recording?.noteRequest(question, exchange.place);
          return asked;
        },
        countRequests,
      };
    },
    ask: askModel({ options, clock: CLI_CLOCK, onWarning: warn }),
    maxRunning: options.maxConcurrency * AHEAD,
    problems: 0,
  });
}

/** Checks conversations with a judge beside the rules, and reports how far both agree with labels. */
export async function checkWithJudge(args: CheckArguments): Promise<number> {
  const { format, judging } = args;
  if (format === "sarif") throw new UsageError("--format sarif is for rules alone: text or json");
  if (judging?.kind !== "replay") return judging ? runModel(judging, { ...args, format }) : 0;
  const { folder } = judging;
  const files = {
    requests: join(folder, RECORDED_FILES.requests),
    replies: join(folder, RECORDED_FILES.replies),
  };
  return runRecorded(files, { ...args, format });
}
