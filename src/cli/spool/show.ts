import { toChainSequence } from "../../delivery/batch.ts";
import { isRecord, parseJson, readString, toRecord } from "../../util/values.ts";
import { selectWriters, SpoolCommandError, type Reading } from "./arguments.ts";
import { formatTable, formatTime, toPrintable } from "./output.ts";
import {
  readDead,
  readWaiting,
  selectLetters,
  type Names,
  type ReadLetter,
  type WaitingEvent,
} from "./read-spool.ts";

const UNKNOWN = "?";
const EVENT_HEAD = ["SEQUENCE", "TIME", "KIND", "EVENT", "AGENT", "SESSION", "BYTES", "BATCH"];
const LETTER_HEAD = ["DEAD LETTER", "GIVEN UP", "REASON", "KIND", "EVENT", "AGENT", "SESSION"];

/** Selection of events and dead letters. */
interface Wanted extends Names {
  /** Whether only dead letters are wanted. */
  readonly dead?: boolean | undefined;
  /** Whether the whole events are shown: customer data. */
  readonly content?: boolean | undefined;
  readonly limit: number;
}

/** Returns the fields of an event that may be shown; none of an unreadable event. */
function toFacts(event: unknown, { content }: Wanted) {
  const read = (name: string): string => readString(toRecord(event)[name]) ?? UNKNOWN;
  return {
    kind: isRecord(event) ? read("interactionType") : "unreadable",
    eventId: read("eventId"),
    agentId: read("agentId"),
    sessionId: read("sessionId"),
    ...(content && isRecord(event) && { event }),
  };
}

type EventFacts = ReturnType<typeof toFacts>;

function toShownEvent(view: WaitingEvent, wanted: Wanted) {
  const { writerId, sequence, timestamp, bytes, json, plan } = view;
  const batch = plan ? { batchId: plan.batchId, sequence: toChainSequence(plan) } : null;
  const event = json && parseJson(json.toString());
  return { writerId, sequence, timestamp, batch, bytes, ...toFacts(event, wanted) };
}

function toShownLetter({ id, letter }: ReadLetter, wanted: Wanted) {
  const { reason, deadAt, organizationId, writerId, event } = letter;
  return { id, reason, deadAt, organizationId, writerId, ...toFacts(event, wanted) };
}

type ShownEvent = ReturnType<typeof toShownEvent>;
type ShownLetter = ReturnType<typeof toShownLetter>;

/** Events and dead letters that are shown. */
interface Shown {
  readonly events: ShownEvent[];
  readonly deadLetters: ShownLetter[];
  /** Whether more was left out. */
  more: boolean;
}

function toCells({ kind, eventId, agentId, sessionId }: EventFacts): string[] {
  return [kind, eventId, agentId, sessionId].map(toPrintable);
}

/** Writes rows below each other, each with its content. */
function formatRows(
  head: readonly string[],
  facts: readonly EventFacts[],
  rows: readonly (readonly string[])[],
): string {
  return formatTable([head, ...rows])
    .split("\n")
    .flatMap((line, index) => {
      // The first line is the head.
      const content = facts[index - 1]?.event;
      return content === undefined ? [line] : [line, `  ${toPrintable(JSON.stringify(content))}`];
    })
    .join("\n");
}

function formatEvents(events: readonly ShownEvent[]): string {
  const rows = events.map((event) => {
    const { sequence, timestamp, bytes, batch } = event;
    const place = batch ? String(batch.sequence) : "-";
    return [String(sequence), formatTime(timestamp), ...toCells(event), String(bytes), place];
  });
  return formatRows(EVENT_HEAD, events, rows);
}

function formatLetters(letters: readonly ShownLetter[]): string {
  const rows = letters.map((letter) => [
    letter.id,
    formatTime(letter.deadAt),
    toPrintable(letter.reason),
    ...toCells(letter),
  ]);
  return formatRows(LETTER_HEAD, letters, rows);
}

/** Writes events, below their writer, and dead letters for people. */
function formatShown({ events, deadLetters, more }: Shown): string {
  const parts: string[] = [];
  for (const writerId of new Set(events.map((event) => event.writerId))) {
    const own = events.filter((event) => event.writerId === writerId);
    parts.push(`writer ${writerId}\n${formatEvents(own)}`);
  }
  if (deadLetters.length > 0) parts.push(formatLetters(deadLetters));
  if (parts.length === 0) parts.push("nothing waits here\n");
  if (more) parts.push("there is more: see --limit\n");
  return parts.join("\n");
}

function hasRoom(shown: Shown, { limit }: Wanted): boolean {
  const { events, deadLetters } = shown;
  if (events.length + deadLetters.length < limit) return true;
  shown.more = true;
  return false;
}

async function collectEvents(reading: Reading, wanted: Wanted, shown: Shown): Promise<void> {
  const writers = selectWriters(reading.listing, wanted.writer);
  const needles = wanted.event?.map((id) => `"eventId":${JSON.stringify(id)}`);
  for await (const event of readWaiting(reading, writers)) {
    if (needles && !needles.some((needle) => event.json?.includes(needle) === true)) continue;
    if (!hasRoom(shown, wanted)) break;
    shown.events.push(toShownEvent(event, wanted));
  }
}

async function collectLetters(reading: Reading, wanted: Wanted, shown: Shown): Promise<void> {
  for await (const letter of readDead(reading, selectLetters(wanted))) {
    if (!hasRoom(shown, wanted)) break;
    shown.deadLetters.push(toShownLetter(letter, wanted));
  }
}

/** Shows single events and dead letters. @throws SpoolCommandError for events that do not exist. */
export async function showEvents(
  reading: Reading,
  wanted: Wanted,
): Promise<{ readonly report: Shown; readonly text: string }> {
  const shown: Shown = { events: [], deadLetters: [], more: false };
  if (!wanted.dead) await collectEvents(reading, wanted, shown);
  if (wanted.dead || !wanted.writer) await collectLetters(reading, wanted, shown);
  const isFound = shown.more || shown.events.length + shown.deadLetters.length > 0;
  if (wanted.event && !isFound && reading.isWhole)
    throw new SpoolCommandError("there is no waiting event or dead letter with this id");
  return { report: shown, text: formatShown(shown) };
}
