import type { Given } from "../checks/check.ts";
import { checks, exemptions } from "../checks/index.ts";
import {
  defineBuiltInRule,
  type DefinedRule,
  type Finding,
  type RulePack,
} from "../define-rule.ts";
import { builtInPhrases } from "../phrases/built-in-phrases.ts";
import type { CompiledPhrases } from "../phrases/compiled-phrases.ts";
import { createFinder } from "../phrases/finder.ts";
import { unlessBacked } from "../tools/unless-backed.ts";
import { toProbeName, type CompiledRule } from "./compiled-pack.ts";

const NONE: ReadonlySet<string> = new Set();

/** What a pack wants of a built-in rule beside its facts. */
interface RuleChanges {
  /** Names of patterns that its check looks for in vain. */
  readonly off?: ReadonlySet<string>;
  /** Gives the set that its phrases are compiled in. Default: the built-in phrases. */
  readonly phraseSet?: (() => CompiledPhrases) | undefined;
}

function* leaveOut(off: ReadonlySet<string>, findings: Iterable<Finding>): Iterable<Finding> {
  for (const finding of findings) if (!off.has(finding.pattern)) yield finding;
}

/** Makes a built-in rule of a compiled one. */
export function toRule(
  rule: CompiledRule,
  pack: RulePack,
  { off = NONE, phraseSet = builtInPhrases }: RuleChanges = {},
): DefinedRule {
  const { check: checkId = "", exemption = "", probes, words, title, ...facts } = rule;
  const check = checks[checkId];
  const given: Given = {
    probes: Object.fromEntries(
      probes.map((name) => [name, createFinder(toProbeName(rule.id, name), phraseSet)]),
    ),
    words,
  };
  const defined = defineBuiltInRule({
    ...facts,
    pack,
    phraseSet,
    name: title,
    ...(check && {
      check: (context) => {
        const findings = check.find(context, given);
        return off.size === 0 ? findings : leaveOut(off, findings);
      },
    }),
  });
  const isBacked = exemptions[exemption];
  return isBacked ? unlessBacked(isBacked, defined) : defined;
}
