import * as z from "zod";
import { type Environment, environmentSchema } from "../../events/base-event.ts";

/**
 * What may have become of a conversation, as far as retention asks; several may be true of one.
 *
 * `no_finding`: nothing was found. `undecided`: something was found that nobody had to decide about. `cleared`: people have
 * looked at what was found, and nothing is a violation. `violation`: something is. `escalated`: it was before the supervisors.
 */
export const OUTCOMES = ["no_finding", "undecided", "cleared", "violation", "escalated"] as const;
/** What has become of a conversation, as far as retention asks. */
export type RetentionOutcome = (typeof OUTCOMES)[number];

/** A class of conversations that are kept for the same time. */
export interface RetentionClass {
  /** Stands in the audit trail: lower case letters, digits, `_` and `-`, at most 64. */
  readonly name: string;
  /** Age of the last event from which its conversations are removed: 1 to 36,500. */
  readonly days: number;
  /** Of conversations in this environment only. */
  readonly environment?: Environment | undefined;
  /** Of conversations with this outcome only. */
  readonly outcome?: RetentionOutcome | undefined;
}

const retentionClassSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, "expected lower case letters, digits, _ and -")
    .describe("Stands in the audit trail."),
  days: z.int().min(1).max(36_500).describe("Age from which its conversations are removed."),
  environment: environmentSchema.optional(),
  outcome: z.enum(OUTCOMES).optional(),
}) satisfies z.ZodType<RetentionClass>;

export const retentionPolicySchema = z
  .array(retentionClassSchema)
  .max(100)
  .refine((classes) => new Set(classes.map(({ name }) => name)).size === classes.length, {
    error: "two classes have the same name",
  });

/** Classes in order: the first one that matches a conversation counts; what none matches is kept. At most 100. */
export type RetentionPolicy = readonly RetentionClass[];

/** What a policy asks of a conversation. */
export interface RetentionFacts {
  /** Environments of its events; an empty text for one that is not known. */
  readonly environments: readonly string[];
  readonly outcomes: readonly RetentionOutcome[];
  /** Whether its item waits for somebody, or is worked on. */
  readonly isUnderReview: boolean;
  /** Time of its last event, or of the last one's arrival where that was later: a clock far back ages nothing. */
  readonly lastAt: number;
}

const DAY_MILLIS = 86_400_000;

function findClassIn(
  environment: string,
  outcomes: readonly RetentionOutcome[],
  policy: RetentionPolicy,
): RetentionClass | undefined {
  return policy.find(
    (each) =>
      (each.environment === undefined || each.environment === environment) &&
      (each.outcome === undefined || outcomes.includes(each.outcome)),
  );
}

/**
 * Finds the class of a conversation; `undefined` where it is kept.
 *
 * What is under review is kept. A conversation in several environments is kept as long as the one that keeps it longest.
 */
export function findRetentionClass(
  { environments, outcomes, isUnderReview }: Omit<RetentionFacts, "lastAt">,
  policy: RetentionPolicy,
): RetentionClass | undefined {
  if (isUnderReview) return undefined;
  const each = environments.length === 0 ? [""] : environments;
  const found = each.map((environment) => findClassIn(environment, outcomes, policy));
  const classes = found.filter((one) => one !== undefined);
  if (classes.length < found.length) return undefined;
  return classes.toSorted((left, right) => right.days - left.days)[0];
}

/** Returns when a conversation of a class is to be removed. */
export function toDueAt({ days }: RetentionClass, lastAt: number): number {
  return lastAt + days * DAY_MILLIS;
}

/** Returns the least age in ms at which anything is to be removed; `undefined` where nothing ever is. */
export function findLeastAge(policy: RetentionPolicy): number | undefined {
  return policy.length === 0 ? undefined : Math.min(...policy.map(({ days }) => days)) * DAY_MILLIS;
}

/** What people and rules have left about a conversation. */
export interface ReviewTraces {
  readonly hasFindings: boolean;
  /** Whether it has an item, which is closed. */
  readonly isClosed: boolean;
  /** What was decided last, about each finding and about the item. */
  readonly dispositions: readonly string[];
  readonly wasEscalated: boolean;
}

/** Says what has become of a conversation. */
export function toOutcomes(traces: ReviewTraces): RetentionOutcome[] {
  const { hasFindings, isClosed, dispositions, wasEscalated } = traces;
  const isDecided = isClosed || dispositions.length > 0;
  const found = isDecided ? "cleared" : "undecided";
  const outcome = dispositions.includes("violation")
    ? "violation"
    : hasFindings
      ? found
      : "no_finding";
  return wasEscalated ? [outcome, "escalated"] : [outcome];
}
