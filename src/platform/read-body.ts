import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { CONTENT_DIGEST_HEADER } from "../events/wire.ts";
import { ProblemError } from "./problem.ts";

const inflate = promisify(gunzip);

/**
 * How many times the bound is read before the connection is cut.
 *
 * A client that is still sending when the connection closes sees a reset instead of the 413.
 */
const DRAIN_FACTOR = 8;

/** A request body, its sizes and what it says. */
export interface JsonBody {
  /** The JSON as bytes, after decompression. */
  readonly bytes: Buffer;
  /** Bytes as sent. */
  readonly wireBytes: number;
  readonly encoding: "identity" | "gzip";
  readonly value: unknown;
}

function tooLarge(maxBytes: number, headers: Record<string, string> = {}): ProblemError {
  const detail = `the body may have ${maxBytes} bytes, decompressed as well`;
  return new ProblemError(413, "payload_too_large", detail, { headers });
}

function requireJson(request: Request): void {
  const mediaType = (request.headers.get("content-type") ?? "").split(";", 1)[0] ?? "";
  if (mediaType.trim().toLowerCase() === "application/json") return;
  throw new ProblemError(
    415,
    "unsupported_media_type",
    "the content type must be application/json",
  );
}

function readEncoding(request: Request): "identity" | "gzip" {
  const encoding = (request.headers.get("content-encoding") ?? "identity").trim().toLowerCase();
  if (encoding === "gzip") return "gzip";
  if (encoding === "identity" || encoding === "") return "identity";
  throw new ProblemError(
    415,
    "unsupported_encoding",
    "the content encoding must be gzip or identity",
    {
      headers: { "accept-encoding": "gzip, identity" },
    },
  );
}

async function readBytes(request: Request, maxBytes: number): Promise<Buffer> {
  const reader = request.body?.getReader();
  if (!reader) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = (await reader.read()) as { done: boolean; value?: Uint8Array };
    if (done || !value) break;
    size += value.length;
    if (size <= maxBytes) chunks.push(value);
    else if (size > maxBytes * DRAIN_FACTOR) {
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
  throw new ProblemError(
    422,
    "checksum_mismatch",
    "Content-Digest differs from the digest of the body",
  );
}

async function decompress(bytes: Buffer, maxBytes: number): Promise<Buffer> {
  try {
    return await inflate(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(maxBytes);
    throw new ProblemError(400, "malformed_body", "the body is not gzip");
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new ProblemError(400, "malformed_body", "the body is not JSON in UTF-8");
  }
}

/** Reads a JSON body within bounds, checking type, encoding and digest on the way. */
export async function readJsonBody(request: Request, maxBytes: number): Promise<JsonBody> {
  requireJson(request);
  const encoding = readEncoding(request);
  const sent = await readBytes(request, maxBytes);
  verifyDigest(request, sent);
  const bytes = encoding === "gzip" ? await decompress(sent, maxBytes) : sent;
  return { bytes, wireBytes: sent.length, encoding, value: parseJson(bytes) };
}
