import type { Consumption } from "./consumption.ts";
import { groupByPartition } from "./group-by-partition.ts";
import { type ReadRecord, startKafkaConsumer } from "./kafka-consumer.ts";
import type { KafkaSource } from "./kafka-options.ts";
import { openKafkaProducer } from "./kafka-producer.ts";
import { type KafkaRecord, toTopics } from "./kafka-record.ts";
import { takeInOrder } from "./take-in-order.ts";
import { type RecordRoom, takeRecord } from "./take-record.ts";

/** Name of the header that says why a record was given up. */
const REASON_HEADER = "reason";

function toDeadLetter(
  { key, value, headers }: ReadRecord,
  topic: string,
  reason: string,
): KafkaRecord {
  return {
    topic,
    key,
    value,
    headers: { ...Object.fromEntries(headers), [REASON_HEADER]: reason },
  };
}

/**
 * Stores what gateways have written to topics, and puts what nobody can store into the topic of dead letters: it has the first
 * topic's name and `-dead`.
 *
 * @throws Error where brokers can't be reached, refuse the platform or lack a topic.
 */
export async function consumeTopics(
  room: RecordRoom,
  { address, access, group }: KafkaSource,
): Promise<Consumption> {
  const { logger, clock } = room.options;
  const { deliveries, telemetry } = toTopics(address.topic);
  const deadLetters = `${address.topic}-dead`;
  const topics = [deliveries, telemetry];
  const needed = [...topics, deadLetters];
  const producer = await openKafkaProducer({ owner: "platform", address, access, topics: needed });
  const counts = { records: 0, dead: 0 };

  const takeOne = async (record: ReadRecord, onQueued: () => void): Promise<KafkaRecord[]> => {
    const reason = await takeRecord(room, record, onQueued);
    if (reason === undefined) return [];
    const { topic, partition, offset } = record;
    logger.warn(`kafka: record ${offset} of ${topic} ${partition} can't be stored: ${reason}`);
    return [toDeadLetter(record, deadLetters, reason)];
  };
  const take = async (records: readonly ReadRecord[]): Promise<void> => {
    const groups = groupByPartition(records).map((each) => takeInOrder(each, takeOne));
    const dead = (await Promise.all(groups)).flat(2);
    if (dead.length > 0) await producer.send(dead);
    counts.records += records.length;
    counts.dead += dead.length;
  };
  const consumer = await startKafkaConsumer({
    owner: "platform",
    address,
    access,
    group,
    topics,
    take,
    logger,
    clock,
  });
  return {
    get records() {
      return counts.records;
    },
    get dead() {
      return counts.dead;
    },
    get isConnected() {
      return consumer.isConnected;
    },
    findLag: () => consumer.findLag(),
    async close() {
      await consumer.close();
      await producer.close();
    },
  };
}
