import type { Steps } from "../turns.ts";
import type { ReceivedBatch } from "../validate-batch.ts";
import { createNameFinder } from "./agent-store.ts";
import { readFacts } from "./appearances.ts";
import { createBatchChanges } from "./batch-changes.ts";
import type { StoredEvent } from "./batch-body.ts";
import { noteCopy } from "./copy-store.ts";
import { findNextSeq, findSameBody, insertEvent, replaceThinner } from "./event-rows.ts";
import type { ReviewSettings } from "./review-desk.ts";
import type { SqlDatabase } from "./sql-database.ts";
import { createKeyFinder } from "./summary.ts";

/**
 * Inserts the new events of a batch, and updates their conversations. Of a known event, the fuller copy counts
 * from now on; the earlier one stays for the batch that it came in.
 *
 * @returns The number of new ones, and the rows of all events that have one with the same bytes.
 */
export function* insertEvents(
  database: SqlDatabase,
  batch: ReceivedBatch,
  receivedAt: number,
  review: ReviewSettings,
): Steps<{ accepted: number; stored: StoredEvent[] }> {
  const { organizationId, batchId } = batch;
  const stored: StoredEvent[] = [];
  const changes = createBatchChanges(database, organizationId, review);
  const findName = createNameFinder(database, organizationId);
  const findKey = createKeyFinder(organizationId);
  let seq = findNextSeq(database);
  let accepted = 0;
  for (const { event, json, start } of batch.events) {
    yield;
    const key = findKey(event);
    const facts = readFacts(event, findName(event));
    const arrived = { event, json, organizationId, batchId, receivedAt, seq, key, facts };
    if (insertEvent(database, arrived)) {
      accepted++;
      stored.push({ start, length: json.length, seq: seq++ });
      changes.addNew(arrived);
      continue;
    }
    noteCopy(database, { key, batchId });
    const same = findSameBody(database, arrived);
    if (same !== undefined) {
      stored.push({ start, length: json.length, seq: same });
      continue;
    }
    const thinner = replaceThinner(database, arrived);
    if (!thinner) continue;
    stored.push({ start, length: json.length, seq: seq++ });
    changes.addFuller(arrived, thinner);
  }
  yield* changes.save(receivedAt);
  return { accepted, stored };
}
