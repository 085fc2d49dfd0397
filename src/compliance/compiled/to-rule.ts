import type { Given } from "../checks/check.ts";
import { checks, exemptions } from "../checks/index.ts";
import { defineBuiltInRule, type DefinedRule } from "../define-rule.ts";
import type { Finding, RulePack } from "../rule-definition.ts";
import { builtInPhrases } from "../../phrases/built-in-phrases.ts";
import type { CompiledPhrases } from "../../phrases/compiled-phrases.ts";
import type { PatternOverrides } from "../policy-pack.ts";
import { createFinder } from "../../phrases/finder.ts";
import { unlessBacked } from "../tools/unless-backed.ts";
import { toPatternName, toProbeName, type CompiledRule } from "./compiled-pack.ts";

/** What a pack wants of a built-in rule beside its facts. */
interface RuleChanges {
  /** What of its check's patterns is switched off is not found. */
  readonly patternOverrides?: PatternOverrides;
  /** Returns the set that its phrases are compiled in. Default: the built-in phrases. */
  readonly phraseSet?: (() => CompiledPhrases) | undefined;
}

function* leaveOut(
  isOff: (pattern: string) => boolean,
  findings: Iterable<Finding>,
): Iterable<Finding> {
  for (const finding of findings) if (!isOff(finding.pattern)) yield finding;
}

/** Makes a built-in rule of a compiled one. */
export function toRule(
  rule: CompiledRule,
  pack: RulePack,
  { patternOverrides, phraseSet = builtInPhrases }: RuleChanges = {},
): DefinedRule {
  const { check: checkId = "", exemption = "", probes, words, title, ...facts } = rule;
  const check = checks[checkId];
  const given: Given = {
    probes: Object.fromEntries(
      probes.map((name) => [name, createFinder(toProbeName(rule.id, name), phraseSet)]),
    ),
    words,
  };
  const isOff = (pattern: string): boolean =>
    patternOverrides?.get(toPatternName(rule.id, pattern))?.active === false;
  const defined = defineBuiltInRule({
    ...facts,
    pack,
    patternOverrides,
    phraseSet,
    name: title,
    ...(check && {
      check: (context, exchange) => {
        const findings = check.find(context, exchange, given);
        return patternOverrides ? leaveOut(isOff, findings) : findings;
      },
    }),
  });
  const isBacked = exemptions[exemption];
  return isBacked ? unlessBacked(isBacked, defined) : defined;
}
