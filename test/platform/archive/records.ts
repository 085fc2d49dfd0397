import type { PassedBatch } from "../../../src/platform/gateway/destination.ts";
import type { ReadRecord } from "../../../src/platform/kafka/kafka-consumer.ts";
import {
  type KafkaRecord,
  toBatchRecord,
  toTopics,
} from "../../../src/platform/kafka/kafka-record.ts";

export const TOPICS = toTopics("agent-events");
/** Noon, so that no time zone has another day. */
export const RECEIVED_AT = Date.UTC(2026, 10, 20, 12);

const REQUEST = new Request("http://127.0.0.1/v1/batches");

/** Writes a batch as a gateway does. */
export function toRecord(batch: object, given: Partial<PassedBatch> = {}): KafkaRecord {
  const { batchId, organizationId } = batch as Pick<PassedBatch, "batchId" | "organizationId">;
  const body = { sent: Buffer.from(JSON.stringify(batch)), encoding: "identity" } as const;
  const facts = { request: REQUEST, batchId, organizationId, writerId: "writer", body };
  return toBatchRecord({ ...facts, receivedAt: RECEIVED_AT, ...given }, TOPICS);
}

/** Reads records as one partition has them. */
export function readAs(
  records: readonly KafkaRecord[],
  { partition = 0, from = 0 }: { readonly partition?: number; readonly from?: number } = {},
): ReadRecord[] {
  return records.map(({ topic, key, value, headers }, index) => ({
    topic,
    partition,
    offset: BigInt(from + index),
    key,
    value,
    headers: new Map(Object.entries(headers)),
  }));
}
