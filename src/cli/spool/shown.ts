import { formatTable, formatTime, toPrintable } from "./format.ts";

/** What is told of every event. */
export interface EventFacts {
  readonly kind: string;
  readonly eventId: string;
  readonly agentId: string;
  readonly sessionId: string;
  /** The whole event: customer data. */
  readonly event?: unknown;
}

/** An event that waits. */
export interface ShownEvent extends EventFacts {
  readonly writerId: string;
  readonly sequence: number;
  /** Milliseconds since the Unix epoch. */
  readonly timestamp: number;
  /** Bytes in the file. */
  readonly bytes: number;
  /** The batch that it is planned in. */
  readonly batch: { readonly batchId: string; readonly sequence: number } | null;
}

/** An event that was given up. */
export interface ShownLetter extends EventFacts {
  readonly id: string;
  readonly reason: string;
  /** Milliseconds since the Unix epoch. */
  readonly deadAt: number;
  readonly organizationId: string;
  readonly writerId: string;
}

/** What is shown. */
export interface Shown {
  readonly events: ShownEvent[];
  readonly deadLetters: ShownLetter[];
  /** Whether more was left out. */
  more: boolean;
}

const UNKNOWN = "?";
const EVENT_HEAD = ["SEQUENCE", "TIME", "KIND", "EVENT", "AGENT", "SESSION", "BYTES", "BATCH"];
const LETTER_HEAD = ["DEAD LETTER", "GIVEN UP", "REASON", "KIND", "EVENT", "AGENT", "SESSION"];

/** Takes out of an event what may be told; of one that can't be read, nothing. */
export function toFacts(
  event: Readonly<Record<string, unknown>> | undefined,
  hasContent: boolean,
): EventFacts {
  const read = (name: string): string => {
    const value = event?.[name];
    return typeof value === "string" ? value : UNKNOWN;
  };
  return {
    kind: event ? read("interactionType") : "unreadable",
    eventId: read("eventId"),
    agentId: read("agentId"),
    sessionId: read("sessionId"),
    ...(hasContent && event && { event }),
  };
}

function toCells({ kind, eventId, agentId, sessionId }: EventFacts): string[] {
  return [kind, eventId, agentId, sessionId].map(toPrintable);
}

/** Writes rows below each other, each with the content that it has. */
function formatRows(
  head: readonly string[],
  facts: readonly EventFacts[],
  rows: readonly (readonly string[])[],
): string {
  const lines = formatTable([head, ...rows])
    .split("\n")
    .slice(0, -1);
  const contents = [undefined, ...facts.map(({ event }) => event)];
  return lines
    .flatMap((line, index) => {
      const content = contents[index];
      return content === undefined ? [line] : [line, `  ${toPrintable(JSON.stringify(content))}`];
    })
    .map((line) => `${line}\n`)
    .join("");
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

/** Writes events, below the writer that they are of, and dead letters for people. */
export function formatShown({ events, deadLetters, more }: Shown): string {
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
