import { mapSteps, type Steps } from "../turns.ts";
import type { ReceivedBatch } from "../validate-batch.ts";
import { createNameFinder } from "./agent-store.ts";
import { readFacts } from "./appearances.ts";
import { createBatchChanges } from "./batch-changes.ts";
import type { StoredEvent } from "./batch-body.ts";
import { noteCopy } from "./copy-store.ts";
import { findNextSeq, findSameBody, insertNew, replaceThinner } from "./event-rows.ts";
import type { ReviewSettings } from "./review-desk.ts";
import type { SharedTransaction } from "./sql-database.ts";
import { findStoredConversations } from "./stored-conversations.ts";
import { createKeyFinder } from "./summary.ts";

/**
 * Inserts the new events of a batch; their conversations are updated at the end of the transaction. Of a known event, the fuller copy counts
 * from now on; the earlier one stays for the batch that it came in.
 *
 * @returns The number of new ones, and the rows of all events that have one with the same bytes.
 */
export function* insertEvents(
  database: SharedTransaction,
  batch: ReceivedBatch,
  receivedAt: number,
  review: ReviewSettings,
): Steps<{ accepted: number; stored: StoredEvent[] }> {
  const { organizationId, batchId } = batch;
  const stored: StoredEvent[] = [];
  const findName = createNameFinder(database, organizationId);
  const findKey = createKeyFinder(organizationId);
  const first = yield* findNextSeq(database);
  const arrivals = yield* mapSteps(batch.events.entries(), function* ([index, { event, json }]) {
    yield;
    const facts = readFacts(event, yield* findName(event));
    const shared = { organizationId, batchId, receivedAt, seq: first + index, facts };
    return { event, json, key: findKey(event), ...shared };
  });
  const known = yield* findStoredConversations(database, new Set(arrivals.map(({ key }) => key)));
  const changes = database.share(`changes of ${organizationId}`, () =>
    createBatchChanges(database, organizationId, review),
  );
  changes.begin(receivedAt, known);
  const added = yield* insertNew(database, arrivals);
  for (const [index, arrived] of arrivals.entries()) {
    yield;
    const { key, seq, json } = arrived;
    const start = batch.events[index]?.start ?? 0;
    if (added.has(seq)) {
      stored.push({ start, length: json.length, seq });
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
    stored.push({ start, length: json.length, seq });
    yield* changes.addFuller(arrived, thinner);
  }
  return { accepted: added.size, stored };
}
