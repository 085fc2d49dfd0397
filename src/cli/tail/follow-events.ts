import { toBackoffMillis } from "../../http/retry-wait.ts";
import { isRecord, type JsonRecord } from "../../util/values.ts";
import { type CallPlatform, PlatformCallError } from "../call-platform.ts";

const EVENTS_PATH = "/api/events";
const PAGE = 200;
/** Events that are fetched at once; of more, the newest. */
const MAX_EVENTS = 2000;
const POLL_MILLIS = 1000;
const MAX_WAIT_MILLIS = 30_000;

/** An event as the platform has it. */
export interface TailedEvent {
  /** Order of arrival. */
  readonly seq: number;
  readonly event: JsonRecord;
  /** All that the platform says of it. */
  readonly row: JsonRecord;
}

/** How events are followed. */
export interface FollowOptions {
  readonly call: CallPlatform;
  /** Number of events that are there already to begin with. */
  readonly last: number;
  readonly signal: AbortSignal;
  /** Waits; ends early, without a failure, when the signal fires. */
  readonly sleep: (millis: number) => Promise<void>;
  /** Called for what is to be known beside the events. */
  readonly onNote: (note: string) => void;
}

function toTailed(row: unknown): TailedEvent[] {
  if (!isRecord(row)) return [];
  const { seq, event } = row;
  return typeof seq === "number" && isRecord(event) ? [{ seq, event, row }] : [];
}

async function readPage(
  { call, signal }: FollowOptions,
  limit: number,
  before?: number,
): Promise<TailedEvent[]> {
  const query = { limit: String(limit), ...(before !== undefined && { before: String(before) }) };
  const { events } = await call({ path: EVENTS_PATH, query, signal });
  if (!Array.isArray(events))
    throw new PlatformCallError("expected events: this is no local platform", false);
  return events.flatMap(toTailed);
}

/** The last event that was read: another one in its place is of a platform that has started anew. */
interface Cursor {
  readonly seq: number;
  readonly eventId: unknown;
}

const NOTHING: Cursor = { seq: 0, eventId: undefined };

function toCursor({ seq, event }: TailedEvent): Cursor {
  return { seq, eventId: event["eventId"] };
}

/** Reads what has arrived after an event, the oldest first; all that is there, if that event is gone. */
async function readNew(options: FollowOptions, after: Cursor): Promise<readonly TailedEvent[]> {
  const found: TailedEvent[] = [];
  let isGone = false;
  for (let before: number | undefined; ;) {
    const page = await readPage(options, PAGE, before);
    const known = page.find(({ seq }) => seq <= after.seq);
    if (known && !isGone && toCursor(known).eventId !== after.eventId) {
      isGone = true;
      options.onNote("the platform has started anew, without its data");
    }
    found.push(...page.filter(({ seq }) => isGone || seq > after.seq));
    const isEnd = page.length < PAGE || (known !== undefined && !isGone);
    if (isEnd || found.length >= MAX_EVENTS) {
      if (!isEnd)
        options.onNote(`more than ${MAX_EVENTS} events at once: the oldest are not shown`);
      return found.toReversed();
    }
    before = found.at(-1)?.seq;
  }
}

/** What a request has read, and where the next one goes on. */
interface Read {
  readonly fresh: readonly TailedEvent[];
  readonly after: Cursor;
}

/** Reads the events to begin with. */
async function readFirst(options: FollowOptions): Promise<Read> {
  const page = await readPage(options, Math.max(1, options.last));
  const [newest] = page;
  const after = newest ? toCursor(newest) : NOTHING;
  return { after, fresh: page.slice(0, options.last).toReversed() };
}

/** Reads what is new; nothing, with one small request, where the newest event is the known one. */
async function readNext(options: FollowOptions, after: Cursor): Promise<Read> {
  const [newest] = await readPage(options, 1);
  const isKnown = !newest || toCursor(newest).eventId === after.eventId;
  const fresh = isKnown ? [] : await readNew(options, after);
  const last = fresh.at(-1);
  return { fresh, after: last ? toCursor(last) : after };
}

/** Waits after a failure, ever longer. @throws the failure, where asking again is in vain. */
async function waitAfter(
  error: unknown,
  failures: number,
  { onNote, sleep }: FollowOptions,
): Promise<void> {
  if (!(error instanceof PlatformCallError) || !error.isTemporary) throw error;
  if (failures === 1) onNote(`${error.message}; trying again`);
  await sleep(toBackoffMillis(failures, POLL_MILLIS, 0, MAX_WAIT_MILLIS));
}

/**
 * Yields events in the order of arrival, and waits for the next ones until the signal fires.
 *
 * A platform that can't be reached is asked again, after ever longer waits; one that has started anew without its data begins anew.
 *
 * @throws PlatformCallError where asking again is in vain.
 */
export async function* followEvents(options: FollowOptions): AsyncGenerator<TailedEvent> {
  const { signal, sleep, onNote } = options;
  let after: Cursor | undefined;
  let failures = 0;
  while (!signal.aborted) {
    try {
      const read: Read = await (after ? readNext(options, after) : readFirst(options));
      if (failures > 0) onNote("the platform answers again");
      failures = 0;
      yield* read.fresh;
      ({ after } = read);
      await sleep(POLL_MILLIS);
    } catch (error) {
      if (signal.aborted) return;
      await waitAfter(error, ++failures, options);
    }
  }
}
