import { countFindings, type FindingCount, type FindingFigures } from "../store/finding-figures.ts";
import {
  type AnswerCount,
  listAnswerCounts,
  listSampleCounts,
  MAX_GROUPS,
  type QualityFilter,
  type SampleCount,
} from "../store/quality-store.ts";
import { readTogether } from "../store/query.ts";
import type { SqlDatabase } from "../store/sql-database.ts";
import type { JudgedTier } from "../../events/judge-result.ts";
import {
  boundRecall,
  type DecisionCounts,
  type Elusion,
  estimateElusion,
  type FlaggedCounts,
  noDecisions,
  type Recall,
  type Share,
  type Stratum,
  toViolationShare,
} from "./estimates.ts";
import type { Steps } from "../turns.ts";

/** Findings of a rule, and how often they are right. */
export interface Precision extends DecisionCounts {
  readonly findings: number;
  /** Those that suppressions hold back. */
  readonly heldBack: number;
  /** Violations among what was decided; `null` where nothing was. */
  readonly precision: Share | null;
}

/** A rule's precision, and that of its findings by what the judge says; an empty tier is what it has said nothing of. */
export interface RulePrecision extends Precision {
  readonly rule: string;
  readonly tiers: readonly (Precision & { readonly tier: JudgedTier | "" })[];
}

/** The sample, and how far people are with it. */
export interface SampleProgress {
  readonly answers: number;
  readonly flagged: number;
  /** Answers without findings. */
  readonly population: number;
  readonly sampled: number;
  /** Decided ones; those with insufficient evidence are counted apart. */
  readonly reviewed: number;
  readonly violations: number;
  readonly insufficientEvidence: number;
  /** Nobody has decided about them: they count as neither. */
  readonly unreviewed: number;
  /** Something was found in them since, which puts them out of the sample. */
  readonly flaggedSince: number;
  readonly elusion: Elusion | null;
}

/** The sample of an agent. */
export interface AgentSample extends SampleProgress {
  readonly organizationId: string;
  readonly agentId: string;
  /** Rates of the period, 0 to 1; several where it was changed. */
  readonly rates: readonly number[];
}

/** What the rules find rightly, and what they miss. */
export interface Quality {
  readonly from: number;
  readonly to: number;
  readonly sample: SampleProgress;
  /** Answers with findings. */
  readonly flagged: FlaggedCounts & { readonly answers: number };
  /** `null` until something of the sample is decided. */
  readonly recall: Recall | null;
  readonly agents: readonly AgentSample[];
  readonly rules: readonly RulePrecision[];
}

const sumOf = <T>(rows: readonly T[], of: (row: T) => number): number =>
  rows.reduce((total, row) => total + of(row), 0);

function groupBy<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}

function toDecisions(rows: readonly Pick<FindingCount, "count" | "disposition">[]): DecisionCounts {
  const counts = noDecisions();
  for (const { disposition, count } of rows) counts[disposition ?? "undecided"] += count;
  return counts;
}

function toPrecision(rows: readonly FindingCount[]): Precision {
  const decisions = toDecisions(rows);
  return {
    findings: sumOf(rows, ({ count }) => count),
    heldBack: sumOf(rows, ({ heldBack }) => heldBack),
    ...decisions,
    precision: toViolationShare(decisions),
  };
}

function toRules(rows: readonly FindingCount[]): RulePrecision[] {
  const rules = [...groupBy(rows, ({ rule }) => rule)].map(([rule, ofRule]) => {
    const whole = toPrecision(ofRule);
    const groups = [...groupBy(ofRule, ({ tier }) => tier)];
    const tiers = groups.map(([, ofTier]) => ({
      tier: ofTier[0]?.tier ?? ("" as const),
      // An interval takes half a millisecond: that of the only tier is known.
      ...(groups.length === 1 ? whole : toPrecision(ofTier)),
    }));
    return { rule, ...whole, tiers };
  });
  return rules.toSorted((one, other) => other.findings - one.findings);
}

/** Puts together what was sampled at the same rate. */
function toStrata(counts: readonly AnswerCount[], sampled: readonly SampleCount[]): Stratum[] {
  const byRate = groupBy(counts, ({ rate }) => String(rate));
  return [...byRate].map(([name, rows]) => ({
    rate: Number(name),
    population: sumOf(rows, ({ population }) => population),
    decisions: toDecisions(sampled.filter(({ rate }) => rate === Number(name))),
  }));
}

function toProgress(counts: readonly AnswerCount[], all: readonly SampleCount[]): SampleProgress {
  const sampled = all.filter(({ isFlagged }) => !isFlagged);
  const decisions = toDecisions(sampled);
  const { violation, false_positive: falsePositive, acceptable } = decisions;
  return {
    answers: sumOf(counts, ({ answers }) => answers),
    flagged: sumOf(counts, ({ flagged }) => flagged),
    population: sumOf(counts, ({ population }) => population),
    sampled: sumOf(sampled, ({ count }) => count),
    reviewed: violation + falsePositive + acceptable,
    violations: violation,
    insufficientEvidence: decisions.insufficient_evidence,
    unreviewed: decisions.undecided,
    flaggedSince: sumOf(all, ({ count }) => count) - sumOf(sampled, ({ count }) => count),
    elusion: estimateElusion(toStrata(counts, sampled)),
  };
}

const toAgentKey = ({ organizationId, agentId }: AnswerCount | SampleCount): string =>
  JSON.stringify([organizationId, agentId]);

function toAgents(counts: readonly AnswerCount[], sampled: readonly SampleCount[]): AgentSample[] {
  const sampledOf = groupBy(sampled, toAgentKey);
  const agents = [...groupBy(counts, toAgentKey)].flatMap(([key, rows]): AgentSample[] => {
    const [first] = rows;
    if (!first) return [];
    const { organizationId, agentId } = first;
    const rates = [...new Set(rows.map(({ rate }) => rate))];
    return [{ organizationId, agentId, rates, ...toProgress(rows, sampledOf.get(key) ?? []) }];
  });
  return agents.toSorted((one, other) => other.answers - one.answers);
}

/** Agents and rules that are shown, those with the most answers and findings. */
const MAX_SHOWN = 500;

/** What the measures of some days are made of. */
export interface QualityFigures {
  readonly findings: FindingFigures;
  readonly counts: readonly AnswerCount[];
  readonly sampled: readonly SampleCount[];
}

/** Reads the findings, the answers and the sample of some days. */
export function* readFigures(database: SqlDatabase, filter: QualityFilter): Steps<QualityFigures> {
  const [findings, counts, sampled] = yield* readTogether(
    database,
    countFindings(database, filter),
    listAnswerCounts(database, filter, { limit: MAX_GROUPS }),
    listSampleCounts(database, filter),
  );
  return { findings, counts, sampled };
}

/** Measures the findings of some days against what people have decided. */
export function toQuality(
  { from, to }: QualityFilter,
  { findings, counts, sampled }: QualityFigures,
): Quality {
  const { flagged } = findings;
  const sample = toProgress(counts, sampled);
  return {
    from,
    to,
    sample,
    flagged,
    recall: sample.elusion && boundRecall(flagged, sample.elusion),
    agents: toAgents(counts, sampled).slice(0, MAX_SHOWN),
    rules: toRules(findings.counts).slice(0, MAX_SHOWN),
  };
}

/** Measures the findings of some days, which are read first. */
export function* measureQuality(database: SqlDatabase, filter: QualityFilter): Steps<Quality> {
  return toQuality(filter, yield* readFigures(database, filter));
}
