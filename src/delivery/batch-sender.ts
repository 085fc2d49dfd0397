import { BATCHES_PATH } from "../events/wire.ts";
import type { Clock } from "../util/clock.ts";
import { countNoun } from "../util/count-noun.ts";
import { toErrorName, type BurstLogger } from "../util/logger.ts";
import { ENCRYPTION_NOT_TAKEN, EncryptionError, type BatchEncoder } from "./batch-encoding.ts";
import type { PlannedBatch } from "./batch.ts";
import { sendWithRetries, type RetryOptions } from "./circuit.ts";
import {
  toSendResult,
  type SendResult,
  type Transport,
  type TransportAnswer,
} from "./http-transport.ts";

export interface BatchSenderOptions {
  readonly organizationId: string;
  readonly transport: Transport;
  readonly encoder: BatchEncoder;
  readonly clock: Clock;
  readonly retry: RetryOptions;
  readonly log: BurstLogger;
  /** Called after every attempt, with its error if it failed. */
  readonly onAttempt?: (durationMillis: number, errorType: string | undefined) => void;
}

/** Result of sending a batch, retries included. */
export type BatchResult = Exclude<SendResult, { status: "not_decodable" }>;

/** Sends one batch, with retries, until the result is final. */
export type SendBatch = (
  batch: PlannedBatch,
  retryAttempts: number,
  signal: AbortSignal,
) => Promise<BatchResult>;

/** Describes the final result of a batch for a log line. */
function toOutcome(result: SendResult): string {
  if (result.status !== "accepted") return `${result.status} (${result.reason})`;
  return `taken (rejected: ${result.rejected.length}, known before: ${result.duplicates})`;
}

function toErrorType(answer: TransportAnswer): string | undefined {
  if (answer.kind === "failure") return answer.reason;
  return answer.status < 300 ? undefined : String(answer.status);
}

/** Creates a sender of single batches, which falls back to plain bytes when the platform does not understand gzip. */
export function createBatchSender(options: BatchSenderOptions): SendBatch {
  const { organizationId, transport, encoder, clock, retry, log } = options;
  // Set once the platform has responded with 415: it will not learn gzip while this process runs.
  let isPlainOnly = false;

  const post = async (
    { plan, body: plain }: PlannedBatch,
    signal: AbortSignal,
  ): Promise<SendResult> => {
    const { batchId } = plan;
    const batch = { batchId, body: plain, compression: plan.metadata.compressionType };
    const { headers, body } = await encoder.encode(batch, organizationId, isPlainOnly);
    const request = { method: "POST", path: BATCHES_PATH, headers, body } as const;
    const startedAt = clock.monotonic();
    log.log(
      "debug",
      "send",
      `batch ${batchId}: sends ${countNoun(plan.eventCount, "event")} in ${countNoun(body.length, "byte")} to ${transport.url}`,
    );
    const answer = await transport.send(request, signal);
    const millis = clock.monotonic() - startedAt;
    options.onAttempt?.(millis, toErrorType(answer));
    const said = answer.kind === "failure" ? answer.reason : `status ${answer.status}`;
    log.log("debug", "send", `batch ${batchId}: ${said} after ${Math.round(millis)} ms`);
    const result = toSendResult(answer, clock.now());
    if (result.status !== "not_decodable") return result;
    if (encoder.isEncrypted) return { status: "blocked", reason: ENCRYPTION_NOT_TAKEN };
    return headers["content-encoding"] === "gzip"
      ? result
      : { status: "refused", reason: result.reason, isTooLarge: false };
  };

  const postDecodable = async (batch: PlannedBatch, signal: AbortSignal): Promise<SendResult> => {
    const result = await post(batch, signal);
    if (result.status !== "not_decodable") return result;
    isPlainOnly = true;
    return post(batch, signal);
  };

  /** A batch that can't be encoded, for want of a key or a module, waits like one that the platform does not accept. */
  const postSafely = async (batch: PlannedBatch, signal: AbortSignal): Promise<SendResult> => {
    try {
      return await postDecodable(batch, signal);
    } catch (error) {
      const reason = error instanceof EncryptionError ? error.message : toErrorName(error);
      return { status: "blocked", reason: `sending failed: ${reason}` };
    }
  };

  return async (batch, retryAttempts, signal) => {
    const result = await sendWithRetries(
      () => postSafely(batch, signal),
      { ...retry, retryAttempts },
      signal,
    );
    log.log("debug", "batch", `batch ${batch.plan.batchId}: ${toOutcome(result)}`);
    if (result.status !== "not_decodable") return result;
    return { status: "refused", reason: result.reason, isTooLarge: false };
  };
}
