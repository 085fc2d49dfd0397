import type { BatchEnvelope } from "../events/batch.ts";
import { BATCH_ID_HEADER, IDEMPOTENCY_HEADER } from "../events/wire.ts";
import type { Span } from "../util/json-span.ts";
import { verifyOuterIds } from "./decryption.ts";
import { ProblemError } from "./problem.ts";
import type { JsonBody } from "./read-body.ts";
import { parseEnvelope, verifyEnvelopeMembers, verifyIdempotencyKey } from "./validate-batch.ts";

/** A batch without its events, which are checked one by one. */
export interface ReadEnvelope {
  readonly envelope: BatchEnvelope;
  /** Where the events stand in the body. */
  readonly array: Span | undefined;
}

/** Reads a batch, and compares its ids with those of the request; throws a problem where they differ. */
export function readEnvelope(
  { bytes, value, outerIds }: JsonBody,
  headers: Headers,
  organizationId: string,
): ReadEnvelope {
  const members = verifyEnvelopeMembers(bytes);
  const envelope = parseEnvelope(value);
  if (envelope.organizationId !== organizationId) {
    const detail = "organizationId differs from the X-Organization-Id header";
    throw new ProblemError("organization_mismatch", detail);
  }
  verifyIdempotencyKey(headers.get(IDEMPOTENCY_HEADER), envelope.batchId);
  verifyOuterIds(envelope, headers.get(BATCH_ID_HEADER), outerIds);
  return { envelope, array: members.get("events") };
}
