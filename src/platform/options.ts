import type { Logger } from "../events/utility.ts";
import type { Clock } from "../util/clock.ts";
import type { KeyMaterial } from "../util/encryption-key.ts";

/** Where the SDK sends when no endpoint is configured. */
export const DEFAULT_PLATFORM_PORT = 4319;
/** Where OpenTelemetry's exporters send when no endpoint is configured. @see https://opentelemetry.io/docs/specs/otel/protocol/exporter/ */
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
   * Path of the SQLite file, or `:memory:`.
   *
   * @defaultValue ":memory:"
   */
  readonly database?: string;
  /**
   * Bound of a request body in bytes, as sent and again after decompression; OpenTelemetry data may have four times
   * as many.
   *
   * @defaultValue 5 MiB
   */
  readonly maxBodyBytes?: number;
  /**
   * Bound of the bytes of all request bodies under way together, at least eight times `maxBodyBytes`; what comes when
   * there is no room is answered with 503 and `Retry-After`.
   *
   * @defaultValue 64 MiB, or what `maxBodyBytes` needs
   */
  readonly maxPendingBodyBytes?: number;
  /**
   * Keys that decrypt batches, by key id: private PEM, private or symmetric JWK, or Base64 of 32 bytes.
   *
   * @defaultValue none: encrypted batches are answered with 415
   */
  readonly decryptionKeys?: Readonly<Record<string, KeyMaterial>>;
  /**
   * Shared secrets of signatures, by key id; with any, every delivery must be signed.
   *
   * @defaultValue none: signatures are not looked at
   */
  readonly signingKeys?: Readonly<Record<string, string>>;
  /**
   * Receives a line per batch and per refused request; never content or credentials.
   *
   * @defaultValue silent
   */
  readonly logger?: Logger;
  /**
   * Time, for when something came and how old a signature is.
   *
   * @defaultValue the system's
   */
  readonly clock?: Clock;
}

/** Counts since the database was created. */
export interface PlatformStats {
  /** Batches taken. */
  readonly batches: number;
  /** Events stored. */
  readonly events: number;
  /** Events that came again, alone or with their whole batch. */
  readonly duplicates: number;
  /** Events refused out of batches that were taken. */
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
  /** Base URL: what the SDK's `endpoint` takes. */
  readonly url: string;
  /** Base URL for OpenTelemetry's exporters: what `OTEL_EXPORTER_OTLP_ENDPOINT` takes. */
  readonly otlpUrl: string;
  /** Address of the viewer; carries the viewer's token when an `apiKey` is set. */
  readonly viewerUrl: string;
  /** The port that it listens on. */
  readonly port: number;
  /** Counts what the database holds. */
  stats(): PlatformStats;
  /** Answers what is under way, then closes the port and the database. */
  close(): Promise<void>;
}
