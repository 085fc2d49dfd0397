import * as z from "zod";
import { toWords } from "../review/findings.ts";

const DAY_MILLIS = 86_400_000;
/** Longest time that a suppression holds. */
export const MAX_SUPPRESSION_DAYS = 365;
const MIN_PHRASE_LENGTH = 4;

const textSchema = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    // SQLite would end it there.
    .refine((text) => !text.includes("\0"), "expected a text without NUL");

/** What a supervisor asks for. */
export const suppressionSchema = z.strictObject({
  findingId: z
    .string()
    .min(1)
    .max(64)
    .describe("The finding that was decided to be a false positive."),
  rule: textSchema(256),
  agent: textSchema(256).optional().describe("Only findings in this agent's answers."),
  phrase: textSchema(300)
    .refine(
      (phrase) => toWords(phrase).length >= MIN_PHRASE_LENGTH,
      `expected words of at least ${MIN_PHRASE_LENGTH} letters or digits`,
    )
    .describe("Words of the finding's quote; other findings with them are held back."),
  until: z
    .number()
    .int()
    .describe(
      `End, in milliseconds since the Unix epoch; at most ${MAX_SUPPRESSION_DAYS} days ahead.`,
    ),
  reason: textSchema(4000),
});
export type SuppressionRequest = z.infer<typeof suppressionSchema>;

/** What ends one before its time. */
export const revocationSchema = z.strictObject({ reason: textSchema(4000) });

/** A suppression, as lists show it. */
export interface Suppression {
  readonly id: string;
  readonly organizationId: string;
  readonly rule: string;
  /** `null` for every agent. */
  readonly agentId: string | null;
  /** Words, in lower case. */
  readonly phrase: string;
  readonly reason: string;
  /** The conversation and the finding that it was made out of. */
  readonly conversationKey: string;
  readonly findingId: string;
  readonly createdAt: number;
  readonly createdBy: string;
  readonly until: number;
  readonly revokedAt: number | null;
  readonly revokedBy: string | null;
  readonly state: "active" | "expired" | "revoked";
  /** Findings that it has held back, and when the last one came. */
  readonly heldBack: number;
  readonly lastHeldBackAt: number | null;
}

/** Returns whether a quote has the words of a phrase, next to each other. */
export function hasPhrase(quote: string, phrase: string): boolean {
  return ` ${toWords(quote)} `.includes(` ${toWords(phrase)} `);
}

/** A finding of which a suppression is made. */
export interface SuppressedCase {
  readonly rule: string;
  readonly quote: string;
  readonly agentId: string;
  /** What was decided about it last. */
  readonly disposition: string | null;
}

/** Says why a suppression can't be made of a finding; `undefined` where it can. */
export function findSuppressionProblem(
  { rule, agent, phrase, until }: SuppressionRequest,
  finding: SuppressedCase | undefined,
  now: number,
): string | undefined {
  if (!finding) return "findingId must be a finding";
  if (finding.disposition !== "false_positive")
    return "the finding must have been decided to be a false positive";
  if (finding.rule !== rule) return "rule must be the finding's";
  if (agent !== undefined && finding.agentId !== agent) return "agent must be the finding's";
  if (!hasPhrase(finding.quote, phrase)) return "phrase must be words of the finding's quote";
  if (until <= now) return "until must be ahead";
  if (until > now + MAX_SUPPRESSION_DAYS * DAY_MILLIS)
    return `until must be at most ${MAX_SUPPRESSION_DAYS} days ahead`;
  return undefined;
}
