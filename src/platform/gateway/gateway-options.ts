import type { KeyObject } from "node:crypto";
import type { Logger } from "../../events/utility.ts";
import { endpointSchema } from "../../events/wire.ts";
import { type Clock, systemClock } from "../../util/clock.ts";
import type { EncryptionKey, KeyMaterial } from "../../util/encryption-key.ts";
import { silentLogger } from "../../util/logger.ts";
import { isLoopback } from "../loopback.ts";
import { DEFAULT_PLATFORM_PORT } from "../options.ts";
import {
  findBoundProblem,
  findPortProblem,
  findUnknownOption,
  readBounds,
  readReceiverKeys,
} from "../receiver-options.ts";
import { type GatewayOrganization, readOrganizations } from "./access.ts";
import {
  isKafkaAddress,
  type KafkaAccess,
  type KafkaAddress,
  readKafkaAccess,
  readKafkaAddress,
} from "../kafka/kafka-options.ts";

/** Certificates, each as PEM. */
export interface GatewayTls {
  /** Certificate of the gateway, with those between it and its authority. */
  readonly cert: string;
  /** Private key of the certificate. */
  readonly key: string;
  /** With it, clients must present a certificate of this authority. */
  readonly ca?: string;
}

/** Configures `startGateway`. */
export interface GatewayOptions {
  /**
   * Where requests go: the base URL of a platform, or `kafka://host:port,host:port/topic`.
   *
   * Batches and agents go to that topic, OpenTelemetry data to one of the same name and `-otlp`; both must exist.
   */
  readonly to: string;
  /**
   * Key with which the gateway itself delivers to a platform.
   *
   * @defaultValue the key of each request is passed on
   */
  readonly toApiKey?: string;
  /** How brokers are reached; default without TLS and credentials. */
  readonly kafka?: KafkaAccess;
  /**
   * Port to listen on; 0 takes a free one.
   *
   * @defaultValue 4319
   */
  readonly port?: number;
  /**
   * A second port for OpenTelemetry's exporters, which send to 4318 by default; 0 takes a free one.
   *
   * @defaultValue none: `port` takes OpenTelemetry data as well
   */
  readonly otlpPort?: number;
  /**
   * Address to listen on; one that is not loopback needs `organizations`.
   *
   * @defaultValue "127.0.0.1"
   */
  readonly host?: string;
  /**
   * Who may send, each with a key and, if wanted, a quota.
   *
   * @defaultValue anybody
   */
  readonly organizations?: readonly GatewayOrganization[];
  /**
   * Certificate of the gateway; with a certificate authority, clients need one as well.
   *
   * @defaultValue none: plain HTTP
   */
  readonly tls?: GatewayTls;
  /** Bound of a request body in bytes, as sent and again after decompression; default 5 MiB. OpenTelemetry data may have four times as many. */
  readonly maxBodyBytes?: number;
  /** Bound of the bytes of all bodies under way together; default 64 MiB, or the least that `maxBodyBytes` needs. */
  readonly maxPendingBodyBytes?: number;
  /** Keys with which encrypted batches are checked, by key id; default none: they get 415. What is passed on stays encrypted. */
  readonly decryptionKeys?: Readonly<Record<string, KeyMaterial>>;
  /** Shared secrets of signatures, by key id; with any, every delivery must be signed. */
  readonly signingKeys?: Readonly<Record<string, string>>;
  /** Receives a line per refused request and per change of the other side; never content or credentials. Default silent. */
  readonly logger?: Logger;
  /** Clock for the time of arrival, quotas and the age of signatures; default the system's. */
  readonly clock?: Clock;
}

/** Where requests go. */
type Target =
  | { readonly kind: "kafka"; readonly address: KafkaAddress }
  | { readonly kind: "platform"; readonly url: string };

/** Options with every default filled in. */
export interface ResolvedGatewayOptions extends Pick<
  GatewayOptions,
  "otlpPort" | "tls" | "toApiKey"
> {
  readonly target: Target;
  readonly kafka: KafkaAccess;
  readonly port: number;
  readonly host: string;
  readonly organizations: ReturnType<typeof readOrganizations>;
  readonly maxBodyBytes: number;
  readonly maxPendingBodyBytes: number;
  readonly decryptionKeys: ReadonlyMap<string, EncryptionKey>;
  readonly signingKeys: ReadonlyMap<string, KeyObject>;
  readonly logger: Logger;
  readonly clock: Clock;
}

const OPTION_NAMES = Object.keys({
  to: true,
  toApiKey: true,
  kafka: true,
  port: true,
  otlpPort: true,
  host: true,
  organizations: true,
  tls: true,
  maxBodyBytes: true,
  maxPendingBodyBytes: true,
  decryptionKeys: true,
  signingKeys: true,
  logger: true,
  clock: true,
} satisfies Record<keyof GatewayOptions, true>);

function fail(problem: string): Error {
  return new Error(`gateway: ${problem}`);
}

function readTarget(to: string): Target {
  if (isKafkaAddress(to)) {
    const address = readKafkaAddress(to);
    if (typeof address === "string") throw fail(`to: ${address}`);
    return { kind: "kafka", address };
  }
  const parsed = endpointSchema.safeParse(to);
  if (parsed.success) return { kind: "platform", url: parsed.data };
  throw fail(`to: ${parsed.error.issues[0]?.message ?? "invalid"}`);
}

function findProblem(options: ResolvedGatewayOptions): string | undefined {
  const { port, otlpPort = 0, host, organizations, target } = options;
  if (!isLoopback(host) && organizations.length === 0)
    return `host ${host} can be reached from other machines and therefore needs organizations`;
  if (options.toApiKey !== undefined && target.kind !== "platform")
    return "toApiKey is for a platform, and to names none";
  return (
    findPortProblem("port", port) ??
    findPortProblem("otlpPort", otlpPort) ??
    findBoundProblem(options)
  );
}

/** Fills in the defaults; throws when an option is unknown, makes no sense or exposes data. */
export function resolveGatewayOptions(options: GatewayOptions): ResolvedGatewayOptions {
  const unknown = findUnknownOption(options, OPTION_NAMES);
  if (unknown !== undefined) throw fail(unknown);
  const { to, organizations, kafka, ...given } = options;
  const resolved: ResolvedGatewayOptions = {
    ...given,
    ...readBounds(options),
    ...readReceiverKeys("gateway", options),
    target: readTarget(to),
    kafka: readKafkaAccess("gateway", kafka),
    port: options.port ?? DEFAULT_PLATFORM_PORT,
    host: options.host ?? "127.0.0.1",
    organizations: readOrganizations(organizations ?? []),
    logger: options.logger ?? silentLogger,
    clock: options.clock ?? systemClock,
  };
  const problem =
    kafka && resolved.target.kind !== "kafka"
      ? "kafka is for brokers, and to names none"
      : findProblem(resolved);
  if (problem !== undefined) throw fail(problem);
  return resolved;
}
