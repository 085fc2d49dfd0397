import type { Subject } from "../assessment/interaction-context.ts";
import type { BridgedEvent } from "../bridge/bridged-event.ts";
import { type DoubleMatch, DoubleWatch } from "../bridge/double-watch.ts";
import type { RecordResult } from "../delivery/platform-path.ts";
import type { ComplianceFlag } from "../events/compliance.ts";
import type { AgentResponseEvent, DetailedEvent } from "../events/detailed-event.ts";
import type { Interaction } from "../events/event-builder.ts";
import { toLateFindingInteraction } from "../events/late-finding.ts";
import { noteEvent, type Conversations } from "../telemetry/conversations.ts";
import type { BurstLogger } from "../util/logger.ts";
import type { AgentDirectory } from "./agents.ts";
import type { CheckedOptions } from "./arguments.ts";
import { toApproximateBytes, type EventFactory } from "./event-factory.ts";
import type { EventPaths, EventRecorder, ToKnownVerdict } from "./event-recorder.ts";
import { OddMembers } from "./odd-members.ts";

/** The metadata of one interaction. */
export interface GivenMetadata {
  readonly metadata?: unknown;
  /** Members for the metadata that came as arguments of their own. */
  readonly extra?: object | undefined;
}

/** Where an interaction comes from, and what else is known of it. */
interface Origin {
  /** Of an interaction that is tracked by hand. */
  readonly options?: CheckedOptions | undefined;
  /** Of one in the telemetry of another instrumentation. */
  readonly bridged?: BridgedEvent;
  readonly toKnown?: ToKnownVerdict | undefined;
}

/** What an InteractionRecorder works with. */
export interface InteractionRecorderOptions {
  readonly factory: EventFactory;
  readonly recorder: EventRecorder;
  readonly conversations: Conversations;
  readonly agents: AgentDirectory;
  readonly log: BurstLogger;
}

const NO_METADATA: GivenMetadata = {};
const NO_OPTIONS: Origin = {};

const BOTH_PATHS: EventPaths = { platform: true, telemetry: true };
const TELEMETRY_ALONE: EventPaths = { platform: false, telemetry: true };
const PLATFORM_ALONE: EventPaths = { platform: true, telemetry: false };

function toPaths({ bridged }: Origin, double: DoubleMatch | undefined): EventPaths {
  if (bridged) return PLATFORM_ALONE;
  return double === undefined ? BOTH_PATHS : TELEMETRY_ALONE;
}

/** Makes events of interactions, those tracked by hand and those of other instrumentations, and has them recorded. */
export class InteractionRecorder {
  /** What is tracked by hand and bridged as well is delivered once. */
  readonly doubles: DoubleWatch;
  readonly #options: InteractionRecorderOptions;
  readonly #oddMembers: OddMembers;

  constructor(options: InteractionRecorderOptions) {
    this.#options = options;
    this.doubles = new DoubleWatch(options.log);
    this.#oddMembers = new OddMembers(options.log);
  }

  /** Records an interaction that is tracked by hand: on both paths. */
  track(interaction: Interaction, given: GivenMetadata, options: CheckedOptions | undefined): void {
    const { conversations, agents } = this.#options;
    const { conversation, isNew } = conversations.touch(interaction);
    const subject = { conversation, agent: agents.find(interaction.agentId) };
    const isStartWanted = isNew && options?.trackConversationStart === true;
    if (isStartWanted && interaction.kind !== "conversation_start") {
      const start: Interaction = { ...interaction, kind: "conversation_start" };
      this.#record(start, NO_METADATA, subject, { options });
    }
    this.#record(interaction, given, subject, { options });
  }

  /**
   * Records an interaction of another instrumentation's telemetry: on the platform path alone, since the other backends
   * have the telemetry itself.
   *
   * @param toKnown - Returns the verdict on an answer that was checked on its span: each answer is checked once.
   * @returns The place of the event among those to be delivered, or why it has none; `undefined` for what was tracked by
   *   hand as well.
   */
  trackBridged(bridged: BridgedEvent, toKnown?: ToKnownVerdict): RecordResult | undefined {
    if (this.doubles.isTracked(bridged)) return undefined;
    const { conversations, agents } = this.#options;
    const { interaction, metadata } = bridged;
    const { conversation } = conversations.touch(interaction);
    const subject = { conversation, agent: agents.get(interaction.agentId) };
    return this.#record(interaction, { metadata }, subject, { bridged, toKnown });
  }

  /**
   * Records a finding of an asynchronous rule in an event of its own.
   *
   * @param subject - Absent for an answer of an earlier process.
   */
  recordLateFinding(flag: ComplianceFlag, answer: AgentResponseEvent, subject?: Subject): void {
    const { interaction, metadata } = toLateFindingInteraction(flag, answer);
    if (subject) this.#record(interaction, { metadata }, subject, NO_OPTIONS);
    else this.track(interaction, { metadata }, undefined);
  }

  #record(
    interaction: Interaction,
    { metadata: given, extra }: GivenMetadata,
    subject: Subject,
    origin: Origin,
  ): RecordResult | undefined {
    const { factory, conversations } = this.#options;
    const { bridged } = origin;
    const metadata = factory.read(interaction.kind, given, extra);
    if (!bridged) this.#oddMembers.report(interaction.kind, metadata, extra);
    const event = factory.build(interaction, metadata, subject, bridged);
    const bytes = toApproximateBytes(metadata);
    const { conversation } = subject;
    const double = bridged ? undefined : this.doubles.findBridged(event);
    const result = this.#hand(event, interaction, bytes, subject, origin, toPaths(origin, double));
    if (double !== "conversation") noteEvent(conversation, event);
    if (event.interactionType === "conversation_end") conversations.end(conversation);
    return result;
  }

  /** Hands an event to its paths, an answer by way of the rules. */
  #hand(
    event: DetailedEvent,
    { content = "" }: Interaction,
    bytes: number,
    subject: Subject,
    { options, bridged, toKnown }: Origin,
    paths: EventPaths,
  ): RecordResult | undefined {
    const { recorder } = this.#options;
    // An instrumentation that captures no content has no text for the rules.
    if (event.interactionType === "agent_response" && bridged?.metadata["captured"] !== false)
      return recorder.recordAnswer({ event, content, subject, options }, bytes, paths, toKnown);
    if (bridged?.agentText !== undefined)
      return recorder.deliverWithText(event, bridged.agentText, subject, bytes);
    return recorder.record(event, bytes, subject, paths);
  }
}
