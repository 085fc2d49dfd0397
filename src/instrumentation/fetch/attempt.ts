import type { Context } from "@opentelemetry/api";
import { toRetryAfterMillis } from "../../http/retry-wait.ts";
import { readMember } from "../../util/untrusted-values.ts";
import { Completion } from "../completion.ts";
import { BodyWatch, type BodyListener } from "./body-watch.ts";
import { isRetryable, toApiFailure, toNetworkFailure, type CallFailure } from "./call-failure.ts";
import { AnswerReader, type ReadAnswer } from "../streams/answer-reader.ts";
import type { CallDependencies, ObservedCall, SentRequest } from "./observed-call.ts";
import { observeResponse } from "./observed-response.ts";
import { readHeader, readOption, readResends } from "./request-parts.ts";
import type { Clock } from "../../util/clock.ts";

/** How long clients wait before they retry, with a margin for jitter. */
const RETRY_MILLIS = 10_000;
/** Longest `Retry-After` that clients follow. */
const MAX_RETRY_AFTER_MILLIS = 60_000;
/** How long the body of an error response is waited for: it has more detail than the status. */
const REFUSAL_MILLIS = 1000;
/** How long a caller may leave a response unread. */
const IDLE_MILLIS = 60_000;
/** Most copies of one body that are observed. */
const MAX_COPIES = 4;
const HTTP_ERROR = 400;
/** Header in which clients that Stainless generates send their timeout, in seconds. */
const TIMEOUT_HEADER = "x-stainless-timeout";

/** One copy of a response's body. */
type Copy = Pick<ReadAnswer, "answer" | "isRefusal">;

/** Reads a header of a response; a mock may have no headers. */
function readAnswerHeader(response: Partial<Response>, name: string): string | undefined {
  const { headers } = response;
  return typeof headers?.get === "function" ? (headers.get(name) ?? undefined) : undefined;
}

/** Reads the server's `Retry-After`, in ms. */
function readRetryAfter(response: Response, clock: Clock): number {
  const millis = Number(readAnswerHeader(response, "retry-after-ms") ?? Number.NaN);
  if (millis >= 0) return millis;
  return toRetryAfterMillis(readAnswerHeader(response, "retry-after"), clock.now()) ?? 0;
}

/** One request of a call, and its response. */
export class Attempt implements BodyListener<Copy> {
  readonly #call: ObservedCall;
  readonly #request: SentRequest;
  readonly #with: CallDependencies;
  readonly #start: number;
  #copies = 0;

  constructor(call: ObservedCall, request: SentRequest, dependencies: CallDependencies) {
    this.#call = call;
    this.#request = request;
    this.#with = dependencies;
    this.#start = dependencies.clock.monotonic();
    call.begin(this);
  }

  /** The context that the request is sent in. */
  get context(): Context {
    return this.#call.context;
  }

  /** Handles the response without reading its body. */
  respond(response: Response): void {
    if (!this.#isCurrent) return;
    const call = this.#call;
    const status: unknown = readMember(response, "status");
    if (typeof status === "number" && status > 0) call.status = status;
    const isRefusal = (call.status ?? 0) >= HTTP_ERROR;
    if (isRefusal) this.#refuse(response, call.status ?? 0);
    else call.see(IDLE_MILLIS);
    const seen = observeResponse(response, this.#watch(isRefusal));
    if (isRefusal || seen === true) return;
    if (seen === "none") call.finish("complete");
    else this.giveUp();
  }

  /** Handles the failure of a request that got no response. */
  fail(error: unknown): void {
    if (!this.#isCurrent) return;
    const failure = this.#toFailure(error);
    this.#call.failure = failure;
    // The caller has cancelled; in a client that retries, the client's own timeout may have aborted.
    if (failure.type === "AbortError" && readResends(this.#request.parts) === undefined)
      this.#call.finish("failed");
    else this.#wait(RETRY_MILLIS);
  }

  /** Ends the call when its response can't be observed. */
  giveUp(): void {
    if (this.#isCurrent) this.#call.expire();
  }

  get #isCurrent(): boolean {
    return !this.#call.isOver && this.#call.attempt === this;
  }

  #toFailure(error: unknown): CallFailure {
    const { parts } = this.#request;
    const seconds = Number(readHeader(parts, TIMEOUT_HEADER) ?? Number.NaN);
    return toNetworkFailure(error, {
      signal: readOption(parts, "signal"),
      timeoutMillis: seconds > 0 ? seconds * 1e3 : undefined,
      elapsedMillis: this.#with.clock.monotonic() - this.#start,
    });
  }

  #wait(millis: number): void {
    this.#call.hold(millis);
    this.#with.retries.add(this.#call, this.#request);
  }

  #refuse(response: Response, status: number): void {
    this.#call.failure = toApiFailure(String(status));
    const isFinal = readAnswerHeader(response, "x-should-retry") === "false";
    if (!isRetryable(status) || isFinal) {
      this.#call.hold(REFUSAL_MILLIS);
      return;
    }
    const wait = Math.min(readRetryAfter(response, this.#with.clock), MAX_RETRY_AFTER_MILLIS);
    this.#wait(wait + RETRY_MILLIS);
  }

  onAsked({ isRefusal }: Copy): void {
    if (!isRefusal && this.#isCurrent) this.#call.deadline = Infinity;
  }

  onRead({ answer, isRefusal }: Copy): void {
    if (isRefusal || !this.#isCurrent) return;
    if (answer.isTerminated) {
      this.#end(answer);
      return;
    }
    this.#call.answer = answer;
    this.#call.see(IDLE_MILLIS);
  }

  onEnd({ answer, isRefusal }: Copy): void {
    if (isRefusal) this.#endRefusal(answer);
    else this.#end(answer);
  }

  onFail({ answer, isRefusal }: Copy, error: unknown): void {
    if (isRefusal) {
      this.#endRefusal(answer);
      return;
    }
    if (!this.#isCurrent) return;
    this.#call.answer = answer;
    // A terminated completion is whole, even if the connection fails.
    if (!answer.isTerminated) this.#call.failure = this.#toFailure(error);
    this.#call.finish(answer.isTerminated ? "complete" : "failed");
  }

  onCancel({ answer, isRefusal }: Copy): void {
    if (!isRefusal) this.#drop(answer, "cancelled");
  }

  onProblem({ answer }: Copy, error: unknown): void {
    this.#with.onProblem(error);
    this.#drop(answer, "abandoned");
  }

  onFork({ isRefusal }: Copy): BodyWatch | undefined {
    return this.#copies < MAX_COPIES ? this.#watch(isRefusal) : undefined;
  }

  #watch(isRefusal: boolean): BodyWatch<Copy> {
    this.#copies++;
    const { protocol, request, target } = this.#call.known;
    const isStreamed = request?.isStreamed ?? protocol.readTarget?.(target).isStreamed ?? false;
    const copy = { protocol, answer: new Completion(), isStreamed, isRefusal };
    return new BodyWatch(copy, new AnswerReader(copy), this);
  }

  #end(answer: Completion): void {
    if (!this.#isCurrent) return;
    const call = this.#call;
    call.answer = answer;
    if (answer.error) call.failure = toApiFailure("provider_error", answer.error);
    call.finish(call.failure ? "failed" : "complete");
  }

  /** Handles the end of an error body; a client may still retry. */
  #endRefusal({ error }: Completion): void {
    if (!this.#isCurrent) return;
    const call = this.#call;
    call.failure = toApiFailure(String(call.status ?? 0), error);
    if (call.deadline - this.#with.clock.monotonic() <= REFUSAL_MILLIS) call.finish("failed");
  }

  /** Records that a copy is read no further; another copy may be. */
  #drop(answer: Completion, kind: "cancelled" | "abandoned"): void {
    this.#copies--;
    if (!this.#isCurrent || this.#copies > 0) return;
    this.#call.answer = answer;
    this.#call.finish(answer.isComplete ? "complete" : kind);
  }
}
