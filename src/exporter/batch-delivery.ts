import { BATCHES_PATH, IDEMPOTENCY_HEADER } from "../events/wire.ts";
import type { Clock } from "../util/clock.ts";
import { toSendResult, type SendResult } from "./answer.ts";
import { encodeBody, planBatch, type Compression, type PlannedBatch } from "./batch.ts";
import type { PendingEvent } from "./pending-event.ts";
import type { Transport } from "./http-transport.ts";
import { sendWithRetries, type RetryOptions } from "./retry.ts";

/** An event that the platform will never take. */
export interface DeadEvent {
  readonly event: PendingEvent;
  readonly reason: string;
}

/** What became of the events of one delivery. */
export interface DeliveryOutcome {
  /**
   * `done`: every event is settled. Else the events behind the settled ones stay where they are:
   * `exhausted`, no retry is left; `blocked`, nothing is taken at all; `refused`, every part was refused,
   * which speaks against the stream rather than against its events.
   */
  readonly status: "done" | "exhausted" | "refused" | "blocked";
  readonly reason: string;
  /** Number of events, from the oldest, that were taken or are dead. */
  readonly settledCount: number;
  readonly dead: readonly DeadEvent[];
  /** Settled events that the platform had already. */
  readonly duplicates: number;
}

export interface BatchDeliveryOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly organizationId: string;
  readonly compression: Compression;
  readonly retry: RetryOptions;
}

/** Delivers one batch: retries it, regroups it, bisects it. */
export interface BatchDelivery {
  deliver(events: readonly PendingEvent[], retryAttempts: number, signal: AbortSignal): Promise<DeliveryOutcome>;
}

/** A bisection ends when so many refusals have come without any part being taken. */
function maxFruitlessRefusals(eventCount: number): number {
  return 2 * Math.ceil(Math.log2(eventCount)) + 2;
}

/** Ids that are tried before an id conflict is taken for a fault of the platform. */
const MAX_CONFLICTS = 3;

/** Creates the delivery of single batches. */
export function createBatchDelivery(options: BatchDeliveryOptions): BatchDelivery {
  const { transport, clock, organizationId, retry } = options;
  // Set once the platform has answered 415: it will not learn gzip while this process runs.
  let isPlainOnly = false;

  const sendOnce = async (batch: PlannedBatch, signal: AbortSignal): Promise<SendResult> => {
    const coding = isPlainOnly ? "none" : batch.compression;
    const headers: Record<string, string> = {
      "content-type": "application/json",
      [IDEMPOTENCY_HEADER]: `"${batch.batchId}"`,
    };
    if (coding === "gzip") headers["content-encoding"] = "gzip";
    const body = await encodeBody(batch.body, coding);
    const answer = await transport.send({ method: "POST", path: BATCHES_PATH, headers, body }, signal);
    const result = toSendResult(answer, clock.now());
    if (result.status !== "not_decodable") return result;
    if (coding === "none") return { status: "refused", reason: result.reason };
    isPlainOnly = true;
    return sendOnce(batch, signal);
  };

  const sendBatch = async (
    events: readonly PendingEvent[],
    retryAttempts: number,
    signal: AbortSignal,
  ): Promise<SendResult> => {
    let result: SendResult = { status: "blocked", reason: "" };
    for (let attempt = 0; attempt < MAX_CONFLICTS; attempt++) {
      const batch = planBatch(events, {
        organizationId,
        compression: options.compression,
        now: clock.now(),
      });
      result = await sendWithRetries(() => sendOnce(batch, signal), { ...retry, retryAttempts }, signal);
      if (result.status !== "conflict") return result;
    }
    return { status: "blocked", reason: `${result.reason}: every batch id is said to be taken` };
  };

  const bisect = async (
    whole: readonly PendingEvent[],
    firstReason: string,
    retryAttempts: number,
    signal: AbortSignal,
  ): Promise<DeliveryOutcome> => {
    const dead: DeadEvent[] = [];
    const parts = splitInHalf(whole);
    let reason = firstReason;
    let duplicates = 0;
    let isAnyTaken = false;
    let doneCount = 0;
    let fruitless = 1;
    // While nothing has been taken, a refused event may be as good as any other: none is settled yet.
    const end = (status: DeliveryOutcome["status"], why: string): DeliveryOutcome =>
      isAnyTaken
        ? { status, reason: why, settledCount: doneCount, dead, duplicates }
        : { ...NOTHING_SETTLED, status, reason: why };

    for (let part = parts.shift(); part; part = parts.shift()) {
      const result = await sendBatch(part, retryAttempts, signal);
      if (result.status === "accepted") {
        isAnyTaken = true;
        doneCount += part.length;
        duplicates += result.duplicates;
        dead.push(...toDeadEvents(part, result));
      } else if (result.status === "refused") {
        reason = result.reason;
        fruitless++;
        if (!isAnyTaken && fruitless > maxFruitlessRefusals(whole.length)) break;
        const [only] = part;
        if (part.length > 1) parts.unshift(...splitInHalf(part));
        else if (only) {
          dead.push({ event: only, reason });
          doneCount++;
        }
      } else {
        return end(toUnsettledStatus(result), reasonOf(result));
      }
    }
    return isAnyTaken ? end("done", "") : end("refused", reason);
  };

  return {
    async deliver(events, retryAttempts, signal) {
      const result = await sendBatch(events, retryAttempts, signal);
      if (result.status === "accepted") {
        const dead = toDeadEvents(events, result);
        return { status: "done", reason: "", settledCount: events.length, dead, duplicates: result.duplicates };
      }
      if (result.status === "refused" && events.length > 1) {
        return bisect(events, result.reason, retryAttempts, signal);
      }
      return { ...NOTHING_SETTLED, status: toUnsettledStatus(result), reason: reasonOf(result) };
    },
  };
}

const NOTHING_SETTLED = { settledCount: 0, dead: [], duplicates: 0 } as const;

function splitInHalf(events: readonly PendingEvent[]): PendingEvent[][] {
  const middle = Math.ceil(events.length / 2);
  return [events.slice(0, middle), events.slice(middle)].filter((part) => part.length > 0);
}

function toDeadEvents(
  events: readonly PendingEvent[],
  { rejected }: Extract<SendResult, { status: "accepted" }>,
): DeadEvent[] {
  return rejected.flatMap(({ index, code }) => {
    const event = events[index];
    return event ? [{ event, reason: code }] : [];
  });
}

function reasonOf(result: SendResult): string {
  return "reason" in result ? result.reason : "";
}

function toUnsettledStatus({ status }: SendResult): "exhausted" | "refused" | "blocked" {
  if (status === "retryable") return "exhausted";
  return status === "refused" ? "refused" : "blocked";
}
