import { readFileSync } from "node:fs";
import type {
  ComplianceRule,
  ComplianceSeverity,
  InteractionContext,
} from "../../src/events/compliance.ts";

interface RuleData {
  readonly id: string;
  readonly category: ComplianceRule["category"];
  readonly severity: ComplianceSeverity;
  readonly match: {
    readonly target?: "agentResponse" | "userMessage";
    readonly regex?: string;
    readonly flags?: string;
    readonly tool?: string;
    /** Comparisons of members joined by `&&`, `parameters.amount >= 10000`. */
    readonly where?: string;
  };
}

const COMPARISON = /^([\w.]+) (>=|<=|>|<|===|!==) (\S+)$/;

function readPath(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (object, name) => (object as Record<string, unknown> | undefined)?.[name],
    value,
  );
}

function compare(comparison: string, tool: unknown): boolean {
  const [, path = "", operator, literal = ""] = COMPARISON.exec(comparison.trim()) ?? [];
  const [value, other] = [readPath(tool, path.split(".")), JSON.parse(literal) as unknown];
  switch (operator) {
    case ">=":
      return Number(value) >= Number(other);
    case "<=":
      return Number(value) <= Number(other);
    case ">":
      return Number(value) > Number(other);
    case "<":
      return Number(value) < Number(other);
    case "===":
      return value === other;
    default:
      return value !== other;
  }
}

function isMatch(
  { target, regex, flags, tool, where = "" }: RuleData["match"],
  context: InteractionContext,
): boolean {
  if (regex !== undefined)
    return new RegExp(regex, flags).test(context[target ?? "agentResponse"] ?? "");
  return (context.toolsUsed ?? []).some(
    (used) => used.name === tool && where.split("&&").every((part) => compare(part, used)),
  );
}

/** Loads rules of a bank's own, which are data: a pattern of a text, or comparisons of a tool's parameters. */
export function loadCustomRules(path: string): ComplianceRule[] {
  const { rules } = JSON.parse(readFileSync(path, "utf8")) as { rules: RuleData[] };
  return rules.map(({ id, category, severity, match }) => ({
    id,
    name: id,
    description: id,
    category,
    severity,
    isActive: true,
    ruleFunction(context) {
      const violations = isMatch(match, context) ? [{ rule: id, severity, description: id }] : [];
      return {
        isCompliant: violations.length === 0,
        violations,
        riskScore: 0,
        requiresReview: false,
      };
    },
  }));
}
