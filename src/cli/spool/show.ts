import type { PendingEventView } from "../../delivery/spool/writer-view.ts";
import { selectWriters, SpoolCommandError, type OpenSpool } from "./arguments.ts";
import { readDead, readWaiting, selectLetters, type Names, type Reading } from "./read-spool.ts";
import { formatShown, toFacts, type Shown, type ShownEvent } from "./shown.ts";

/** Which single events and dead letters are to be shown. */
interface Wanted extends Names {
  /** Whether only dead letters are wanted. */
  readonly dead?: boolean | undefined;
  readonly content?: boolean | undefined;
  readonly limit: number;
}

function hasRoom(shown: Shown, { limit }: Wanted): boolean {
  const { events, deadLetters } = shown;
  if (events.length + deadLetters.length < limit) return true;
  shown.more = true;
  return false;
}

function parse(json: Buffer | undefined): Readonly<Record<string, unknown>> | undefined {
  try {
    return json && (JSON.parse(json.toString()) as Record<string, unknown>);
  } catch {
    return undefined;
  }
}

function toShownEvent(
  view: PendingEventView & { readonly writerId: string },
  hasContent: boolean,
): ShownEvent {
  const { writerId, sequence, timestamp, bytes, json, plan } = view;
  const batch = plan ? { batchId: plan.batchId, sequence: plan.metadata.chain.sequence } : null;
  return { writerId, sequence, timestamp, batch, bytes, ...toFacts(parse(json), hasContent) };
}

async function collectEvents(
  { source, listing }: OpenSpool,
  wanted: Wanted,
  reading: Reading,
  shown: Shown,
): Promise<void> {
  const writers = selectWriters(listing, wanted.writer);
  const needles = wanted.event?.map((id) => `"eventId":${JSON.stringify(id)}`);
  for await (const event of readWaiting(source, writers, reading)) {
    if (needles && !needles.some((needle) => event.json?.includes(needle) === true)) continue;
    if (!hasRoom(shown, wanted)) break;
    shown.events.push(toShownEvent(event, wanted.content === true));
  }
}

async function collectLetters(
  { source }: OpenSpool,
  wanted: Wanted,
  reading: Reading,
  shown: Shown,
): Promise<void> {
  for await (const { id, letter } of readDead(source, selectLetters(wanted), reading)) {
    if (!hasRoom(shown, wanted)) break;
    const { reason, deadAt, organizationId, writerId, event } = letter;
    const place = { id, reason, deadAt, organizationId, writerId };
    shown.deadLetters.push({ ...place, ...toFacts(event, wanted.content === true) });
  }
}

/** Shows single events and dead letters. @throws SpoolCommandError for events that are not there. */
export async function showEvents(
  spool: OpenSpool,
  wanted: Wanted,
  reading: Reading,
): Promise<{ readonly report: Shown; readonly text: string }> {
  const shown: Shown = { events: [], deadLetters: [], more: false };
  if (!wanted.dead) await collectEvents(spool, wanted, reading, shown);
  if (wanted.dead || !wanted.writer) await collectLetters(spool, wanted, reading, shown);
  const isFound = shown.more || shown.events.length + shown.deadLetters.length > 0;
  if (wanted.event && !isFound && reading.isWhole)
    throw new SpoolCommandError("there is no waiting event or dead letter with this id");
  return { report: shown, text: formatShown(shown) };
}
