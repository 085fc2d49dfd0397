import type { DefinedRule } from "../compliance/define-rule.ts";
import { isDefinedRule } from "../compliance/is-defined-rule.ts";
import type { PackRule } from "../compliance/packs/pack-schema.ts";
import type { RuleExample } from "../compliance/rule-definition.ts";
import type { ComplianceRule } from "../events/compliance.ts";
import type { JudgeExample, JudgeRule } from "../judge/judge-task.ts";
import { toFacts } from "./judged-exchange.ts";

/** Examples of each kind that the judge gets of a rule. */
const EXAMPLES = 4;
/** UTF-16 units: a longer case says more about the reader of the rule than about the rule. */
const MAX_EXAMPLE = 400;

/** A case that needs earlier turns, or is long, is none that a line could show. */
function toExample(one: RuleExample): JudgeExample | undefined {
  const { userMessage, agentResponse, toolsUsed, history } = one;
  const facts = toFacts(one);
  const example = {
    ...(userMessage !== undefined && { userMessage }),
    ...(facts && { facts }),
    ...(toolsUsed && { toolsUsed }),
    ...(agentResponse !== undefined && { agentResponse }),
  };
  const isShort = JSON.stringify(example).length <= MAX_EXAMPLE;
  return !history && isShort && Object.keys(example).length > 0 ? example : undefined;
}

/** Takes examples evenly over the cases: neighbours show the same pattern. */
function toExamples(cases: readonly RuleExample[]): JudgeExample[] {
  const fitting = cases.map(toExample).filter((example) => example !== undefined);
  const step = Math.max(1, fitting.length / EXAMPLES);
  return Array.from(
    { length: Math.min(EXAMPLES, fitting.length) },
    (_, index) => fitting[Math.floor(index * step)],
  ).filter((example) => example !== undefined);
}

const toLaw = ({ law }: DefinedRule): string =>
  [law.citation, ...(law.note === undefined ? [] : [law.note])].join("; ");

/** Gives the notes and cases of a rule: those of its file, else its own. */
function toExplanation(rule: ComplianceRule, source: PackRule | undefined) {
  const own = isDefinedRule(rule) ? rule : undefined;
  const { violating = [], compliant = [] } = source?.cases ?? own?.examples ?? {};
  const notes = source?.notes ?? own?.notes;
  return {
    ...(notes !== undefined && { notes }),
    violating: toExamples(violating),
    compliant: toExamples(compliant),
  };
}

function toJudgeRule(rule: ComplianceRule, source: PackRule | undefined): JudgeRule {
  const { id, name, category, severity, description } = rule;
  return {
    id,
    title: name,
    category,
    severity,
    description,
    ...(isDefinedRule(rule) && { law: toLaw(rule), recommendation: rule.recommendation }),
    ...toExplanation(rule, source),
  };
}

/**
 * Gives what the judge is told of rules: their own text and law, with examples of the packs that they are of.
 *
 * @param sources - The built-in rules as their files say them; others say it themselves.
 */
export function toJudgeRules(
  rules: readonly ComplianceRule[],
  sources: readonly PackRule[],
): readonly JudgeRule[] {
  const byId = new Map(sources.map((source) => [source.id, source]));
  return rules
    .filter(({ isActive }) => isActive)
    .map((rule) => toJudgeRule(rule, byId.get(rule.id)));
}
