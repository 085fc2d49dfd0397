import type { ComplianceFlag, ComplianceSeverity, ViolationContext } from "../events/compliance.ts";

/** A part of a message, in UTF-16 units. */
export interface Passage {
  /** Name of the message, `agentResponse`. */
  readonly source: string;
  readonly start: number;
  readonly end: number;
}

const RANKS: Readonly<Record<ComplianceSeverity, number>> = { info: 0, warning: 1, violation: 2 };

/** Returns whether something says where it stands in a message. */
export function isPassage(value: unknown): value is Passage {
  if (typeof value !== "object" || value === null) return false;
  const { source, start, end } = value as Partial<Passage>;
  return typeof source === "string" && Number.isFinite(start) && Number.isFinite(end);
}

/** Reads where a finding stands: from its first span to its last, as far as they are in the same message. */
export function passageOf({
  context,
}: {
  readonly context?: ViolationContext | undefined;
}): Passage | undefined {
  const spans: unknown = context?.["spans"];
  if (!Array.isArray(spans)) return undefined;
  const [first, ...others] = spans.filter(isPassage);
  if (!first) return undefined;
  let { start, end } = first;
  for (const span of others) {
    if (span.source !== first.source) continue;
    start = Math.min(start, span.start);
    end = Math.max(end, span.end);
  }
  return { source: first.source, start, end };
}

/** Returns whether two passages share a part. */
export function overlaps(one: Passage, other: Passage): boolean {
  return one.source === other.source && one.start < other.end && other.start < one.end;
}

/** Sorts findings by severity, those of one severity by confidence. */
function mostSevereFirst(findings: readonly ComplianceFlag[]): ComplianceFlag[] {
  return findings.toSorted(
    (one, other) =>
      RANKS[other.severity] - RANKS[one.severity] ||
      (other.confidence ?? 1) - (one.confidence ?? 1),
  );
}

interface Kept {
  readonly finding: ComplianceFlag;
  readonly passage: Passage | undefined;
  readonly alsoMatched: Set<string>;
}

function toFinding({ finding, alsoMatched }: Kept): ComplianceFlag {
  const { context } = finding;
  alsoMatched.delete(context?.detectedPattern ?? "");
  if (alsoMatched.size === 0) return finding;
  return { ...finding, context: { ...context, alsoMatched: [...alsoMatched] } };
}

/**
 * Makes one finding of those of one rule whose passages overlap: the most severe is kept and names the patterns of the
 * others.
 *
 * @param limit - Number of findings that are kept, the most severe first.
 */
export function mergeOverlapping(
  findings: readonly ComplianceFlag[],
  limit: number,
): ComplianceFlag[] {
  if (findings.length < 2) return [...findings];
  const kept: Kept[] = [];
  for (const finding of mostSevereFirst(findings)) {
    const passage = passageOf(finding);
    const owner =
      passage && kept.find((other) => other.passage && overlaps(other.passage, passage));
    const pattern = finding.context?.detectedPattern;
    if (owner) {
      if (pattern !== undefined) owner.alsoMatched.add(pattern);
    } else if (kept.length < limit) kept.push({ finding, passage, alsoMatched: new Set() });
  }
  return kept.map(toFinding);
}

/** Leaves out what overlaps one of the findings. */
export function withoutOverlapping(
  candidates: readonly ComplianceFlag[],
  findings: readonly ComplianceFlag[],
): ComplianceFlag[] {
  const taken = findings.map(passageOf).filter((passage) => passage !== undefined);
  return candidates.filter((candidate) => {
    const passage = passageOf(candidate);
    return !passage || !taken.some((other) => overlaps(other, passage));
  });
}

/**
 * Groups findings of several rules whose passages overlap: each but the most severe says under which rule it is grouped.
 * Their order stays.
 */
export function groupByPassage(findings: readonly ComplianceFlag[]): ComplianceFlag[] {
  if (findings.length < 2) return [...findings];
  const leaders: { readonly rule: string; readonly passage: Passage }[] = [];
  const leaderOf = new Map<ComplianceFlag, string>();
  for (const finding of mostSevereFirst(findings)) {
    const passage = passageOf(finding);
    if (!passage) continue;
    const leader = leaders.find((other) => overlaps(other.passage, passage));
    if (leader) leaderOf.set(finding, leader.rule);
    else leaders.push({ rule: finding.rule, passage });
  }
  return findings.map((finding) => {
    const groupedUnder = leaderOf.get(finding);
    if (groupedUnder === undefined) return finding;
    return { ...finding, context: { ...finding.context, groupedUnder } };
  });
}
