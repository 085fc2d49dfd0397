import type { JudgedTier } from "../../events/judge-result.ts";
import type { Disposition, ReviewPolicy } from "./review-policy.ts";

/** States of an item. A claim that has expired is none: such an item is in the state that it was claimed in. */
export const REVIEW_STATES = ["open", "claimed", "escalated", "closed", "reopened"] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

/** What has brought an item into the queue. */
export const REVIEW_ORIGINS = ["rule", "judge", "qa_sample", "manual"] as const;
export type ReviewOrigin = (typeof REVIEW_ORIGINS)[number];

/** What was decided about an item. */
export interface Outcome {
  readonly disposition: Disposition;
  readonly reasonCode: string | null;
}

/** An outcome that a second person has to approve. */
export interface Proposal extends Outcome {
  readonly by: string;
}

/** A conversation in the queue, with all its findings. */
export interface ReviewItem {
  /** Key of the conversation. */
  readonly key: string;
  readonly organizationId: string;
  /** Where it waits while nobody has claimed it; `closed` where it waits for nobody. */
  readonly queue: Exclude<ReviewState, "claimed">;
  readonly origin: ReviewOrigin;
  /** Who works on it. */
  readonly assignee: string | null;
  /** `null` for an assignment by a supervisor, which does not expire. */
  readonly claimExpiresAt: number | null;
  readonly openedAt: number;
  readonly dueAt: number;
  readonly closedAt: number | null;
  readonly proposal: Proposal | null;
  /** What it was closed with. */
  readonly outcome: Outcome | null;
  /** Severity of its worst finding, as `SEVERITY_RANKS`. */
  readonly severity: number;
  /** 0 to 100 */
  readonly riskScore: number | null;
  /** What the judge says of its surest finding. */
  readonly tier: JudgedTier | "";
  /** Counts the changes: the entity tag of `If-Match`. */
  readonly version: number;
}

/** Returns who works on an item now. */
export function findAssignee(item: ReviewItem, now: number): string | null {
  const hasExpired = item.claimExpiresAt !== null && item.claimExpiresAt <= now;
  return item.queue === "closed" || hasExpired ? null : item.assignee;
}

/** Returns the state of an item now. */
export function toState(item: ReviewItem, now: number): ReviewState {
  return findAssignee(item, now) === null ? item.queue : "claimed";
}

const HOUR_MILLIS = 3_600_000;

/** Returns when an item of a severity is due that comes into the queue now. */
export function toDueAt(severity: number, now: number, { dueHours }: ReviewPolicy): number {
  const hours = [dueHours.info, dueHours.info, dueHours.warning, dueHours.violation];
  return now + (hours[severity] ?? dueHours.info) * HOUR_MILLIS;
}

/** What an item begins with. */
type Beginning = Pick<
  ReviewItem,
  "key" | "organizationId" | "origin" | "riskScore" | "severity" | "tier"
>;

/** Returns a new item, which waits for anybody. */
export function startItem(beginning: Beginning, now: number, policy: ReviewPolicy): ReviewItem {
  return {
    ...beginning,
    queue: "open",
    assignee: null,
    claimExpiresAt: null,
    openedAt: now,
    dueAt: toDueAt(beginning.severity, now, policy),
    closedAt: null,
    proposal: null,
    outcome: null,
    version: 1,
  };
}
