import type { Producer } from "@platformatic/kafka";
import { loadKafka, toConnection } from "./load-kafka.ts";
import type { KafkaAccess, KafkaAddress } from "./kafka-options.ts";
import type { KafkaRecord } from "./kafka-record.ts";

/**
 * Longest time until a broker answers, and the attempts of a request: together less than clients wait. The client takes fewer
 * than two attempts for endless ones.
 */
const REQUEST_MILLIS = 5000;
const RETRIES = 2;
const RETRY_MILLIS = 200;

/** Thrown where a topic is not there: one that a broker creates on its own has no replicas. */
export class TopicError extends Error {
  override readonly name = "TopicError" as const;
}

async function createClient(
  address: KafkaAddress,
  access: KafkaAccess,
): Promise<Producer<string, Buffer, string, string>> {
  const { Producer: Client, ProduceAcks, stringSerializer } = await loadKafka("gateway");
  return new Client({
    ...toConnection(address, access),
    clientId: "agent-monitor-gateway",
    serializers: {
      key: stringSerializer,
      value: (value) => value,
      headerKey: stringSerializer,
      headerValue: stringSerializer,
    },
    idempotent: true,
    acks: ProduceAcks.ALL,
    autocreateTopics: false,
    requestTimeout: REQUEST_MILLIS,
    timeout: REQUEST_MILLIS,
    retries: RETRIES,
    retryDelay: RETRY_MILLIS,
  });
}

/**
 * Opens a producer whose records are acknowledged once as many replicas have them as the topic asks for.
 *
 * It sends one request at a time: brokers know a repetition by its number, and the client counts a request only when it is
 * answered. Behind a failure it begins under another id, since a request of unknown fate has used up a number: the next one
 * would be taken for its repetition, and acknowledged without being stored.
 */
export async function openKafkaProducer(address: KafkaAddress, access: KafkaAccess) {
  const client = await createClient(address, access);
  let isFresh = true;

  return {
    /** Resolves once all records are there for good. Must not be called again before. */
    async send(records: readonly KafkaRecord[]): Promise<void> {
      if (!isFresh) await client.initIdempotentProducer({});
      isFresh = false;
      try {
        await client.send({ messages: records.map((record) => ({ ...record })) });
        isFresh = true;
      } finally {
        // A leader that is gone is asked again until the client looks who leads now.
        if (!isFresh) client.clearMetadata();
      }
    },
    /** Throws where brokers can't be reached, or lack a topic. */
    async verify(names: readonly string[]): Promise<void> {
      for (const name of names) {
        const { topics: found } = await client.metadata({
          topics: [name],
          autocreateTopics: false,
        });
        if (!found.has(name)) throw new TopicError(`the topic ${name} does not exist`);
      }
    },
    close: (): Promise<void> =>
      new Promise((resolve, reject) => {
        client.close(true, (error) => (error ? reject(error) : resolve()));
      }),
  };
}

/** Sends records to brokers. */
export type KafkaProducer = Awaited<ReturnType<typeof openKafkaProducer>>;
