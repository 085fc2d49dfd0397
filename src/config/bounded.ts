import type * as z from "zod";

/** Bounds of a number, and what it is where the caller gives none. */
interface Bounds {
  readonly min: number;
  readonly max?: number;
  readonly default: number;
}

/** Bounds a number or an integer, and fills in its default. */
export function bounded(schema: z.ZodNumber, { min, max, default: usual }: Bounds) {
  const least = schema.min(min);
  return (max === undefined ? least : least.max(max)).default(usual);
}
