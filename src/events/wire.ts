import * as z from "zod";
import { lazyLooseObject, lazySchema } from "./lazy-schema.ts";

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

function toEndpointProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return "expected an absolute URL";
  const url = new URL(text);
  if (url.username !== "" || url.password !== "")
    return "expected a URL without user name and password";
  // `URL` ignores an empty query, but a path appended to it would be part of it.
  if (/[?#]/.test(text)) return "expected a URL without query and fragment";
  if (url.pathname.includes("//")) return "expected a path without empty parts";
  if (url.protocol === "https:") return undefined;
  if (url.protocol === "http:" && LOOPBACK_HOST.test(url.hostname)) return undefined;
  return "expected https, or http to a loopback address: credentials never travel in the clear";
}

// A URL with a password must not be in an error message, so only the reason is reported.
/** Accepts a base URL: https, or http to loopback; without credentials, query and fragment. */
export const endpointSchema = lazySchema(() =>
  z
    .string()
    .trim()
    .superRefine((text, context) => {
      const problem = toEndpointProblem(text);
      if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
    }),
);

/** Characters that a header carries unchanged. */
const VISIBLE_ASCII = /^[\u0021-\u007e]+$/;
/** Begins an extended value: character set and language, which is none. @see RFC 8187, 3.2.1 */
const EXTENDED_PREFIX = "UTF-8''";
/** Characters that `encodeURIComponent` leaves, but that an extended value may not contain. */
const RESERVED = /[*'()]/g;

function isExtended(text: string): boolean {
  return text.slice(0, EXTENDED_PREFIX.length).toUpperCase() === EXTENDED_PREFIX;
}

/**
 * Writes an organization's identifier for a header: as it is, or as an extended value where it has spaces or characters
 * beyond ASCII, `UTF-8''First%20Bank`.
 *
 * @see RFC 8187
 */
export function toOrganizationHeader(organizationId: string): string {
  if (VISIBLE_ASCII.test(organizationId) && !isExtended(organizationId)) return organizationId;
  const toHex = (sign: string): string => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
  return EXTENDED_PREFIX + encodeURIComponent(organizationId).replace(RESERVED, toHex);
}

/** Reads an organization's identifier out of a header; `undefined` when it is encoded wrongly. */
export function fromOrganizationHeader(text: string): string | undefined {
  if (!isExtended(text)) return text;
  try {
    return decodeURIComponent(text.slice(EXTENDED_PREFIX.length));
  } catch {
    return undefined;
  }
}

/** Paths of the platform, below its base URL. */
export const BATCHES_PATH = "/v1/batches";
export const AGENTS_PATH = "/v1/agents";

/** Headers of a request to the platform, in lower case as Node.js gives them. */
export const ORGANIZATION_HEADER = "x-organization-id";
export const IDEMPOTENCY_HEADER = "idempotency-key";
export const CONTENT_DIGEST_HEADER = "content-digest";
/** Names the batch of an encrypted body, whose JSON no intermediary can read. */
export const BATCH_ID_HEADER = "x-batch-id";
export const SIGNATURE_HEADER = "signature";
export const SIGNATURE_INPUT_HEADER = "signature-input";

/**
 * Components that the signature of a delivery covers; of a batch, its idempotency key as well.
 *
 * The organization is among them because an agent's profile names none.
 *
 * @see RFC 9421, 2
 */
export const SIGNED_COMPONENTS = [
  "@method",
  "@target-uri",
  CONTENT_DIGEST_HEADER,
  ORGANIZATION_HEADER,
] as const;

/** Media type of an encrypted batch: a compact JWE. @see RFC 7516 */
export const JOSE_MEDIA_TYPE = "application/jose";
/** Content encryption of batches. @see RFC 7518, 5.3 */
export const CONTENT_ENCRYPTION = "A256GCM";
/** The plaintext of an encrypted batch: its JSON, compressed. */
export const ENCRYPTED_MEDIA_TYPE = "application/gzip";

/** Path at which a platform returns its audit trail, a record a line. */
export const AUDIT_EXPORT_PATH = "/api/audit/export";

/** Media type of an error response. @see RFC 9457 */
export const PROBLEM_MEDIA_TYPE = "application/problem+json";

/** `code` of the platform's problem documents. */
export const PROBLEM_CODES = [
  "unauthorized",
  "organization_mismatch",
  "malformed_body",
  "invalid_query",
  "invalid_batch",
  "checksum_mismatch",
  "no_valid_event",
  "batch_conflict",
  "batch_in_progress",
  "invalid_agent",
  "unsupported_media_type",
  "unsupported_encoding",
  "payload_too_large",
  "not_found",
  "method_not_allowed",
  "too_many_requests",
  "unavailable",
  "internal_error",
] as const;
export type ProblemCode = (typeof PROBLEM_CODES)[number];

export const problemSchema = lazyLooseObject(() => ({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string().optional(),
  code: z.string().describe("One of the platform's problem codes."),
  errors: z
    .array(z.object({ pointer: z.string(), code: z.string(), detail: z.string() }))
    .optional()
    .describe("Problems by JSON pointer (RFC 6901)."),
}));
/** Error response of the platform (RFC 9457). */
export type Problem = z.infer<typeof problemSchema>;

const rejectedEventSchema = lazyLooseObject(() => ({
  index: z.int().nonnegative().describe("Position in the batch."),
  eventId: z.string().optional(),
  code: z.string(),
  detail: z.string(),
  pointer: z.string().optional().describe("JSON pointer into the batch."),
}));
/** An event that the platform refused although it took the batch. */
export type RejectedEvent = z.infer<typeof rejectedEventSchema>;

export const batchAckSchema = lazyLooseObject(() => ({
  batchId: z.string(),
  status: z.enum(["accepted", "partial", "duplicate"]),
  accepted: z.int().nonnegative(),
  duplicates: z.int().nonnegative(),
  rejected: z.array(rejectedEventSchema),
}));
/** Response of the platform to a batch. */
export type BatchAck = z.infer<typeof batchAckSchema>;

/** Path of the local platform that returns every batch as it was received, below its base URL. */
export const BATCH_EXPORT_PATH = "/api/batches/export";

/** Path at which a platform returns a selection of conversations. */
export const CONVERSATION_EXPORT_PATH = "/api/exports/conversations";
/** Stands in the first and in the last line of such an export. */
export const EXPORT_FORMAT = "agent-monitor/export/1";

/** Media type of an export: a line per batch. */
export const BATCH_LINES_MEDIA_TYPE = "application/x-ndjson";

/**
 * A line that holds a batch as Base64.
 *
 * JSON may have line breaks between its tokens; taken out, the checksum would be wrong.
 */
export interface WrappedBatch {
  readonly base64: string;
}
