import type { DetailedEvent } from "../../events/detailed-event.ts";
import type { Steps } from "../turns.ts";
import {
  type Activity,
  addActivity,
  addConversation,
  type AllBeginnings,
  readBeginnings,
  saveActivity,
  withAppearances,
} from "./activity.ts";
import { type Appearances, addAppearance, mergeAppearances, readFacts } from "./appearances.ts";
import { createArrivals, type Noted } from "./arrivals.ts";
import type { Arrived } from "./event-rows.ts";
import {
  addFacts,
  collectFacts,
  type ConversationFacts,
  createFacts,
  type NewFacts,
  putFacts,
} from "./fact-store.ts";
import { createStatement, db } from "./query.ts";
import { noteArrival, type ReviewSettings } from "./review-desk.ts";
import type { Transaction } from "./sql-database.ts";
import {
  type ConversationSummary,
  addToSummary,
  createSummary,
  mergeConversations,
  summariseAgain,
} from "./summary.ts";
import type { StoredConversation } from "./stored-conversations.ts";
import { linkTrace } from "./trace-links.ts";

const FIND_RISK = createStatement((values: { key: string }) =>
  db.selectFrom("conversation").select("max_risk_score as riskScore").where("key", "=", values.key),
);

/** What the events of batches change, by conversation. */
interface Changes {
  readonly summaries: Map<string, ConversationSummary>;
  /** Those in which a fuller copy replaced an event, with one event of each. */
  readonly replaced: Map<string, DetailedEvent>;
  readonly facts: Map<string, ConversationFacts>;
  readonly appearances: Appearances;
  /** Sums by the hour and by the day. */
  readonly activity: Activity;
}

/** Records what conversations are found by. */
function noteFacts({ facts }: Changes, { key, event, facts: own }: Arrived): void {
  let known = facts.get(key);
  if (!known) facts.set(key, (known = createFacts()));
  addFacts(known, event, own);
}

/** What the facts of conversations are added to. */
interface FormerStates {
  readonly known: ReadonlyMap<string, StoredConversation>;
  readonly noted: ReadonlyMap<string, Noted>;
  readonly pseudonyms: ReviewSettings["pseudonyms"];
}

function* saveFacts(
  database: Transaction,
  facts: Changes["facts"],
  { known, noted, pseudonyms }: FormerStates,
): Steps<void> {
  const added: NewFacts = { rows: [], lines: [] };
  for (const [key, said] of facts) {
    yield;
    const former = known.get(key)?.facts ?? "";
    const settings = { former, hasFindings: noted.has(key), pseudonyms };
    yield* collectFacts(database, added, { key, facts: said }, settings);
  }
  yield* putFacts(database, added);
}

function* saveConversations(
  database: Transaction,
  organizationId: string,
  { summaries, replaced }: Changes,
): Steps<void> {
  yield* mergeConversations(database, summaries.values());
  for (const [key, event] of replaced) {
    const summary = createSummary(key, organizationId, event);
    yield* summariseAgain(database, summary);
    summaries.set(key, summary);
  }
}

/** A conversation counts for the version, in the environment and at the time of its beginning, which may move. */
function* saveSums(
  database: Transaction,
  { summaries, replaced, appearances, activity }: Changes,
  before: AllBeginnings,
): Steps<void> {
  const after = withAppearances(before, appearances);
  const again = yield* readBeginnings(database, replaced.keys());
  for (const [key, summary] of summaries) {
    addConversation(activity, summary, before.get(key), -1);
    addConversation(activity, summary, again.get(key) ?? after.get(key));
  }
  yield* saveActivity(database, activity);
}

function* queueForReview(
  database: Transaction,
  noted: ReadonlyMap<string, Noted>,
  arrived: { readonly organizationId: string; readonly now: number },
  review: ReviewSettings,
): Steps<void> {
  for (const [key, note] of noted) {
    yield;
    const [risk] = yield* FIND_RISK.rows(database, { key });
    yield* noteArrival(
      database,
      { key, riskScore: risk?.riskScore ?? null, ...note, ...arrived },
      review,
    );
  }
}

/** Collects what the events of batches of an organization change. In one transaction with them, at whose end it is stored. */
export function createBatchChanges(
  database: Transaction,
  organizationId: string,
  review: ReviewSettings,
) {
  /** What was stored before of their conversations. */
  const known = new Map<string, StoredConversation>();
  let now = 0;
  const changes: Changes = {
    summaries: new Map(),
    replaced: new Map(),
    facts: new Map(),
    appearances: new Map(),
    activity: new Map(),
  };
  const { summaries, replaced, facts, appearances, activity } = changes;
  const { announcing, policy, pseudonyms } = review;
  const hadFindings = (key: string): boolean => (known.get(key)?.findingCount ?? 0) > 0;
  const { sampling } = policy;
  const arrivals = createArrivals(database, { sampling, announcing, hadFindings });
  return {
    /** Takes note of a batch: when it came, and what was stored before of its conversations. */
    begin(receivedAt: number, before: ReadonlyMap<string, StoredConversation>): void {
      now = Math.max(now, receivedAt);
      for (const [key, conversation] of before) known.set(key, conversation);
    },
    /** Adds an event that is new. */
    *addNew(arrived: Arrived): Steps<void> {
      const { key, event } = arrived;
      addAppearance(appearances, key, arrived.facts, event.timestamp);
      const summary = summaries.get(key) ?? createSummary(key, organizationId, event);
      summaries.set(key, summary);
      addToSummary(summary, event);
      addActivity(activity, organizationId, event, arrived.facts);
      yield* arrivals.note(arrived, true);
      yield* linkTrace(database, arrived);
      noteFacts(changes, arrived);
    },
    /** Adds a copy of an event that is fuller than the stored one. */
    *addFuller(arrived: Arrived, thinner: DetailedEvent): Steps<void> {
      const { key, event } = arrived;
      replaced.set(key, event);
      addActivity(activity, organizationId, thinner, readFacts(thinner), -1);
      addActivity(activity, organizationId, event, arrived.facts);
      yield* arrivals.note(arrived, false);
      noteFacts(changes, arrived);
    },
    /** Stores all of it. */
    *save(): Steps<void> {
      const changed = [...new Set([...summaries.keys(), ...replaced.keys()])];
      const stored = changed.filter((key) => known.has(key));
      const before = yield* readBeginnings(database, stored);
      yield* mergeAppearances(database, appearances);
      yield* saveConversations(database, organizationId, changes);
      const noted = yield* arrivals.finish();
      yield* saveFacts(database, facts, { known, noted, pseudonyms });
      yield* queueForReview(database, noted, { organizationId, now }, review);
      yield* saveSums(database, changes, before);
    },
  };
}
