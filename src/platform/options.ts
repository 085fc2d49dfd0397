import type { KeyObject } from "node:crypto";
import type { Logger } from "../events/utility.ts";
import { systemClock, type Clock } from "../util/clock.ts";
import type { EncryptionKey, KeyMaterial } from "../util/encryption-key.ts";
import { createPseudonyms, type Pseudonyms } from "./customers/pseudonyms.ts";
import { readDescribed } from "./described-options.ts";
import {
  isKafkaAddress,
  type KafkaAccess,
  type KafkaSource,
  readKafkaAccess,
  readKafkaAddress,
} from "./kafka/kafka-options.ts";
import { isLoopback } from "./loopback.ts";
import { findPostgresProblem, isPostgres } from "./store/postgres/postgres-address.ts";
import { readSigningKey } from "../util/http-signature.ts";
import { silentLogger } from "../util/logger.ts";
import type { ReviewPolicy } from "./review/review-policy.ts";
import { ROLES, type Role } from "./review/roles.ts";
import type { RetentionPolicy } from "./records/retention-policy.ts";
import { readUsers, type PlatformUser } from "./review/users.ts";
import { isProtected, type Oidc, type OidcOptions } from "./sign-in/oidc-options.ts";
import type { Webhook } from "./webhooks/webhook-options.ts";
import type { EvaluationOptions } from "./evaluations/evaluation-options.ts";
import {
  findBoundProblem,
  findPortProblem,
  findUnknownOption,
  readBounds,
  readReceiverKeys,
  SECRET_EXPECTATION,
} from "./receiver-options.ts";

/** Port to which the SDK sends when no endpoint is configured. */
export const DEFAULT_PLATFORM_PORT = 4319;
/** Port to which OpenTelemetry's exporters send when no endpoint is configured. @see https://opentelemetry.io/docs/specs/otel/protocol/exporter/ */
export const OTLP_PORT = 4318;

/** Configures `startPlatform`. */
export interface PlatformOptions {
  /**
   * Port to listen on; 0 takes a free one.
   *
   * @defaultValue 4319, and a free one when that is taken
   */
  readonly port?: number;
  /**
   * A second port for OpenTelemetry's exporters, which send to 4318 by default; 0 takes a free one.
   *
   * @defaultValue none: `port` takes OpenTelemetry data as well
   */
  readonly otlpPort?: number;
  /**
   * Address to listen on; one that is not loopback needs an `apiKey`.
   *
   * @defaultValue "127.0.0.1"
   */
  readonly host?: string;
  /**
   * The only key that is accepted, for delivery and for reading.
   *
   * @defaultValue any key delivers, and reading needs none
   */
  readonly apiKey?: string;
  /**
   * The only organization that is accepted.
   *
   * @defaultValue any
   */
  readonly organizationId?: string;
  /**
   * Path of the SQLite file, `:memory:`, or `postgres://user@host/database`, which replicas share; that needs the package `pg`.
   *
   * @defaultValue ":memory:"
   */
  readonly database?: string;
  /**
   * Takes what gateways have written: `kafka://host:port,host:port/topic`. Besides that topic there must be one of the same name and
   * `-otlp`, and one with `-dead` for records that can't be stored.
   *
   * @defaultValue none: the platform's own routes are all that receives
   */
  readonly from?: string;
  /** How the brokers of `from` are reached; default without TLS and credentials. */
  readonly kafka?: KafkaAccess;
  /**
   * Group of consumers: platforms of one group share what is in the topics. All must take the same ones.
   *
   * @defaultValue name of the topic and `-platform`
   */
  readonly consumerGroup?: string;
  /**
   * Bound of a request body in bytes, as sent and again after decompression; OpenTelemetry data may have four times
   * as many.
   *
   * @defaultValue 5 MiB
   */
  readonly maxBodyBytes?: number;
  /**
   * Bound of the bytes of all request bodies under way together, at least eight times `maxBodyBytes`; requests when
   * the bound is reached get 503 and `Retry-After`.
   *
   * @defaultValue 64 MiB, or the least that `maxBodyBytes` needs
   */
  readonly maxPendingBodyBytes?: number;
  /**
   * Keys that decrypt batches, by key id: private PEM, private or symmetric JWK, or Base64 of 32 bytes.
   *
   * @defaultValue none: encrypted batches get 415
   */
  readonly decryptionKeys?: Readonly<Record<string, KeyMaterial>>;
  /**
   * Shared secrets of signatures, by key id; with any, every delivery must be signed.
   *
   * @defaultValue none: signatures are not checked
   */
  readonly signingKeys?: Readonly<Record<string, string>>;
  /**
   * Who may read and decide, each with a key and a role.
   *
   * @defaultValue one user `local`, who may do everything; with an `apiKey`, whoever has it or the viewer's address
   */
  readonly users?: readonly PlatformUser[];
  /**
   * Address under which people open the viewer, where it is not the platform's own: behind a proxy with TLS.
   *
   * @defaultValue the address that a request names
   */
  readonly publicUrl?: string;
  /**
   * Identity provider with which people sign in; their groups have roles. Users with keys may stand beside it.
   *
   * @defaultValue none
   */
  readonly oidc?: OidcOptions;
  /**
   * The least role that may see a conversation unmasked, with a reason.
   *
   * @defaultValue "reviewer"
   */
  readonly unmaskRole?: Role;
  /**
   * Receivers of messages about new violations, escalations, overdue items and losses, without content; signed as
   * Standard Webhooks.
   *
   * @defaultValue none
   */
  readonly webhooks?: readonly Webhook[];
  /**
   * Where decisions about findings and items are sent as evaluations of a person, `gen_ai.evaluation.result`, without content.
   *
   * @defaultValue none
   */
  readonly evaluations?: EvaluationOptions;
  /**
   * Rules of the review; a member that is absent has its default.
   *
   * @defaultValue see docs/platform-api.md
   */
  readonly review?: Partial<ReviewPolicy>;
  /**
   * Classes of conversations and how long each is kept, in order: the first one that matches a conversation counts.
   *
   * @defaultValue none: nothing is ever removed
   */
  readonly retention?: RetentionPolicy;
  /**
   * Whether faults can be set on the page of operations, for tests of what sends to the platform: 429, 503, slow responses,
   * closed connections. Not for what a bank relies on.
   *
   * @defaultValue false
   */
  readonly faults?: boolean;
  /**
   * Shared secret of the audit trail: with one, nobody without it can compute the trail anew.
   *
   * @defaultValue none: the hashes are plain
   */
  readonly auditKey?: string;
  /**
   * Shared secret of pseudonyms: with one, customers and users of agents appear as `customer-` and twelve letters, an HMAC of
   * their id, wherever the platform shows or exports them, unless a conversation is unmasked.
   *
   * @defaultValue none: their ids are shown
   */
  readonly pseudonymKey?: string;
  /**
   * Receives a line per batch and per refused request; never content or credentials.
   *
   * @defaultValue silent
   */
  readonly logger?: Logger;
  /**
   * Clock for the time of arrival and the age of signatures.
   *
   * @defaultValue the system's
   */
  readonly clock?: Clock;
}

/** Counts since the database was created. */
export interface PlatformStats {
  /** Batches accepted. */
  readonly batches: number;
  /** Events stored. */
  readonly events: number;
  /** Events received again, alone or with their whole batch. */
  readonly duplicates: number;
  /** Events rejected in batches that were accepted. */
  readonly rejected: number;
  /** Agents registered. */
  readonly agents: number;
  /** Spans that are kept, the newest. */
  readonly spans: number;
  /** Log records that are kept, the newest. */
  readonly logRecords: number;
}

/** A running local platform. */
export interface Platform {
  /** Base URL, for the SDK's `endpoint`. */
  readonly url: string;
  /** Base URL for OpenTelemetry's exporters, for `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly otlpUrl: string;
  /** Address of the viewer; carries the viewer's token when an `apiKey` is set. */
  readonly viewerUrl: string;
  /** The port that it listens on. */
  readonly port: number;
  /** Counts the content of the database. */
  stats(): Promise<PlatformStats>;
  /** Completes the requests under way, then closes the port and the database. */
  close(): Promise<void>;
}

const DEFAULT_HOST = "127.0.0.1";
const IN_MEMORY = ":memory:";

/** Options that have no default. */
type OpenOption = "apiKey" | "evaluations" | "organizationId" | "otlpPort" | "publicUrl";
/** Options that are read. */
type ReadOption =
  | "decryptionKeys"
  | "signingKeys"
  | "users"
  | "oidc"
  | "review"
  | "auditKey"
  | "pseudonymKey"
  | "from"
  | "kafka"
  | "consumerGroup";

/** Options with every default filled in. */
export interface ResolvedOptions
  extends
    Omit<Required<PlatformOptions>, OpenOption | ReadOption>,
    Pick<PlatformOptions, OpenOption> {
  readonly canFallBack: boolean;
  /** Where records come from; absent where nothing is consumed. */
  readonly source: KafkaSource | undefined;
  readonly decryptionKeys: ReadonlyMap<string, EncryptionKey>;
  readonly signingKeys: ReadonlyMap<string, KeyObject>;
  /** Empty where none are configured. */
  readonly users: ReturnType<typeof readUsers>;
  readonly oidc: Oidc | undefined;
  readonly review: ReviewPolicy;
  readonly auditKey: KeyObject | undefined;
  readonly pseudonyms: Pseudonyms | undefined;
}

function findDatabaseProblem(database: string): string | undefined {
  if (database === "") return "database must be a file path, :memory: or postgres://…";
  return isPostgres(database) ? findPostgresProblem(database) : undefined;
}

function findProblem(options: ResolvedOptions): string | undefined {
  const { port, otlpPort = 0, host, apiKey, organizationId, database } = options;
  const portProblem = findPortProblem("port", port) ?? findPortProblem("otlpPort", otlpPort);
  if (portProblem !== undefined) return portProblem;
  if (host === "") return "host must not be empty";
  if (apiKey === "") return "apiKey must not be empty";
  if (organizationId === "") return "organizationId must not be empty";
  if (!isLoopback(host) && apiKey === undefined)
    return `host ${host} can be reached from other machines and therefore needs an apiKey`;
  return findDatabaseProblem(database) ?? findAddressProblem(options) ?? findBoundProblem(options);
}

const OPTION_NAMES = Object.keys({
  port: true,
  otlpPort: true,
  host: true,
  apiKey: true,
  organizationId: true,
  database: true,
  from: true,
  kafka: true,
  consumerGroup: true,
  maxBodyBytes: true,
  maxPendingBodyBytes: true,
  decryptionKeys: true,
  signingKeys: true,
  users: true,
  publicUrl: true,
  oidc: true,
  unmaskRole: true,
  webhooks: true,
  evaluations: true,
  review: true,
  retention: true,
  auditKey: true,
  pseudonymKey: true,
  faults: true,
  logger: true,
  clock: true,
} satisfies Record<keyof PlatformOptions, true>);

function readSecret(option: string, text: string | undefined): KeyObject | undefined {
  if (text === undefined) return undefined;
  const key = readSigningKey(text);
  if (!key) throw new Error(`platform: ${option}: ${SECRET_EXPECTATION}`);
  return key;
}

function readPseudonyms(text: string | undefined): Pseudonyms | undefined {
  const key = readSecret("pseudonymKey", text);
  return key && createPseudonyms(key);
}

function findAddressProblem({ host, publicUrl, oidc }: ResolvedOptions): string | undefined {
  if (publicUrl !== undefined && !isProtected(publicUrl))
    return "publicUrl must be an https address; http for loopback only";
  if (oidc && publicUrl === undefined && !isLoopback(host))
    return "oidc needs the publicUrl that the identity provider sends people back to";
  return undefined;
}

function readRole(role: Role = "reviewer"): Role {
  if (ROLES.includes(role)) return role;
  throw new Error(`platform: unmaskRole must be ${ROLES.join(", ")}`);
}

/** Reads where records come from. */
function readSource({ from, kafka, consumerGroup }: PlatformOptions): KafkaSource | undefined {
  if (from === undefined) {
    if (kafka === undefined && consumerGroup === undefined) return undefined;
    throw new Error("platform: kafka and consumerGroup are for from, which is not given");
  }
  const address = isKafkaAddress(from) ? readKafkaAddress(from) : "expected kafka://";
  if (typeof address === "string") throw new Error(`platform: from: ${address}`);
  // In a group with platforms of other topics, whoever shares out the partitions knows its own topics only.
  const group = consumerGroup ?? `${address.topic}-platform`;
  if (group === "") throw new Error("platform: consumerGroup must not be empty");
  return { address, access: readKafkaAccess("platform", kafka), group };
}

/** Fills in the defaults; throws when an option is unknown, makes no sense or exposes data. */
export function resolveOptions(options: PlatformOptions): ResolvedOptions {
  const unknown = findUnknownOption(options, OPTION_NAMES);
  if (unknown !== undefined) throw new Error(`platform: ${unknown}`);
  const { from: _from, kafka: _kafka, consumerGroup: _group, ...given } = options;
  const resolved: ResolvedOptions = {
    ...given,
    source: readSource(options),
    port: options.port ?? DEFAULT_PLATFORM_PORT,
    canFallBack: options.port === undefined,
    host: options.host ?? DEFAULT_HOST,
    database: options.database ?? IN_MEMORY,
    logger: options.logger ?? silentLogger,
    clock: options.clock ?? systemClock,
    unmaskRole: readRole(options.unmaskRole),
    ...readBounds(options),
    ...readReceiverKeys("platform", options),
    users: readUsers(options.users ?? []),
    ...readDescribed(options),
    auditKey: readSecret("auditKey", options.auditKey),
    pseudonyms: readPseudonyms(options.pseudonymKey),
    faults: options.faults === true,
  };
  const problem = findProblem(resolved);
  if (problem !== undefined) throw new Error(`platform: ${problem}`);
  return resolved;
}
