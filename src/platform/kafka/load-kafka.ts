import type * as Kafka from "@platformatic/kafka";
import type { KafkaAccess, KafkaAddress } from "./kafka-options.ts";

const PACKAGE = "@platformatic/kafka";

/**
 * Loads the client of Kafka, which is not installed with the package.
 *
 * @param owner - Begins the message of an error.
 */
export async function loadKafka(owner: string): Promise<typeof Kafka> {
  try {
    return await import("@platformatic/kafka");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!code.endsWith("MODULE_NOT_FOUND")) throw error;
    const detail = `kafka:// needs the package ${PACKAGE}: npm install ${PACKAGE}`;
    throw new Error(`${owner}: ${detail}`, { cause: error });
  }
}

/** Returns how a client connects. */
export function toConnection({ brokers }: KafkaAddress, { tls, sasl }: KafkaAccess) {
  return {
    bootstrapBrokers: [...brokers],
    ...(tls && { tls, tlsServerName: true }),
    ...(sasl && { sasl }),
  };
}
