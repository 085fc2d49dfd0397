import { describeSecondLook, toLearnedPattern } from "../../packs.ts";
import type { ComplianceSeverity, DefinedRule } from "../../testing.ts";
import { formatPack } from "../format-rule.ts";

/** Where to read what the model is, and how well it judges. */
const MODEL_CARD = "docs/model-card.md";

/** What the second look makes of the findings of a rule. */
export interface SecondLookText {
  /** The model as findings name it. */
  readonly model: string;
  readonly modelCard: string;
  /** SHA-256 of what it was trained with. */
  readonly trainedOn: string;
  readonly active: boolean;
  /** The pack that has switched it off. */
  readonly switchedOffBy: string | null;
  /** Share of violations among answers at which its probabilities hold. */
  readonly baseRate: number;
  /** Probability from which something is a candidate. */
  readonly candidatesFrom: number;
  /** What it finds by itself; `null` where it only confirms or drops what wording finds. */
  readonly finds: {
    readonly pattern: string;
    readonly active: boolean;
    readonly severity: ComplianceSeverity;
    /** Probability from which a passage is a finding. */
    readonly threshold: number;
  } | null;
}

function describeOwn(rule: DefinedRule): NonNullable<SecondLookText["finds"]> {
  const pattern = toLearnedPattern(rule.id);
  const { active, severity, threshold } = rule.patternOverrides?.get(pattern) ?? {};
  return {
    pattern,
    active: active !== false && !rule.withoutSecondLook,
    severity: severity ?? (rule.severity === "info" ? "info" : "warning"),
    threshold: threshold ?? rule.threshold,
  };
}

/** Describes the second look at the findings of a rule, as packs have left it; of other rules than the built-in ones there is none. */
export function describeLook(rule: DefinedRule): SecondLookText | undefined {
  const described = describeSecondLook(rule.id);
  if (!described) return undefined;
  const { version, sha256, trainedOn, baseRate, candidateThreshold, adds } = described;
  const { withoutSecondLook } = rule;
  return {
    model: `version ${version}, SHA-256 ${sha256}`,
    modelCard: MODEL_CARD,
    trainedOn,
    active: withoutSecondLook === undefined,
    switchedOffBy: withoutSecondLook ? formatPack(withoutSecondLook) : null,
    baseRate,
    candidatesFrom: candidateThreshold,
    finds: adds ? describeOwn(rule) : null,
  };
}

function formatFinds(finds: SecondLookText["finds"]): string {
  if (!finds) return "nothing by itself; it confirms or drops what wording finds";
  const { pattern, active, severity, threshold } = finds;
  return `${pattern} (${severity}) from ${threshold} on${active ? "" : ", switched off"}`;
}

/** Writes a description for people, a line each. */
export function formatLook({ finds, ...facts }: SecondLookText): string[] {
  const lines = Object.entries({ ...facts, finds: formatFinds(finds) });
  return [
    "",
    "second look:",
    ...lines.map(([name, value]) => `  ${name}: ${String(value ?? "none")}`),
  ];
}
