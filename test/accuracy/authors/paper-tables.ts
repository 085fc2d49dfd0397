import { toCode, toTable } from "../../../.ci/docs/markdown.ts";
import type { Reliability } from "../../calibration/reliability.ts";
import type { RecordedJudge } from "../judge/command.ts";
import type { JudgeGroup } from "../judge/score.ts";
import type { Share } from "../score.ts";
import type { CurvePoint } from "./curve.ts";
import type { AuthorScore, GroupScore } from "./score.ts";

/** What the tables of docs/accuracy.md are made of. */
export interface PaperFigures {
  readonly heldOut: AuthorScore;
  /** Of the other authors, each judged without what was learnt of them. */
  readonly others: AuthorScore;
  readonly curve: readonly CurvePoint[];
  readonly reliability: Reliability;
  /** Absent: no replies are recorded. */
  readonly judge: RecordedJudge | undefined;
}

type PlainShare = Pick<Share, "value" | "low" | "high">;
type Row = readonly string[];

const FAMILIES = 12;
const NONE = "-";
const AREAS: readonly (readonly [category: string, name: string])[] = [
  ["bsa_aml", "bank secrecy"],
  ["fair_lending", "fair lending"],
  ["privacy", "privacy"],
  ["consumer_protection", "consumer protection"],
  ["sr_11_7", "model risk"],
];
const KINDS: readonly (readonly [kind: string, name: string])[] = [
  ["plain", "recall, plain"],
  ["subtle", "recall, subtle"],
  ["two-turn", "recall, over two turns"],
  ["tool", "recall, shown by tools or facts"],
];
/** Whose assistant each author wrote for; those of the briefs. */
const ASSISTANTS: Readonly<Record<string, string>> = {
  a01: "retail support of a community bank",
  a02: "mortgages and servicing",
  a03: "credit cards, in an app, with tools",
  a04: "small businesses",
  a05: "wealth and retirement",
  a06: "collections and hardship",
  a07: "branch staff and call centre",
  a08: "BSA/AML and fraud operations",
  a09: "a neobank of students and immigrants",
  a10: "payments, with tools in most turns",
  a11: "a credit union",
  a12: "personal loans, declined applications",
  a13: "phone, answers read aloud",
  a14: "private bank",
  a15: "financial education",
  a16: "disputes, fraud, complaints",
};

const toPercent = (value: number | null): string => ((value ?? 0) * 100).toFixed(1);
const toDecimals = (value: number | null, digits: number): string =>
  value === null ? NONE : value.toFixed(digits);
const toCount = (count: number): string => count.toLocaleString("en-US");
const toRate = ({ value }: PlainShare): string => (value === null ? NONE : `${toPercent(value)} %`);
const toInterval = (share: PlainShare): string =>
  share.value === null
    ? NONE
    : `${toRate(share)} [${toPercent(share.low)}–${toPercent(share.high)}]`;
const toCounted = (share: Share): string =>
  `${toInterval(share)} (${toCount(share.hits)} of ${toCount(share.total)})`;
const toBold = (text: string): string => `**${text}**`;

function toLongAnswers({ heldOut, others }: PaperFigures): string {
  const row = (name: string, toCell: (score: AuthorScore) => string): Row => [
    name,
    toCell(heldOut),
    toCell(others),
  ];
  return toTable(
    ["", "held-out authors", "other authors, cross-validated"],
    [
      row("ordinary texts", ({ alarms }) => toCount(alarms.total)),
      row("violations", ({ recall }) => toCount(recall.total)),
      [toBold("alarms"), toBold(toCounted(heldOut.alarms)), toCounted(others.alarms)],
      [toBold("recall"), toBold(toCounted(heldOut.recall)), toCounted(others.recall)],
      row("of those found, on the passage itself", ({ onPassage }) => toRate(onPassage)),
      ...KINDS.map(([kind, name]) =>
        row(name, ({ byKind: { [kind]: share } }) => (share ? toCounted(share) : NONE)),
      ),
      row("candidates: violations with anything found", ({ candidates }) =>
        toRate(candidates.recall),
      ),
      row("candidates: of the expected area of law", ({ candidates }) =>
        toRate(candidates.recallOfCategory),
      ),
      row("candidates: ordinary texts with anything found", ({ candidates }) =>
        toRate(candidates.share),
      ),
    ],
  );
}

function toPrecisions({ precisionAt }: AuthorScore): string {
  return toTable(
    ["violations among all answers", "precision", "alarms in 1,000 answers", "of them right"],
    precisionAt.map(({ baseRate, precision, low, high, alarmsPer1000, rightPer1000 }) => [
      `${+(baseRate * 100).toPrecision(2)} %`,
      `${toDecimals(precision, 2)} [${toDecimals(low, 2)}–${toDecimals(high, 2)}]`,
      toDecimals(alarmsPer1000, 1),
      toDecimals(rightPer1000, 1),
    ]),
  );
}

const toGroupCells = (group: GroupScore | undefined): Row =>
  group ? [toInterval(group.alarms), toInterval(group.recall)] : [NONE, NONE];

function toSideBySide(
  head: string,
  names: readonly (readonly [key: string, name: string])[],
  [heldOut, others]: readonly [
    Readonly<Record<string, GroupScore>>,
    Readonly<Record<string, GroupScore>>,
  ],
): string {
  return toTable(
    [head, "held-out: alarms", "recall", "other authors: alarms", "recall"],
    names.map(([key, name]) => [name, ...toGroupCells(heldOut[key]), ...toGroupCells(others[key])]),
  );
}

function toAuthors({ heldOut, others }: PaperFigures): string {
  const groups = [...Object.entries(heldOut.byAuthor), ...Object.entries(others.byAuthor)];
  return toTable(
    ["author", "assistant", "alarms", "recall"],
    groups.map(([author, { alarms, recall }]) => [
      author,
      ASSISTANTS[author] ?? NONE,
      toCounted(alarms),
      toCounted(recall),
    ]),
  );
}

function toThresholds({ curve }: PaperFigures): string {
  return toTable(
    ["confidence from", "alarms", "recall"],
    curve.map(({ threshold, alarms, recall }) => [
      threshold.toFixed(3),
      toInterval(alarms),
      toInterval(recall),
    ]),
  );
}

function toReliabilityTable({ reliability }: PaperFigures): string {
  return toTable(
    ["confidence", "said", "right"],
    reliability.bins.map(({ from, to, expected, observed: { value, low, high } }) => [
      `${from.toFixed(1)} to ${to.toFixed(1)}`,
      toDecimals(expected, 2),
      `${toDecimals(value, 2)} [${toDecimals(low, 2)}–${toDecimals(high, 2)}]`,
    ]),
  );
}

function toFamilies({ others }: PaperFigures): string {
  const families = Object.entries(others.byFamily).toSorted(
    ([, { value: one }], [, { value: other }]) => (one ?? 0) - (other ?? 0),
  );
  return toTable(
    ["family", "found", "of"],
    families
      .slice(0, FAMILIES)
      .map(([name, share]) => [toCode(name), toInterval(share), String(share.total)]),
  );
}

const toAlarmingRules = ({ others: { alarmingRules } }: PaperFigures): string =>
  alarmingRules.map(({ rule, alarms }) => `${toCode(rule)} ${alarms}`).join(", ");

const NOT_JUDGED = "Not measured: no replies are recorded.";

function toJudge(judge: RecordedJudge): string {
  const { ordinary, violations, costPer1000: cost, requests, failures, droppedClaims } = judge;
  const replies = toCount(requests.needed - requests.missing);
  const countAll = (counts: Readonly<Record<string, number>>): string =>
    toCount(Object.values(counts).reduce((sum, count) => sum + count, 0));
  return toTable(
    ["", "held-out authors"],
    [
      [toBold("recall of the confirmed tier"), toBold(toCounted(violations.recall))],
      ["recall of both tiers", toCounted(violations.both)],
      ["recall of the rules alone, the same violations", toCounted(violations.byRules)],
      ["violations that are sent to the family that should find them", toCounted(violations.sent)],
      ["recall with everything sent", toCounted(violations.recallOfAll)],
      [
        "violations found by the rules that the judge contradicts",
        toCounted(violations.contradicted),
      ],
      [toBold("alarms of the confirmed tier"), toBold(toCounted(ordinary.confirmed))],
      ["alarms of both tiers", toCounted(ordinary.both)],
      ["alarms of the rules alone", toCounted(ordinary.byRules)],
      ["ordinary texts of which an answer is sent", toCounted(ordinary.sent)],
      [
        "ordinary texts not sent: with a finding if they are",
        toCounted(ordinary.unsentWithFinding),
      ],
      ["requests for 1,000 ordinary answers", toCount(cost.requests)],
      [
        "tokens for 1,000 ordinary answers (characters / 4)",
        `${toCount(cost.inputTokens)} in, ${toCount(cost.systemTokens)} of them instructions and rules; ${toCount(cost.outputTokens)} out`,
      ],
      [
        "replies; that can't be read; claims that don't hold",
        `${replies}; ${countAll(failures)}; ${countAll(droppedClaims)}`,
      ],
      ["prompt, models, dates", toProvenance(judge)],
    ],
  );
}

function toProvenance({ promptVersion, models, dates }: RecordedJudge): string {
  const names = Object.entries(models).map(([name, count]) => `${name} (${toCount(count)})`);
  const time = dates ? `${dates.from} to ${dates.to}` : NONE;
  return [`version ${promptVersion}`, names.join(", "), time].join("; ");
}

function toJudgeGroups({ byCategory, violations }: RecordedJudge): string {
  const toCells = (group: JudgeGroup | undefined): Row =>
    group ? [toInterval(group.recall), toInterval(group.recallOfAll)] : [NONE, NONE];
  return toTable(
    ["", "recall, confirmed tier", "recall, everything sent", "alarms, confirmed tier"],
    [
      ...AREAS.map(([category, name]) => {
        const group = byCategory[category];
        return [name, ...toCells(group), group ? toInterval(group.alarms) : NONE];
      }),
      ...KINDS.map(([kind, name]) => [
        name.replace("recall, ", ""),
        ...toCells(violations.byKind[kind]),
        "",
      ]),
    ],
  );
}

/** Gives the generated parts of docs/accuracy.md by their markers. */
export function toPaperParts(figures: PaperFigures): Readonly<Record<string, string>> {
  const { heldOut, others } = figures;
  const lengths = Object.keys(others.byLength).map((name): readonly [string, string] => [
    name,
    name,
  ]);
  return {
    "long-answers": toLongAnswers(figures),
    "precision:held-out": toPrecisions(heldOut),
    "precision:others": toPrecisions(others),
    areas: toSideBySide("area", AREAS, [heldOut.byCategory, others.byCategory]),
    authors: toAuthors(figures),
    lengths: toSideBySide("characters", lengths, [heldOut.byLength, others.byLength]),
    thresholds: toThresholds(figures),
    reliability: toReliabilityTable(figures),
    families: toFamilies(figures),
    "alarming-rules": toAlarmingRules(figures),
    ...toJudgeParts(figures.judge),
  };
}

/** Writes the tables of the judge. */
export function toJudgeParts(judge: RecordedJudge | undefined): Readonly<Record<string, string>> {
  if (!judge) return { judge: NOT_JUDGED, "judge:groups": NOT_JUDGED };
  return { judge: toJudge(judge), "judge:groups": toJudgeGroups(judge) };
}
