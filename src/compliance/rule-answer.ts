import {
  complianceViolationSchema,
  type ComplianceFlag,
  type ComplianceResult,
  type ComplianceRule,
  type ComplianceViolation,
} from "../events/compliance.ts";
import { toErrorName } from "../util/logger.ts";
import { toJsonValue } from "../util/safe-json.ts";
import { isDefinedRule } from "./is-defined-rule.ts";
import type { ContextView } from "./context-view.ts";
import { isPassage, mergeOverlapping, withoutOverlapping } from "./passages.ts";
import { toOrigin } from "./rule-origin.ts";
import type { ScoredFamily } from "./scoring.ts";

const MAX_FINDINGS_PER_RULE = 20;
const MAX_FINDINGS_READ = 1000;
/** Bound of one finding in UTF-16 units of JSON. */
const MAX_FINDING_LENGTH = 16_384;

/** What a rule said about one interaction. */
export interface RuleAnswer extends ScoredFamily {
  readonly findings: readonly ComplianceFlag[];
  /** What lies below the rule's threshold. */
  readonly candidates: readonly ComplianceFlag[];
  readonly requiresReview: boolean;
}

// What most rules say of most answers.
const NOTHING_FOUND: RuleAnswer = {
  findings: [],
  candidates: [],
  ownScore: undefined,
  requiresReview: false,
};
const NOTHING_BUT_REVIEW: RuleAnswer = { ...NOTHING_FOUND, requiresReview: true };

/** Thrown when a rule gives something else than a ComplianceResult. */
class RuleResultError extends Error {
  override readonly name = "RuleResultError";
}

/** Names an error that may be anything; only our own has a message that carries no content. */
export function describeError(error: unknown): string {
  try {
    return error instanceof RuleResultError ? error.message : toErrorName(error);
  } catch {
    return "Error";
  }
}

/** Reads each member once, because a rule of somebody else may answer with anything. */
function checkShape(result: unknown): ComplianceResult {
  if (typeof result !== "object" || result === null)
    throw new RuleResultError("expected a ComplianceResult");
  const { isCompliant, violations, riskScore, requiresReview, candidates } =
    result as ComplianceResult;
  const isWellFormed =
    typeof isCompliant === "boolean" &&
    typeof requiresReview === "boolean" &&
    Array.isArray(violations) &&
    (candidates === undefined || Array.isArray(candidates)) &&
    riskScore >= 0 &&
    riskScore <= 100;
  if (!isWellFormed) throw new RuleResultError("expected a ComplianceResult");
  return { isCompliant, violations, riskScore, requiresReview, candidates };
}

/** Moves spans found in the tail of a shortened text to where they stand in the original. */
function toOriginalSpans(spans: unknown, cuts: ContextView["cuts"]): unknown {
  if (!Array.isArray(spans)) return spans;
  return spans.map((span: unknown) => {
    const cut = isPassage(span) ? cuts.get(span.source) : undefined;
    if (!isPassage(span) || !cut) return span;
    const move = (position: number): number =>
      position < cut.tailStart ? position : position + cut.shift;
    return { ...span, start: move(span.start), end: move(span.end) };
  });
}

function toFlag(
  rule: ComplianceRule,
  violation: unknown,
  view: ContextView,
  now: number,
): ComplianceFlag {
  const parsed = complianceViolationSchema.safeParse(violation);
  if (!parsed.success) throw new RuleResultError("expected ComplianceViolations");
  const { timestamp = now } = parsed.data;
  // A rule may put anything into a finding; the event that carries it must be JSON.
  const { value } = toJsonValue(parsed.data, MAX_FINDING_LENGTH);
  const flag: ComplianceFlag = {
    ...(value as unknown as ComplianceViolation),
    timestamp,
    rule: rule.id,
    category: rule.category,
  };
  const origin = toOrigin(rule);
  if (origin) flag.context = { ...flag.context, ...origin };
  if (view.truncated && flag.context?.["spans"] !== undefined) {
    flag.context = { ...flag.context, spans: toOriginalSpans(flag.context["spans"], view.cuts) };
  }
  return flag;
}

/** Stands in for the finding that a rule left out when it said "not compliant". */
function unexplained(rule: ComplianceRule): ComplianceViolation {
  return { rule: rule.id, severity: rule.severity, description: rule.description };
}

function toFlags(
  rule: ComplianceRule,
  found: readonly unknown[],
  view: ContextView,
  now: number,
): ComplianceFlag[] {
  return found.slice(0, MAX_FINDINGS_READ).map((violation) => toFlag(rule, violation, view, now));
}

/**
 * Reads the result of a rule, which may be anything.
 *
 * @param now - Timestamp of findings that have none.
 */
export function readRuleAnswer(
  rule: ComplianceRule,
  result: unknown,
  view: ContextView,
  now: number,
): RuleAnswer {
  const { isCompliant, violations, riskScore, requiresReview, candidates } = checkShape(result);
  const ownScore = isDefinedRule(rule) || riskScore === 0 ? undefined : riskScore;
  const found = isCompliant || violations.length > 0 ? violations : [unexplained(rule)];
  const isSilent = found.length === 0 && (candidates === undefined || candidates.length === 0);
  if (isSilent && ownScore === undefined)
    return requiresReview ? NOTHING_BUT_REVIEW : NOTHING_FOUND;
  const findings = mergeOverlapping(toFlags(rule, found, view, now), MAX_FINDINGS_PER_RULE);
  const below = withoutOverlapping(toFlags(rule, candidates ?? [], view, now), findings);
  return {
    findings,
    candidates: mergeOverlapping(below, MAX_FINDINGS_PER_RULE),
    ownScore,
    requiresReview,
  };
}
