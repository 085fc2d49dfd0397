import * as z from "zod";

/** How brokers are reached. */
export interface KafkaAccess {
  /** Present for TLS; certificates as PEM, each where it is needed. */
  readonly tls?: {
    readonly ca?: string | undefined;
    readonly cert?: string | undefined;
    readonly key?: string | undefined;
  };
  /** Present for SASL. */
  readonly sasl?: {
    readonly mechanism: "PLAIN" | "SCRAM-SHA-256" | "SCRAM-SHA-512";
    readonly username: string;
    readonly password: string;
  };
}

/** Whether it holds what it should is found out with it; it is not shown. */
const pemSchema = z.string().includes("-----BEGIN ", "expected the text of a PEM file").optional();

const accessSchema = z.strictObject({
  tls: z.strictObject({ ca: pemSchema, cert: pemSchema, key: pemSchema }).optional(),
  sasl: z
    .strictObject({
      mechanism: z.enum(["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"]),
      username: z.string().min(1),
      password: z.string().min(1),
    })
    .optional(),
});

/**
 * Reads how brokers are reached; throws where that is invalid, without showing a password.
 *
 * @param owner - Begins the message of an error.
 */
export function readKafkaAccess(owner: string, given: unknown = {}): KafkaAccess {
  const parsed = accessSchema.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue?.path.join(".") ?? "";
    throw new Error(`${owner}: kafka: ${where}: ${issue?.message ?? "invalid"}`);
  }
  const { tls, sasl } = parsed.data;
  return { ...(tls && { tls }), ...(sasl && { sasl }) };
}

/** Where brokers are, and what the topics are called. */
export interface KafkaAddress {
  /** `host:port` each. */
  readonly brokers: readonly string[];
  readonly topic: string;
}

/** Where records come from. */
export interface KafkaSource {
  readonly address: KafkaAddress;
  readonly access: KafkaAccess;
  /** Consumers of a group share the partitions. */
  readonly group: string;
}

const DEFAULT_PORT = 9092;
/** @see https://kafka.apache.org/documentation/#topicconfigs: what a topic may be called, less the second one's ending. */
const TOPIC = /^[a-zA-Z0-9._-]{1,200}$/;
const PREFIX = "kafka://";

/** Returns whether an address names brokers. */
export function isKafkaAddress(text: string): boolean {
  return text.startsWith(PREFIX);
}

function toBroker(text: string): string | undefined {
  if (!URL.canParse(`${PREFIX}${text}`)) return undefined;
  const { hostname, port, username, pathname } = new URL(`${PREFIX}${text}`);
  if (hostname === "" || username !== "" || pathname !== "") return undefined;
  return `${hostname}:${port === "" ? DEFAULT_PORT : port}`;
}

/**
 * Reads `kafka://host:port,host:port/topic`.
 *
 * @returns The address, or what is wrong with it.
 */
export function readKafkaAddress(text: string): KafkaAddress | string {
  const [list = "", topic = "", ...others] = text.slice(PREFIX.length).split("/");
  const brokers = list.split(",").map(toBroker);
  if (brokers.some((broker) => broker === undefined))
    return "expected kafka://host:port,host:port/topic, without user and password";
  if (others.length > 0 || !TOPIC.test(topic))
    return "expected a topic of 1 to 200 letters, digits, dots, underscores and hyphens behind the brokers";
  return { brokers: brokers.filter((broker) => broker !== undefined), topic };
}
