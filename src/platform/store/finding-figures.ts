import type { JudgedTier } from "../../events/judge-result.ts";
import { compareTexts } from "../../util/compare-texts.ts";
import type { Disposition } from "../review/review-policy.ts";
import { SEVERITIES, type MaxSeverity } from "../severities.ts";
import { type FindingGroup, type FlaggedAnswers, groupFindings } from "./finding-groups.ts";
import { groupFindingLines } from "./finding-lines.ts";
import { MAX_GROUPS, type QualityFilter } from "./quality-store.ts";
import type { SqlDatabase } from "./sql-database.ts";
import type { Steps } from "../turns.ts";

/** Findings of a rule with one opinion of the judge and one decision. */
export interface FindingCount {
  readonly rule: string;
  /** Empty where the judge has said nothing. */
  readonly tier: JudgedTier | "";
  readonly disposition: Disposition | null;
  readonly count: number;
  /** Those of them that a suppression holds back. */
  readonly heldBack: number;
}

/** What was found in a period, and decided about it. */
export interface FindingFigures {
  /** By rule, opinion and decision; of one rule, where the filter names one. */
  readonly counts: readonly FindingCount[];
  /** The same findings by severity. */
  readonly severities: Readonly<Record<MaxSeverity, number>>;
  /** Answers with findings of all rules. */
  readonly flagged: FlaggedAnswers;
}

/** Puts together the groups that differ in nothing but their severity and what holds them back. */
function toCounts(groups: readonly FindingGroup[]): FindingCount[] {
  const counts = new Map<string, FindingCount>();
  for (const { rule, tier, disposition, isHeldBack, count } of groups) {
    const id = JSON.stringify([rule, tier, disposition]);
    const known = counts.get(id) ?? { count: 0, heldBack: 0 };
    const heldBack = known.heldBack + (isHeldBack ? count : 0);
    counts.set(id, { rule, tier, disposition, count: known.count + count, heldBack });
  }
  return [...counts.values()]
    .toSorted(
      (one, other) =>
        compareTexts(one.rule, other.rule) ||
        compareTexts(one.tier, other.tier) ||
        compareTexts(one.disposition ?? "", other.disposition ?? ""),
    )
    .slice(0, MAX_GROUPS);
}

function toSeverities(groups: readonly FindingGroup[]): FindingFigures["severities"] {
  const severities = { none: 0, info: 0, warning: 0, violation: 0 };
  for (const { severity, count } of groups) {
    severities[SEVERITIES[severity] ?? "none"] += count;
  }
  return severities;
}

/** Counts the findings of a period, and the answers that have them. */
export function* countFindings(
  database: SqlDatabase,
  filter: QualityFilter,
): Steps<FindingFigures> {
  const read = database.dialect === "postgres" ? groupFindings : groupFindingLines;
  const { groups, flagged } = yield* read(database, filter);
  const { rule } = filter;
  const wanted = groups.filter((group) => rule === undefined || group.rule === rule);
  return { counts: toCounts(wanted), severities: toSeverities(wanted), flagged };
}
