import type { Given } from "../checks/check.ts";
import { checks, exemptions } from "../checks/index.ts";
import { defineBuiltInRule, type DefinedRule, type RulePack } from "../define-rule.ts";
import { createFinder } from "../phrases/finder.ts";
import { unlessBacked } from "../tools/unless-backed.ts";
import { toProbeName, type CompiledRule } from "./compiled-pack.ts";

/** Makes a built-in rule of a compiled one. */
export function toRule(rule: CompiledRule, pack: RulePack): DefinedRule {
  const { check: checkId = "", exemption = "", probes, words, title, ...facts } = rule;
  const check = checks[checkId];
  const given: Given = {
    probes: Object.fromEntries(
      probes.map((name) => [name, createFinder(toProbeName(rule.id, name))]),
    ),
    words,
  };
  const defined = defineBuiltInRule({
    ...facts,
    pack,
    name: title,
    ...(check && { check: (context) => check.find(context, given) }),
  });
  const isBacked = exemptions[exemption];
  return isBacked ? unlessBacked(isBacked, defined) : defined;
}
