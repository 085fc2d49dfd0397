import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { CONTENT_DIGEST_HEADER, JOSE_MEDIA_TYPE } from "../events/wire.ts";
import type { Decrypt, OuterIds } from "./decryption.ts";
import { parseJsonSteps } from "./parse-json-steps.ts";
import { ProblemError, UploadBrokenError } from "./problem.ts";
import type { Steps, Turns } from "./turns.ts";

/** `Retry-After` of requests that found no room; bodies under way take seconds. */
const RETRY_AFTER_SECONDS = 2;

/** Memory of one request, in bytes. */
export interface BodyLease {
  /** Counts bytes before they are kept; throws a problem when all requests together would hold too many. */
  take(bytes: number): void;
  /** Releases bytes that are no longer held. */
  giveBack(bytes: number): void;
}

/** Creates the common bound of all request bodies. */
export function createBodyBudget(limit: number) {
  let used = 0;
  let refused = 0;
  return {
    limit,
    get used() {
      return used;
    },
    /** Requests that were refused because there was no room. */
    get refused() {
      return refused;
    },
    /** Runs a function that reads and handles a body; everything that it took is released at its end. */
    async lend<Result>(work: (lease: BodyLease) => Promise<Result>): Promise<Result> {
      let held = 0;
      const lease: BodyLease = {
        take(bytes) {
          if (used + bytes > limit) {
            refused++;
            const headers = { "retry-after": String(RETRY_AFTER_SECONDS) };
            const detail = `other requests under way hold the ${limit} bytes that all bodies together may have`;
            throw new ProblemError("unavailable", detail, { headers });
          }
          used += bytes;
          held += bytes;
        },
        giveBack(bytes) {
          used -= bytes;
          held -= bytes;
        },
      };
      try {
        return await work(lease);
      } finally {
        used -= held;
      }
    },
  };
}

/** Bounds the bytes of request bodies that are held at a time, all requests together. */
export type BodyBudget = ReturnType<typeof createBodyBudget>;

const INFLATE_CHUNK_BYTES = 64 * 1024;

/**
 * How many times the bound is read before the connection is closed.
 *
 * A client that is still sending when the connection closes sees a reset instead of the 413.
 */
const DRAIN_FACTOR = 8;

/** A request body and its sizes. */
interface Body {
  /** The bytes after decompression. */
  readonly bytes: Buffer;
  /** Bytes as sent. */
  readonly wireBytes: number;
  /** Encoding of the body; `jose` is encrypted and compressed. */
  readonly encoding: "identity" | "gzip" | "jose";
}

/** A request body and its JSON. */
export interface JsonBody extends Body {
  readonly value: unknown;
  /** Ids of an encrypted body in the clear. */
  readonly outerIds?: OuterIds;
}

/** Limits of a body's size. */
interface ByteLimits {
  /** Bound of its bytes, as sent and again after decompression. */
  readonly maxBytes: number;
  /** Share of the common budget. */
  readonly lease: BodyLease;
}

/** Limits and encodings of a body. */
interface BodyLimits extends ByteLimits {
  readonly turns: Turns;
  /** Decrypts encrypted bodies; absent: they are refused. */
  readonly decrypt?: Decrypt;
}

function tooLarge(maxBytes: number, headers: Record<string, string> = {}): ProblemError {
  const detail = `the body may have ${maxBytes} bytes, decompressed as well`;
  return new ProblemError("payload_too_large", detail, { headers });
}

/** Returns the media type of a request or a response without its parameters; empty when it has none. */
export function readMediaType(request: Pick<Request, "headers">): string {
  const header = (request.headers.get("content-type") ?? "").split(";", 1)[0] ?? "";
  return header.trim().toLowerCase();
}

/** Returns whether the content type is that of an encrypted body; throws when it is neither that nor JSON. */
function isJose(request: Request, canDecrypt: boolean): boolean {
  const mediaType = readMediaType(request);
  if (mediaType === "application/json") return false;
  if (canDecrypt && mediaType === JOSE_MEDIA_TYPE) return true;
  const detail = `the content type must be application/json${canDecrypt ? ` or ${JOSE_MEDIA_TYPE}` : ""}`;
  throw new ProblemError("unsupported_media_type", detail);
}

function readEncoding(request: Request, isEncrypted: boolean): "identity" | "gzip" {
  const encoding = (request.headers.get("content-encoding") ?? "").trim().toLowerCase();
  if (encoding === "identity" || encoding === "") return "identity";
  if (isEncrypted)
    throw new ProblemError("unsupported_encoding", "an encrypted body has no content encoding");
  if (encoding === "gzip") return "gzip";
  const headers = { "accept-encoding": "gzip, identity" };
  const detail = "the content encoding must be gzip or identity";
  throw new ProblemError("unsupported_encoding", detail, { headers });
}

type Chunk = { readonly done: boolean; readonly value?: Uint8Array };

/** Reads the next part of a body; distinguishes a disconnected client from an error of ours. */
async function readChunk(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Chunk> {
  try {
    return (await reader.read()) as Chunk;
  } catch {
    throw new UploadBrokenError();
  }
}

async function readBytes(request: Request, { maxBytes, lease }: ByteLimits): Promise<Buffer> {
  const reader = request.body?.getReader() as ReadableStreamDefaultReader<Uint8Array> | undefined;
  if (!reader) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await readChunk(reader);
    if (done || !value) break;
    size += value.length;
    if (size <= maxBytes) {
      lease.take(value.length);
      chunks.push(value);
    } else if (size > maxBytes * DRAIN_FACTOR) {
      await reader.cancel();
      throw tooLarge(maxBytes, { connection: "close" });
    }
  }
  if (size > maxBytes) throw tooLarge(maxBytes);
  return Buffer.concat(chunks);
}

// Base64 of 32 bytes, as a byte sequence of a structured field. @see RFC 9530, 2; RFC 8941, 3.3.5
const SHA256_MEMBER = /(?:^|,)\s*sha-256\s*=\s*([^,]*)/;

function verifyDigest(request: Request, bytes: Buffer): void {
  // Digests of other algorithms may be ignored (RFC 9530, 2).
  const sent = SHA256_MEMBER.exec(request.headers.get(CONTENT_DIGEST_HEADER) ?? "")?.[1];
  if (sent === undefined) return;
  const actual = `:${createHash("sha256").update(bytes).digest("base64")}:`;
  if (sent.trim() === actual) return;
  throw new ProblemError("checksum_mismatch", "Content-Digest differs from the digest of the body");
}

async function inflate(sent: Buffer, { maxBytes, lease }: ByteLimits): Promise<Buffer> {
  const gunzip = createGunzip({ chunkSize: INFLATE_CHUNK_BYTES });
  const chunks: Buffer[] = [];
  let size = 0;
  // The size of a small body after decompression is not known: every part is counted before the next is read.
  for await (const chunk of Readable.from([sent]).pipe(gunzip) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    lease.take(chunk.length);
    chunks.push(chunk);
  }
  lease.giveBack(sent.length);
  return Buffer.concat(chunks);
}

async function decompress(sent: Buffer, limits: ByteLimits): Promise<Buffer> {
  try {
    return await inflate(sent, limits);
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    throw new ProblemError("malformed_body", "the body is not gzip");
  }
}

/** Parses JSON; throws a problem for invalid JSON or UTF-8. */
export function* parseJson(bytes: Buffer): Steps<unknown> {
  try {
    return yield* parseJsonSteps(bytes);
  } catch {
    throw new ProblemError("malformed_body", "the body is not JSON in UTF-8");
  }
}

async function readSentBytes(request: Request, limits: ByteLimits): Promise<Buffer> {
  const sent = await readBytes(request, limits);
  verifyDigest(request, sent);
  return sent;
}

/** A body as it was sent. */
export interface SentBody extends Pick<Body, "encoding"> {
  readonly sent: Buffer;
}

/** Reads a body of any type as it was sent, checking encoding and digest on the way. */
export async function readSentBody(request: Request, limits: ByteLimits): Promise<SentBody> {
  const encoding = readEncoding(request, false);
  return { encoding, sent: await readSentBytes(request, limits) };
}

/** Decompresses a body. */
export async function openBody({ encoding, sent }: SentBody, limits: ByteLimits): Promise<Body> {
  const bytes = encoding === "gzip" ? await decompress(sent, limits) : sent;
  return { bytes, wireBytes: sent.length, encoding };
}

/** Reads a body of any type within bounds, checking encoding and digest on the way. */
export async function readBody(request: Request, limits: ByteLimits): Promise<Body> {
  return openBody(await readSentBody(request, limits), limits);
}

/** Reads the body of a batch as it was sent, which may be encrypted where it can be decrypted. */
export async function readSentJson(request: Request, limits: BodyLimits): Promise<SentBody> {
  const { decrypt } = limits;
  if (!isJose(request, decrypt !== undefined)) return readSentBody(request, limits);
  readEncoding(request, true);
  return { encoding: "jose", sent: await readSentBytes(request, limits) };
}

/** Decrypts, decompresses and parses a JSON body. */
export async function openJson(body: SentBody, limits: BodyLimits): Promise<JsonBody> {
  const { decrypt, lease, turns } = limits;
  const { encoding, sent } = body;
  if (encoding !== "jose" || !decrypt) {
    const opened = await openBody(body, limits);
    return { ...opened, value: await turns.take(parseJson(opened.bytes)) };
  }
  const { gzipped, ...outerIds } = await decrypt(sent);
  lease.take(gzipped.length);
  const bytes = await decompress(gzipped, limits);
  lease.giveBack(sent.length);
  const value = await turns.take(parseJson(bytes));
  return { bytes, wireBytes: sent.length, encoding, value, outerIds };
}

/** Reads a JSON body within bounds, checking type, encoding and digest on the way. */
export async function readJsonBody(request: Request, limits: BodyLimits): Promise<JsonBody> {
  return openJson(await readSentJson(request, limits), limits);
}
