import type { ReadRecord } from "./kafka-consumer.ts";

/** Bytes of records, compressed, that are under way at a time. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Takes a record; `onQueued` is called once nothing that comes later is written before it. */
export type TakeRecord<Result> = (record: ReadRecord, onQueued: () => void) => Promise<Result>;

/**
 * Takes records in order, and returns the results: the next one begins when the one before is queued, not when it is stored, so that
 * many are stored together.
 */
export async function takeInOrder<Result>(
  records: readonly ReadRecord[],
  take: TakeRecord<Result>,
): Promise<Result[]> {
  const taken: Promise<Result>[] = [];
  let bytes = 0;
  for (const record of records) {
    bytes += record.value.length;
    if (bytes > MAX_BYTES) {
      await Promise.all(taken);
      bytes = record.value.length;
    }
    await new Promise<void>((resolve) => {
      const one = take(record, resolve);
      taken.push(one);
      const goOn = (): void => resolve();
      // Where it fails, all of them do, at the end.
      one.then(goOn, goOn);
    });
  }
  return Promise.all(taken);
}
