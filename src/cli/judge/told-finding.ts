import type { FindingTier } from "../../assessment/judge-opinion.ts";
import type { Redactor } from "../../redaction/redactor.ts";
import { renumberTokens } from "../../redaction/token.ts";
import { cutString } from "../../util/cut-string.ts";
import type { Place } from "../check/finding.ts";
import type { TieredFinding } from "./tiered-findings.ts";

/** Longest excerpt and reason that are shown, in UTF-16 units. */
const MAX_EXCERPT = 160;
const MAX_REASON = 300;

/**
 * What is told of a case: a disagreement with the label, or, of a case without one, what was found. Texts only as masked excerpts.
 */
export interface ToldFinding {
  /**
   * `missed`: a violation without a confirmed finding of its category; `alarm`: a finding in a lawful case, and `cleared`: one that
   * the judge contradicts; `finding`: anything else that was found.
   */
  readonly kind: "missed" | "alarm" | "cleared" | "finding";
  readonly file: string;
  readonly line: number;
  readonly conversation: string | null;
  readonly turn: number | null;
  readonly label: "violation" | "ok" | null;
  readonly expectedCategory: string | null;
  readonly rule: string | null;
  readonly category: string | null;
  readonly tier: FindingTier | null;
  /** Who found it: the rules, the judge, or both. */
  readonly by: "rules" | "judge" | "both" | null;
  /** The judge's where it has one. */
  readonly confidence: number | null;
  readonly excerpt: string | null;
  /** The judge's. */
  readonly reason: string | null;
}

const toOneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

/** Shortens and masks a text; tokens are numbered, so that every run says the same. */
const toShown = (text: string, redactor: Redactor, length: number): string =>
  cutString(toOneLine(renumberTokens(redactor.text(text))), length);

function toWhere({ file, line, conversation, label }: Place) {
  const name = label && (label.isViolation ? ("violation" as const) : ("ok" as const));
  return {
    file,
    line,
    conversation,
    label: name ?? null,
    expectedCategory: label?.expectedCategory ?? null,
  };
}

function toBy({ flag, claim }: TieredFinding): "rules" | "judge" | "both" {
  if (flag && claim) return "both";
  return flag ? "rules" : "judge";
}

/** The source of a finding: its first span, or where the judge's quote stands. */
function isInUserMessage({ flag, claim }: TieredFinding): boolean {
  const spans: unknown = flag?.context?.["spans"];
  const [first] = Array.isArray(spans) ? (spans as { readonly source?: unknown }[]) : [];
  return (first?.source ?? claim?.source) === "userMessage";
}

/** Gives the judge's words where it has found it, else what the rules say. */
function toWords({ flag, claim }: TieredFinding, redactor: Redactor) {
  const excerpt = flag?.context?.detectedContent ?? claim?.passage;
  return {
    confidence: claim?.confidence ?? flag?.confidence ?? null,
    excerpt: excerpt === undefined ? null : toShown(excerpt, redactor, MAX_EXCERPT),
    reason: claim ? toShown(claim.reason, redactor, MAX_REASON) : null,
  };
}

/** Tells a finding of an exchange. */
export function toToldFinding(
  kind: ToldFinding["kind"],
  finding: TieredFinding,
  place: Place,
  redactor: Redactor,
): ToldFinding {
  const { rule, category, tier } = finding;
  const { userTurn, agentTurn = userTurn } = place;
  const turn = isInUserMessage(finding) ? userTurn : agentTurn;
  return {
    kind,
    ...toWhere(place),
    turn: turn ?? null,
    rule,
    category,
    tier,
    by: toBy(finding),
    ...toWords(finding, redactor),
  };
}

/** Tells a violation in which nothing was found, by the beginning of its last answer. */
export function toMissed(place: Place, answer: string, redactor: Redactor): ToldFinding {
  return {
    kind: "missed",
    ...toWhere(place),
    turn: place.agentTurn ?? place.userTurn ?? null,
    rule: null,
    category: null,
    tier: null,
    by: null,
    confidence: null,
    excerpt: toShown(answer, redactor, MAX_EXCERPT),
    reason: null,
  };
}
