import {
  type JudgeModel,
  type ResolvedJudgeOptions,
  judgeOptionsSchema,
} from "../../config/judge-options.ts";
import { ValidationError, toValidationDetails } from "../../events/validation-error.ts";
import { toBackoffMillis } from "../../http/retry-wait.ts";
import { askJudge } from "../../judge/ask-judge.ts";
import { CallRate, DailyBudget, readRateLimit } from "../../judge/model-limits.ts";
import type { Clock } from "../../util/clock.ts";
import { toErrorName } from "../../util/logger.ts";
import { readMember } from "../../util/untrusted-values.ts";
import { loadMember, UsageError } from "../parse-arguments.ts";
import type { Answer, Ask, Question } from "./questions.ts";

/** Reads a judge's settings; missing ones get their default. @throws UsageError */
export function resolveJudge(settings: object, name: string): ResolvedJudgeOptions {
  const { success, data, error } = judgeOptionsSchema.safeParse(settings);
  if (success) return data;
  throw new UsageError(new ValidationError(name, toValidationDetails(error.issues)).message);
}

/** Stands for the model where none is asked. */
export async function noModel(): Promise<never> {
  throw new Error("no model is asked");
}

/**
 * Loads the judge that a module exports, as its default export or as `judge`: the function that asks the model, or the settings of
 * a monitor's `judge`, which hold one.
 *
 * @throws UsageError
 */
export async function loadJudge(path: string): Promise<ResolvedJudgeOptions> {
  const judge = await loadMember("judge", path, "judge");
  if (typeof judge === "function") return resolveJudge({ model: judge }, `--judge: ${path}`);
  if (typeof judge === "object" && judge !== null && "model" in judge)
    return resolveJudge(judge, `--judge: ${path}`);
  throw new UsageError(
    `--judge: ${path} must export a function (request, { signal }) => Promise, or settings with one as "model", by default or as "judge"`,
  );
}

/** Options of asking a model. */
interface AskModelOptions {
  readonly options: ResolvedJudgeOptions;
  /** Its timers keep the process alive. */
  readonly clock: Clock;
  /** Called with the reason why the model fails, each reason once; never with content. */
  readonly onWarning: (message: string) => void;
}

/** Limit of retries after a rate limit. */
const MAX_LIMITED = 5;
const DEFAULT_WAIT_MILLIS = 1000;

/** Limits the tasks that run at a time; the others wait in order. */
function createSlots(count: number): <T>(task: () => Promise<T>) => Promise<T> {
  let free = count;
  const waiting: (() => void)[] = [];
  return async (task) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}

/** Describes why a call failed: the error's class and status; its message may hold content, or a key. */
function describe(error: unknown): string {
  const known = ["code", "status", "statusCode"].flatMap((name) => {
    const value: unknown = readMember(error, name);
    const isPlain =
      typeof value === "number" || (typeof value === "string" && /^\w{1,40}$/.test(value));
    return isPlain ? [`${name} ${value}`] : [];
  });
  return [toErrorName(error), ...known].join(", ");
}

/** Reports a model's failures, each kind once. */
function withWarnings(model: JudgeModel, { clock, onWarning }: AskModelOptions): JudgeModel {
  const reported = new Set<string>();
  return async (request, call) => {
    try {
      return await model(request, call);
    } catch (error) {
      const reason = describe(error);
      if (!readRateLimit(error, clock.now()) && !reported.has(reason)) {
        reported.add(reason);
        onWarning(`the model failed (${reason})`);
      }
      throw error;
    }
  };
}

/** Asks a model within the judge's bounds of concurrency, rate and budget; a rate-limited one is asked again later. */
export function askModel(work: AskModelOptions): Ask {
  const { options, clock, onWarning } = work;
  const model = withWarnings(options.model, work);
  const inSlot = createSlots(options.maxConcurrency);
  const rate = new CallRate(options.maxPerMinute);
  const budget = new DailyBudget(options.dailyBudget);
  let notBefore = clock.monotonic();
  const wait = async (millis: number): Promise<void> => {
    if (millis > 0) await new Promise<void>((resolve) => void clock.schedule(resolve, millis));
  };
  const admit = async (): Promise<boolean> => {
    const now = clock.monotonic();
    await wait(Math.max(rate.book(now), notBefore - now));
    if (budget.isSpent(clock.now())) return false;
    budget.addCall(clock.now());
    return true;
  };
  const pause = (millis: number): void => {
    const now = clock.monotonic();
    // Calls that run at the same time are refused together.
    if (notBefore <= now)
      onWarning(`the model wants to be asked later: waiting ${Math.ceil(millis / 1000)} s`);
    notBefore = Math.max(notBefore, now + millis);
  };
  const ask = async (question: Question, limited = 0): Promise<Answer | "over_budget"> => {
    const { request, sent } = question;
    if (!(await admit())) return "over_budget";
    const { timeout } = options;
    const judgement = await askJudge(request, sent, { model, clock, timeout, admitRetry: admit });
    const { usage, failure } = judgement;
    if (usage) budget.addUsage(usage, clock.now());
    if (failure !== "rate_limited" || limited >= MAX_LIMITED)
      return { judgement, latency: judgement.latency };
    pause(judgement.retryAfterMillis ?? toBackoffMillis(limited + 1, DEFAULT_WAIT_MILLIS));
    return ask(question, limited + 1);
  };
  return async (question) => inSlot(async () => ask(question));
}
