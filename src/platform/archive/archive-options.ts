import * as z from "zod";
import type { Logger } from "../../events/utility.ts";
import { type Clock, systemClock } from "../../util/clock.ts";
import { silentLogger } from "../../util/logger.ts";
import {
  isKafkaAddress,
  type KafkaAccess,
  type KafkaSource,
  readKafkaAccess,
  readKafkaAddress,
} from "../kafka/kafka-options.ts";
import { findPortProblem, findUnknownOption } from "../receiver-options.ts";
import { isS3Address, readS3Address, type S3Access, toS3Url } from "./s3-address.ts";

/** Configures `startArchive`. */
export interface ArchiveOptions {
  /** Where gateways have written to: `kafka://host:port,host:port/topic`. */
  readonly from: string;
  /** A directory, or `s3://bucket/prefix`. */
  readonly to: string;
  /**
   * Group of consumers: archives of one group share what is in the topics. It must not be that of a platform.
   *
   * @defaultValue "agent-monitor-archive"
   */
  readonly consumerGroup?: string;
  /** Archives OpenTelemetry data as well, of the topic with `-otlp`; default batches and agents only. */
  readonly withOtlp?: boolean;
  /** How brokers are reached; default without TLS and credentials. */
  readonly kafka?: KafkaAccess;
  /** How the store is reached, for `s3://`. */
  readonly s3?: S3Access;
  /**
   * Port with `/healthz`, `/readyz` and `/metrics`; 0 takes a free one.
   *
   * @defaultValue none
   */
  readonly port?: number;
  /**
   * Address to listen on.
   *
   * @defaultValue "127.0.0.1"
   */
  readonly host?: string;
  /** Receives a line per failure; never content or credentials. Default silent. */
  readonly logger?: Logger;
  /** Clock for waits; default the system's. */
  readonly clock?: Clock;
}

/** Where objects go. */
type ArchiveTarget =
  | { readonly kind: "directory"; readonly path: string }
  | { readonly kind: "s3"; readonly url: string; readonly access: S3Access };

/** Options with every default filled in. */
export interface ResolvedArchiveOptions {
  readonly source: KafkaSource;
  readonly target: ArchiveTarget;
  readonly withOtlp: boolean;
  readonly port: number | undefined;
  readonly host: string;
  readonly logger: Logger;
  readonly clock: Clock;
}

const DEFAULT_GROUP = "agent-monitor-archive";

const OPTION_NAMES = Object.keys({
  from: true,
  to: true,
  consumerGroup: true,
  withOtlp: true,
  kafka: true,
  s3: true,
  port: true,
  host: true,
  logger: true,
  clock: true,
} satisfies Record<keyof ArchiveOptions, true>);

const accessSchema = z.strictObject({
  endpoint: z.string().optional(),
  region: z.string().optional(),
  accessKeyId: z.string().min(1),
  secretAccessKey: z.string().min(1),
  sessionToken: z.string().min(1).optional(),
});

function fail(problem: string): Error {
  return new Error(`archive: ${problem}`);
}

function readSource({ from, consumerGroup, kafka }: ArchiveOptions): KafkaSource {
  if (!isKafkaAddress(from)) throw fail("from: expected kafka://host:port,host:port/topic");
  const address = readKafkaAddress(from);
  if (typeof address === "string") throw fail(`from: ${address}`);
  if (consumerGroup === "") throw fail("consumerGroup must not be empty");
  const access = readKafkaAccess("archive", kafka);
  return { address, access, group: consumerGroup ?? DEFAULT_GROUP };
}

/** Reads how the store is reached, without showing a credential. */
function readAccess(given: unknown): S3Access {
  const parsed = accessSchema.safeParse(given ?? {});
  if (parsed.success) return parsed.data as S3Access;
  const [issue] = parsed.error.issues;
  throw fail(`s3.${issue?.path.join(".") ?? ""}: ${issue?.message ?? "invalid"}`);
}

function readTarget({ to, s3 }: ArchiveOptions): ArchiveTarget {
  if (!isS3Address(to)) {
    if (to === "" || /^[a-z][a-z0-9+.-]*:\/\//i.test(to))
      throw fail("to: expected a directory or s3://bucket/prefix");
    if (s3) throw fail("s3 is for a bucket, and to names none");
    return { kind: "directory", path: to };
  }
  const address = readS3Address(to);
  if (typeof address === "string") throw fail(`to: ${address}`);
  const access = readAccess(s3);
  const found = toS3Url(address, access);
  if ("problem" in found) throw fail(found.problem);
  return { kind: "s3", url: found.url, access };
}

/** Fills in the defaults; throws when an option is unknown or makes no sense. */
export function resolveArchiveOptions(options: ArchiveOptions): ResolvedArchiveOptions {
  const unknown = findUnknownOption(options, OPTION_NAMES);
  if (unknown !== undefined) throw fail(unknown);
  const { port } = options;
  const problem = port === undefined ? undefined : findPortProblem("port", port);
  if (problem !== undefined) throw fail(problem);
  return {
    source: readSource(options),
    target: readTarget(options),
    withOtlp: options.withOtlp ?? false,
    port,
    host: options.host ?? "127.0.0.1",
    logger: options.logger ?? silentLogger,
    clock: options.clock ?? systemClock,
  };
}
