import type { LogRecordProcessor } from "@opentelemetry/sdk-logs";
import type { SpanProcessor } from "@opentelemetry/sdk-trace-base";
import { keepAliveUntil, withDeadline, type Clock } from "../util/clock.ts";
import type { OtlpLedger } from "./otlp-outbox.ts";
import type { OtlpPipeline } from "./otlp-pipeline.ts";

/** What became of the telemetry of one destination; a signal that it does not get is missing. */
export interface OtlpDestinationStats {
  /** Base URL of the destination. */
  readonly url: string;
  /** Absent where the destination gets no traces. */
  readonly spans?: OtlpLedger | undefined;
  /** Absent where the destination gets no logs. */
  readonly logRecords?: OtlpLedger | undefined;
}

/** The outlets of one destination. */
export interface OtlpDestinationOutlets {
  readonly url: string;
  readonly spans?: OtlpPipeline<SpanProcessor> | undefined;
  readonly logRecords?: OtlpPipeline<LogRecordProcessor> | undefined;
}

/** Several destinations, none of which waits for another. */
export interface OtlpFanOut {
  readonly spanProcessors: SpanProcessor[];
  readonly logRecordProcessors: LogRecordProcessor[];
  /** Sends what is there; a destination where nothing moves is not waited for any longer. Never rejects. */
  flush(timeoutMillis?: number): Promise<void>;
  /** Sends what can be sent within a time in ms and drops the rest. Never rejects. */
  flushAtExit(timeoutMillis: number): Promise<void>;
  /** Sends what can be sent within a time in ms, drops the rest and closes everything. Never rejects. */
  shutdown(timeoutMillis: number): Promise<void>;
  stats(): OtlpDestinationStats[];
}

type Outlet = OtlpPipeline<unknown>;

/**
 * Joins destinations.
 *
 * @param stallMillis - A flush waits no longer for a destination that settles no batch in this time.
 */
export function createOtlpFanOut(
  destinations: readonly OtlpDestinationOutlets[],
  stallMillis: number,
  clock: Clock,
): OtlpFanOut {
  const outlets: Outlet[] = destinations.flatMap(({ spans, logRecords }) =>
    [spans, logRecords].filter((outlet) => outlet !== undefined),
  );
  const each = async (act: (outlet: Outlet) => Promise<void>): Promise<void> => {
    await Promise.allSettled(outlets.map(act));
  };
  const flush = (): Promise<void> => each((outlet) => outlet.flush(stallMillis));
  // The sockets don't keep the process alive, so whoever waits for them must.
  const within = async (timeoutMillis: number | undefined, work: Promise<void>): Promise<void> => {
    await keepAliveUntil(clock, withDeadline(clock, work, timeoutMillis));
  };
  const giveUp = (reason: string): void => {
    for (const outlet of outlets) outlet.giveUp(reason);
  };
  let closing: Promise<void> | undefined;

  return {
    spanProcessors: destinations.flatMap(({ spans }) => spans?.processor ?? []),
    logRecordProcessors: destinations.flatMap(({ logRecords }) => logRecords?.processor ?? []),
    flush: (timeoutMillis) => within(timeoutMillis, flush()),
    async flushAtExit(timeoutMillis) {
      await within(timeoutMillis, flush());
      giveUp("exit");
    },
    shutdown(timeoutMillis) {
      closing ??= within(timeoutMillis, flush()).then(() => {
        giveUp("shutdown");
        return each((outlet) => outlet.close());
      });
      return closing;
    },
    stats: () =>
      destinations.map(({ url, spans, logRecords }) => ({
        url,
        ...(spans && { spans: spans.ledger() }),
        ...(logRecords && { logRecords: logRecords.ledger() }),
      })),
  };
}
