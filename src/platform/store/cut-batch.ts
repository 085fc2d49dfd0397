import { createHash } from "node:crypto";
import {
  type EventTrace,
  readPurgedEvent,
  toSeal,
  toTrace,
} from "../../delivery/chain/purged-batch.ts";
import type { DetailedEvent } from "../../events/detailed-event.ts";
import type { PurgedEvent } from "../../events/purged-event.ts";
import { findElements, findMember } from "../../util/json-span.ts";
import { type IntegerRange, mergeRanges, toSingle } from "../../util/ranges.ts";
import { readString, toRecord } from "../../util/values.ts";
import type { Steps } from "../turns.ts";
import { cutBody, readBody, type StoredEvent } from "./batch-body.ts";
import type { HoldingBatch } from "./copy-store.ts";
import { createStatement, db } from "./query.ts";
import type { SqlDatabase, Transaction } from "./sql-database.ts";
import { toConversationKey } from "./summary.ts";

/** What was purged of a batch. */
export interface BatchCut {
  readonly batchId: string;
  /** Digest of all its events, the same after every purge of it. */
  readonly seal: string;
  /** Places of what was purged now. */
  readonly places: readonly IntegerRange[];
  /** Whether its bytes were those that were received; absent where earlier purges have taken some. */
  readonly isIntact?: boolean;
}

/** An event of a batch. */
interface Element {
  /** Its bytes in the body. */
  readonly start: number;
  readonly end: number;
  /** Key of its conversation; `undefined` where it names none. */
  readonly key: string | undefined;
  readonly trace: EventTrace;
  /** `gone` in an earlier purge; `alike` where the sender wrote what could later be taken for that. */
  readonly mark: "alike" | "gone" | "none";
}

const FIND_CONVERSATION = createStatement((given: { readonly key: string }) =>
  db.selectFrom("conversation").select("seq").where("key", "=", given.key),
);

const WRITE_FRAME = createStatement((row: { seq: number; bytes: Uint8Array; runs: string }) =>
  db.updateTable("frame").set({ bytes: row.bytes, runs: row.runs }).where("seq", "=", row.seq),
);

function toKey(organizationId: string, event: unknown): string | undefined {
  const { agentId, sessionId } = toRecord(event);
  if (typeof agentId !== "string" || typeof sessionId !== "string") return undefined;
  return toConversationKey(organizationId, event as DetailedEvent);
}

function* readElements(
  body: Buffer,
  { organizationId }: HoldingBatch,
  isReceived: boolean,
): Steps<Element[]> {
  const span = findMember(body, "events");
  const elements: Element[] = [];
  for (const { start, end } of span ? findElements(body, span) : []) {
    yield;
    const json = body.subarray(start, end);
    const event: unknown = JSON.parse(json.toString());
    const purged = readPurgedEvent(event);
    const isGone = purged !== undefined && !isReceived;
    elements.push({
      start,
      end,
      key: toKey(organizationId, event),
      trace: isGone ? purged : toTrace(json, event),
      mark: isGone ? "gone" : purged ? "alike" : "none",
    });
  }
  return elements;
}

function* hasOther(
  database: SqlDatabase,
  elements: readonly Element[],
  key: string,
): Steps<boolean> {
  for (const other of new Set(elements.map((element) => element.key))) {
    if (other === undefined || other === key) continue;
    if ((yield* FIND_CONVERSATION.rows(database, { key: other })).length > 0) return true;
  }
  return false;
}

/** Finds what goes with a conversation: its events, and once no event of another one is left, whatever else is in the batch. */
function* chooseRemoved(
  database: SqlDatabase,
  elements: readonly Element[],
  key: string,
): Steps<Set<Element>> {
  const isLast = !(yield* hasOther(database, elements, key));
  const goes = (element: Element): boolean =>
    isLast || element.key === key || element.mark === "alike";
  return new Set(elements.filter((element) => element.mark !== "gone" && goes(element)));
}

function toMarker(trace: EventTrace): Buffer {
  const marker: PurgedEvent = { purged: trace };
  return Buffer.from(JSON.stringify(marker));
}

/** Writes the body anew without what is removed; `stored` are the rows that are left. */
function replaceElements(
  body: Buffer,
  elements: readonly Element[],
  removed: ReadonlySet<Element>,
  rows: ReadonlyMap<number, StoredEvent>,
) {
  const parts: Uint8Array[] = [];
  const stored: StoredEvent[] = [];
  const freed: number[] = [];
  let from = 0;
  let shift = 0;
  for (const element of elements) {
    const row = rows.get(element.start);
    if (!removed.has(element)) {
      if (row) stored.push({ ...row, start: row.start + shift });
      continue;
    }
    if (row) freed.push(row.seq);
    const marker = toMarker(element.trace);
    parts.push(body.subarray(from, element.start), marker);
    shift += marker.length - (element.end - element.start);
    from = element.end;
  }
  parts.push(body.subarray(from));
  return { body: Buffer.concat(parts), stored, freed };
}

function toSha256(data: Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

function readEnvelope(body: Buffer): { readonly checksum: string | undefined } {
  const span = findMember(body, "checksum");
  const checksum: unknown = span && JSON.parse(body.toString("utf8", span.start, span.end));
  return { checksum: readString(checksum) };
}

/** Returns whether a body is as it was received: by what the platform noted then, and by what the sender says. */
function isAsReceived(body: Buffer, contentHash: string, checksum: string | undefined): boolean {
  if (toSha256(body) !== contentHash) return false;
  const span = findMember(body, "events");
  if (checksum === undefined || !span) return true;
  return checksum === `sha256:${toSha256(body.subarray(span.start, span.end))}`;
}

/**
 * Puts marks in the place of a conversation's events in a batch; all else of the batch stays byte for byte. In a transaction.
 *
 * @returns What was purged, and the rows of bodies that no batch needs any more; `undefined` for a batch of which no body was kept.
 */
export function* cutBatch(
  database: Transaction,
  batch: HoldingBatch,
  key: string,
): Steps<{ readonly cut: BatchCut; readonly freed: readonly number[] } | undefined> {
  const whole = yield* readBody(database, batch.seq);
  if (!whole) return undefined;
  const { body, stored } = whole;
  const { checksum } = readEnvelope(body);
  const isReceived = isAsReceived(body, batch.contentHash, checksum);
  const elements = yield* readElements(body, batch, isReceived);
  const removed = yield* chooseRemoved(database, elements, key);
  const rows = new Map(stored.map((event) => [event.start, event]));
  const left = replaceElements(body, elements, removed, rows);
  const { bytes, runs } = cutBody(left.body, left.stored);
  yield* WRITE_FRAME.send(database, { seq: batch.seq, bytes, runs: JSON.stringify(runs) });
  const places = elements.flatMap((each, place) => (removed.has(each) ? [toSingle(place)] : []));
  const wasCut = elements.some(({ mark }) => mark === "gone");
  const cut = {
    batchId: batch.batchId,
    seal: toSeal(
      { ...batch, checksum },
      elements.map(({ trace }) => trace),
    ),
    places: mergeRanges(places),
    ...(!wasCut && { isIntact: isReceived }),
  };
  return { cut, freed: left.freed };
}
