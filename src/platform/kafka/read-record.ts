import { isIdentifier } from "../../events/base-event.ts";
import type { SentBody } from "../read-body.ts";
import type { ReadRecord } from "./kafka-consumer.ts";
import { RECORD_HEADERS, RECORD_KINDS, type RecordKind } from "./kafka-record.ts";

/** Why a record of another program is given up. */
export const FOREIGN_RECORD = "foreign_record";

/** What a gateway has written into a record. */
export interface RecordFacts {
  readonly kind: RecordKind;
  readonly organizationId: string;
  /** Milliseconds since the Unix epoch, by the gateway's clock. */
  readonly receivedAt: number;
  readonly body: SentBody;
  readonly isProtobuf: boolean;
  /** Id of the batch, the agent or the trace; empty where it has none. */
  readonly id: string;
}

/** Furthest time from the epoch that a date can have. */
const MAX_TIME = 8.64e15;

function readEncoding(headers: ReadRecord["headers"]): SentBody["encoding"] {
  if (headers.get(RECORD_HEADERS.mediaType) === "application/jose") return "jose";
  return headers.get(RECORD_HEADERS.encoding) === "gzip" ? "gzip" : "identity";
}

/** Reads what a gateway has written; `undefined` for a record of another program. */
export function readRecord({ headers, value }: ReadRecord): RecordFacts | undefined {
  const kind = RECORD_KINDS.find((known) => known === headers.get(RECORD_HEADERS.kind));
  const organizationId = headers.get(RECORD_HEADERS.organizationId);
  const receivedAt = Number(headers.get(RECORD_HEADERS.receivedAt));
  const isTime = Number.isSafeInteger(receivedAt) && Math.abs(receivedAt) <= MAX_TIME;
  if (!kind || !isIdentifier(organizationId) || !isTime) return undefined;
  return {
    kind,
    organizationId,
    receivedAt,
    body: { sent: value, encoding: readEncoding(headers) },
    isProtobuf: headers.get(RECORD_HEADERS.mediaType) === "application/x-protobuf",
    id: headers.get(RECORD_HEADERS.id) ?? "",
  };
}
