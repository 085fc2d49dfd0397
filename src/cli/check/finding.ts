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
  readonly label?: CaseLabel | undefined;
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

function toSecondLook({ secondLookVersion: version, secondLookSha256 }: ViolationContext) {
  return version === undefined ? null : { version, sha256: orNull(secondLookSha256) };
}

/** Joins a flag with its rule and its place; texts of the conversation only as the rule's masked excerpt. */
export function toCheckFinding(
  flag: ComplianceFlag,
  rule: ComplianceRule | undefined,
  { file, line, conversation, eventId, userTurn, agentTurn = userTurn }: Place,
) {
  const { context = {} } = flag;
  const source = sourceOf(flag);
  const turn = orNull(source === "userMessage" ? userTurn : agentTurn);
  const pattern = orNull(context.detectedPattern);
  const excerpt = orNull(context.detectedContent);
  return {
    file,
    line,
    conversation,
    /** Number of the message in the conversation, from 1. */
    turn,
    eventId,
    rule: flag.rule,
    name: rule?.name ?? flag.rule,
    category: flag.category,
    severity: flag.severity,
    confidence: orNull(flag.confidence),
    pattern,
    /** The rule's other patterns that fired on the passage. */
    alsoMatched: context.alsoMatched ?? [],
    /** Rule of the most severe finding on the passage, if that is another rule. */
    groupedUnder: orNull(context.groupedUnder),
    /** `userMessage` or `agentResponse`, if the finding is in a text. */
    source,
    spans: context["spans"] ?? [],
    excerpt,
    explanation: flag.description,
    recommendation: orNull(flag.recommendation),
    law: orNull(context.regulatoryImpact),
    ruleVersion: orNull(context.ruleVersion),
    /** Pack that contains the rule. */
    pack: toPack(context.packId, context.packVersion, context.packSha256),
    /** Pack that has changed the rule. */
    override: toPack(
      context.overridePackId,
      context.overridePackVersion,
      context.overridePackSha256,
    ),
    /** Model that made or confirmed it. */
    secondLook: toSecondLook(context),
    /** Must not be disclosed to the customer or to anybody without need to know, as with suspicious activity reports. */
    confidential: context["confidential"] === true,
    /** The same in every run over the same conversation, at any place in the file. */
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

/** A finding with its place. */
export type CheckFinding = Readonly<ReturnType<typeof toCheckFinding>>;
