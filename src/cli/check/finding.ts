import { createHash } from "node:crypto";
import type {
  ComplianceFlag,
  ComplianceRule,
  ComplianceSeverity,
  ViolationContext,
} from "../../events/compliance.ts";
import type { RulePack } from "../../testing.ts";
import { readString, toArray } from "../../util/values.ts";

/** A person's label of a case. */
export interface CaseLabel {
  readonly isViolation: boolean;
  /** Category of the rule that should find it; absent: any. */
  readonly expectedCategory?: string;
}

/** Reads the label of a line; `undefined` where it has none, or one of another kind. */
export function readLabel({
  label,
  expectedCategory,
}: Readonly<Record<string, unknown>>): CaseLabel | undefined {
  if (label !== "violation" && label !== "ok") return undefined;
  return {
    isViolation: label === "violation",
    ...(typeof expectedCategory === "string" && { expectedCategory }),
  };
}

/** Severities, the least first. */
export const SEVERITIES: readonly ComplianceSeverity[] = ["info", "warning", "violation"];

/** The place of an exchange. */
export interface Place {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** Name of the conversation in the line or the session. */
  readonly conversation: string | null;
  readonly userTurn: number | undefined;
  readonly agentTurn: number | undefined;
  readonly eventId: string | null;
  /** Label of the line; absent without one. */
  readonly label?: CaseLabel;
}

/** A finding with its place; texts of the conversation only as the rule's masked excerpt. */
export interface CheckFinding extends Pick<Place, "file" | "line" | "conversation" | "eventId"> {
  /** Number of the message in the conversation, from 1. */
  readonly turn: number | null;
  readonly rule: string;
  readonly name: string;
  readonly category: string;
  readonly severity: ComplianceSeverity;
  readonly confidence: number | null;
  readonly pattern: string | null;
  /** The rule's other patterns that fired on the passage. */
  readonly alsoMatched: readonly string[];
  /** Rule of the most severe finding on the passage, if that is another rule. */
  readonly groupedUnder: string | null;
  /** `userMessage` or `agentResponse`, if the finding is in a text. */
  readonly source: string | null;
  readonly spans: unknown;
  readonly excerpt: string | null;
  readonly explanation: string;
  readonly recommendation: string | null;
  readonly law: string | null;
  readonly ruleVersion: string | null;
  /** Pack that contains the rule. */
  readonly pack: RulePack | null;
  /** Pack that has changed the rule. */
  readonly override: RulePack | null;
  /** Model that made or confirmed it. */
  readonly secondLook: { readonly version: string; readonly sha256: string | null } | null;
  /** Must not be disclosed to the customer or to anybody without need to know, as with suspicious activity reports. */
  readonly confidential: boolean;
  /** The same in every run over the same conversation, at any place in the file. */
  readonly fingerprint: string;
}

const FINGERPRINT_LENGTH = 32;

const orNull = <T>(value: T | undefined): T | null => value ?? null;

/** Returns the text that a flag's first span is in: `userMessage` or `agentResponse`. */
export function sourceOf({ context }: ComplianceFlag): string | null {
  const [first] = toArray(context?.["spans"]);
  return orNull(readString((first as { source?: unknown } | undefined)?.source));
}

function fingerprintOf(identity: readonly unknown[]): string {
  const hash = createHash("sha256").update(JSON.stringify(identity)).digest("hex");
  return hash.slice(0, FINGERPRINT_LENGTH);
}

function toPack(id = "", version = "", sha256 = ""): RulePack | null {
  return id === "" ? null : { id, version, sha256 };
}

function toSecondLook({
  secondLookVersion: version,
  secondLookSha256,
}: ViolationContext): CheckFinding["secondLook"] {
  return version === undefined ? null : { version, sha256: orNull(secondLookSha256) };
}

/** Joins a flag with its rule and its place. */
export function toCheckFinding(
  flag: ComplianceFlag,
  rule: ComplianceRule | undefined,
  { file, line, conversation, eventId, userTurn, agentTurn = userTurn }: Place,
): CheckFinding {
  const { context = {} } = flag;
  const source = sourceOf(flag);
  const turn = orNull(source === "userMessage" ? userTurn : agentTurn);
  const pattern = orNull(context.detectedPattern);
  const excerpt = orNull(context.detectedContent);
  return {
    file,
    line,
    conversation,
    turn,
    eventId,
    rule: flag.rule,
    name: rule?.name ?? flag.rule,
    category: flag.category,
    severity: flag.severity,
    confidence: orNull(flag.confidence),
    pattern,
    alsoMatched: context.alsoMatched ?? [],
    groupedUnder: orNull(context.groupedUnder),
    source,
    spans: context["spans"] ?? [],
    excerpt,
    explanation: flag.description,
    recommendation: orNull(flag.recommendation),
    law: orNull(context.regulatoryImpact),
    ruleVersion: orNull(context.ruleVersion),
    pack: toPack(context.packId, context.packVersion, context.packSha256),
    override: toPack(
      context.overridePackId,
      context.overridePackVersion,
      context.overridePackSha256,
    ),
    secondLook: toSecondLook(context),
    confidential: context["confidential"] === true,
    fingerprint: fingerprintOf([
      flag.rule,
      pattern,
      source,
      conversation,
      // Without a conversation's name, the turn does not identify a message.
      conversation === null ? null : turn,
      excerpt,
    ]),
  };
}
