import type { ReadRecord } from "./kafka-consumer.ts";

/** Groups records by partition; each group is in order. */
export function groupByPartition(
  records: readonly ReadRecord[],
): readonly (readonly ReadRecord[])[] {
  const groups = new Map<string, ReadRecord[]>();
  for (const record of records) {
    const name = `${record.topic} ${record.partition}`;
    const group = groups.get(name) ?? [];
    groups.set(name, group);
    group.push(record);
  }
  return [...groups.values()];
}
