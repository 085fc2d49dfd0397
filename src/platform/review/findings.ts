import { createHash } from "node:crypto";
import type { ComplianceFlag } from "../../events/compliance.ts";
import type { DetailedEvent } from "../../events/detailed-event.ts";
import { type JudgeResult, readJudgeResult, type JudgedTier } from "../../events/judge-result.ts";
import { isConfidential } from "../../events/late-finding.ts";
import { cutString } from "../../util/cut-string.ts";
import { SEVERITY_RANKS } from "../severities.ts";

/** Who has found something: a rule at once or late, or the judge alone. */
export const FINDING_ORIGINS = ["rule", "judge"] as const;
export type FindingOrigin = (typeof FINDING_ORIGINS)[number];

/** A finding as people decide on it. */
export interface Finding {
  /** The same for each copy of the event. */
  readonly id: string;
  /** The answer that it is about; the event itself where that names none. */
  readonly answerId: string;
  readonly rule: string;
  readonly category: string;
  /** As `SEVERITY_RANKS`. */
  readonly severity: number;
  readonly description: string;
  /** Passage of the answer, masked by the SDK; empty where the event has none. */
  readonly quote: string;
  /** 0 to 1; `null` where it is not known. */
  readonly confidence: number | null;
  readonly pattern: string;
  readonly ruleVersion: string;
  readonly packVersion: string;
  readonly origin: FindingOrigin;
  /** Empty until the judge has said something of it. */
  readonly tier: JudgedTier | "";
  /** Whether nobody outside may learn of it. */
  readonly isConfidential: boolean;
  /** Findings of one offence: the same rule and the same words, wherever they stand in the conversation. */
  readonly offence: string;
}

/** What the judge says of a finding of the rules. */
export interface Opinion {
  readonly findingId: string;
  readonly tier: JudgedTier;
}

const MAX_QUOTE_LENGTH = 512;
const MAX_NAME_LENGTH = 256;

/** Returns a short digest of some values, in which they are certain. */
export function toDigest(...parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url").slice(0, 22);
}

// SQLite would end a text at NUL.
// oxlint-disable-next-line no-control-regex -- control characters are what this looks for
const CONTROLS = /[\u0000-\u001f\u007f]+/g;

function toColumn(value: unknown, maxLength = MAX_NAME_LENGTH): string {
  if (typeof value !== "string") return "";
  return cutString(
    value
      .slice(0, 2 * maxLength)
      .replaceAll(CONTROLS, " ")
      .trim(),
    maxLength,
  );
}

/** Identifies a passage: two findings of one rule in an answer have different ones. */
function toPlace({ rule, context }: Partial<ComplianceFlag>): unknown[] {
  return [
    rule,
    context?.detectedPattern ?? null,
    context?.["spans"] ?? context?.detectedContent ?? null,
  ];
}

function toFindingId(answerId: string, flag: Partial<ComplianceFlag>): string {
  return toDigest(answerId, ...toPlace(flag));
}

/** Returns the words of a text, without what stands between them and in lower case. */
export function toWords(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(" ");
}

function toOffence(rule: string, quote: string, pattern: string): string {
  return toDigest(rule, toWords(quote) || pattern);
}

/** Others than the SDK may have sent the event: whatever a member is, the finding has a column for it. */
function toFinding(
  answerId: string,
  flag: Partial<ComplianceFlag>,
  rest: Pick<Finding, "origin" | "tier">,
): Finding {
  const { context, confidence, severity } = flag;
  const rule = toColumn(flag.rule);
  const quote = toColumn(context?.detectedContent, MAX_QUOTE_LENGTH);
  const pattern = toColumn(context?.detectedPattern);
  return {
    id: toFindingId(answerId, flag),
    answerId,
    rule,
    category: toColumn(flag.category),
    severity: SEVERITY_RANKS[String(severity)] ?? 0,
    description: toColumn(flag.description, MAX_QUOTE_LENGTH),
    quote,
    confidence: typeof confidence === "number" && Number.isFinite(confidence) ? confidence : null,
    pattern,
    ruleVersion: toColumn(context?.ruleVersion),
    packVersion: toColumn(context?.packVersion),
    ...rest,
    isConfidential: isConfidential({ context }),
    offence: toOffence(rule, quote, pattern),
  };
}

type Violation = Extract<DetailedEvent, { interactionType: "compliance_violation" }>;

/** Reads what a rule has found late, or an application itself. */
function readViolation(event: Violation): Finding {
  const { eventId: answerId, finding } = (event.metadata ?? {}) as Readonly<
    Record<string, unknown>
  >;
  const { ruleId, violationType, severity, description } = event;
  // A late finding of the SDK has the whole of it; what an application tracks itself has these members alone.
  const flag = (
    typeof finding === "object" && finding !== null
      ? finding
      : { rule: ruleId ?? violationType, category: violationType, severity, description }
  ) as Partial<ComplianceFlag>;
  const about = typeof answerId === "string" && answerId !== "" ? answerId : event.eventId;
  return toFinding(about, flag, { origin: "rule", tier: "" });
}

/** What an event says. */
interface Findings {
  readonly findings: readonly Finding[];
  readonly opinion?: Opinion;
}

function readJudged({ eventId, finding, tier, quote, isOpinion }: JudgeResult): Findings {
  if (isOpinion)
    return { findings: [], opinion: { findingId: toFindingId(eventId, finding), tier } };
  const context = { ...finding.context, ...(quote !== undefined && { detectedContent: quote }) };
  return { findings: [toFinding(eventId, { ...finding, context }, { origin: "judge", tier })] };
}

/** Reads what an event has found, and what the judge says in it of an earlier finding. */
export function readFindings(event: DetailedEvent): Findings {
  if (event.interactionType === "agent_response")
    return {
      findings: (event.complianceFlags ?? []).map((flag) =>
        toFinding(event.eventId, flag, { origin: "rule", tier: "" }),
      ),
    };
  if (event.interactionType !== "compliance_violation") return { findings: [] };
  const judged = readJudgeResult(event);
  return judged ? readJudged(judged) : { findings: [readViolation(event)] };
}
