import type { ComplianceRule, ViolationContext } from "../events/compliance.ts";
import type { DefinedRule } from "./define-rule.ts";
import { isDefinedRule } from "./is-defined-rule.ts";

/** Says which version of a rule it was, of which pack, and which pack has changed it. */
export function toOrigin(rule: ComplianceRule): ViolationContext | undefined {
  const {
    pack,
    withoutSecondLook,
    changedBy = withoutSecondLook,
  }: Partial<DefinedRule> = isDefinedRule(rule) ? rule : {};
  if (rule.version === undefined && !pack) return undefined;
  return {
    ...(rule.version !== undefined && { ruleVersion: rule.version }),
    ...(pack && { packId: pack.id, packVersion: pack.version, packSha256: pack.sha256 }),
    ...(changedBy && {
      overridePackId: changedBy.id,
      overridePackVersion: changedBy.version,
      overridePackSha256: changedBy.sha256,
    }),
  };
}
