import { toPatternName } from "../compiled/compiled-pack.ts";

/** Name of the pattern of what the second look finds by itself; no rule has one of its own by this name. */
export const LEARNED_PATTERN = "learned";

/** Returns the id of that pattern of a rule. */
export function toLearnedPattern(rule: string): string {
  return toPatternName(rule, LEARNED_PATTERN);
}
