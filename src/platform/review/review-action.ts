import * as z from "zod";
import { DISPOSITIONS, type ReviewPolicy } from "./review-policy.ts";
import { findAssignee, type Outcome, type ReviewItem } from "./review-item.ts";
import { type Actor, mayActAs } from "./roles.ts";

const MAX_COMMENT_LENGTH = 4000;
const MAX_FINDINGS = 500;

/** Why a person does something. */
export const commentSchema = z
  .string()
  .trim()
  .min(1)
  .max(MAX_COMMENT_LENGTH)
  // SQLite would end it there.
  .refine((text) => !text.includes("\0"), "expected a text without NUL");
const nameSchema = z.string().trim().min(1).max(256);
const outcomeShape = {
  disposition: z.enum(DISPOSITIONS),
  reasonCode: z
    .string()
    .max(64)
    .optional()
    .describe("One of the policy's; needed where it has any."),
  comment: commentSchema.optional(),
};

/** What a person does with an item. */
export const reviewActionSchema = z.discriminatedUnion("action", [
  z.strictObject({ action: z.literal("claim") }).describe("Takes the item for a time."),
  z.strictObject({ action: z.literal("release"), comment: commentSchema.optional() }),
  z.strictObject({
    action: z.literal("assign"),
    assignee: nameSchema,
    comment: commentSchema.optional(),
  }),
  z.strictObject({ action: z.literal("escalate"), comment: commentSchema }),
  z.strictObject({
    action: z.literal("decide"),
    findingIds: z.array(z.string().min(1).max(64)).min(1).max(MAX_FINDINGS),
    ...outcomeShape,
  }),
  z.strictObject({ action: z.literal("close"), ...outcomeShape }),
  z.strictObject({ action: z.literal("approve"), comment: commentSchema.optional() }),
  z.strictObject({ action: z.literal("reopen"), comment: commentSchema }),
  z.strictObject({ action: z.literal("comment"), comment: commentSchema }),
]);
export type ReviewAction = z.infer<typeof reviewActionSchema>;

const MAX_BULK = 500;

/** The same for many items. */
export const bulkActionSchema = z.strictObject({
  keys: z.array(z.string().min(1).max(64)).min(1).max(MAX_BULK),
  action: reviewActionSchema.refine(
    ({ action }) => action !== "decide",
    "findings are of one item",
  ),
});

/** Why an action is not done. */
export interface Refusal {
  readonly code: "forbidden" | "review_conflict" | "invalid_action";
  readonly detail: string;
}

const forbidden = (detail: string): Refusal => ({ code: "forbidden", detail });
const conflict = (detail: string): Refusal => ({ code: "review_conflict", detail });
const invalid = (detail: string): Refusal => ({ code: "invalid_action", detail });

/** When an action is done, by whom and under which rules. */
export interface ActionContext {
  readonly actor: Actor;
  readonly now: number;
  readonly policy: ReviewPolicy;
}

type Change = Partial<Omit<ReviewItem, "key" | "organizationId" | "version">>;

const MINUTE_MILLIS = 60_000;
const SEVERITIES = ["info", "warning", "violation"] as const;

const NEEDED_ROLES = {
  claim: "reviewer",
  release: "reviewer",
  assign: "supervisor",
  escalate: "reviewer",
  decide: "reviewer",
  close: "reviewer",
  approve: "reviewer",
  reopen: "supervisor",
  comment: "reviewer",
} as const;

function findOutcomeProblem(
  { disposition, reasonCode, comment }: DecidingAction,
  policy: ReviewPolicy,
): Refusal | undefined {
  const codes = policy.reasonCodes[disposition] ?? [];
  if (codes.length > 0 && (reasonCode === undefined || !codes.includes(reasonCode)))
    return invalid(`reasonCode of ${disposition} must be one of ${codes.join(", ")}`);
  if (codes.length === 0 && reasonCode !== undefined)
    return invalid(`${disposition} has no reason codes`);
  if (comment === undefined && policy.commentRequired.includes(disposition))
    return invalid(`${disposition} needs a comment`);
  return undefined;
}

/** Has the actor work on an item: claims it where nobody does, and refuses it where somebody else does. */
function takeHold(item: ReviewItem, { actor, now, policy }: ActionContext): Change | Refusal {
  if (item.queue === "closed") return conflict("the item is closed: reopen it first");
  const assignee = findAssignee(item, now);
  if (assignee !== null && assignee !== actor.name)
    return conflict(`the item is claimed by ${assignee}`);
  if (item.queue === "escalated" && !mayActAs(actor.role, "supervisor") && assignee === null)
    return forbidden("an escalated item is for a supervisor");
  // An assignment stays one.
  if (assignee !== null && item.claimExpiresAt === null) return {};
  return { assignee: actor.name, claimExpiresAt: now + policy.claimMinutes * MINUTE_MILLIS };
}

const isRefusal = (result: Change | Refusal): result is Refusal => "code" in result;

function needsSecondPerson({ severity }: ReviewItem, policy: ReviewPolicy): boolean {
  const name = SEVERITIES[severity - 1];
  return name !== undefined && policy.secondReviewFor.includes(name);
}

const NOBODY = { assignee: null, claimExpiresAt: null } as const;

function toClosed(outcome: Outcome, now: number): Change {
  return { ...NOBODY, queue: "closed", closedAt: now, proposal: null, outcome };
}

/** An action that decides something. */
type DecidingAction = Extract<ReviewAction, { action: "decide" | "close" }>;

/** Returns what an action decides. */
export function toOutcome({ disposition, reasonCode }: DecidingAction): Outcome {
  return { disposition, reasonCode: reasonCode ?? null };
}

function close(
  item: ReviewItem,
  action: DecidingAction,
  { actor, now, policy }: ActionContext,
): Change {
  const outcome = toOutcome(action);
  if (!needsSecondPerson(item, policy)) return toClosed(outcome, now);
  return { ...NOBODY, proposal: { ...outcome, by: actor.name } };
}

function approve(item: ReviewItem, { actor, now }: ActionContext): Change | Refusal {
  const { proposal } = item;
  if (item.queue === "closed" || !proposal) return conflict("there is nothing to approve");
  if (proposal.by === actor.name) return forbidden("a second person has to approve it");
  const { disposition, reasonCode } = proposal;
  return toClosed({ disposition, reasonCode }, now);
}

function release(item: ReviewItem, { actor, now }: ActionContext): Change | Refusal {
  const assignee = findAssignee(item, now);
  if (assignee === null) return conflict("nobody has claimed the item");
  if (assignee !== actor.name && !mayActAs(actor.role, "supervisor"))
    return forbidden(`the item is claimed by ${assignee}`);
  return NOBODY;
}

function reopen(item: ReviewItem): Change | Refusal {
  if (item.queue !== "closed") return conflict("the item is not closed");
  return { ...NOBODY, queue: "reopened", closedAt: null, outcome: null, proposal: null };
}

function assign(item: ReviewItem, assignee: string): Change | Refusal {
  if (item.queue === "closed") return conflict("the item is closed: reopen it first");
  return { assignee, claimExpiresAt: null };
}

/** What needs hold of the item. */
type HoldingAction = Extract<ReviewAction, { action: "claim" | "escalate" | "decide" | "close" }>;

function workOn(item: ReviewItem, action: HoldingAction, context: ActionContext): Change | Refusal {
  const held = takeHold(item, context);
  if (isRefusal(held) || action.action === "claim") return held;
  if (action.action === "escalate") return { ...NOBODY, queue: "escalated", proposal: null };
  const problem = findOutcomeProblem(action, context.policy);
  if (problem) return problem;
  return action.action === "close" ? { ...held, ...close(item, action, context) } : held;
}

function changeItem(
  item: ReviewItem,
  action: ReviewAction,
  context: ActionContext,
): Change | Refusal {
  switch (action.action) {
    case "comment":
      return {};
    case "approve":
      return approve(item, context);
    case "reopen":
      return reopen(item);
    case "assign":
      return assign(item, action.assignee);
    case "release":
      return release(item, context);
    default:
      return workOn(item, action, context);
  }
}

/** Returns an item as it is after an action, or why the action is refused. */
export function applyAction(
  item: ReviewItem,
  action: ReviewAction,
  context: ActionContext,
): ReviewItem | Refusal {
  const needed = NEEDED_ROLES[action.action];
  if (!mayActAs(context.actor.role, needed))
    return forbidden(`${action.action} needs the role ${needed}`);
  const change = changeItem(item, action, context);
  return isRefusal(change) ? change : { ...item, ...change, version: item.version + 1 };
}
