import { sql, type SqlBool } from "kysely";
import type { DetailedEvent } from "../../events/detailed-event.ts";
import { maskText } from "../masking.ts";
import { EVENT_WITH_BODY } from "./event-store.ts";
import { createStatement, db, numbersOf, readRows, withoutIndex } from "./query.ts";
import { hasWords, rowHasWords, type SearchTerm, type SearchWords } from "./search-words.ts";
import { readWords } from "./words.ts";
import type { SqlDatabase } from "./sql-database.ts";
import type { Steps } from "../turns.ts";

/** A message in which words were found. */
export interface MessageHit {
  readonly eventId: string;
  /** When it was said. */
  readonly at: number;
  readonly type: "user_message" | "agent_response";
  /** The place in it, identifiers masked; cut at both ends. */
  readonly text: string;
  /** Where the words stand in the text, as UTF-16 units from and before. */
  readonly matches: readonly (readonly [start: number, end: number])[];
}

/** Where the rows of a conversation's events lie. */
interface Spread {
  readonly key: string;
  readonly first: number;
  readonly last: number;
  readonly count: number;
}

const selectEvents = (keys: readonly string[]) =>
  db.selectFrom("event").where("conversation_key", "in", keys);

function* listSpreads(database: SqlDatabase, keys: readonly string[]): Steps<Spread[]> {
  const query = selectEvents(keys)
    .select(({ fn }) => [
      "conversation_key as key",
      fn.min("seq").as("first"),
      fn.max("seq").as("last"),
      fn.countAll<number>().as("count"),
    ])
    .groupBy("conversation_key");
  return yield* readRows(database, query);
}

/** Words, and the rows of a conversation in which they are looked for. */
type Wanted = Pick<Spread, "key" | "first" | "last"> & Pick<SearchWords, "query" | "text">;

const FIND_AMONG = createStatement(({ key, first, last, text, query }: Wanted) => {
  const hits = db
    .selectFrom("message")
    .select("rowid")
    .where(hasWords({ text, query }))
    .where("rowid", ">=", first)
    .where("rowid", "<=", last);
  // By an index, SQLite would read all events of the conversation first.
  const own = sql<SqlBool>`${withoutIndex(sql.ref("event.conversation_key"))} = ${key}`;
  const isHit = sql<SqlBool>`event.seq in ${hits}`;
  return db.selectFrom("event").select("event.seq").where(isHit).where(own).limit(1);
});

const FIND_ONE_BY_ONE = createStatement(({ key, last, text, query }: Wanted) => {
  const hits = db
    .selectFrom("message")
    .select("rowid")
    .where(hasWords({ text, query }))
    .where("rowid", "=", sql.ref<number>("event.seq"))
    .where("rowid", "<=", last);
  const events = db.selectFrom("event").select("event.seq").where("conversation_key", "=", key);
  return events.where(sql<SqlBool>`exists ${hits}`).limit(1);
});

/** Rows of others that may stand between those of a conversation, for each of its own, until each is looked up by itself. */
const MAX_SPREAD = 50;

/** Returns the row of an event of a conversation that has the words. */
function* findMessage(
  database: SqlDatabase,
  { key, first, last, count }: Spread,
  { text, query }: SearchWords,
): Steps<number | undefined> {
  const isNear = last - first <= MAX_SPREAD * (count + MAX_SPREAD);
  const find = isNear ? FIND_AMONG : FIND_ONE_BY_ONE;
  return (yield* find.rows(database, { key, first, last, text, query }))[0]?.seq;
}

/** Finds them where the rows of messages have the words themselves: those of a few conversations are read. */
function* findAmong(
  database: SqlDatabase,
  keys: readonly string[],
  wanted: SearchWords,
): Steps<ReadonlyMap<string, number>> {
  if (keys.length === 0) return new Map();
  const rows = yield* readRows(
    database,
    db
      .selectFrom("event")
      .select(({ fn }) => ["event.conversation_key as key", fn.min("event.seq").as("seq")])
      .where("event.conversation_key", "in", keys)
      // For each event: a join would read the words of all messages.
      .where(
        sql<SqlBool>`(select ${rowHasWords(wanted)} from message where message.rowid = event.seq)`,
      )
      .groupBy("event.conversation_key"),
  );
  return new Map(rows.map(({ key, seq }) => [key, seq]));
}

/** Rows of others between those of some conversations, for each of their own, up to which one search finds them all. */
const MAX_GAP = 10;

/** Finds the rows of events that have the words, one of each conversation that has any. */
function* findMessages(
  database: SqlDatabase,
  keys: readonly string[],
  wanted: SearchWords,
): Steps<ReadonlyMap<string, number>> {
  if (database.dialect === "postgres") return yield* findAmong(database, keys, wanted);
  const spreads = keys.length === 0 ? [] : yield* listSpreads(database, keys);
  const first = Math.min(...spreads.map((spread) => spread.first));
  const last = Math.max(...spreads.map((spread) => spread.last));
  const count = spreads.reduce((total, spread) => total + spread.count, 0);
  if (last - first > MAX_GAP * count && !wanted.hasPrefix) {
    const found = new Map<string, number>();
    for (const spread of spreads) {
      const seq = yield* findMessage(database, spread, wanted);
      if (seq !== undefined) found.set(spread.key, seq);
    }
    return found;
  }
  const hits = db
    .selectFrom("message")
    .select("rowid")
    .where(hasWords(wanted))
    .where("rowid", ">=", first)
    .where("rowid", "<=", last)
    // By an index, SQLite would search for each event.
    .where(
      sql<SqlBool>`${withoutIndex(sql.ref("message.rowid"))} in ${selectEvents(keys).select("seq")}`,
    );
  const rows = yield* readRows(
    database,
    db
      .selectFrom("event")
      .select(({ fn }) => ["conversation_key as key", fn.min("seq").as("seq")])
      .where(sql<SqlBool>`seq in ${hits}`)
      .groupBy("conversation_key"),
  );
  return new Map(rows.map(({ key, seq }) => [key, seq]));
}

/** Conversations that one request asks, and how many of them at a time. */
export const MAX_ASKED = 500;
const ASKED = 50;

/**
 * Asks conversations for words, in order, until so many have them.
 *
 * @returns Those that have them, each with the event's row; `last` is where enough were found.
 */
export function* askForWords<Row extends { readonly key: string }>(
  database: SqlDatabase,
  rows: readonly Row[],
  { words, limit }: { readonly words: SearchWords; readonly limit: number },
): Steps<{ readonly found: ReadonlyMap<Row, number>; readonly last: Row | undefined }> {
  const found = new Map<Row, number>();
  // A search for a beginning takes as long for a few of them as for all.
  const size = words.hasPrefix ? MAX_ASKED : ASKED;
  for (let from = 0; from < rows.length; from += size) {
    const asked = rows.slice(from, from + size);
    const keys = asked.map(({ key }) => key);
    const hits = yield* findMessages(database, keys, words);
    for (const row of asked) {
      const seq = hits.get(row.key);
      if (seq === undefined) continue;
      found.set(row, seq);
      if (found.size === limit) return { found, last: row };
    }
  }
  return { found, last: undefined };
}

const READ = createStatement(({ seqs }: { readonly seqs: string }) =>
  EVENT_WITH_BODY.select(["event.seq", "body.json"]).where(
    "event.seq",
    "in",
    sql<number>`(select value from ${numbersOf(seqs)} as sought)`,
  ),
);

const MAX_MATCHES = 20;

/** Finds where terms stand in a text. */
function findMatches(text: string, terms: readonly SearchTerm[]): [number, number][] {
  const words = readWords(text);
  const wanted = terms.map(({ phrase, isPrefix }) => ({
    parts: readWords(phrase).map(({ folded }) => folded),
    isPrefix,
  }));
  const found: [number, number][] = [];
  for (const [index, { start }] of words.entries()) {
    const term = wanted.find(({ parts, isPrefix }) =>
      parts.every((part, at) => {
        const own = words[index + at]?.folded;
        const isLast = at === parts.length - 1;
        return isPrefix && isLast ? own?.startsWith(part) === true : own === part;
      }),
    );
    const last = words[index + (term?.parts.length ?? 0) - 1];
    if (!term || !last || start < (found.at(-1)?.[1] ?? 0)) continue;
    found.push([start, last.end]);
    if (found.length === MAX_MATCHES) break;
  }
  return found;
}

/** Part of a text in which the words are looked for. */
const MAX_LENGTH = 65_536;
/** UTF-16 units that are shown before and behind the first match, and that are looked at for what is to be masked. */
const SHOWN = 80;
const LOOKED_AT = 500;

/** Returns a place at which no surrogate pair is split. */
function toBoundary(text: string, at: number): number {
  const place = Math.max(0, Math.min(at, text.length));
  const code = text.charCodeAt(place);
  return code >= 0xdc00 && code <= 0xdfff ? place - 1 : place;
}

/** Cuts the place of the first match out of a text, and masks it. */
function toSnippet(
  text: string,
  terms: readonly SearchTerm[],
): Pick<MessageHit, "text" | "matches"> {
  const [first = 0] = findMatches(text.slice(0, MAX_LENGTH), terms)[0] ?? [];
  const from = toBoundary(text, first - LOOKED_AT);
  // What is masked may be cut at the ends of this part, of which nothing is shown.
  const masked = maskText(text.slice(from, toBoundary(text, first + LOOKED_AT)));
  const [place = Math.min(first - from, masked.length)] = findMatches(masked, terms)[0] ?? [];
  const start = toBoundary(masked, place - SHOWN);
  const end = toBoundary(masked, place + 2 * SHOWN);
  const shown = masked.slice(start, end).replaceAll(/\s/g, " ");
  const before = start > 0 || from > 0 ? "…" : "";
  const behind = end < masked.length || from + LOOKED_AT < text.length ? "…" : "";
  const whole = before + shown + behind;
  return { text: whole, matches: findMatches(whole, terms) };
}

/** Shows the place of a message that has some words. */
function toHit(event: DetailedEvent, terms: readonly SearchTerm[]): MessageHit | undefined {
  if (event.interactionType !== "user_message" && event.interactionType !== "agent_response")
    return undefined;
  const { eventId, timestamp: at, interactionType: type } = event;
  return { eventId, at, type, ...toSnippet(event.content, terms) };
}

/** Messages that are read at a time. */
const CHUNK = 50;

/** Shows the places of messages that have some words, by the rows of their events. */
export function* readHits(
  database: SqlDatabase,
  seqs: readonly number[],
  terms: readonly SearchTerm[],
): Steps<ReadonlyMap<number, MessageHit>> {
  const hits = new Map<number, MessageHit>();
  for (let from = 0; from < seqs.length; from += CHUNK) {
    const part = JSON.stringify(seqs.slice(from, from + CHUNK));
    for (const { seq, json } of yield* READ.rows(database, { seqs: part })) {
      yield;
      const hit = toHit(JSON.parse(json) as DetailedEvent, terms);
      if (hit) hits.set(seq, hit);
    }
  }
  return hits;
}
