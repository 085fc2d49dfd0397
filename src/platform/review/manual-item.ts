import * as z from "zod";
import { applyAction, commentSchema, type Refusal } from "./review-action.ts";
import { type ReviewItem, startItem, toDueAt } from "./review-item.ts";
import { FINDING_SEVERITIES, type ReviewPolicy } from "./review-policy.ts";
import { type Actor, mayActAs } from "./roles.ts";
import { SEVERITIES } from "../severities.ts";

/** What a person puts into the queue by hand. */
export const manualItemSchema = z.strictObject({
  key: z.string().min(1).max(64).describe("Key of the conversation."),
  comment: commentSchema.describe("Why it is to be reviewed."),
  severity: z
    .enum(FINDING_SEVERITIES)
    .optional()
    .describe("How bad it is, where that is more than what was found; decides when it is due."),
});
export type ManualItem = z.infer<typeof manualItemSchema>;

/** A conversation as it is when a person puts it into the queue. */
interface Place {
  /** Its item, where it is or was in the queue. */
  readonly item: ReviewItem | undefined;
  /** What an item of it begins with, but for where it comes from. */
  readonly facts: Pick<ReviewItem, "key" | "organizationId" | "riskScore" | "severity" | "tier">;
}

/** Who puts it there, when, and under which rules. */
interface ManualContext {
  readonly actor: Actor;
  readonly now: number;
  readonly policy: ReviewPolicy;
}

function reopen(
  item: ReviewItem,
  severity: number,
  comment: string,
  context: ManualContext,
): ReviewItem | Refusal {
  const reopened = applyAction(item, { action: "reopen", comment }, context);
  if ("code" in reopened) return reopened;
  // As with what is found in a sample: it is no sample any more.
  const origin = item.origin === "qa_sample" ? "manual" : item.origin;
  return { ...reopened, origin, severity, dueAt: toDueAt(severity, context.now, context.policy) };
}

/** Returns the item of a conversation that a person puts into the queue; one that is closed is reopened, which needs a supervisor. */
export function addByHand(
  { item, facts }: Place,
  { comment, severity: given }: Omit<ManualItem, "key">,
  context: ManualContext,
): ReviewItem | Refusal {
  if (!mayActAs(context.actor.role, "reviewer"))
    return { code: "forbidden", detail: "this needs the role reviewer" };
  if (item && item.queue !== "closed")
    return { code: "review_conflict", detail: "the conversation is in the queue already" };
  const severity = Math.max(facts.severity, SEVERITIES.indexOf(given ?? "none"));
  if (item) return reopen(item, severity, comment, context);
  return startItem({ ...facts, severity, origin: "manual" }, context.now, context.policy);
}
