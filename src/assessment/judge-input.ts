import type { DefinedRule } from "../compliance/define-rule.ts";
import { isDefinedRule } from "../compliance/is-defined-rule.ts";
import type { PackRule } from "../compliance/packs/pack-schema.ts";
import type { RuleExample } from "../compliance/rule-definition.ts";
import type { ComplianceRule, CustomerProfile, InteractionContext } from "../events/compliance.ts";
import type { JudgeExample, JudgeRule } from "../judge/judge-task.ts";
import type { SentTurn, WholeExchange } from "../judge/sent-exchange.ts";
import type { Redactor } from "../redaction/redactor.ts";
import { renumberTokens } from "../redaction/token.ts";

/** Returns what rules read of the case; ids say nothing. */
function toFacts({
  transactionContext,
  customerProfile,
  riskFactors,
}: RuleExample): WholeExchange["facts"] {
  const { customerId: _customer, ...profile }: Partial<CustomerProfile> = customerProfile ?? {};
  const { transactionId: _transaction, ...transaction } = transactionContext ?? {};
  const facts = {
    ...(Object.keys(transaction).length > 0 && { transaction }),
    ...(Object.keys(profile).length > 0 && { customer: profile }),
    ...(riskFactors && riskFactors.length > 0 && { riskFactors }),
  };
  return Object.keys(facts).length > 0 ? facts : undefined;
}

/** What a judge may see of an exchange: its texts, the calls of tools, what is known of the case, and the turns before it. */
export function toWholeExchange(
  context: InteractionContext,
  earlier: readonly SentTurn[],
): WholeExchange {
  return {
    facts: toFacts(context),
    earlier: earlier.map(({ userMessage, agentResponse }) => ({ userMessage, agentResponse })),
    userMessage: context.userMessage,
    toolsUsed: context.toolsUsed,
    agentResponse: context.agentResponse ?? "",
  };
}

/**
 * Takes out what sensitive values an exchange holds.
 *
 * Tokens are numbered in the order in which they stand, `[CARD:1]`: those of a redactor differ from process to process, and
 * the same exchange must be the same question.
 */
export function redactExchange(exchange: WholeExchange, redactor: Redactor): WholeExchange {
  return renumberTokens(redactor.value(exchange));
}

/** Examples of each kind that the judge gets of a rule. */
const EXAMPLES = 4;
/** UTF-16 units: a longer case says more about the reader of the rule than about the rule. */
const MAX_EXAMPLE = 400;

/** A case that needs earlier turns, or is long, is none that a line could show. */
function toExample(one: RuleExample): JudgeExample | undefined {
  const { userMessage, agentResponse, toolsUsed, history } = one;
  const example = { userMessage, facts: toFacts(one), toolsUsed, agentResponse };
  const json = JSON.stringify(example);
  return history || json === "{}" || json.length > MAX_EXAMPLE ? undefined : example;
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

const toLaw = ({ law: { citation, note } }: DefinedRule): string =>
  note === undefined ? citation : `${citation}; ${note}`;

/** Takes text and law from the rule, notes and cases from its file, else from the rule as well. */
function toJudgeRule(rule: ComplianceRule, source: PackRule | undefined): JudgeRule {
  const { id, name: title, category, severity, description } = rule;
  const own = isDefinedRule(rule) ? rule : undefined;
  const { violating = [], compliant = [] } = source?.cases ?? own?.examples ?? {};
  return {
    id,
    title,
    category,
    severity,
    description,
    ...(own && { law: toLaw(own), recommendation: own.recommendation }),
    notes: source?.notes ?? own?.notes,
    violating: toExamples(violating),
    compliant: toExamples(compliant),
  };
}

/**
 * Returns what the judge reads of rules: their own text and law, with examples of the packs that they are of.
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
