import type { JudgeFinding } from "../assessment/judge-results.ts";
import type { Interaction } from "../events/event-builder.ts";
import { type FoundAnswer, toLateFindingInteraction } from "../events/late-finding.ts";
import type { Judgement } from "../judge/judgement.ts";
import type { Conversations } from "../telemetry/conversations.ts";
import type { Clock } from "../util/clock.ts";
import type { AgentDirectory } from "./agents.ts";
import { type EventFactory, toApproximateBytes } from "./event-factory.ts";
import type { EventRecorder } from "./event-recorder.ts";

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
export interface JudgeRecorderOptions {
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
