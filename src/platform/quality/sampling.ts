import { createHmac } from "node:crypto";
import * as z from "zod";

const rateSchema = z.number().min(0).max(1);

/** Which answers without findings people look at; the same ones on every machine. */
export interface Sampling {
  /** Share of the answers, 0 to 1; 0, the default: none. */
  readonly default?: number | undefined;
  /** Share of an agent's answers, by its id. */
  readonly agents?: Readonly<Record<string, number>> | undefined;
  /** What the choice depends on beside the id of the answer: 1 to 256 characters. */
  readonly seed?: string | undefined;
}

export const samplingSchema: z.ZodType<Sampling> = z.strictObject({
  default: rateSchema.optional(),
  agents: z.record(z.string().min(1).max(256), rateSchema).optional(),
  seed: z
    .string()
    .min(1)
    .max(256)
    .refine((seed) => !seed.includes("\0"), "expected a text without NUL")
    .optional(),
});

const DEFAULT_SEED = "agent-monitor";

/** Returns what the choice of an answer depends on. */
export const toSeed = ({ seed = DEFAULT_SEED }: Sampling): string => seed;

/** Returns the share of an agent's answers that is sampled, 0 to 1. */
export function toRate({ agents = {}, default: common = 0 }: Sampling, agentId: string): number {
  return Object.hasOwn(agents, agentId) ? (agents[agentId] ?? common) : common;
}

const CHOICE_BYTES = 6;
const CHOICES = 2 ** (8 * CHOICE_BYTES);

/**
 * Returns whether an answer is in the sample. It depends on nothing but the seed and the event's id: every machine chooses the same ones,
 * and with the ids a sample can be chosen again.
 */
export function isSampled(seed: string, eventId: string, rate: number): boolean {
  if (rate <= 0) return false;
  const digest = createHmac("sha256", seed).update(eventId).digest();
  return digest.readUIntBE(0, CHOICE_BYTES) / CHOICES < rate;
}
