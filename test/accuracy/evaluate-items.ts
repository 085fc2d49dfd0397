import { readRecord, type SharedContext } from "../../src/cli/check/read-record.ts";
import type { ReplayedExchange } from "../../src/cli/check/replay.ts";
import type { SecondLook } from "../../src/compliance/learned/second-look.ts";
import { ComplianceEngine } from "../../src/compliance/engine.ts";
import type { ComplianceEvaluation } from "../../src/compliance/evaluation.ts";
import { builtInRules } from "../../src/compliance/built-in-rules.ts";
import type {
  ComplianceFlag,
  ComplianceRule,
  InteractionContext,
} from "../../src/events/compliance.ts";

/** What the engine found in an item, and how long it took for each exchange. */
export interface Prediction<T> {
  readonly item: T;
  /** Warnings and violations in the exchanges that demand review. */
  readonly alerts: readonly ComplianceFlag[];
  readonly exchanges: number;
  readonly millis: readonly number[];
}

const START = 1_700_000_000_000;
const TURN_MILLIS = 1000;

/** What the engine made of an item, exchange by exchange. */
export interface Replayed {
  readonly exchanges: readonly ReplayedExchange[];
  /** Each exchange as the engine has seen it. */
  readonly interactions: readonly InteractionContext[];
  /** With candidates, and with the turns before. */
  readonly evaluations: readonly ComplianceEvaluation[];
  readonly millis: readonly number[];
}

/** Makes a replay of items: a line of `agent-monitor check` each, in a session of its own. */
export function createReplay(
  customRules: readonly ComplianceRule[],
  secondLook?: SecondLook | null,
) {
  let now = START;
  // It stands still, so that no rule is skipped for being slow on a busy machine.
  const clock = { now: () => now, monotonic: () => 0, schedule: () => () => undefined };
  const log = { log: () => undefined, flush: () => undefined };
  const engine = new ComplianceEngine({
    clock,
    log,
    rules: builtInRules,
    ...(secondLook !== undefined && { secondLook }),
  });
  for (const rule of customRules) engine.addRule(rule);
  let sessions = 0;

  return function replay(item: unknown): Replayed {
    const record = readRecord(item);
    const exchanges = record.kind === "conversation" ? record.exchanges : [];
    const sessionId = `item-${sessions++}`;
    const millis: number[] = [];
    const interactions: InteractionContext[] = [];
    const evaluations = exchanges.map(({ context }) => {
      const { complianceSettings, ...rest }: SharedContext = context;
      now += TURN_MILLIS;
      const interaction = {
        agentId: "agent",
        agentCategory: "tool_calling" as const,
        ...rest,
        sessionId,
        timestamp: now,
      };
      interactions.push(interaction);
      const wanted = { candidates: true, turns: true };
      const startedAt = performance.now();
      const evaluation = engine.evaluate(interaction, complianceSettings, wanted);
      millis.push(performance.now() - startedAt);
      return evaluation;
    });
    return { exchanges, interactions, evaluations, millis };
  };
}

/** Makes an evaluator of items, which counts their warnings and violations where review is demanded. */
export function createEvaluator(customRules: readonly ComplianceRule[]) {
  const replay = createReplay(customRules);
  return function evaluate<T>(item: T): Prediction<T> {
    const { evaluations, millis } = replay(item);
    const alerts = evaluations.flatMap(({ violations, requiresReview }) =>
      requiresReview ? violations.filter(({ severity }) => severity !== "info") : [],
    );
    return { item, alerts, exchanges: evaluations.length, millis };
  };
}
