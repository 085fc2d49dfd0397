import { readTogether } from "../store/query.ts";
import {
  countConversations,
  countOutcomes,
  countTrail,
  countUnchanged,
  takeChangedSince,
  listPolicyChanges,
  listSuppressionsOf,
} from "../store/report-store.ts";
import {
  countActions,
  countDecisions,
  countOverturns,
  listDecisionTimes,
  type ReviewerCount,
} from "../store/reviewer-store.ts";
import type { SqlDatabase } from "../store/sql-database.ts";
import type { Steps } from "../turns.ts";
import type { Period } from "./period.ts";
import { readFigures, toQuality } from "./quality.ts";

const HOUR_MILLIS = 3_600_000;
const DAY_MILLIS = 24 * HOUR_MILLIS;

/** Ages of what waits, each up to the next one. */
const AGES = [
  { label: "less than 1 day", below: DAY_MILLIS },
  { label: "1 to 3 days", below: 3 * DAY_MILLIS },
  { label: "3 to 7 days", below: 7 * DAY_MILLIS },
  { label: "7 to 30 days", below: 30 * DAY_MILLIS },
  { label: "30 days and more", below: Number.POSITIVE_INFINITY },
];

function* countStanding(database: SqlDatabase, at: number) {
  const limits = AGES.map(({ below }) => below).filter(Number.isFinite);
  const { younger, ...counts } = yield* countUnchanged(database, at, limits);
  const upTo = [...younger, counts.open];
  const ages = AGES.map(({ label }, index) => ({
    label,
    items: (upTo[index] ?? 0) - (upTo[index - 1] ?? 0),
  }));
  const standing = { ...counts, ages };
  yield* takeChangedSince(database, at, (item) => {
    standing.open++;
    if (item.isEscalated) standing.escalated++;
    if (item.dueAt < at) standing.overdue++;
    if (item.origin === "qa_sample") standing.ofSample++;
    const age = ages[AGES.findIndex(({ below }) => at - item.openedAt < below)];
    if (age) age.items++;
  });
  return standing;
}

function toMedian(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle];
  if (upper === undefined) return null;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}

/** What somebody has done in the period. */
export interface ReviewerActivity {
  readonly name: string;
  readonly roles: readonly string[];
  readonly closed: number;
  readonly approved: number;
  readonly escalated: number;
  readonly reopened: number;
  readonly refused: number;
  /** About findings and sampled answers. */
  readonly decisions: number;
  /** Decisions of theirs that somebody else has replaced by another one. */
  readonly overturned: number;
  /** From the time an item came until it was closed, in milliseconds; `null` where none was. */
  readonly medianMillis: number | null;
}

function* listReviewers(database: SqlDatabase, period: Period): Steps<ReviewerActivity[]> {
  const [actions, decisions, overturned, times] = yield* readTogether(
    database,
    countActions(database, period),
    countDecisions(database, period),
    countOverturns(database, period),
    listDecisionTimes(database, period),
  );
  const overturns = new Map(overturned.map(({ actor, count }) => [actor, count]));
  const names = new Set([...actions.map(({ actor }) => actor), ...overturns.keys()]);
  return [...names].map((name) => {
    const own = actions.filter(({ actor }) => actor === name);
    const count = (action: string): number =>
      own
        .filter((each: ReviewerCount) => each.action === action)
        .reduce((total, each) => total + each.count, 0);
    return {
      name,
      roles: [...new Set(own.map(({ role }) => role))],
      closed: count("review.close"),
      approved: count("review.approve"),
      escalated: count("review.escalate"),
      reopened: count("review.reopen"),
      refused: count("review.refused"),
      decisions: decisions.get(name) ?? 0,
      overturned: overturns.get(name) ?? 0,
      medianMillis: toMedian(times.get(name) ?? []),
    };
  });
}

/** Writes the supervision report of some days, in steps. */
export function* writeReport(database: SqlDatabase, period: Period, now: number) {
  // What lies ahead has not happened.
  const end = Math.min(period.to, now);
  const [
    figures,
    conversations,
    reviewers,
    standing,
    outcomes,
    suppressions,
    changes,
    auditSequence,
  ] = yield* readTogether(
    database,
    readFigures(database, period),
    countConversations(database, period),
    listReviewers(database, period),
    countStanding(database, end),
    countOutcomes(database, period),
    listSuppressionsOf(database, period),
    listPolicyChanges(database, period),
    countTrail(database, period),
  );
  const { sample, agents, rules, recall, flagged } = toQuality(period, figures);
  return {
    period,
    writtenAt: now,
    population: {
      conversations: conversations.reduce((total, row) => total + row.conversations, 0),
      answers: sample.answers,
      agents: agents.map(({ organizationId, agentId, answers, flagged: found, sampled }) => ({
        organizationId,
        agentId,
        conversations: conversations.find((row) => row.agentId === agentId)?.conversations ?? 0,
        answers,
        flagged: found,
        sampled,
      })),
    },
    flagged: { answers: sample.flagged, findings: figures.findings.severities },
    sample,
    recall,
    decided: { ...flagged, outcomes },
    reviewers,
    /** At the end of the period, or now where that is ahead. */
    waiting: { at: end, ...standing },
    rules,
    suppressions,
    changes,
    /** Last record of the audit trail in the period: what is said here is in it. */
    auditSequence,
  };
}

/** The supervision report. */
export type Report = ReturnType<typeof writeReport> extends Steps<infer Result> ? Result : never;
