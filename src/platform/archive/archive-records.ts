import { groupByPartition } from "../kafka/group-by-partition.ts";
import type { ReadRecord } from "../kafka/kafka-consumer.ts";
import { toArchived, toIndexObject } from "./archive-layout.ts";
import type { ArchiveLine } from "./archive-line.ts";
import type { ObjectStore } from "./object-store.ts";

/** Archives records: first their bytes, then the lists of them; resolves once all of that is there for good. */
export async function archiveRecords(
  store: ObjectStore,
  records: readonly ReadRecord[],
): Promise<readonly ArchiveLine[]> {
  const archived = groupByPartition(records).map((group) => group.map(toArchived));
  // A batch that was sent twice has one object.
  const objects = archived.flat().flatMap(({ object }) => object ?? []);
  await store.put([...new Map(objects.map((object) => [object.name, object])).values()]);
  const lines = archived.map((group) => group.map(({ line }) => line));
  await store.put(lines.flatMap((group) => toIndexObject(group) ?? []));
  return lines.flat();
}
