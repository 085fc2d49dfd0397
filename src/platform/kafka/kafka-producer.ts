import type { Producer } from "@platformatic/kafka";
import { guardConnections, loadKafka, toConnection } from "./load-kafka.ts";
import type { KafkaAccess, KafkaAddress } from "./kafka-options.ts";
import type { KafkaRecord } from "./kafka-record.ts";
import { toTopicFailure, verifyTopics } from "./verify-topics.ts";

/**
 * Longest time until a broker answers, and the attempts of a request: together less than clients wait. The client takes fewer
 * than two attempts for endless ones.
 */
const REQUEST_MILLIS = 5000;
const RETRIES = 2;
const RETRY_MILLIS = 200;

/** What a producer needs. */
interface ProducerOptions {
  /** Begins the message of an error. */
  readonly owner: string;
  readonly address: KafkaAddress;
  readonly access: KafkaAccess;
  /** Topics that must be there, its own among them. */
  readonly topics: readonly string[];
}

type Client = Producer<string, Buffer, string, string>;

async function createClient({ owner, address, access }: ProducerOptions): Promise<Client> {
  const kafka = await loadKafka(owner);
  const { Producer: KafkaClient, ProduceAcks, stringSerializer } = kafka;
  const client = new KafkaClient({
    ...toConnection(address, access),
    clientId: `agent-monitor-${owner}`,
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
  return guardConnections(client, kafka);
}

function close(client: Client): Promise<void> {
  return new Promise((resolve, reject) => {
    client.close(true, (error) => (error ? reject(error) : resolve()));
  });
}

async function openClient(options: ProducerOptions): Promise<Client> {
  const client = await createClient(options);
  try {
    await verifyTopics(client, options.topics);
    return client;
  } catch (error) {
    await close(client).catch(() => undefined);
    throw toTopicFailure(options.owner, options.address, error);
  }
}

/**
 * Opens a producer whose records are acknowledged once as many replicas have them as the topic asks for.
 *
 * It sends one request at a time: brokers know a repetition by its number, and the client counts a request only when it is
 * answered. Behind a failure it begins under another id, since a request of unknown fate has used up a number: the next one
 * would be taken for its repetition, and acknowledged without being stored.
 *
 * @throws Error where brokers can't be reached, refuse the client or lack a topic.
 */
export async function openKafkaProducer(options: ProducerOptions) {
  const client = await openClient(options);
  let isFresh = true;

  return {
    /** Resolves once all records are there for good. Must not be called again before. */
    async send(records: readonly KafkaRecord[]): Promise<void> {
      const mayGoOn = isFresh;
      isFresh = false;
      try {
        if (!mayGoOn) await client.initIdempotentProducer({});
        await client.send({ messages: records.map((record) => ({ ...record })) });
        isFresh = true;
      } finally {
        // A leader that is gone is asked again until the client looks who leads now.
        if (!isFresh) client.clearMetadata();
      }
    },
    /** Returns whether brokers have the topics now. */
    async probe(): Promise<boolean> {
      try {
        await verifyTopics(client, options.topics);
        return true;
      } catch {
        return false;
      }
    },
    close: (): Promise<void> => close(client),
  };
}

/** Sends records to brokers. */
export type KafkaProducer = Awaited<ReturnType<typeof openKafkaProducer>>;
