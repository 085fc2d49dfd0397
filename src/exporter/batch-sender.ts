import { BATCHES_PATH, IDEMPOTENCY_HEADER } from "../events/wire.ts";
import type { Clock } from "../util/clock.ts";
import { toSendResult, type SendResult } from "./answer.ts";
import { encodeBody, planBatch, type Compression, type PlannedBatch } from "./batch.ts";
import type { Transport } from "./http-transport.ts";
import type { PendingEvent } from "./pending-event.ts";
import { sendWithRetries, type RetryOptions } from "./retry.ts";

export interface BatchSenderOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly organizationId: string;
  readonly compression: Compression;
  readonly retry: RetryOptions;
}

/** Sends events as one batch, with retries, until the result is final. */
export type SendBatch = (
  events: readonly PendingEvent[],
  retryAttempts: number,
  signal: AbortSignal,
) => Promise<Exclude<SendResult, { status: "conflict" | "not_decodable" }>>;

/** Ids that are tried before an id conflict is taken for a fault of the platform. */
const MAX_CONFLICTS = 3;

/** Creates what sends one batch: it fixes the bytes, falls back to plain ones and changes a taken id. */
export function createBatchSender(options: BatchSenderOptions): SendBatch {
  const { transport, clock, organizationId, compression, retry } = options;
  // Set once the platform has answered 415: it will not learn gzip while this process runs.
  let isPlainOnly = false;

  const post = async (
    batch: PlannedBatch,
    coding: Compression,
    signal: AbortSignal,
  ): Promise<SendResult> => {
    const headers: Record<string, string> = {
      "content-type": "application/json",
      [IDEMPOTENCY_HEADER]: `"${batch.batchId}"`,
    };
    if (coding === "gzip") headers["content-encoding"] = "gzip";
    const body = await encodeBody(batch.body, coding);
    const request = { method: "POST", path: BATCHES_PATH, headers, body } as const;
    return toSendResult(await transport.send(request, signal), clock.now());
  };

  const postDecodable = async (batch: PlannedBatch, signal: AbortSignal): Promise<SendResult> => {
    const coding = isPlainOnly ? "none" : batch.compression;
    const result = await post(batch, coding, signal);
    if (result.status !== "not_decodable" || coding === "none") return result;
    isPlainOnly = true;
    return post(batch, "none", signal);
  };

  return async (events, retryAttempts, signal) => {
    for (let attempt = 0; attempt < MAX_CONFLICTS; attempt++) {
      const batch = planBatch(events, { organizationId, compression, now: clock.now() });
      const result = await sendWithRetries(
        () => postDecodable(batch, signal),
        { ...retry, retryAttempts },
        signal,
      );
      if (result.status === "not_decodable") return { status: "refused", reason: result.reason };
      if (result.status !== "conflict") return result;
    }
    return { status: "blocked", reason: "every batch id is said to be taken" };
  };
}
