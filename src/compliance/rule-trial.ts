import {
  complianceResultSchema,
  type ComplianceFlag,
  type ComplianceResult,
  type ComplianceRule,
  type InteractionContext,
} from "../events/compliance.ts";
import { toValidationDetails } from "../events/validation-error.ts";
import type { Clock } from "../util/clock.ts";
import { isThenable } from "../util/untrusted-values.ts";
import type { BurstLogger } from "../util/logger.ts";
import type { Exchange } from "../phrases/exchange.ts";
import { ComplianceEngine } from "./engine.ts";

/** What a rule made of one interaction. */
export interface Trial {
  /** What the rule found by each of its patterns, candidates included. */
  readonly violations: readonly ComplianceFlag[];
  /** Why the rule gave no valid answer. */
  readonly error: string | undefined;
}

const BASE: InteractionContext = {
  agentId: "agent",
  agentCategory: "persona",
  sessionId: "session",
  timestamp: 1_700_000_000_000,
};
/** Time between two turns whose timestamps nobody gave, in ms. */
const TURN_MILLIS = 1000;

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}

/** Says what a result lacks that the engine takes; the engine itself says no more than that it does. */
function findProblem(result: unknown): string | undefined {
  const parsed = complianceResultSchema.safeParse(result);
  if (parsed.success) return undefined;
  const details = toValidationDetails(parsed.error.issues);
  return `no valid ComplianceResult (${details.map(({ field, message }) => `${field} ${message}`.trim()).join("; ")})`;
}

/** What a rule said itself, beside what the engine made of it. */
interface Said {
  result: ComplianceResult | undefined;
  readonly errors: string[];
}

/**
 * Records what an active copy of a rule finds and throws: the engine makes one finding of several on a passage, and says no
 * more than the error's name.
 */
function watch(rule: ComplianceRule, said: Said): ComplianceRule {
  const watched = Object.assign(Object.create(Object.getPrototypeOf(rule) as object), rule, {
    isActive: true,
  }) as ComplianceRule;
  if (typeof rule.ruleFunction !== "function") return watched;
  // A built-in rule gets the exchange as well.
  const judge: (context: InteractionContext, exchange?: Exchange) => unknown =
    rule.ruleFunction.bind(rule);
  watched.ruleFunction = (context, exchange?: Exchange) => {
    try {
      const result = judge(context, exchange);
      if (isThenable(result)) {
        Promise.resolve(result).catch(() => undefined);
        throw new TypeError("the rule gave a promise, which can't be verified");
      }
      const problem = findProblem(result);
      if (problem === undefined) said.result = result as ComplianceResult;
      else said.errors.push(problem);
      return result as ReturnType<ComplianceRule["ruleFunction"]>;
    } catch (error) {
      said.errors.push(String(error));
      throw error;
    }
  };
  return watched;
}

/** Lists what a rule said itself; the engine's finding where it said no more than that something is wrong. */
function listFindings(
  { id: rule, category }: ComplianceRule,
  result: ComplianceResult | undefined,
  found: readonly ComplianceFlag[],
): readonly ComplianceFlag[] {
  const { violations = [], candidates = [] } = result ?? {};
  const all = [...violations, ...candidates];
  return all.length === 0 ? found : all.map((violation) => ({ ...violation, rule, category }));
}

/**
 * Runs a rule alone in an engine of its own: turns of one session in order, the findings of the last.
 *
 * The contexts are frozen copies, and the clock stands at the timestamp of the turn.
 *
 * @throws {@link ValidationError} when the rule is malformed.
 */
export function tryRule(
  rule: ComplianceRule,
  turns: readonly Partial<InteractionContext>[],
): Trial {
  const said: Said = { result: undefined, errors: [] };
  let now = BASE.timestamp;
  const clock: Clock = {
    now: () => now,
    monotonic: () => now,
    schedule: () => () => undefined,
  };
  const log: BurstLogger = { log: () => undefined, flush: () => undefined };
  const watched = watch(rule, said);
  const engine = new ComplianceEngine({ clock, log, rules: [watched], secondLook: null });
  let violations: readonly ComplianceFlag[] = [];
  for (const turn of turns) {
    const context = deepFreeze(structuredClone({ ...BASE, timestamp: now, ...turn }));
    now = context.timestamp;
    said.result = undefined;
    const { metadata, violations: found } = engine.evaluate(context, { isGiven: true });
    violations = metadata.truncated ? found : listFindings(watched, said.result, found);
    if (metadata.rulesNotEvaluated)
      said.errors.push("more steps than texts of this length may cost");
    if (metadata.ruleErrors) said.errors.push("no valid ComplianceResult");
    now += TURN_MILLIS;
  }
  return { violations, error: said.errors[0] };
}
