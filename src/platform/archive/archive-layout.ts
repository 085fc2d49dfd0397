import { createHash } from "node:crypto";
import type { ReadRecord } from "../kafka/kafka-consumer.ts";
import { FOREIGN_RECORD, readRecord, type RecordFacts } from "../kafka/read-record.ts";
import { ARCHIVE_FOLDERS, ARCHIVE_INDEX, type ArchiveLine } from "./archive-line.ts";
import type { StoredObject } from "./object-store.ts";

const PLAIN = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,79}$/;

/** Computes a SHA-256 in hex. */
function toSha256(bytes: Buffer | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Writes an identifier as part of a name: as it is or, where a name can't hold it, as its digest. */
function toPart(id: string): string {
  return PLAIN.test(id) ? id : `~${toSha256(id)}`;
}

/** Endings and media types of bytes; none has a content encoding, by which a client would change what it gets. */
function toForm({ body, isProtobuf }: RecordFacts): readonly [ending: string, mediaType: string] {
  if (body.encoding === "jose") return ["jwe", "application/jose"];
  const [ending, mediaType] = isProtobuf
    ? ["pb", "application/x-protobuf"]
    : ["json", "application/json"];
  return body.encoding === "gzip" ? [`${ending}.gz`, "application/gzip"] : [ending, mediaType];
}

/** Names the object of a record: the same for the same bytes of the same day, however often they come. */
function toObject(facts: RecordFacts): StoredObject {
  const { kind, organizationId, id, receivedAt, body } = facts;
  const [ending, mediaType] = toForm(facts);
  const sha256 = toSha256(body.sent);
  const day = new Date(receivedAt).toISOString().split("T", 1)[0];
  const path = [ARCHIVE_FOLDERS[kind], toPart(organizationId), day, toPart(id)].join("/");
  return { name: `${path}.${sha256}.${ending}`, bytes: body.sent, sha256, mediaType };
}

/** What is archived of a record. */
interface ArchivedRecord {
  readonly line: ArchiveLine;
  /** Absent for a record of another program. */
  readonly object: StoredObject | undefined;
}

/** Returns what is archived of a record: its bytes as they came, and a line of the index. */
export function toArchived(record: ReadRecord): ArchivedRecord {
  const { topic, partition } = record;
  const place = { topic, partition, offset: Number(record.offset) };
  const facts = readRecord(record);
  if (!facts) return { line: { ...place, skipped: FOREIGN_RECORD }, object: undefined };
  const object = toObject(facts);
  const { kind, organizationId, id, receivedAt } = facts;
  const { name, sha256, bytes } = object;
  const ids = { kind, organizationId, id, receivedAt };
  return { line: { ...place, ...ids, object: name, sha256, bytes: bytes.length }, object };
}

const toDigits = (offset: number): string => String(offset).padStart(20, "0");

/** Writes the index of records of one partition that were read together, in order. */
export function toIndexObject(lines: readonly ArchiveLine[]): StoredObject | undefined {
  const [first] = lines;
  if (!first) return undefined;
  const { topic, partition, offset } = first;
  const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const sha256 = toSha256(bytes);
  const range = `${toDigits(offset)}-${toDigits(lines.at(-1)?.offset ?? offset)}`;
  const name = `${ARCHIVE_INDEX}/${topic}/${partition}/${range}.${sha256}.jsonl`;
  return { name, bytes, sha256, mediaType: "application/x-ndjson" };
}
