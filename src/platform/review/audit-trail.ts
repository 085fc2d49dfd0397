import { createHash, createHmac, type KeyObject } from "node:crypto";

/** Domain separation: the digest can't be taken for that of anything else. */
const AUDIT_FORMAT = "agent-monitor/audit/1";
const PLAIN_PREFIX = "sha256:";
const KEYED_PREFIX = "hmac-sha256:";

/** Something that was done, without its place in the trail. */
export interface AuditEntry {
  readonly organizationId: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** Name of who did it. */
  readonly actor: string;
  readonly role: string;
  readonly action: string;
  /** What it was done to, the key of a conversation for example; empty where it is nothing in particular. */
  readonly subject: string;
  /** What else is to be known of it, as JSON. */
  readonly detail: string;
}

/** An entry in its place. */
export interface AuditRecord extends AuditEntry {
  /** 1 and up, without a gap. */
  readonly sequence: number;
  /** Hash of the record before it; empty for the first one. */
  readonly previous: string;
  readonly hash: string;
}

/** Computes the hash that links a record to the one before: HMAC-SHA256 if there is a key, else SHA-256. */
function toAuditHash(record: Omit<AuditRecord, "hash">, key?: KeyObject): string {
  // An array, since its order is certain in every language.
  const text = JSON.stringify([
    AUDIT_FORMAT,
    record.sequence,
    record.previous,
    record.organizationId,
    record.at,
    record.actor,
    record.role,
    record.action,
    record.subject,
    record.detail,
  ]);
  return key
    ? KEYED_PREFIX + createHmac("sha256", key).update(text).digest("hex")
    : PLAIN_PREFIX + createHash("sha256").update(text).digest("hex");
}

/** Puts an entry behind the last record. */
export function chainEntry(
  entry: AuditEntry,
  last: Pick<AuditRecord, "hash" | "sequence"> | undefined,
  key?: KeyObject,
): AuditRecord {
  const record = { ...entry, sequence: (last?.sequence ?? 0) + 1, previous: last?.hash ?? "" };
  return { ...record, hash: toAuditHash(record, key) };
}

/** A place where a trail is broken. */
export interface AuditBreak {
  readonly sequence: number;
  readonly kind: "malformed" | "missing" | "link_broken" | "hash_changed" | "key_missing";
}

/** What is known of a trail. */
export interface AuditReport {
  readonly status: "verified" | "broken";
  /** Records up to the last one. */
  readonly records: number;
  /** An anchor for the next verification; `undefined` for an empty trail. */
  readonly last: Pick<AuditRecord, "hash" | "sequence"> | undefined;
  /** The first broken places. */
  readonly breaks: readonly AuditBreak[];
  readonly breakCount: number;
}

const MAX_BREAKS = 100;

/** Checks a trail, in order. Its end can't be known from it: compare `last` with one of some earlier time. */
export function createAuditVerifier(key?: KeyObject) {
  let last: Pick<AuditRecord, "hash" | "sequence"> | undefined;
  const breaks: AuditBreak[] = [];
  let breakCount = 0;
  const report = (sequence: number, kind: AuditBreak["kind"]): void => {
    breakCount++;
    if (breaks.length < MAX_BREAKS) breaks.push({ sequence, kind });
  };
  return {
    add(value: unknown): void {
      const expected = (last?.sequence ?? 0) + 1;
      const record = toRecord(value);
      if (!record) return report(expected, "malformed");
      if (record.sequence !== expected) report(expected, "missing");
      else if (record.previous !== (last?.hash ?? "")) report(record.sequence, "link_broken");
      const isKeyed = record.hash.startsWith(KEYED_PREFIX);
      // A hash without a key proves nothing to who has one.
      if (isKeyed !== (key !== undefined)) report(record.sequence, "key_missing");
      else if (toAuditHash(record, key) !== record.hash) report(record.sequence, "hash_changed");
      last = record;
    },
    finish: (): AuditReport => ({
      status: breakCount === 0 ? "verified" : "broken",
      records: last?.sequence ?? 0,
      last: last && { sequence: last.sequence, hash: last.hash },
      breaks,
      breakCount,
    }),
  };
}

const TEXTS = [
  "organizationId",
  "actor",
  "role",
  "action",
  "subject",
  "detail",
  "previous",
  "hash",
];

function toRecord(value: unknown): AuditRecord | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const members = value as Readonly<Record<string, unknown>>;
  const hasTexts = TEXTS.every((name) => typeof members[name] === "string");
  const hasNumbers = ["sequence", "at"].every((name) => Number.isSafeInteger(members[name]));
  return hasTexts && hasNumbers ? (value as AuditRecord) : undefined;
}
