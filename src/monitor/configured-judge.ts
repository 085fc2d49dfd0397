import { ROOT_CONTEXT, context } from "@opentelemetry/api";
import { suppressTracing } from "@opentelemetry/core";
import type { JudgeFinding } from "../assessment/judge-results.ts";
import type { SecondStage, SecondStageOptions } from "../assessment/second-stage.ts";
import type { ResolvedConfig } from "../config/config.ts";
import type { Interaction } from "../events/event-builder.ts";
import { type FoundAnswer, toLateFindingInteraction } from "../events/late-finding.ts";
import type { Judgement } from "../judge/judgement.ts";
import { createConfiguredRedactor, createJudgeRedactor } from "../redaction/redactor.ts";
import { runUnobserved, withoutConversationScope } from "../scope/scopes.ts";
import type { Conversations } from "../telemetry/conversations.ts";
import type { Clock } from "../util/clock.ts";
import type { BurstLogger } from "../util/logger.ts";
import type { AgentDirectory } from "./agents.ts";
import { createSecondStage } from "./deferred-judge.ts";
import { toSpoolSettings } from "./delivery.ts";
import { type EventFactory, toApproximateBytes } from "./event-factory.ts";
import type { EventRecorder } from "./event-recorder.ts";

const UNTRACED = suppressTracing(ROOT_CONTEXT);

/**
 * Runs a call of the judge's model so that nobody records it: neither what observes for the monitor, nor instrumentations that ask
 * OpenTelemetry. It belongs to no request and no conversation of the application.
 */
function isolateJudge<T>(run: () => T): T {
  return withoutConversationScope(() => runUnobserved(() => context.with(UNTRACED, run)));
}

/** What the judge is created with, whatever the configuration says. */
interface JudgeDependencies {
  readonly config: ResolvedConfig;
  readonly clock: Clock;
  readonly log: BurstLogger;
}

/** Who gives the judge what it judges by, and hears what it says. */
type JudgeHandlers = Pick<SecondStageOptions, "rules" | "onFinding" | "onClean">;

/** Creates the judge that a configuration asks for; `undefined` for none, or where no rule reads an answer first. */
export function createConfiguredJudge(
  { config, clock, log }: JudgeDependencies,
  handlers: JudgeHandlers,
): SecondStage | undefined {
  const { judge: options, enableComplianceChecks } = config;
  if (!options || !enableComplianceChecks) return undefined;
  const spool = toSpoolSettings(config);
  const platform = config.redact ? createConfiguredRedactor(config.redact, log) : undefined;
  const redactor = createJudgeRedactor(config.redact, log);
  const model = options.content === "redacted" ? redactor : undefined;
  return createSecondStage({
    ...handlers,
    options,
    clock,
    log,
    redactor,
    isolate: isolateJudge,
    journal: spool && {
      log: { ...spool, organizationId: config.organizationId, clock, log },
      redactors: { platform, model },
    },
  });
}

/** Records what the judge says, in an event that names the answer. */
export function toJudgeInteraction(
  { finding, eventId: _eventId, ...said }: JudgeFinding,
  answer: FoundAnswer,
): { interaction: Interaction; metadata: object } {
  const { interaction, metadata } = toLateFindingInteraction(finding, answer);
  const isObserved = said.requiresReview === undefined;
  return {
    interaction,
    metadata: { ...metadata, ...said, ...(isObserved && { mode: "observe" }) },
  };
}

/** What a JudgeRecorder works with. */
interface JudgeRecorderOptions {
  readonly factory: EventFactory;
  readonly recorder: EventRecorder;
  readonly clock: Clock;
  readonly conversations: Pick<Conversations, "peek">;
  readonly agents: Pick<AgentDirectory, "get">;
}

/** Makes events of what the judge says of answers, and hands them to both paths. */
export class JudgeRecorder {
  readonly #options: JudgeRecorderOptions;

  constructor(options: JudgeRecorderOptions) {
    this.#options = options;
  }

  /** Records one thing that the judge says: it may be seconds or, after a restart, days behind the answer. */
  record(finding: JudgeFinding, answer: FoundAnswer): void {
    const { factory, recorder, clock, conversations, agents } = this.#options;
    const { interaction, metadata: given } = toJudgeInteraction(finding, answer);
    const metadata = factory.read(interaction.kind, given);
    const conversation = conversations.peek(interaction);
    const subject = { conversation, agent: agents.get(interaction.agentId) };
    const known = { eventId: finding.eventId, timestamp: clock.now() };
    const event = factory.build(interaction, metadata, subject, known);
    recorder.recordApart(event, toApproximateBytes(metadata), conversation);
  }

  /** Records that an answer was judged by a family of rules, and that neither the judge nor the rules found anything. */
  recordClean({ family, evaluator }: Judgement, answer: FoundAnswer): void {
    const { recorder, clock } = this.#options;
    const { eventId, agentId, agentVersion, sessionId, conversationId, userId } = answer;
    const assessed = { eventId, agentId, agentVersion, sessionId, conversationId, userId };
    recorder.recordClean({ family, evaluator }, assessed, clock.now());
  }
}
