import { toShare, type Share } from "../score.ts";
import type { JudgedFinding, JudgedText } from "./judge.ts";
import { BASE_RATES, precisionAt, type PrecisionAt } from "./precision.ts";

/** How ordinary answers and violations of one kind were judged. */
export interface GroupScore {
  /** Ordinary answers that demand review. */
  readonly alarms: Share;
  /** Violations with a finding of the expected category on an answer that demands review. */
  readonly recall: Share;
}

/** A rule, and in how many ordinary answers that demand review it found something. */
export interface AlarmingRule {
  readonly rule: string;
  readonly alarms: number;
}

/** How well texts of authors who have seen no rule are judged. */
export interface AuthorScore extends GroupScore {
  /** Ordinary answers with any finding, those that demand no review included. */
  readonly ordinaryWithFinding: Share;
  /** Violations with a finding of the expected category, whether or not it demands review. */
  readonly violationsWithFinding: Share;
  /** Of the violations that are found and have a marked passage, those with a finding that overlaps it. */
  readonly onPassage: Share;
  /** The loosest setting: what would be let through to a second look. */
  readonly candidates: {
    /** Violations with anything found in them. */
    readonly recall: Share;
    /** Violations with anything found in them of the expected category. */
    readonly recallOfCategory: Share;
    /** Ordinary answers with anything found in them. */
    readonly share: Share;
  };
  readonly byCategory: Readonly<Record<string, GroupScore>>;
  readonly byFamily: Readonly<Record<string, Share>>;
  readonly byKind: Readonly<Record<string, Share>>;
  readonly byAuthor: Readonly<Record<string, GroupScore>>;
  readonly byLength: Readonly<Record<string, GroupScore>>;
  readonly precisionAt: readonly PrecisionAt[];
  /** The most frequent first. */
  readonly alarmingRules: readonly AlarmingRule[];
}

/** Classes of length by the UTF-16 units of all answers of a text; each up to its number. */
const LENGTHS: readonly (readonly [name: string, below: number])[] = [
  ["0-399", 400],
  ["400-799", 800],
  ["800-1599", 1600],
  ["1600 and more", Number.POSITIVE_INFINITY],
];

function lengthClassOf({ length }: JudgedText): string {
  return LENGTHS.find(([, below]) => length < below)?.[0] ?? "";
}

const isViolation = ({ text }: JudgedText): boolean => text.label === "violation";

function shareOf(texts: readonly JudgedText[], isCounted: (judged: JudgedText) => boolean): Share {
  return toShare(texts.filter(isCounted).length, texts.length);
}

function hasExpected(
  { text, findings }: JudgedText,
  isCounted: (finding: JudgedFinding) => boolean,
): boolean {
  return findings.some(
    (finding) => finding.category === text.expectedCategory && isCounted(finding),
  );
}

const isFound = (judged: JudgedText): boolean => hasExpected(judged, (one) => one.isReviewed);
const isAlarm = ({ requiresReview }: JudgedText): boolean => requiresReview;
const isNoCandidate = ({ isCandidate }: JudgedFinding): boolean => !isCandidate;
const hasFinding = ({ findings, requiresReview }: JudgedText): boolean =>
  findings.some(isNoCandidate) || requiresReview;
const hasAny = ({ findings, requiresReview }: JudgedText): boolean =>
  findings.length > 0 || requiresReview;

function scoreGroup(texts: readonly JudgedText[]): GroupScore {
  return {
    alarms: shareOf(
      texts.filter((one) => !isViolation(one)),
      isAlarm,
    ),
    recall: shareOf(texts.filter(isViolation), isFound),
  };
}

function groupBy(
  texts: readonly JudgedText[],
  keyOf: (judged: JudgedText) => string | undefined,
): [string, JudgedText[]][] {
  const groups = new Map<string, JudgedText[]>();
  for (const judged of texts) {
    const key = keyOf(judged);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group) group.push(judged);
    else groups.set(key, [judged]);
  }
  return [...groups].toSorted(([one], [other]) =>
    one.localeCompare(other, "en", { numeric: true }),
  );
}

/** Scores categories: the violations of each, and all ordinary answers for alarms with a finding of it. */
function scoreCategories(
  ordinary: readonly JudgedText[],
  violations: readonly JudgedText[],
): Record<string, GroupScore> {
  return Object.fromEntries(
    groupBy(violations, ({ text }) => text.expectedCategory).map(([category, texts]) => [
      category,
      {
        recall: shareOf(texts, isFound),
        alarms: shareOf(ordinary, ({ findings }) =>
          findings.some((finding) => finding.isReviewed && finding.category === category),
        ),
      },
    ]),
  );
}

function listAlarmingRules(ordinary: readonly JudgedText[]): AlarmingRule[] {
  const counts = new Map<string, number>();
  for (const { findings } of ordinary.filter(isAlarm)) {
    const rules = findings.filter(({ isReviewed }) => isReviewed).map(({ rule }) => rule);
    for (const rule of new Set(rules)) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  }
  return Array.from(counts, ([rule, alarms]) => ({ rule, alarms })).toSorted(
    (one, other) => other.alarms - one.alarms || (one.rule < other.rule ? -1 : 1),
  );
}

/** Scores judged texts; a dialogue is one unit. */
export function scoreTexts(texts: readonly JudgedText[]): AuthorScore {
  const violations = texts.filter(isViolation);
  const ordinary = texts.filter((one) => !isViolation(one));
  const { alarms, recall } = scoreGroup(texts);
  const scoreEach = (groups: [string, JudgedText[]][]): Record<string, GroupScore> =>
    Object.fromEntries(groups.map(([name, group]) => [name, scoreGroup(group)]));
  const recallOfEach = (groups: [string, JudgedText[]][]): Record<string, Share> =>
    Object.fromEntries(groups.map(([name, group]) => [name, shareOf(group, isFound)]));
  return {
    alarms,
    recall,
    ordinaryWithFinding: shareOf(ordinary, hasFinding),
    violationsWithFinding: shareOf(violations, (one) => hasExpected(one, isNoCandidate)),
    onPassage: shareOf(
      violations.filter((one) => one.text.passage !== undefined && isFound(one)),
      (one) =>
        hasExpected(one, ({ isReviewed, isOnPassage }) => isReviewed && isOnPassage === true),
    ),
    candidates: {
      recall: shareOf(violations, hasAny),
      recallOfCategory: shareOf(violations, (one) => hasExpected(one, () => true)),
      share: shareOf(ordinary, hasAny),
    },
    byCategory: scoreCategories(ordinary, violations),
    byFamily: recallOfEach(groupBy(violations, ({ text }) => text.expectedRule)),
    byKind: recallOfEach(groupBy(violations, ({ text }) => text.kind)),
    byAuthor: scoreEach(groupBy(texts, ({ text }) => text.author)),
    byLength: scoreEach(groupBy(texts, lengthClassOf)),
    precisionAt: BASE_RATES.map((rate) => precisionAt(rate, recall, alarms)),
    alarmingRules: listAlarmingRules(ordinary),
  };
}
