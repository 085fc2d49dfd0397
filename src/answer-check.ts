import type { CheckedOptions } from "./arguments.ts";
import { ComplianceEngine, type ComplianceEngineOptions } from "./compliance/engine.ts";
import type { AgentInfo } from "./events/agent.ts";
import type { AgentResponseEvent } from "./events/detailed-event.ts";
import { toInteractionContext } from "./interaction-context.ts";
import type { Conversation } from "./otel/conversations.ts";

/** Whom an event is about. */
export interface Subject {
  readonly conversation: Conversation;
  readonly agent: AgentInfo | undefined;
}

/** Has answers checked by the rules and attaches what they find. */
export class AnswerCheck {
  /** The rules, when checks are on. */
  readonly engine: ComplianceEngine | undefined;
  readonly #options: ComplianceEngineOptions;
  /** Built when a single interaction asks for checks although they are off. */
  #lazyEngine: ComplianceEngine | undefined;
  #isChecking = false;

  constructor(isOn: boolean, options: ComplianceEngineOptions) {
    this.#options = options;
    this.engine = isOn ? new ComplianceEngine(options) : undefined;
  }

  /** Checks the whole answer, not what a limit left of it, and attaches the findings to its event. */
  check(
    event: AgentResponseEvent,
    content: string,
    { conversation, agent }: Subject,
    options: CheckedOptions | undefined,
  ): void {
    const isOn = options?.complianceChecks ?? this.engine !== undefined;
    // A rule that tracks an answer must not have it checked by itself, without end.
    if (!isOn || this.#isChecking) return;
    const engine = this.engine ?? (this.#lazyEngine ??= new ComplianceEngine(this.#options));
    this.#isChecking = true;
    try {
      const context = toInteractionContext(event, content, conversation, agent, options);
      const result = engine.evaluate(context);
      event.requiresReview = result.requiresReview;
      // No finding is not "compliant" when no rule has looked.
      if (!result.metadata.evaluated) return;
      event.complianceFlags = result.violations;
      event.riskScore = result.riskScore;
    } finally {
      this.#isChecking = false;
    }
  }
}
