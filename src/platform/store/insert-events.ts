import type { Steps } from "../turns.ts";
import type { ReceivedBatch } from "../validate-batch.ts";
import { createNameFinder } from "./agent-store.ts";
import { readFacts } from "./appearances.ts";
import { createBatchChanges } from "./batch-changes.ts";
import type { StoredEvent } from "./batch-body.ts";
import { noteCopy } from "./copy-store.ts";
import { findNextSeq, findSameBody, insertEvent, replaceThinner } from "./event-rows.ts";
import type { ReviewSettings } from "./review-desk.ts";
import type { Transaction } from "./sql-database.ts";
import { createKeyFinder } from "./summary.ts";

/**
 * Inserts the new events of a batch, and updates their conversations. Of a known event, the fuller copy counts
 * from now on; the earlier one stays for the batch that it came in.
 *
 * @returns The number of new ones, and the rows of all events that have one with the same bytes.
 */
export function* insertEvents(
  database: Transaction,
  batch: ReceivedBatch,
  receivedAt: number,
  review: ReviewSettings,
): Steps<{ accepted: number; stored: StoredEvent[] }> {
  const { organizationId, batchId } = batch;
  const stored: StoredEvent[] = [];
  const changes = createBatchChanges(database, organizationId, review);
  const findName = createNameFinder(database, organizationId);
  const findKey = createKeyFinder(organizationId);
  let seq = yield* findNextSeq(database);
  let accepted = 0;
  for (const { event, json, start } of batch.events) {
    yield;
    const key = findKey(event);
    const facts = readFacts(event, yield* findName(event));
    const arrived = { event, json, organizationId, batchId, receivedAt, seq, key, facts };
    if (yield* insertEvent(database, arrived)) {
      accepted++;
      stored.push({ start, length: json.length, seq: seq++ });
      yield* changes.addNew(arrived);
      continue;
    }
    yield* noteCopy(database, { key, batchId });
    const same = yield* findSameBody(database, arrived);
    if (same !== undefined) {
      stored.push({ start, length: json.length, seq: same });
      continue;
    }
    const thinner = yield* replaceThinner(database, arrived);
    if (!thinner) continue;
    stored.push({ start, length: json.length, seq: seq++ });
    yield* changes.addFuller(arrived, thinner);
  }
  yield* changes.save(receivedAt);
  return { accepted, stored };
}
