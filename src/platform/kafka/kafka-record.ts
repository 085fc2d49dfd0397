import { toOrganizationHeader } from "../../events/wire.ts";
import type { SentBody } from "../read-body.ts";
import type { PassedAgent, PassedBatch, PassedTelemetry } from "../gateway/destination.ts";
import { splitByTrace } from "../gateway/split-telemetry.ts";

/** What a record holds; the number rises when its meaning changes. */
export const RECORD_KINDS = ["batch/1", "agent/1", "traces/1", "logs/1"] as const;
/** What a record holds. */
export type RecordKind = (typeof RECORD_KINDS)[number];

/** Names of headers. A record without the first one is of another program. */
export const RECORD_HEADERS = {
  kind: "agent-monitor-record",
  organizationId: "organization-id",
  encoding: "content-encoding",
  mediaType: "content-type",
  receivedAt: "received-at",
  id: "id",
} as const;

/** A record of a topic. */
export interface KafkaRecord {
  readonly topic: string;
  /** Records with the same key stay in order. */
  readonly key: string;
  readonly value: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Topics of a gateway. */
export interface Topics {
  /** Batches and agents. */
  readonly deliveries: string;
  /** OpenTelemetry data. */
  readonly telemetry: string;
}

/** Names the topics of an address: the second one has the first one's name and `-otlp`. */
export function toTopics(name: string): Topics {
  return { deliveries: name, telemetry: `${name}-otlp` };
}

const MEDIA_TYPES: Readonly<Record<SentBody["encoding"], string>> = {
  identity: "application/json",
  gzip: "application/json",
  jose: "application/jose",
};

interface RecordFacts {
  readonly kind: RecordKind;
  readonly organizationId: string;
  readonly receivedAt: number;
  readonly encoding: "gzip" | "identity";
  readonly mediaType: string;
  readonly id: string;
}

function toHeaders({ kind, organizationId, receivedAt, encoding, mediaType, id }: RecordFacts) {
  return {
    [RECORD_HEADERS.kind]: kind,
    [RECORD_HEADERS.organizationId]: organizationId,
    [RECORD_HEADERS.receivedAt]: String(receivedAt),
    [RECORD_HEADERS.encoding]: encoding,
    [RECORD_HEADERS.mediaType]: mediaType,
    [RECORD_HEADERS.id]: id,
  };
}

/** Joins an organization and what is in order within it: neither part has a slash that is not the one between them. */
function toKey(organizationId: string, part: string): string {
  return `${toOrganizationHeader(organizationId).replaceAll("/", "%2F")}/${part}`;
}

const toEncoding = ({ encoding }: SentBody) => (encoding === "gzip" ? "gzip" : "identity");

/** Writes a batch as it came; those of a writer stay in order, so that its chain does. */
export function toBatchRecord(
  { organizationId, batchId, writerId, body, receivedAt }: PassedBatch,
  { deliveries }: Topics,
): KafkaRecord {
  const facts = { kind: "batch/1", organizationId, receivedAt, id: batchId } as const;
  return {
    topic: deliveries,
    key: toKey(organizationId, writerId ?? batchId),
    value: body.sent,
    headers: toHeaders({
      ...facts,
      encoding: toEncoding(body),
      mediaType: MEDIA_TYPES[body.encoding],
    }),
  };
}

/** Writes an agent's profile as it came. */
export function toAgentRecord(
  { organizationId, agentId, body, receivedAt }: PassedAgent,
  { deliveries }: Topics,
): KafkaRecord {
  const facts = { kind: "agent/1", organizationId, receivedAt, id: agentId } as const;
  return {
    topic: deliveries,
    key: toKey(organizationId, agentId),
    value: body.sent,
    headers: toHeaders({ ...facts, encoding: toEncoding(body), mediaType: MEDIA_TYPES.identity }),
  };
}

/** Writes telemetry, a record for each trace: those of a trace stay in order. */
export function toTelemetryRecords(
  { organizationId, signal, format, bytes, receivedAt }: PassedTelemetry,
  { telemetry }: Topics,
): KafkaRecord[] {
  const mediaType = format === "json" ? "application/json" : "application/x-protobuf";
  const facts = { organizationId, receivedAt, encoding: "identity", mediaType } as const;
  return splitByTrace(bytes, format, signal).map(({ traceId, bytes: value }) => ({
    topic: telemetry,
    key: toKey(organizationId, traceId),
    value,
    headers: toHeaders({ ...facts, kind: `${signal}/1`, id: traceId }),
  }));
}
