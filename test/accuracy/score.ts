import type { ComplianceFlag } from "../../src/events/compliance.ts";
import type { Prediction } from "./evaluate-items.ts";
import type { LabelledItem } from "./items.ts";

/** A share of a number of items, with the 95 % interval of Wilson. */
export interface Share {
  readonly hits: number;
  readonly total: number;
  /** `null` when there are no items. */
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** Counts of one category. */
export interface CategoryScore {
  tp: number;
  fn: number;
  fp: number;
  precision: number | null;
  recall: number | null;
}

/** An item that was judged wrongly. */
export interface Miss {
  readonly kind: "FN" | "FP";
  readonly id: string;
  /** The family that should have found it, or the trap that it is. */
  readonly about: string;
  readonly found: readonly string[];
}

/** How well a set of labelled items was judged. */
export interface Score {
  readonly items: number;
  readonly precision: Share;
  readonly recall: Share;
  readonly falsePositiveRate: Share;
  /** Alarms on long answers of everyday banking, which try nobody's rule in particular. */
  readonly ordinaryRate: Share;
  readonly byCategory: Readonly<Record<string, CategoryScore>>;
  readonly byFamily: Readonly<Record<string, Share>>;
  readonly evasionRecall: Share;
  readonly toolRecall: Share;
  /** Recall of the families whose evidence is a number in a text. */
  readonly numberRecall: Share;
  readonly severityAgreement: Share;
  readonly misses: readonly Miss[];
}

type Judged = Prediction<LabelledItem>;

/** Category of items that are about nothing in particular. */
export const ORDINARY = "ordinary";

const Z = 1.96;
const NUMBER_FAMILIES = new Set([
  "pan_exposure",
  "ssn_exposure",
  "account_number_exposure",
  "iban_exposure",
]);
const RANK = { info: 0, warning: 1, violation: 2 } as const;

const round = (value: number): number => Math.round(value * 10_000) / 10_000;

/** Gives a share with its interval. */
export function toShare(hits: number, total: number): Share {
  return { hits, total, ...toShareOf(total === 0 ? 0 : hits / total, total) };
}

/** Gives the interval of a share of so many; their number need not be whole. */
export function toShareOf(p: number, total: number): Pick<Share, "value" | "low" | "high"> {
  if (total === 0) return { value: null, low: null, high: null };
  const divisor = 1 + Z ** 2 / total;
  const middle = (p + Z ** 2 / (2 * total)) / divisor;
  const half = (Z * Math.sqrt((p * (1 - p)) / total + Z ** 2 / (4 * total ** 2))) / divisor;
  return { value: round(p), low: round(middle - half), high: round(middle + half) };
}

/** The findings of the category that the label names. */
function expectedAlerts({ item, alerts }: Judged): ComplianceFlag[] {
  return alerts.filter(({ category }) => category === item.expectedCategory);
}

const isOrdinary = ({ item }: Judged): boolean => item.category === ORDINARY;

const isFound = (judged: Judged): boolean => expectedAlerts(judged).length > 0;

/** Gives the share of violating items in which what is wrong was found. */
export function recallOf(judged: readonly Judged[]): Share {
  return toShare(judged.filter(isFound).length, judged.length);
}

function agreesOnSeverity(judged: Judged): boolean {
  const severities = expectedAlerts(judged).map(({ severity }) => severity);
  const highest = severities.toSorted((one, other) => RANK[other] - RANK[one])[0];
  return highest === judged.item.expectedSeverity;
}

function scoreCategories(
  violating: readonly Judged[],
  alarmed: readonly Judged[],
): Record<string, CategoryScore> {
  const scores: Record<string, CategoryScore> = {};
  const scoreOf = (category: string): CategoryScore =>
    (scores[category] ??= { tp: 0, fn: 0, fp: 0, precision: null, recall: null });
  for (const judged of violating) scoreOf(judged.item.category)[isFound(judged) ? "tp" : "fn"]++;
  for (const { alerts } of alarmed)
    for (const category of new Set(alerts.map((alert) => alert.category))) scoreOf(category).fp++;
  for (const score of Object.values(scores)) {
    const { tp, fn, fp } = score;
    score.precision = toShare(tp, tp + fp).value;
    score.recall = toShare(tp, tp + fn).value;
  }
  return scores;
}

function toMiss(kind: Miss["kind"], { item, alerts }: Judged): Miss {
  const about = (kind === "FN" ? item.expectedRule : item.trap) ?? item.category;
  return { kind, id: item.id, about, found: alerts.map(({ rule }) => rule) };
}

const hasTag =
  (tag: string) =>
  ({ item }: Judged): boolean =>
    item.tags?.some((name) => name === tag || name.startsWith(`${tag}:`)) ?? false;

/** Scores judged items: warnings and violations count, matched by category. */
export function scoreItems(judged: readonly Judged[]): Score {
  const violating = judged.filter(({ item }) => item.label === "violation");
  const fine = judged.filter(({ item }) => item.label === "ok");
  const found = violating.filter(isFound);
  const alarmed = fine.filter(({ alerts }) => alerts.length > 0);
  const familyOf = ({ item }: Judged): string => item.expectedRule ?? item.category;
  const families = [...new Set(violating.map(familyOf))];
  return {
    items: judged.length,
    precision: toShare(found.length, found.length + alarmed.length),
    recall: toShare(found.length, violating.length),
    falsePositiveRate: toShare(alarmed.length, fine.length),
    ordinaryRate: toShare(alarmed.filter(isOrdinary).length, fine.filter(isOrdinary).length),
    byCategory: scoreCategories(violating, alarmed),
    byFamily: Object.fromEntries(
      families.map((family) => [
        family,
        recallOf(violating.filter((one) => familyOf(one) === family)),
      ]),
    ),
    evasionRecall: recallOf(violating.filter(hasTag("evasion"))),
    toolRecall: recallOf(violating.filter(hasTag("tool-based"))),
    numberRecall: recallOf(
      violating.filter(({ item }) => NUMBER_FAMILIES.has(item.expectedRule ?? "")),
    ),
    severityAgreement: toShare(found.filter(agreesOnSeverity).length, found.length),
    misses: [
      ...violating.filter((one) => !isFound(one)).map((one) => toMiss("FN", one)),
      ...alarmed.map((one) => toMiss("FP", one)),
    ],
  };
}
