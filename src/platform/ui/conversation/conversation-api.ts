import type { DetailedEvent } from "../../../events/detailed-event.ts";
import type { AuditRecord } from "../../review/audit-trail.ts";
import type { ConversationRow } from "../../store/conversation-store.ts";
import type { StoredFinding } from "../../store/finding-store.ts";
import type { ShownItem } from "../../store/review-queue.ts";
import { getJson } from "../api.ts";

/** Events that are loaded at a time. */
const PAGE = 1000;

/** A conversation as its page shows it. */
export interface ShownConversation extends ConversationRow {
  /** Its traces whose spans are kept, the first one first. */
  readonly traces: readonly string[];
}

/** A part of a conversation's events, and where the next one begins. */
interface EventPage {
  readonly conversation: ShownConversation;
  readonly events: readonly DetailedEvent[];
  readonly next: number | null;
}

/** Findings of a conversation, and what became of them. */
export interface Findings {
  /** `null` where it is not in the queue. */
  readonly item: ShownItem | null;
  readonly findings: readonly StoredFinding[];
  /** The newest first. */
  readonly history: readonly AuditRecord[];
}

/** A conversation with its first events and its findings. */
export interface ConversationDetail extends EventPage, Findings {
  /** Whether it is shown as it came. */
  readonly isUnmasked: boolean;
}

/** A conversation, and whether it is asked for as it came: see `unmask.ts`. */
interface Wanted {
  readonly key: string;
  readonly isUnmasked: boolean;
}

function toPath(key: string): string {
  return `/api/conversations/${encodeURIComponent(key)}`;
}

function loadEvents({ key, isUnmasked }: Wanted, offset: number, limit = PAGE): Promise<EventPage> {
  const query = `limit=${Math.min(limit, PAGE)}&offset=${offset}&unmasked=${isUnmasked}`;
  return getJson(`${toPath(key)}?${query}`);
}

/** Loads events behind those that are there, until there are as many as wanted. */
async function loadUntil(wanted: Wanted, start: EventPage, count: number): Promise<EventPage> {
  let page = start;
  while (page.next !== null && page.events.length < count) {
    const more = await loadEvents(wanted, page.next);
    page = { ...more, events: [...page.events, ...more.events] };
  }
  return page;
}

/** Returns the page with what has come since; `undefined` where something has changed before its end. */
async function loadNewer(
  wanted: Wanted,
  old: EventPage,
  count: number,
): Promise<EventPage | undefined> {
  const known = new Set(old.events.map(({ eventId }) => eventId));
  const missing = count - old.events.length;
  const more = await loadEvents(wanted, old.events.length, missing > 0 ? missing : PAGE);
  if (more.events.length === 0 || more.events.some(({ eventId }) => known.has(eventId)))
    return undefined;
  return loadUntil(wanted, { ...more, events: [...old.events, ...more.events] }, count);
}

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/**
 * Loads a conversation with at least `count` of its events, if it has as many.
 *
 * @param old - What was loaded last: it is returned itself where nothing is new, and events are appended to it.
 */
export async function loadConversation(
  wanted: Wanted,
  count: number,
  old?: ConversationDetail,
): Promise<ConversationDetail> {
  const { key, isUnmasked } = wanted;
  const [first, found] = await Promise.all([
    loadEvents(wanted, 0, old ? 1 : count),
    getJson<Findings>(`${toPath(key)}/findings`),
  ]);
  if (!old) return { ...(await loadUntil(wanted, first, count)), ...found, isUnmasked };
  const isEnough = old.next === null || old.events.length >= count;
  const isUnchanged = isSame(first.conversation, old.conversation);
  if (isEnough && isUnchanged) {
    const { item, findings, history } = old;
    return isSame(found, { item, findings, history }) ? old : { ...old, ...found };
  }
  const hasMore = first.conversation.eventCount > old.events.length;
  const newer = hasMore ? await loadNewer(wanted, old, count) : undefined;
  if (newer) return { ...newer, ...found, isUnmasked };
  const whole = await loadUntil(wanted, await loadEvents(wanted, 0), count);
  return { ...whole, ...found, isUnmasked };
}
