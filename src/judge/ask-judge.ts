import type { Clock } from "../util/clock.ts";
import { checkClaims } from "./check-claims.ts";
import type { JudgeModel } from "./judge-options.ts";
import { readReply, type JudgeReply, type JudgeUsage } from "./judge-reply.ts";
import type { JudgeRequest } from "./judge-request.ts";
import type { JudgeFailure, Judgement } from "./judgement.ts";
import type { SentExchange } from "./sent-exchange.ts";

/** What asking works with. */
export interface AskOptions {
  readonly model: JudgeModel;
  readonly clock: Clock;
  /** Deadline of one call, ms. */
  readonly timeout: number;
  /** Aborted when no answer is wanted any more. */
  readonly signal?: AbortSignal | undefined;
}

const NO_CLAIMS = {
  claims: [],
  dropped: { unknown_rule: 0, quote_not_found: 0, quote_too_short: 0 },
};
/** A first try and one more. */
const MAX_CALLS = 2;

type Attempt = Omit<JudgeReply, "failure"> & { readonly failure?: JudgeFailure | undefined };

/** Calls the model once; what it throws, and a call that never ends, are values here. */
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
    // A function of the caller's may throw at once, and give no promise.
    void (async () => model(request, { signal: controller.signal }))().then(
      (reply) => settle(readReply(reply)),
      () => settle({ failure: "error", length: 0 }),
    );
  });
}

function addUsage(
  one: JudgeUsage | undefined,
  other: JudgeUsage | undefined,
): JudgeUsage | undefined {
  if (!one || !other) return one ?? other;
  const cost =
    one.cost === undefined && other.cost === undefined
      ? undefined
      : (one.cost ?? 0) + (other.cost ?? 0);
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    ...(cost !== undefined && { cost }),
  };
}

/**
 * Has one exchange judged by the rules of one family, and checks what the model claims. Never rejects.
 *
 * A reply that can't be read, and a call that fails, are tried once more.
 */
export async function askJudge(
  request: JudgeRequest,
  sent: SentExchange,
  options: AskOptions,
): Promise<Judgement> {
  const startedAt = options.clock.monotonic();
  let usage: JudgeUsage | undefined;
  let attempt: Attempt = { failure: "closed", length: 0 };
  let calls = 0;
  while (calls < MAX_CALLS && (calls === 0 || attempt.failure !== undefined)) {
    attempt = await call(request, options);
    calls++;
    usage = addUsage(usage, attempt.usage);
    if (attempt.failure === "closed") break;
  }
  const { claims = [], failure, finishReason, length, model } = attempt;
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
    calls,
    ...(usage && { usage }),
    latency: options.clock.monotonic() - startedAt,
    isCut: sent.isCut,
  };
}
