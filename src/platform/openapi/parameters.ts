import {
  BATCH_ID_HEADER,
  CONTENT_DIGEST_HEADER,
  IDEMPOTENCY_HEADER,
  ORGANIZATION_HEADER,
  SIGNATURE_HEADER,
  SIGNATURE_INPUT_HEADER,
} from "../../events/wire.ts";
import { isOtlpPath } from "../otlp/otlp-paths.ts";
import type { QueryMembers } from "../read-query.ts";
import type { Route } from "../route.ts";
import type { JsonSchema } from "./json-schema.ts";
import { isForSenders } from "./paths.ts";

/** Lists the parameters in a path. */
export function listPathParameters(path: string): JsonSchema[] {
  return Array.from(path.matchAll(/:(\w+)/g), ([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string", minLength: 1 },
  }));
}

/** Lists the members of a query. */
export function listQueryParameters(members: QueryMembers = {}): JsonSchema[] {
  return Object.entries(members).map(([name, { schema, expected }]) => ({
    name,
    in: "query",
    description: expected,
    schema,
  }));
}

function toHeader(name: string, description: string, required = false): JsonSchema {
  return { name, in: "header", required, description, schema: { type: "string" } };
}

const ONCE = toHeader(
  IDEMPOTENCY_HEADER,
  "1 to 128 visible characters: requests with the same key are done once.",
);
const MATCHED = toHeader("if-match", "`ETag` of what was read: 412 where it has changed since.");
const OF_BODY = [
  toHeader("content-encoding", "gzip, if the body is compressed."),
  toHeader(
    CONTENT_DIGEST_HEADER,
    "sha-256 of the body as sent (RFC 9530), if it is to be checked.",
  ),
];
const OF_SIGNATURE = [
  toHeader(SIGNATURE_INPUT_HEADER, "RFC 9421; required where the platform has signing keys."),
  toHeader(SIGNATURE_HEADER, "RFC 9421; required where the platform has signing keys."),
];
const OF_BATCH = [
  toHeader(IDEMPOTENCY_HEADER, "Id of the batch, a quoted string."),
  toHeader(BATCH_ID_HEADER, "Id of an encrypted batch."),
];

/** Lists the headers that a route reads. */
export function listHeaders({ path, doc }: Route): JsonSchema[] {
  const isRequired = !isOtlpPath(path);
  const organization = toHeader(ORGANIZATION_HEADER, "Whose data it is.", isRequired);
  const isBatch = doc.otherBodies !== undefined && !isOtlpPath(path);
  return [
    ...(isForSenders(path) ? [organization, ...OF_SIGNATURE] : []),
    ...(isBatch ? OF_BATCH : []),
    ...(doc.body ? OF_BODY : []),
    ...(doc.isOnce === true ? [ONCE] : []),
    ...(doc.version === "matched" ? [MATCHED] : []),
  ];
}
