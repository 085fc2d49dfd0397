import { subscribe } from "node:diagnostics_channel";
import { isIP } from "node:net";
import type * as Kafka from "@platformatic/kafka";
import type { KafkaAccess, KafkaAddress } from "./kafka-options.ts";

const PACKAGE = "@platformatic/kafka";

/** Marks the connections of our clients among those of the process. */
const CONTEXT = "agent-monitor";

/**
 * Keeps errors of connections from ending the process. The client listens to the first one of a connection; one that brokers close
 * while it signs in has two.
 */
function keepAlive(message: unknown): void {
  const { type, instance } = message as Kafka.CreationEvent<Kafka.Connection>;
  if (type === "connection" && instance.context === CONTEXT) instance.on("error", () => undefined);
}

let loaded: Promise<typeof Kafka> | undefined;

async function load(): Promise<typeof Kafka> {
  const kafka = await import("@platformatic/kafka");
  subscribe(kafka.instancesChannel.name, keepAlive);
  return kafka;
}

/**
 * Loads the client of Kafka, which is not installed with the package.
 *
 * @param owner - Begins the message of an error.
 */
export async function loadKafka(owner: string): Promise<typeof Kafka> {
  try {
    return await (loaded ??= load());
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!code.endsWith("MODULE_NOT_FOUND")) throw error;
    const detail = `kafka:// needs the package ${PACKAGE}: npm install ${PACKAGE}`;
    throw new Error(`${owner}: ${detail}`, { cause: error });
  }
}

/**
 * Has a client fail where it would call a broker that it does not know, as a leader or a coordinator that is gone. In versions 1 and 2 of
 * the client that throws where nobody catches it, and ends the process.
 */
export function guardConnections<Client extends Kafka.Base>(
  client: Client,
  kafka: typeof Kafka,
): Client {
  const name: typeof Kafka.kGetConnection = kafka.kGetConnection;
  const getConnection = client[name].bind(client);
  client[name] = (broker: Kafka.Broker | undefined, callback) => {
    if (broker) getConnection(broker, callback);
    else callback(new kafka.ProtocolError("BROKER_NOT_AVAILABLE"));
  };
  return client;
}

/** Returns how a client connects. */
export function toConnection({ brokers }: KafkaAddress, { tls, sasl }: KafkaAccess) {
  const hasNames = brokers.some((broker) => isIP(broker.replace(/:\d+$|[[\]]/g, "")) === 0);
  return {
    bootstrapBrokers: [...brokers],
    context: CONTEXT,
    // An address is no server name, and Node.js warns of one.
    ...(tls && { tls, ...(hasNames && { tlsServerName: true }) }),
    ...(sasl && { sasl }),
  };
}
