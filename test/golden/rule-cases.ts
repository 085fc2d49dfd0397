import { inspect } from "node:util";
import { ComplianceEngine } from "../../src/compliance/engine.ts";
import { builtInRules } from "../../src/compliance/built-in-rules.ts";
import type { ContextCase, RuleCases } from "../../src/compliance/verify-rule.ts";
import type { InteractionContext } from "../../src/events/compliance.ts";
import type { EvaluatedItem } from "./findings.ts";
import { readRuleCases } from "../helpers/rule-cases.ts";
import { toDigest } from "./golden-file.ts";

const BASE: Omit<InteractionContext, "sessionId"> = {
  agentId: "agent",
  agentCategory: "persona",
  timestamp: 1_700_000_000_000,
};
const TURN_MILLIS = 1000;
const ID_LENGTH = 8;

/** Names a case by its content, so that a new one before it changes no other line. */
function nameCase(list: keyof RuleCases, testCase: ContextCase): string {
  const { agentResponse, userMessage } = testCase;
  const content = inspect(testCase, { depth: null, sorted: true, maxStringLength: null });
  const text = (agentResponse ?? userMessage ?? "").slice(0, 40).replaceAll(/\s+/g, " ");
  return `${list} ${toDigest(content).slice(0, ID_LENGTH)} ${JSON.stringify(text)}`;
}

/** Makes an evaluator of cases: each in a session of its own, before all built-in rules and not its own alone. */
function createCaseEvaluator() {
  let now = BASE.timestamp;
  const clock = { now: () => now, monotonic: () => 0, schedule: () => () => undefined };
  const log = { log: () => undefined, flush: () => undefined };
  const engine = new ComplianceEngine({ clock, log, rules: builtInRules });
  let cases = 0;
  return ({ history = [], ...last }: ContextCase): EvaluatedItem["evaluations"] => {
    const number = cases++;
    now = BASE.timestamp;
    return [...history, last].map((turn) => {
      const sessionId = `${number}-${turn.sessionId ?? "session"}`;
      const context = { ...BASE, timestamp: now, ...turn, sessionId };
      now = context.timestamp;
      const evaluation = engine.evaluate(context, { isGiven: true, candidates: true });
      now += TURN_MILLIS;
      return evaluation;
    });
  };
}

/** Evaluates the cases of every rule. */
export function evaluateCases(): EvaluatedItem[] {
  const evaluate = createCaseEvaluator();
  return Object.entries(readRuleCases()).flatMap(([ruleId, cases]) =>
    (["violating", "compliant"] as const).flatMap((list) =>
      cases[list].map((testCase) => ({
        id: `${ruleId} ${nameCase(list, testCase)}`,
        evaluations: evaluate(testCase),
      })),
    ),
  );
}
