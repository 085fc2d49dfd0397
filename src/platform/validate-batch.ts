import { createHash } from "node:crypto";
import type * as z from "zod";
import { isIdentifier } from "../events/base-event.ts";
import { batchEnvelopeSchema, CHECKSUM_PREFIX, type BatchEnvelope } from "../events/batch.ts";
import { eventSchemas, type DetailedEvent } from "../events/detailed-event.ts";
import type { RejectedEvent } from "../events/wire.ts";
import {
  findElements,
  findMembers,
  findRepeatedMember,
  type Members,
  type Span,
} from "../util/json-span.ts";
import { toRecord } from "../util/values.ts";
import { ProblemError, type ProblemDetail } from "./problem.ts";
import type { JsonBody } from "./read-body.ts";
import type { Steps } from "./turns.ts";

/** Limit of events, since all rejected ones are listed. */
const MAX_EVENTS_PER_BATCH = 10_000;

/** An event and its JSON exactly as received. */
export interface ReceivedEvent {
  readonly event: DetailedEvent;
  readonly json: Uint8Array;
  /** Offset in the body. */
  readonly start: number;
}

/** A batch with a valid envelope; its events are checked one by one. */
export interface ReceivedBatch extends Readonly<
  Pick<
    BatchEnvelope,
    "batchId" | "eventCount" | "metadata" | "organizationId" | "timestamp" | "totalSize"
  >
> {
  /** The whole batch exactly as received. */
  readonly body: Uint8Array;
  readonly events: readonly ReceivedEvent[];
  readonly rejected: readonly RejectedEvent[];
  /** Number of events that the SDK says it has given up. */
  readonly lost: number;
}

/** Writes a path as a JSON pointer. @see RFC 6901 */
function toPointer(path: readonly PropertyKey[]): string {
  return path
    .map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
}

/** Converts zod's issues to problem details that name members of the schema only. */
export function toProblemDetails(issues: readonly z.core.$ZodIssue[]): ProblemDetail[] {
  return issues.map((issue) => ({
    pointer: toPointer(issue.path),
    code: issue.code,
    // zod names the unknown members here, and a name in the body is content.
    detail: issue.code === "unrecognized_keys" ? "has unknown members" : issue.message,
  }));
}

function invalidBatch(errors: readonly ProblemDetail[]): ProblemError {
  const first = errors[0];
  const detail = `${first?.pointer ?? ""} ${first?.detail ?? ""}`.trim();
  return new ProblemError("invalid_batch", detail, { errors });
}

function refuseRepeated(name: string | undefined, known: readonly string[]): void {
  if (name === undefined) return;
  // Only a name of the schema is reported: any other one is content.
  const isKnown = known.includes(name);
  const pointer = isKnown ? toPointer([name]) : "";
  const errors = [{ pointer, code: "duplicate_member", detail: "stands twice" }];
  const member = isKnown ? `the member ${name}` : "a member";
  throw new ProblemError("malformed_body", `${member} stands twice`, { errors });
}

/**
 * Rejects a document with a repeated member, on any level: we would store one of the two, and another reader of the same
 * bytes could use the other.
 *
 * @param known - Names of the top-level members.
 */
export function verifyMembers(bytes: Uint8Array, known: readonly string[] = []): void {
  const whole = { start: 0, end: bytes.length };
  refuseRepeated(findRepeatedMember(bytes, whole, 1), known);
  refuseRepeated(findRepeatedMember(bytes, whole), []);
}

/** Rejects a batch whose envelope, metadata included, repeats a member; returns the members of the envelope. */
export function verifyEnvelopeMembers(bytes: Uint8Array): Members["values"] {
  const { values, repeated } = findMembers(bytes);
  refuseRepeated(repeated, Object.keys(batchEnvelopeSchema.shape));
  const metadata = values.get("metadata");
  if (metadata) verifyMembers(bytes.subarray(metadata.start, metadata.end));
  return values;
}

/** Reads the batch without its events. */
export function parseEnvelope(value: unknown): BatchEnvelope {
  const parsed = batchEnvelopeSchema.safeParse(value);
  if (!parsed.success) throw invalidBatch(toProblemDetails(parsed.error.issues));
  if (parsed.data.events.length > MAX_EVENTS_PER_BATCH) {
    throw new ProblemError("payload_too_large", `a batch may have ${MAX_EVENTS_PER_BATCH} events`);
  }
  return parsed.data;
}

/** Checks the batch id against the `Idempotency-Key` header, a quoted string. */
export function verifyIdempotencyKey(header: string | null, batchId: string): void {
  if (header === null) return;
  // A structured-field string escapes only the quote and the backslash. @see RFC 8941, 3.3.3
  const expected = `"${batchId.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
  if (header.trim() === expected) return;
  const detail = "differs from the Idempotency-Key header, a quoted string";
  throw invalidBatch([{ pointer: "/batchId", code: "idempotency_key", detail }]);
}

function verifySums(envelope: BatchEnvelope, array: Uint8Array): void {
  const errors: ProblemDetail[] = [];
  if (envelope.eventCount !== envelope.events.length) {
    const detail = `events has ${envelope.events.length} elements`;
    errors.push({ pointer: "/eventCount", code: "count_mismatch", detail });
  }
  if (envelope.totalSize !== array.length) {
    const detail = `events has ${array.length} bytes`;
    errors.push({ pointer: "/totalSize", code: "size_mismatch", detail });
  }
  const checksum = CHECKSUM_PREFIX + createHash("sha256").update(array).digest("hex");
  if (envelope.checksum !== undefined && envelope.checksum !== checksum) {
    const detail = "differs from the digest of events";
    errors.push({ pointer: "/checksum", code: "checksum_mismatch", detail });
    throw new ProblemError("checksum_mismatch", "the events are not what was sent", { errors });
  }
  if (errors.length > 0) throw invalidBatch(errors);
}

function findSchema(value: unknown): z.ZodType<DetailedEvent> | undefined {
  const { interactionType } = toRecord(value);
  const isKnown =
    typeof interactionType === "string" && Object.hasOwn(eventSchemas, interactionType);
  return isKnown ? eventSchemas[interactionType as keyof typeof eventSchemas] : undefined;
}

function toRejected(
  index: number,
  value: unknown,
  problem: ProblemDetail | undefined,
): RejectedEvent {
  const { eventId } = toRecord(value);
  return {
    index,
    ...(isIdentifier(eventId) && { eventId }),
    code: problem?.code ?? "unknown_type",
    detail: problem?.detail ?? "expected an object with a known interactionType",
    pointer: `${toPointer(["events", index])}${problem?.pointer ?? "/interactionType"}`,
  };
}

const REPEATED: ProblemDetail = {
  pointer: "",
  code: "duplicate_member",
  detail: "a member stands twice",
};

function* validateEvents(
  values: readonly unknown[],
  body: Buffer,
  spans: readonly Span[],
): Steps<Pick<ReceivedBatch, "events" | "rejected">> {
  const events: ReceivedEvent[] = [];
  const rejected: RejectedEvent[] = [];
  for (const [index, value] of values.entries()) {
    yield;
    const span = spans[index];
    const parsed = findSchema(value)?.safeParse(value);
    if (span && parsed && findRepeatedMember(body, span, 1) !== undefined) {
      rejected.push(toRejected(index, value, REPEATED));
    } else if (parsed?.success && span) {
      const { start, end } = span;
      events.push({ event: parsed.data, json: body.subarray(start, end), start });
    } else {
      rejected.push(
        toRejected(index, value, parsed?.error && toProblemDetails(parsed.error.issues)[0]),
      );
    }
  }
  return { events, rejected };
}

/**
 * Checks counts and checksum against the bytes as sent, then each event.
 *
 * @param array - Where the events stand in the body.
 */
export function* validateBatch(
  envelope: BatchEnvelope,
  body: JsonBody,
  array: Span | undefined,
): Steps<ReceivedBatch> {
  if (!array)
    throw invalidBatch([{ pointer: "/events", code: "missing", detail: "expected an array" }]);
  yield;
  verifySums(envelope, body.bytes.subarray(array.start, array.end));
  yield;
  const spans = findElements(body.bytes, array);
  const { events, rejected } = yield* validateEvents(envelope.events, body.bytes, spans);
  if (events.length === 0) {
    const errors = rejected.map(({ pointer = "", code, detail }) => ({ pointer, code, detail }));
    throw new ProblemError("no_valid_event", "every event of the batch is invalid", { errors });
  }
  const lost = (envelope.metadata?.dropped ?? []).reduce((sum, { count }) => sum + count, 0);
  return { ...envelope, body: body.bytes, events, rejected, lost };
}
