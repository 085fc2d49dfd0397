import type { SpanExchange } from "../bridge/span-exchange.ts";
import type { ComplianceEngine } from "../compliance/engine.ts";
import type { Preparation } from "../compliance/preparation.ts";
import { findVerdicts } from "./exchange-verdicts.ts";
import type { ComplianceFlag, InteractionContext } from "../events/compliance.ts";
import { isConfidential, type ComplianceAssessment } from "../telemetry/compliance-assessment.ts";
import { toPublicAssessment } from "./public-assessment.ts";
import type { Clock } from "../util/clock.ts";
import { toErrorName, type BurstLogger } from "../util/logger.ts";

/** What a span says only indirectly of the exchange that it carries. */
export interface ExchangeOrigin {
  /** Stands for the session when nothing names one. */
  readonly traceId: string;
  /** Stands for the agent when nothing names one. */
  readonly serviceName?: string | undefined;
}

function toContext(
  exchange: SpanExchange,
  { traceId, serviceName }: ExchangeOrigin,
  now: number,
): InteractionContext {
  const { agentId, agentName, conversationId, sessionId, userId } = exchange;
  const { userMessage, agentResponse, toolsUsed } = exchange;
  return {
    agentId: agentId ?? agentName ?? serviceName ?? "unknown",
    agentCategory: "tool_calling",
    sessionId: conversationId ?? sessionId ?? traceId,
    timestamp: now,
    ...(userId !== undefined && { userId }),
    ...(userMessage !== undefined && { userMessage }),
    ...(agentResponse !== undefined && { agentResponse }),
    ...(toolsUsed && { toolsUsed: [...toolsUsed] }),
  };
}

/** Has exchanges of other instrumentations checked by the rules. */
export class ExchangeCheck {
  readonly #engine: ComplianceEngine;
  readonly #clock: Clock;
  readonly #log: BurstLogger;
  readonly #late = new Set<Promise<void>>();
  #isChecking = false;

  constructor(engine: ComplianceEngine, clock: Clock, log: BurstLogger) {
    this.#engine = engine;
    this.#clock = clock;
    this.#log = log;
  }

  /** Reads the wording of the rules; exchanges wait for it. */
  get preparation(): Preparation {
    return this.#engine.preparation;
  }

  /**
   * Gives what may be told of an exchange; `undefined` when no rule could judge it.
   *
   * @param onLate - Gets what asynchronous rules find, later.
   */
  check(
    exchange: SpanExchange,
    origin: ExchangeOrigin,
    onLate: (findings: readonly ComplianceFlag[]) => void,
  ): ComplianceAssessment | undefined {
    // A rule that ends spans itself must not have them checked, without end.
    if (this.#isChecking) return undefined;
    this.#isChecking = true;
    try {
      const context = toContext(exchange, origin, this.#clock.now());
      const verdicts = findVerdicts(this.#engine);
      const known = verdicts?.find(origin.traceId, exchange);
      const evaluation =
        known ?? this.#engine.evaluate(context, undefined, this.#engine.wantedForJudge);
      if (!known) verdicts?.remember(origin.traceId, exchange, evaluation);
      if (evaluation.late) this.#await(this.#recordLate(evaluation.late, onLate));
      if (!evaluation.metadata.evaluated) return undefined;
      const assessment = toPublicAssessment(evaluation, context);
      return exchange.isPartial ? { ...assessment, isPartial: true } : assessment;
    } finally {
      this.#isChecking = false;
    }
  }

  /** Resolves once what asynchronous rules find by then is told; they have a quarter of a second at most. */
  async settled(): Promise<void> {
    await Promise.all(this.#late);
  }

  #await(telling: Promise<void>): void {
    const late = telling.finally(() => this.#late.delete(late));
    this.#late.add(late);
  }

  async #recordLate(
    late: Promise<readonly ComplianceFlag[]>,
    onLate: (findings: readonly ComplianceFlag[]) => void,
  ): Promise<void> {
    try {
      onLate((await late).filter((finding) => !isConfidential(finding)));
    } catch (error) {
      this.#log.log("warn", "late_finding", "late findings could not be written", {
        error: toErrorName(error),
      });
    }
  }
}
