import { ProblemError } from "../problem.ts";
import type { KafkaRecord } from "../kafka/kafka-record.ts";

/** Records that wait, and who waits for them. */
interface Waiting {
  readonly records: readonly KafkaRecord[];
  readonly size: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** What a record takes beside its value, at most. */
const OVERHEAD = 1024;

const isRefused = (error: unknown): boolean =>
  error instanceof ProblemError && error.code === "payload_too_large";

const toSize = (records: readonly KafkaRecord[]): number =>
  records.reduce((sum, { key, value }) => sum + key.length + value.length + OVERHEAD, 0);

/**
 * Creates a queue that sends one request at a time: what comes meanwhile goes with the next one, in order.
 *
 * Where a request fails, all in it fail: each is sent again by whoever has sent it, and the store knows it by its id.
 *
 * @param send - Resolves once all records are there for good.
 * @param maxBytes - Bound of a request, as one record after the other fits into it; one that does not goes alone.
 */
export function createRecordQueue(
  send: (records: readonly KafkaRecord[]) => Promise<void>,
  maxBytes: number,
) {
  let waiting: Waiting[] = [];
  let running: Promise<void> | undefined;

  /** Takes what fits into one request. */
  const takeNext = (): Waiting[] => {
    let size = 0;
    const end = waiting.findIndex((each, index) => (size += each.size) > maxBytes && index > 0);
    const next = end === -1 ? waiting : waiting.slice(0, end);
    waiting = end === -1 ? [] : waiting.slice(end);
    return next;
  };

  const sendAll = async (next: readonly Waiting[]): Promise<void> => {
    try {
      await send(next.flatMap(({ records }) => records));
      for (const { resolve } of next) resolve();
    } catch (error) {
      // One record is too large for its topic, and nobody says which.
      if (next.length > 1 && isRefused(error)) for (const each of next) await sendAll([each]);
      else for (const { reject } of next) reject(error);
    }
  };

  const run = async (): Promise<void> => {
    while (waiting.length > 0) await sendAll(takeNext());
    running = undefined;
  };

  return {
    /** Resolves once the records are there for good. */
    add: (records: readonly KafkaRecord[]): Promise<void> =>
      new Promise((resolve, reject) => {
        waiting.push({ records, size: toSize(records), resolve, reject });
        running ??= run();
      }),
    /** Resolves once nothing waits any more. */
    idle: async (): Promise<void> => {
      await running;
    },
  };
}
