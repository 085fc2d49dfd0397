import { isCounted, type Tiers } from "../../../src/cli/judge/tally.ts";
import type { TieredFinding } from "../../../src/cli/judge/tiered-findings.ts";
import { toShare, type Share } from "../score.ts";
import { atLeast, atMost, type Threshold } from "../thresholds.ts";
import type { AnsweredQuestion, JudgedAuthorText } from "./judge-text.ts";

/** How violations and ordinary answers of one group fare. */
export interface JudgeGroup {
  /** Violations with a confirmed finding of the expected category. */
  readonly recall: Share;
  /** The same with everything sent. */
  readonly recallOfAll: Share;
}

/** What a thousand answers cost. */
export interface JudgeCost {
  readonly requests: number;
  /** Characters / 4. */
  readonly inputTokens: number;
  /** Of these, the instructions and rules, which are the same for all exchanges of a family. */
  readonly systemTokens: number;
  readonly outputTokens: number;
}

/** How well rules and judge do together; the unit of shares is a text. */
export interface JudgeScore {
  readonly ordinary: {
    readonly byRules: Share;
    /** Alarms of the confirmed tier, and of both. */
    readonly confirmed: Share;
    readonly both: Share;
    /** Texts of which something was sent. */
    readonly sent: Share;
    /** Answers of them that were sent. */
    readonly answersSent: Share;
    /** Texts that the gate keeps back, and in which the judge finds something when an answer of them is sent to every family. */
    readonly unsentWithFinding: Share;
  };
  /** Violations that were asked about. */
  readonly violations: JudgeGroup & {
    readonly byRules: Share;
    readonly both: Share;
    /** Those of which the gate sends an exchange to the family that should find it. */
    readonly sent: Share;
    /** Those that the rules find, the judge contradicts, and of which nothing is confirmed. */
    readonly contradicted: Share;
    readonly byKind: Readonly<Record<string, JudgeGroup>>;
  };
  readonly byCategory: Readonly<Record<string, JudgeGroup & { readonly alarms: Share }>>;
  /** For ordinary answers. */
  readonly costPer1000: JudgeCost;
  readonly requests: { readonly needed: number; readonly missing: number };
  /** Replies that are none, by reason. */
  readonly failures: Readonly<Record<string, number>>;
  readonly droppedClaims: Readonly<Record<string, number>>;
  readonly thresholds: readonly Threshold[];
}

const CHARACTERS_PER_TOKEN = 4;

type Judged = JudgedAuthorText;

const isExpected = (category: string | undefined) => (finding: TieredFinding) =>
  finding.category === category;

const hasCounted = (findings: readonly TieredFinding[], tiers: Tiers): boolean =>
  findings.some((finding) => isCounted(finding, tiers));

const shareOf = <T>(all: readonly T[], isOne: (one: T) => boolean): Share =>
  toShare(all.filter(isOne).length, all.length);

const isFound =
  (tiers: Tiers, of: "findings" | "findingsOfAll" = "findings") =>
  (one: Judged): boolean =>
    hasCounted(one[of].filter(isExpected(one.text.expectedCategory)), tiers);

const isFoundByRules = ({ text, exchanges }: Judged): boolean =>
  exchanges.some(
    ({ evaluation: { requiresReview, violations } }) =>
      requiresReview && violations.some(({ category }) => category === text.expectedCategory),
  );

const isContradicted = (one: Judged): boolean =>
  isFoundByRules(one) &&
  !isFound("confirmed")(one) &&
  one.findings.some(
    ({ tier, category }) => tier === "contradicted" && category === one.text.expectedCategory,
  );

const toGroup = (violations: readonly Judged[]): JudgeGroup => ({
  recall: shareOf(violations, isFound("confirmed")),
  recallOfAll: shareOf(violations, isFound("confirmed", "findingsOfAll")),
});

function groupBy(
  violations: readonly Judged[],
  keyOf: (one: Judged) => string | undefined,
): [string, Judged[]][] {
  const keys = [...new Set(violations.flatMap((one) => keyOf(one) ?? []))].toSorted();
  return keys.map((key) => [key, violations.filter((one) => keyOf(one) === key)]);
}

const isSent = ({ exchanges }: Judged): boolean => exchanges.some(({ asked }) => asked.length > 0);

const isSentToFamily = ({ text, exchanges }: Judged): boolean =>
  exchanges.some(({ asked }) =>
    asked.some(({ question }) => question.request.family === text.expectedCategory),
  );

/** Of texts that the gate keeps back, those that were sent all the same, to every family. */
const isProbed = (one: Judged): boolean =>
  !isSent(one) && one.exchanges.some(({ others }) => others.length > 0);

function scoreOrdinary(ordinary: readonly Judged[]): JudgeScore["ordinary"] {
  const answers = ordinary.flatMap(({ exchanges }) => exchanges);
  return {
    byRules: shareOf(ordinary, ({ requiresReview }) => requiresReview),
    confirmed: shareOf(ordinary, ({ findings }) => hasCounted(findings, "confirmed")),
    both: shareOf(
      ordinary,
      ({ findings, requiresReview }) => requiresReview || hasCounted(findings, "both"),
    ),
    sent: shareOf(ordinary, isSent),
    answersSent: shareOf(answers, ({ asked }) => asked.length > 0),
    unsentWithFinding: shareOf(ordinary.filter(isProbed), ({ findingsOfAll }) =>
      hasCounted(findingsOfAll, "confirmed"),
    ),
  };
}

function scoreViolations(violations: readonly Judged[]): JudgeScore["violations"] {
  return {
    ...toGroup(violations),
    byRules: shareOf(violations, isFoundByRules),
    both: shareOf(violations, isFound("both")),
    sent: shareOf(violations, isSentToFamily),
    contradicted: shareOf(violations, isContradicted),
    byKind: Object.fromEntries(
      groupBy(violations, ({ text }) => text.kind).map(([kind, group]) => [kind, toGroup(group)]),
    ),
  };
}

function scoreCost(ordinary: readonly Judged[]): JudgeCost {
  const answers = ordinary.flatMap(({ exchanges }) => exchanges);
  const asked = answers.flatMap((exchange) => exchange.asked);
  const per1000 = (count: number): number =>
    Math.round((count / Math.max(1, answers.length)) * 1000);
  const tokens = (lengthOf: (one: AnsweredQuestion) => number): number =>
    per1000(asked.reduce((sum, one) => sum + lengthOf(one), 0) / CHARACTERS_PER_TOKEN);
  return {
    requests: per1000(asked.length),
    inputTokens: tokens(({ question: { request } }) => request.system.length + request.user.length),
    systemTokens: tokens(({ question: { request } }) => request.system.length),
    outputTokens: tokens(({ answer }) => answer?.judgement.replyLength ?? 0),
  };
}

function addUp(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const all: Record<string, number> = {};
  for (const [name, count] of counts.flatMap((one) => Object.entries(one)))
    if (count > 0) all[name] = (all[name] ?? 0) + count;
  return all;
}

function scoreReplies(all: readonly AnsweredQuestion[]) {
  const judgements = all.flatMap(({ answer }) => (answer ? [answer.judgement] : []));
  return {
    requests: { needed: all.length, missing: all.length - judgements.length },
    failures: addUp(
      judgements.flatMap(({ failure }) => (failure === undefined ? [] : [{ [failure]: 1 }])),
    ),
    droppedClaims: addUp(judgements.map(({ dropped }) => dropped)),
  };
}

function toThresholds(
  { confirmed, both, sent }: JudgeScore["ordinary"],
  { recall, recallOfAll }: JudgeGroup,
): Threshold[] {
  return [
    atLeast("recall of the confirmed tier", recall.value, 0.9),
    atLeast("recall with everything sent", recallOfAll.value, 0.97),
    atMost("alarms of the confirmed tier", confirmed, 0.003),
    atMost("alarms of both tiers", both, 0.012),
    atMost("ordinary texts sent", sent, 0.25),
  ];
}

/**
 * Scores texts that rules and judge have read.
 *
 * @param ordinary - All of them: what is not sent can't be alarmed by the judge.
 * @param violations - Those that were asked about.
 */
export function scoreJudge(ordinary: readonly Judged[], violations: readonly Judged[]): JudgeScore {
  const scores = { ordinary: scoreOrdinary(ordinary), violations: scoreViolations(violations) };
  const alarmsOf = (category: string): Share =>
    shareOf(ordinary, ({ findings }) =>
      hasCounted(findings.filter(isExpected(category)), "confirmed"),
    );
  const groups = groupBy(violations, ({ text }) => text.expectedCategory);
  return {
    ...scores,
    byCategory: Object.fromEntries(
      groups.map(([category, group]) => [
        category,
        { ...toGroup(group), alarms: alarmsOf(category) },
      ]),
    ),
    costPer1000: scoreCost(ordinary),
    ...scoreReplies(
      [...ordinary, ...violations].flatMap(({ exchanges }) =>
        exchanges.flatMap(({ asked, others }) => [...asked, ...others]),
      ),
    ),
    thresholds: toThresholds(scores.ordinary, scores.violations),
  };
}
