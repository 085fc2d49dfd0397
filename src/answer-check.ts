import type { CheckedOptions } from "./arguments.ts";
import { ComplianceEngine, type ComplianceEngineOptions } from "./compliance/engine.ts";
import type { ComplianceEvaluation } from "./compliance/evaluation.ts";
import type { RegisteredAgent } from "./events/agent-facts.ts";
import type { ComplianceFlag, InteractionContext } from "./events/compliance.ts";
import type { AgentResponseEvent, DetailedEvent } from "./events/detailed-event.ts";
import type { ValidationDetail } from "./events/validation-error.ts";
import { toErrorName } from "./util/logger.ts";
import { toInteractionContext } from "./interaction-context.ts";
import type { Conversation } from "./otel/conversations.ts";
import { PublicAssessments } from "./public-assessment.ts";

const MAX_CODE_LENGTH = 200;

/** Whom an event is about. */
export interface Subject {
  readonly conversation: Conversation;
  readonly agent: RegisteredAgent | undefined;
}

/** Told of a finding that came after the answer's event had left. */
export type OnLateFinding = (
  flag: ComplianceFlag,
  answer: AgentResponseEvent,
  subject: Subject,
) => void;

/** Attaches what the rules found to the answer's event. */
function attach(result: ComplianceEvaluation, event: AgentResponseEvent): void {
  event.requiresReview = result.requiresReview;
  // No finding is not "compliant" when no rule has looked.
  if (!result.metadata.evaluated) return;
  event.complianceFlags = result.violations;
  event.riskScore = result.riskScore;
}

/** Has answers checked by the rules and attaches what they find. */
export class AnswerCheck {
  /** The rules, when checks are on. */
  readonly engine: ComplianceEngine | undefined;
  /** What others than the platform may learn of answers with confidential findings. */
  readonly publicAssessments = new PublicAssessments();
  readonly #options: ComplianceEngineOptions;
  readonly #onLate: OnLateFinding;
  /** Built when a single interaction asks for checks although they are off. */
  #lazyEngine: ComplianceEngine | undefined;
  #isChecking = false;

  constructor(isOn: boolean, options: ComplianceEngineOptions, onLate: OnLateFinding) {
    this.#options = options;
    this.#onLate = onLate;
    this.engine = isOn ? new ComplianceEngine(options) : undefined;
  }

  /** Resolves when answers are checked at once, or will not be checked any more. Never rejects. */
  async ready(): Promise<void> {
    await (this.engine ?? this.#lazyEngine)?.preparation.ready();
  }

  /** Prepares nothing more. */
  close(): void {
    (this.engine ?? this.#lazyEngine)?.preparation.close();
  }

  /**
   * Checks the whole answer, not what a limit left of it, and attaches the findings to its event.
   *
   * @param known - The verdict, when the answer was checked before.
   */
  check(
    event: AgentResponseEvent,
    content: string,
    subject: Subject,
    options: CheckedOptions | undefined,
    known?: ComplianceEvaluation,
  ): void {
    const { agent } = subject;
    const isOn = options?.complianceChecks ?? this.engine !== undefined;
    // A rule that tracks an answer must not have it checked by itself, without end.
    if (!isOn || this.#isChecking) return;
    const engine = this.engine ?? (this.#lazyEngine ??= new ComplianceEngine(this.#options));
    this.#isChecking = true;
    try {
      const context = this.#toContext(event, content, subject);
      // What the agent was when it answered: it may have been registered anew since.
      const settings = agent?.complianceSettings;
      const result = known ?? engine.evaluate(context, settings, { isGiven: true });
      if (result.late) void this.#reportLate(result.late, event, subject);
      attach(result, event);
      if (!result.metadata.evaluated) return;
      this.publicAssessments.note(event, result, () => ({
        context,
        rules: engine.rules,
        riskThreshold: settings?.risk_threshold,
      }));
    } finally {
      this.#isChecking = false;
    }
  }

  /** Has checked what an agent said beside asking for a tool; what is found is told of the tool call. */
  checkBeside(call: DetailedEvent, text: string, subject: Subject): void {
    const { metadata: _, ...base } = call;
    const said: AgentResponseEvent = {
      ...base,
      interactionType: "agent_response",
      content: text,
      contentLength: text.length,
    };
    this.check(said, text, subject, undefined);
    for (const flag of said.complianceFlags ?? []) this.#onLate(flag, said, subject);
  }

  #toContext(event: AgentResponseEvent, content: string, subject: Subject): InteractionContext {
    const problems: ValidationDetail[] = [];
    const report = (problem: ValidationDetail): void => void problems.push(problem);
    const { conversation, agent } = subject;
    const context = toInteractionContext(event, content, conversation, agent, report);
    if (problems.length > 0) this.#tellUnread(problems);
    return context;
  }

  #tellUnread(details: readonly ValidationDetail[]): void {
    const fields = details.map(({ field }) => field).join();
    const problems = details.map(({ field, message }) => `${field} ${message}`).join("; ");
    const code = `context:${fields.slice(0, MAX_CODE_LENGTH)}`;
    this.#options.log.log("warn", code, `agent_response: ${problems}`, { details });
  }

  async #reportLate(
    late: Promise<readonly ComplianceFlag[]>,
    event: AgentResponseEvent,
    subject: Subject,
  ): Promise<void> {
    try {
      for (const flag of await late) this.#onLate(flag, event, subject);
    } catch (error) {
      this.#options.log.log("error", "late_finding", "a late finding could not be tracked", {
        error: toErrorName(error),
      });
    }
  }
}
