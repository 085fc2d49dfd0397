import type { Base } from "@platformatic/kafka";
import { describeKafkaError } from "./kafka-errors.ts";
import type { KafkaAccess, KafkaAddress } from "./kafka-options.ts";
import { loadKafka, toConnection } from "./load-kafka.ts";

/** Thrown where a topic is not there: one that a broker creates on its own has no replicas. */
class TopicError extends Error {
  override readonly name = "TopicError" as const;
}

/** The client's error for a topic that no broker knows; others have its code as well. */
const isUnknownTopic = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith("Unknown topic ");

/** Asks brokers, whatever the client knows: resolves if they have the topics, rejects otherwise. */
export async function verifyTopics(
  client: Pick<Base, "metadata">,
  topics: readonly string[],
): Promise<void> {
  for (const topic of topics) {
    try {
      await client.metadata({ topics: [topic], autocreateTopics: false, forceUpdate: true });
    } catch (error) {
      if (!isUnknownTopic(error)) throw error;
      throw new TopicError(`expected the topic ${topic}, which does not exist`, { cause: error });
    }
  }
}

/** Describes why brokers can't be used: by the topic that is missing, or by names of errors. */
export function toTopicFailure(owner: string, { brokers }: KafkaAddress, error: unknown): Error {
  const reason = error instanceof TopicError ? error.message : describeKafkaError(error);
  return new Error(`${owner}: ${brokers.join(",")}: ${reason}`, { cause: error });
}

/** What must be there, and who asks. */
interface WantedTopics {
  /** Begins the message of an error. */
  readonly owner: string;
  readonly address: KafkaAddress;
  readonly access: KafkaAccess;
  readonly topics: readonly string[];
}

/**
 * Looks, for who only reads, whether the topics are there.
 *
 * @throws Error where brokers can't be reached, refuse the client or lack a topic.
 */
export async function requireTopics({
  owner,
  address,
  access,
  topics,
}: WantedTopics): Promise<void> {
  const { Base: KafkaClient } = await loadKafka(owner);
  const client = new KafkaClient({
    ...toConnection(address, access),
    clientId: `agent-monitor-${owner}`,
    retries: 2,
    retryDelay: 200,
    connectTimeout: 3000,
    requestTimeout: 5000,
  });
  try {
    await verifyTopics(client, topics);
  } catch (error) {
    throw toTopicFailure(owner, address, error);
  } finally {
    await client.close().catch(() => undefined);
  }
}
