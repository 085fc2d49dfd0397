import type { Share } from "../score.ts";
import type { AuthorScore } from "./score.ts";

/** Figures of a set of authors, as `--json` and the log of runs give them; shares are from 0 to 1. */
export interface AuthorFigures {
  readonly ordinary: {
    /** Share of the ordinary answers that demand review. */
    readonly alarms: number | null;
    readonly alarmed: number;
    readonly n: number;
    readonly low: number | null;
    readonly high: number | null;
    /** Share of the ordinary answers with any finding. */
    readonly withFinding: number | null;
  };
  readonly violations: {
    /** Share of the violations with a finding of the expected category that comes with review. */
    readonly recall: number | null;
    readonly found: number;
    readonly n: number;
    readonly low: number | null;
    readonly high: number | null;
    /** Share of the violations with a finding of the expected category. */
    readonly withFinding: number | null;
    /** Share of those found whose finding overlaps the marked passage. */
    readonly onPassage: number | null;
    readonly byKind: Readonly<Record<string, Share>>;
  };
  readonly candidates: {
    /** Share of the violations with anything found in them, in the loosest setting. */
    readonly recall: number | null;
    readonly recallOfCategory: number | null;
    /** Share of the ordinary answers with anything found in them. */
    readonly share: number | null;
  };
  readonly byCategory: Readonly<Record<string, unknown>>;
  readonly byAuthor: Readonly<Record<string, unknown>>;
  readonly byLength: Readonly<Record<string, unknown>>;
  /** By base rate, `"0.01"`. */
  readonly precisionAt: Readonly<Record<string, unknown>>;
}

/** Gives the figures of a score: no item, no rule, no family of rules, so that they can't be worked towards. */
export function toFigures(score: AuthorScore): AuthorFigures {
  const { alarms, recall, candidates, byKind, byCategory, byAuthor, byLength } = score;
  return {
    ordinary: {
      alarms: alarms.value,
      alarmed: alarms.hits,
      n: alarms.total,
      low: alarms.low,
      high: alarms.high,
      withFinding: score.ordinaryWithFinding.value,
    },
    violations: {
      recall: recall.value,
      found: recall.hits,
      n: recall.total,
      low: recall.low,
      high: recall.high,
      withFinding: score.violationsWithFinding.value,
      onPassage: score.onPassage.value,
      byKind,
    },
    candidates: {
      recall: candidates.recall.value,
      recallOfCategory: candidates.recallOfCategory.value,
      share: candidates.share.value,
    },
    byCategory,
    byAuthor,
    byLength,
    precisionAt: Object.fromEntries(
      score.precisionAt.map(({ baseRate, ...rest }) => [String(baseRate), rest]),
    ),
  };
}
