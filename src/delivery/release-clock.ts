import { ExportResultCode } from "@opentelemetry/core";
import {
  BatchLogRecordProcessor,
  type LogRecordExporter,
  type ReadableLogRecord,
  type ReadWriteLogRecord,
} from "@opentelemetry/sdk-logs";

export interface ReleaseClockOptions {
  /** Records that make a batch. */
  readonly batchSize: number;
  /** Longest wait of a partial batch in ms. */
  readonly flushInterval: number;
  /** Records that may wait; at or above the bound of the event store. */
  readonly maxQueueSize: number;
  /** Lets everything up to a sequence be sent. */
  readonly release: (sequence: number) => void;
}

/** Marks a record with the sequence of its event; the record is ours alone. */
const SEQUENCE = Symbol("sequence");
type SequencedRecord = { [SEQUENCE]?: number };

/**
 * Decides when stored events are sent: on size, or after an interval.
 *
 * Uses OTel's batch processor as the clock of both, and for nothing else.
 *
 * Its queue may drop, its flush may return early and its shutdown may lose records, but each record only signals
 * that an event was stored; the exporter returns its result at once, so no export is ever in flight.
 */
export function createReleaseClock(options: ReleaseClockOptions) {
  const maxQueueSize = Math.max(options.maxQueueSize, options.batchSize);
  /** Records that the processor holds. */
  let queued = 0;
  /** The newest event without a record in the processor: a spool keeps more events than its queue has room for. */
  let overflow = 0;
  const exporter: LogRecordExporter = {
    export(records: ReadableLogRecord[], done) {
      const newest = records.at(-1) as SequencedRecord | undefined;
      queued -= records.length;
      const released = newest?.[SEQUENCE] ?? 0;
      // First: a processor that gets no result keeps the process alive for half a minute.
      done({ code: ExportResultCode.SUCCESS });
      options.release(queued === 0 ? Math.max(released, overflow) : released);
    },
    forceFlush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
  };
  const processor = new BatchLogRecordProcessor({
    exporter,
    maxExportBatchSize: options.batchSize,
    scheduledDelayMillis: options.flushInterval,
    maxQueueSize,
  });
  return {
    note(record: ReadWriteLogRecord, sequence: number): void {
      if (queued === maxQueueSize) {
        overflow = sequence;
        return;
      }
      queued++;
      (record as SequencedRecord)[SEQUENCE] = sequence;
      processor.onEmit(record);
    },
    forceFlush: () => processor.forceFlush(),
    shutdown: () => processor.shutdown(),
  };
}
