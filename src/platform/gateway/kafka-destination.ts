import type { Logger } from "../../events/utility.ts";
import type { Clock } from "../../util/clock.ts";
import { ProblemError } from "../problem.ts";
import type { Destination } from "./destination.ts";
import { describeKafkaError, isTooLarge } from "../kafka/kafka-errors.ts";
import type { KafkaAccess, KafkaAddress } from "../kafka/kafka-options.ts";
import { type KafkaProducer, openKafkaProducer } from "../kafka/kafka-producer.ts";
import {
  type KafkaRecord,
  toAgentRecord,
  toBatchRecord,
  toTelemetryRecords,
  toTopics,
} from "../kafka/kafka-record.ts";
import { createRecordQueue } from "./record-queue.ts";

/** Brokers take a megabyte for a partition, if not configured otherwise. */
const MAX_REQUEST_BYTES = 900_000;
/** More frequent probes return the last result. */
const PROBE_MILLIS = 1000;

/** What a gateway needs to reach brokers. */
interface KafkaOptions {
  readonly address: KafkaAddress;
  readonly access: KafkaAccess;
  readonly logger: Logger;
  readonly clock: Clock;
}

function unavailable(): ProblemError {
  return new ProblemError("unavailable", "the brokers behind the gateway don't take it now", {
    headers: { "retry-after": "5" },
  });
}

/** Creates the probe of brokers. */
function createProbe(producer: KafkaProducer, clock: Clock): () => Promise<boolean> {
  let found: { readonly at: number; readonly isReady: Promise<boolean> } | undefined;
  return () => {
    const at = clock.monotonic();
    if (!found || at - found.at >= PROBE_MILLIS) found = { at, isReady: producer.probe() };
    return found.isReady;
  };
}

/** Connects with brokers; throws where they can't be reached, refuse the gateway or lack its topics. */
export async function openKafkaDestination({
  address,
  access,
  logger,
  clock,
}: KafkaOptions): Promise<Destination> {
  const topics = toTopics(address.topic);
  const names = [topics.deliveries, topics.telemetry];
  const producer = await openKafkaProducer({ owner: "gateway", address, access, topics: names });

  /** Why the last request was not taken: the same reason again has no line of its own. */
  let said = "";
  const send = async (records: readonly KafkaRecord[]): Promise<void> => {
    try {
      await producer.send(records);
      said = "";
    } catch (error) {
      const reason = describeKafkaError(error);
      if (reason !== said) logger.warn(`the brokers don't take a request: ${reason}`);
      said = reason;
      if (!isTooLarge(error)) throw unavailable();
      throw new ProblemError("payload_too_large", "the topic takes no record of this size");
    }
  };
  const queue = createRecordQueue(send, MAX_REQUEST_BYTES);
  const pass = async (records: readonly KafkaRecord[]): Promise<undefined> => {
    await queue.add(records);
    return undefined;
  };
  return {
    sendBatch: (batch) => pass([toBatchRecord(batch, topics)]),
    sendAgent: (agent) => pass([toAgentRecord(agent, topics)]),
    sendTelemetry: (telemetry) => pass(toTelemetryRecords(telemetry, topics)),
    probe: createProbe(producer, clock),
    async close() {
      await queue.idle();
      await producer.close();
    },
  };
}
