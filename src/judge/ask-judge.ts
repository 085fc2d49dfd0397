import type { JudgeModel, JudgeRequest } from "../config/judge-options.ts";
import type { Clock } from "../util/clock.ts";
import { toErrorName } from "../util/logger.ts";
import { type JudgeReply, NONE_DROPPED, checkClaims, readReply } from "./judge-reply.ts";
import type { FailedCall, JudgeFailure, Judgement } from "./judgement.ts";
import { readRateLimit, readStatus } from "./model-limits.ts";
import type { SentExchange } from "./sent-exchange.ts";

/** Options of `askJudge`. */
export interface AskOptions {
  readonly model: JudgeModel;
  readonly clock: Clock;
  /** Deadline of one call, ms. */
  readonly timeout: number;
  /** Aborted when the judgement is no longer wanted. */
  readonly signal?: AbortSignal | undefined;
  /** Waits until a second call is allowed; resolves with `false` if none is. Default: the call is made at once. */
  readonly admitRetry?: (() => Promise<boolean>) | undefined;
}

const NO_CLAIMS = { claims: [], dropped: NONE_DROPPED };
type Attempt = Omit<JudgeReply, "failure"> & {
  readonly failure?: JudgeFailure | undefined;
  readonly thrown?: string | undefined;
  readonly retryAfterMillis?: number | undefined;
};

/** Converts an error thrown by the caller's function. */
function toFailedAttempt(error: unknown, now: number): Attempt {
  const limit = readRateLimit(error, now);
  const status = readStatus(error);
  const thrown = `${toErrorName(error)}${status === undefined ? "" : ` with status ${status}`}`;
  return { failure: limit ? "rate_limited" : "error", thrown, ...limit, length: 0 };
}

/** Failures that a second call at once does not cure. */
const FINAL: ReadonlySet<JudgeFailure> = new Set(["closed", "rate_limited"]);

/** Calls the model once; an error and a call that never ends become values. */
async function call(request: JudgeRequest, options: AskOptions): Promise<Attempt> {
  const { model, clock, timeout, signal } = options;
  if (signal?.aborted) return { failure: "closed", length: 0 };
  const controller = new AbortController();
  return new Promise((resolve) => {
    const settle = (attempt: Attempt): void => {
      cancel();
      signal?.removeEventListener("abort", onAbort);
      resolve(attempt);
    };
    const give = (failure: JudgeFailure): void => {
      settle({ failure, length: 0 });
      controller.abort();
    };
    const onAbort = (): void => give("closed");
    const cancel = clock.schedule(() => give("timeout"), timeout);
    signal?.addEventListener("abort", onAbort, { once: true });
    // The caller's function may throw synchronously, or return no promise.
    void (async () => model(request, { signal: controller.signal }))().then(
      (reply) => settle(readReply(reply)),
      (error: unknown) => settle(toFailedAttempt(error, clock.now())),
    );
  });
}

function addUsage(one: JudgeReply["usage"], other: JudgeReply["usage"]): JudgeReply["usage"] {
  if (!one || !other) return one ?? other;
  const isPriced = one.cost !== undefined || other.cost !== undefined;
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    ...(isPriced && { cost: (one.cost ?? 0) + (other.cost ?? 0) }),
  };
}

function toFailedCall({ failure, finishReason, thrown }: Attempt): readonly FailedCall[] {
  return failure === undefined ? [] : [{ failure, finishReason, thrown }];
}

async function callUpToTwice(
  request: JudgeRequest,
  options: AskOptions,
): Promise<readonly [Attempt, ...Attempt[]]> {
  const first = await call(request, options);
  if (first.failure === undefined || FINAL.has(first.failure)) return [first];
  if (options.admitRetry && !(await options.admitRetry())) return [first];
  return [first, await call(request, options)];
}

/**
 * Asks the model to judge one exchange by the rules of one family, and checks what the model claims. Never rejects.
 *
 * A reply that can't be read, and a call that fails, are retried once; a rate limit is not.
 */
export async function askJudge(
  request: JudgeRequest,
  sent: SentExchange,
  options: AskOptions,
): Promise<Judgement> {
  const startedAt = options.clock.monotonic();
  const attempts = await callUpToTwice(request, options);
  const [first, last = first] = attempts;
  const { claims = [], failure, finishReason, length, model, retryAfterMillis } = last;
  const usage = last === first ? first.usage : addUsage(first.usage, last.usage);
  const { family, ruleIds, promptVersion, promptHash } = request;
  const evaluator = {
    id: "agent-monitor.judge",
    type: "llm_judge",
    version: promptVersion,
    ...(model !== undefined && { model }),
    promptHash,
  } as const;
  return {
    family,
    ruleIds,
    evaluator,
    ...(failure === undefined ? checkClaims(claims, ruleIds, sent) : NO_CLAIMS),
    ...(failure !== undefined && { failure }),
    ...(finishReason !== undefined && { finishReason }),
    replyLength: length,
    calls: attempts.length,
    failedCalls: attempts.flatMap(toFailedCall),
    ...(retryAfterMillis !== undefined && { retryAfterMillis }),
    ...(usage && { usage }),
    latency: options.clock.monotonic() - startedAt,
    isCut: sent.isCut,
  };
}
