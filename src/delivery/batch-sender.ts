import type * as Jose from "jose";
import type { EncryptionOptions } from "../events/protection.ts";
import * as wire from "../events/wire.ts";
import { compressBody } from "../http/compress-body.ts";
import type { Clock } from "../util/clock.ts";
import { countNoun } from "../util/count-noun.ts";
import { resolveEncryption } from "../util/encryption-key.ts";
import { toErrorName, type BurstLogger } from "../util/logger.ts";
import type { Compression, PlannedBatch } from "./batch.ts";
import { sendWithRetries, type RetryOptions } from "./circuit.ts";
import {
  toSendResult,
  type SendResult,
  type Transport,
  type TransportAnswer,
} from "./http-transport.ts";

/** Thrown when this process can't encrypt batches; nothing is sent then. */
class EncryptionError extends Error {
  override readonly name = "EncryptionError" as const;
}

/**
 * Loads `jose` at first use, so that applications without encryption don't pay for it.
 *
 * The CommonJS build has a `require()` here. Every supported Node.js can require an ES module; Jest has a
 * module system of its own, which can't.
 */
async function loadJose(): Promise<typeof Jose> {
  try {
    return await import("jose");
  } catch (error) {
    throw new EncryptionError(
      "encryption: the package jose can't be loaded: expected a Node.js that can require() ES modules; " +
        "for Jest, let it transform jose to CommonJS or leave encryption off in tests",
      { cause: error },
    );
  }
}

/**
 * Creates an encrypter of batches for the holder of one key.
 *
 * @throws Error for a key that does not fit; the configuration is checked earlier.
 * @see RFC 7516
 */
export function createBatchEncrypter(config: EncryptionOptions) {
  const resolved = resolveEncryption(config);
  if ("problem" in resolved) throw new Error(`encryption: ${resolved.field} ${resolved.problem}`);
  const { algorithm, keyId, key } = resolved;
  const fixed = {
    alg: algorithm,
    enc: wire.CONTENT_ENCRYPTION,
    kid: keyId,
    typ: "JOSE",
    cty: wire.ENCRYPTED_MEDIA_TYPE,
  };
  return {
    /** Algorithms and key id, for `metadata.encryptionInfo`. */
    info: `alg=${algorithm};enc=${wire.CONTENT_ENCRYPTION};kid=${keyId}`,
    /**
     * Encrypts a compressed batch as a compact JWE; anybody can read the ids in its header, the key protects them from
     * changes.
     *
     * @throws EncryptionError when the package `jose` can't be loaded.
     */
    async encrypt(gzipped: Buffer, batchId: string, organizationId: string): Promise<Buffer> {
      const { CompactEncrypt } = await loadJose();
      const encrypter = new CompactEncrypt(gzipped);
      encrypter.setProtectedHeader({ ...fixed, batchId, organizationId });
      return Buffer.from(await encrypter.encrypt(key), "ascii");
    },
  };
}

/** Level 1 takes a third of the time of level 6 for five per cent more bytes. */
const GZIP_LEVEL = 1;

/** Reason for which an encrypted batch waits after status 415: it is never sent in the clear instead. */
const ENCRYPTION_NOT_TAKEN =
  "status 415: the platform does not take batches encrypted with this algorithm and key";

export interface BatchEncoderOptions {
  readonly compression: Compression;
  readonly encryption?: EncryptionOptions | undefined;
}

/** A batch whose plain bytes are fixed. */
export interface EncodableBatch {
  readonly batchId: string;
  /** The `EventBatch` as UTF-8 JSON. */
  readonly body: Buffer;
  readonly compression: Compression;
}

/** A batch as it goes over the wire: its body and the headers that describe the encoding. */
export interface EncodedBatch {
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/** Encodes planned batches as requests. */
export type BatchEncoder = ReturnType<typeof createBatchEncoder>;

/** Creates an encoder of planned batches. */
export function createBatchEncoder(options: BatchEncoderOptions) {
  const { compression, encryption } = options;
  const encrypter = encryption?.enabled === true ? createBatchEncrypter(encryption) : undefined;
  return {
    /** For `metadata.encryptionInfo`; `undefined` without encryption. */
    encryptionInfo: encrypter?.info,
    isEncrypted: encrypter !== undefined,
    /**
     * Compresses, and encrypts if so configured; an encrypted batch is always compressed.
     *
     * @param isPlainOnly - Whether the platform does not know gzip; no effect on encrypted batches.
     * @throws EncryptionError when this process can't encrypt.
     */
    async encode(
      { batchId, body, compression: planned }: EncodableBatch,
      organizationId: string,
      isPlainOnly: boolean,
    ): Promise<EncodedBatch> {
      const headers: Record<string, string> = { [wire.IDEMPOTENCY_HEADER]: `"${batchId}"` };
      if (encrypter) {
        headers["content-type"] = wire.JOSE_MEDIA_TYPE;
        headers[wire.BATCH_ID_HEADER] = batchId;
        const gzipped = await compressBody(body, GZIP_LEVEL);
        return { headers, body: await encrypter.encrypt(gzipped, batchId, organizationId) };
      }
      headers["content-type"] = "application/json";
      if (isPlainOnly || compression === "none" || planned === "none") return { headers, body };
      headers["content-encoding"] = "gzip";
      return { headers, body: await compressBody(body, GZIP_LEVEL) };
    },
  };
}

export interface BatchSenderOptions {
  readonly organizationId: string;
  readonly transport: Transport;
  readonly encoder: BatchEncoder;
  readonly clock: Clock;
  readonly retry: RetryOptions;
  readonly log: BurstLogger;
  /** Called after every attempt, with its error if it failed. */
  readonly onAttempt?: (durationMillis: number, errorType: string | undefined) => void;
}

/** Result of sending a batch, retries included. */
export type BatchResult = Exclude<SendResult, { status: "not_decodable" }>;

/** Sends one batch, with retries, until the result is final. */
export type SendBatch = ReturnType<typeof createBatchSender>;

/** Describes the final result of a batch for a log line. */
function toOutcome(result: BatchResult): string {
  if (result.status !== "accepted") return `${result.status} (${result.reason})`;
  return `taken (rejected: ${result.rejected.length}, known before: ${result.duplicates})`;
}

function toErrorType(answer: TransportAnswer): string | undefined {
  if (answer.kind === "failure") return answer.reason;
  return answer.status < 300 ? undefined : String(answer.status);
}

/** Creates a sender of single batches, which falls back to plain bytes when the platform does not understand gzip. */
export function createBatchSender(options: BatchSenderOptions) {
  const { organizationId, transport, encoder, clock, retry, log, onAttempt } = options;
  // Set once the platform has responded with 415: it will not learn gzip while this process runs.
  let isPlainOnly = false;

  const post = async (planned: PlannedBatch, signal: AbortSignal): Promise<BatchResult> => {
    const { plan, body: plain } = planned;
    const { batchId } = plan;
    const batch = { batchId, body: plain, compression: plan.metadata.compressionType };
    const { headers, body } = await encoder.encode(batch, organizationId, isPlainOnly);
    const request = { method: "POST", path: wire.BATCHES_PATH, headers, body } as const;
    const startedAt = clock.monotonic();
    const extent = `${countNoun(plan.eventCount, "event")} in ${countNoun(body.length, "byte")}`;
    log.log("debug", "send", `batch ${batchId}: sends ${extent} to ${transport.url}`);
    const answer = await transport.send(request, signal);
    const millis = clock.monotonic() - startedAt;
    onAttempt?.(millis, toErrorType(answer));
    const said = answer.kind === "failure" ? answer.reason : `status ${answer.status}`;
    log.log("debug", "send", `batch ${batchId}: ${said} after ${Math.round(millis)} ms`);
    const result = toSendResult(answer, clock.now());
    if (result.status !== "not_decodable") return result;
    if (encoder.isEncrypted) return { status: "blocked", reason: ENCRYPTION_NOT_TAKEN };
    if (headers["content-encoding"] !== "gzip")
      return { status: "refused", reason: result.reason, isTooLarge: false };
    isPlainOnly = true;
    return post(planned, signal);
  };

  /** A batch that can't be encoded, for want of a key or a module, waits like one that the platform does not accept. */
  const postSafely = async (batch: PlannedBatch, signal: AbortSignal): Promise<BatchResult> => {
    try {
      return await post(batch, signal);
    } catch (error) {
      const reason = error instanceof EncryptionError ? error.message : toErrorName(error);
      return { status: "blocked", reason: `sending failed: ${reason}` };
    }
  };

  return async (batch: PlannedBatch, retryAttempts: number, signal: AbortSignal) => {
    const retryOptions = { ...retry, retryAttempts };
    const result = await sendWithRetries(() => postSafely(batch, signal), retryOptions, signal);
    log.log("debug", "batch", `batch ${batch.plan.batchId}: ${toOutcome(result)}`);
    return result;
  };
}
