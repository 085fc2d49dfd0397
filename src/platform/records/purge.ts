import type { Actor } from "../review/roles.ts";
import { type Hold, listActiveHolds } from "../store/hold-store.ts";
import {
  judgeConversation,
  purgeConversation,
  type PurgeOrder,
  type Kept,
} from "../store/purge-conversation.ts";
import {
  type AgeCursor,
  findHoldOf,
  listOldest,
  type OldConversation,
  readRetentionFacts,
} from "../store/retention-store.ts";
import { mergeIndex } from "../store/message-index.ts";
import type { SqlDatabase } from "../store/sql-database.ts";
import type { Store } from "../store/store.ts";
import { type Steps, type Turns, followSteps } from "../turns.ts";
import {
  findLeastAge,
  findRetentionClass,
  toDueAt,
  type RetentionClass,
  type RetentionPolicy,
} from "./retention-policy.ts";

const CHUNK = 100;
const OLDEST: AgeCursor = { lastAt: -1, seq: 0 };
const DAY_MILLIS = 86_400_000;
/** How far ahead a report looks. */
const SOON_MILLIS = 30 * DAY_MILLIS;
/** Conversations that a report looks at, the oldest first. */
const MAX_COUNTED = 10_000;

/** What a class of the policy has. */
export interface ClassCount extends Readonly<RetentionClass> {
  /** Conversations that a purge removes now. */
  due: number;
  /** Events of these. */
  dueEvents: number;
  /** Conversations that will be due within 30 days. */
  soon: number;
  /** Conversations that are due and stay, since a hold says so. */
  held: number;
}

/** What a purge would do. */
export interface RetentionReport {
  /** Time that retention goes by, in ms since the Unix epoch. */
  readonly asOf: number;
  readonly classes: readonly ClassCount[];
  /** Whether all conversations that are old enough were looked at; else these are the oldest 10,000. */
  readonly isWhole: boolean;
}

function* count(
  database: SqlDatabase,
  conversation: OldConversation,
  { policy, asOf }: Pick<PurgeOrder, "asOf" | "policy">,
  holds: readonly Hold[],
  counts: ReadonlyMap<string, ClassCount>,
): Steps<void> {
  const facts = yield* readRetentionFacts(database, conversation);
  const found = findRetentionClass(facts, policy);
  const counted = found && counts.get(found.name);
  if (!counted) return;
  const dueAt = toDueAt(found, facts.lastAt);
  if (dueAt > asOf) {
    if (dueAt <= asOf + SOON_MILLIS) counted.soon++;
  } else if (yield* findHoldOf(database, conversation, holds)) {
    counted.held++;
  } else {
    counted.due++;
    counted.dueEvents += conversation.eventCount;
  }
}

/** Counts what a purge would remove, class by class, and what of it is held. */
export function* countDue(
  database: SqlDatabase,
  order: Pick<PurgeOrder, "asOf" | "policy">,
): Steps<RetentionReport> {
  const { policy, asOf } = order;
  const zero = { due: 0, dueEvents: 0, soon: 0, held: 0 };
  const counts = new Map(policy.map((each) => [each.name, { ...each, ...zero }]));
  const holds = yield* listActiveHolds(database);
  const until = asOf + SOON_MILLIS - (findLeastAge(policy) ?? Infinity);
  let after = OLDEST;
  let counted = 0;
  let hasMore = policy.length > 0;
  while (hasMore && counted < MAX_COUNTED) {
    const rows = yield* listOldest(database, { until, after, limit: CHUNK });
    for (const row of rows) {
      yield;
      yield* count(database, row, order, holds, counts);
    }
    counted += rows.length;
    after = rows.at(-1) ?? after;
    hasMore = rows.length === CHUNK;
  }
  return { asOf, classes: [...counts.values()], isWhole: !hasMore };
}

/** What a part of a purge has removed. */
export interface PurgeResult {
  readonly conversations: number;
  readonly events: number;
  /** Conversations that are due and stay, since a hold says so. */
  readonly held: number;
  /** Where the next part begins; `null` where nothing is left. */
  readonly next: AgeCursor | null;
}

/** What a purge works with. */
export interface PurgeRoom {
  readonly store: Store;
  readonly turns: Turns;
  readonly policy: RetentionPolicy;
  /** Time that retention goes by. */
  readonly asOf: () => number;
  /** Time of the records. */
  readonly now: () => number;
}

/** What is asked of a part of a purge. */
export interface PurgePart {
  readonly actor: Actor;
  readonly reason?: string | undefined;
  readonly after?: AgeCursor | undefined;
  /** Ends it between two conversations. */
  readonly signal?: AbortSignal | undefined;
}

type Judgement = RetentionClass | Kept;

function* judgeAll(
  database: SqlDatabase,
  rows: readonly OldConversation[],
  order: PurgeOrder,
): Steps<(readonly [OldConversation, Judgement])[]> {
  const holds = yield* listActiveHolds(database);
  const judged: (readonly [OldConversation, Judgement])[] = [];
  for (const row of rows) {
    yield;
    judged.push([row, yield* judgeConversation(database, row, order, holds)]);
  }
  return judged;
}

/**
 * Looks at the next 100 conversations that may be due, and removes those that are, each in a transaction with its record: whoever is
 * killed in the middle leaves none half removed.
 *
 * Each is judged again in its transaction: a hold that is placed meanwhile counts.
 */
async function purgePart(
  { store, turns, policy, asOf, now }: PurgeRoom,
  { actor, reason, after = OLDEST, signal }: PurgePart,
): Promise<PurgeResult> {
  const { database, review } = store;
  const toOrder = (): PurgeOrder => ({ policy, actor, reason, asOf: asOf(), now: now() });
  const until = asOf() - (findLeastAge(policy) ?? Infinity);
  const rows = await followSteps(listOldest(database, { until, after, limit: CHUNK }));
  const judged = await turns.take(judgeAll(database, rows, toOrder()));
  let [conversations, events] = [0, 0];
  for (const [{ key }, found] of judged) {
    if (typeof found === "string") continue;
    if (signal?.aborted === true) break;
    const result = await store.write((transaction) =>
      purgeConversation(transaction, key, toOrder(), review),
    );
    if (typeof result === "string") continue;
    conversations++;
    events += result.events;
  }
  const held = judged.filter(([, found]) => found === "held").length;
  const last = rows.length < CHUNK ? undefined : rows.at(-1);
  const next = last ? { lastAt: last.lastAt, seq: last.seq } : null;
  return { conversations, events, held, next };
}

/** Takes the words of what was removed out of the index. */
async function removeWords({ store }: PurgeRoom, signal: AbortSignal | undefined): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    const hasMore = await store.write((transaction) => mergeIndex(transaction, isFirst));
    if (!hasMore || signal?.aborted === true) return;
  }
}

/**
 * Removes what is due, part by part.
 *
 * @param limit - Conversations after which the rest is left to the next call; those of the part under way are removed as well.
 */
export async function purge(
  room: PurgeRoom,
  { limit, ...part }: PurgePart & { readonly limit: number },
): Promise<PurgeResult> {
  let sum: PurgeResult = { conversations: 0, events: 0, held: 0, next: part.after ?? OLDEST };
  while (sum.next && sum.conversations < limit && part.signal?.aborted !== true) {
    const done = await purgePart(room, { ...part, after: sum.next });
    sum = {
      conversations: sum.conversations + done.conversations,
      events: sum.events + done.events,
      held: sum.held + done.held,
      next: done.next,
    };
  }
  if (sum.conversations > 0) await removeWords(room, part.signal);
  return sum;
}
