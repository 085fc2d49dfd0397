import * as z from "zod";
import { environmentSchema, identifierSchema } from "../../events/base-event.ts";
import type { Steps } from "../turns.ts";

const timeSchema = z.int().nonnegative();

/** Members of a selection of conversations; all that are given must be true of one. */
export const selectorSchema = z
  .strictObject({
    organization: identifierSchema.optional(),
    agent: identifierSchema.optional(),
    version: identifierSchema.optional().describe("Of the agent, in one of the events."),
    environment: environmentSchema.optional().describe("Of the same event as the version."),
    customer: identifierSchema.optional().describe("`userId` of one of the events."),
    conversation: identifierSchema.optional().describe("Key of the conversation."),
    from: timeSchema.optional().describe("It has ended at this time or later."),
    to: timeSchema.optional().describe("It has begun at this time or before."),
  })
  .refine(({ from = 0, to = Infinity }) => from <= to, {
    error: "expected from to be at most to",
    path: ["to"],
  });
export type Selector = z.infer<typeof selectorSchema>;

const textSchema = (max: number) => z.string().trim().min(1).max(max);

/** Body of a request that places a hold. */
export const placeHoldSchema = z.strictObject({
  matter: textSchema(256).describe("What it is held for, as the bank's lawyers call it."),
  reason: textSchema(4000),
  selector: selectorSchema.refine((selector) => Object.keys(selector).length > 0, {
    error: "expected at least one member",
  }),
});
export type HoldRequest = z.infer<typeof placeHoldSchema>;

/** Body of a request that releases a hold. */
export const releaseHoldSchema = z.strictObject({ reason: textSchema(4000) });

/** What a selector asks of a conversation. */
export interface SelectorFacts {
  readonly key: string;
  readonly organizationId: string;
  readonly agentId: string;
  readonly startedAt: number;
  readonly lastAt: number;
  readonly appearances: readonly {
    readonly environment: string | null;
    readonly version: string | null;
  }[];
  /** Returns whether an event is of a customer; asked last, since the events have to be read for it. */
  readonly hasCustomer: (customer: string) => Steps<boolean>;
}

function hasAppeared({ environment, version }: Selector, { appearances }: SelectorFacts): boolean {
  if (environment === undefined && version === undefined) return true;
  return appearances.some(
    (each) =>
      (environment === undefined || each.environment === environment) &&
      (version === undefined || each.version === version),
  );
}

/** Returns whether a conversation is one that a selector means. */
export function* matchesSelector(selector: Selector, facts: SelectorFacts): Steps<boolean> {
  const { organization, agent, conversation, customer, from = 0, to = Infinity } = selector;
  const texts = [
    [organization, facts.organizationId],
    [agent, facts.agentId],
    [conversation, facts.key],
  ];
  return (
    texts.every(([wanted, given]) => wanted === undefined || wanted === given) &&
    facts.lastAt >= from &&
    facts.startedAt <= to &&
    hasAppeared(selector, facts) &&
    (customer === undefined || (yield* facts.hasCustomer(customer)))
  );
}
