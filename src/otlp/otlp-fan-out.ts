import { keepAliveUntil, withDeadline, type Clock } from "../util/clock.ts";
import type { OtlpLedger } from "./otlp-outbox.ts";
import {
  createRecordPipeline,
  createSpanPipeline,
  type OtlpPipelineOptions,
} from "./otlp-pipeline.ts";
import type { OtlpEndpoint } from "./otlp-transport.ts";

/** What became of the telemetry of one destination; a signal that it does not get is missing. */
export interface OtlpDestinationStats {
  /** Base URL of the destination. */
  readonly url: string;
  /** Absent where the destination gets no traces. */
  readonly spans?: OtlpLedger | undefined;
  /** Absent where the destination gets no logs. */
  readonly logRecords?: OtlpLedger | undefined;
}

/** Where the signals of one destination go; one that it does not get is missing. */
export interface OtlpTarget extends OtlpPipelineOptions {
  readonly url: string;
  readonly traces?: OtlpEndpoint | undefined;
  readonly logs?: OtlpEndpoint | undefined;
}

/**
 * Joins several destinations, none of which waits for another.
 *
 * @param stallMillis - A flush waits no longer for a destination that settles no batch in this time.
 */
export function createOtlpFanOut(
  targets: readonly OtlpTarget[],
  stallMillis: number,
  clock: Clock,
) {
  const destinations = targets.map((target) => ({
    url: target.url,
    spans: target.traces && createSpanPipeline(target.traces, target),
    logRecords: target.logs && createRecordPipeline(target.logs, target),
  }));
  const pipelines = destinations.flatMap(({ spans, logRecords }) =>
    [spans, logRecords].filter((pipeline) => pipeline !== undefined),
  );
  // The sockets don't keep the process alive, so whoever waits for them must.
  const forceFlush = async (timeoutMillis?: number): Promise<void> => {
    const flushed = pipelines.map(async ({ processor, outbox }) => {
      await processor.forceFlush();
      await outbox.drain(stallMillis);
    });
    await keepAliveUntil(clock, withDeadline(clock, Promise.allSettled(flushed), timeoutMillis));
  };
  const flushAndGiveUp = async (timeoutMillis: number, reason: string): Promise<void> => {
    await forceFlush(timeoutMillis);
    for (const { outbox } of pipelines) outbox.giveUp(reason);
  };
  const close = async (): Promise<void> => {
    const closed = pipelines.map(async ({ processor, outbox, transport }) => {
      await processor.shutdown();
      outbox.giveUp("shutdown");
      transport.shutdown();
    });
    await Promise.allSettled(closed);
  };
  let closing: Promise<void> | undefined;

  return {
    spanProcessors: destinations.flatMap(({ spans }) => spans?.processor ?? []),
    logRecordProcessors: destinations.flatMap(({ logRecords }) => logRecords?.processor ?? []),
    /** Sends what is there; a destination where nothing moves is not waited for any longer. Never rejects. */
    forceFlush,
    /** Sends what can be sent within a time in ms and drops the rest, so that the process can end. Never rejects. */
    flushAtExit: (timeoutMillis: number): Promise<void> => flushAndGiveUp(timeoutMillis, "exit"),
    /** Does what `flushAtExit` does, and closes everything. Never rejects. */
    shutdown: (timeoutMillis: number): Promise<void> =>
      (closing ??= flushAndGiveUp(timeoutMillis, "shutdown").then(close)),
    /** Returns what became of the telemetry, one entry for each destination. */
    stats: (): OtlpDestinationStats[] =>
      destinations.map(({ url, spans, logRecords }) => ({
        url,
        ...(spans && { spans: spans.outbox.ledger() }),
        ...(logRecords && { logRecords: logRecords.outbox.ledger() }),
      })),
  };
}
