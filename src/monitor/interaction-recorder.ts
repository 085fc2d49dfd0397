import type { CheckedAnswer } from "../assessment/answer-check.ts";
import type { JudgeFinding } from "../assessment/judge-results.ts";
import type { BridgedEvent } from "../bridge/bridged-event.ts";
import { type DoubleMatch, DoubleWatch } from "../bridge/double-watch.ts";
import type { RecordResult } from "../delivery/platform-path.ts";
import { type EventType, eventTypeSchema } from "../events/base-event.ts";
import type { CaseContext } from "../events/case-context.ts";
import type { ComplianceFlag } from "../events/compliance.ts";
import type { AgentResponseEvent, DetailedEvent } from "../events/detailed-event.ts";
import type { Interaction } from "../events/event-builder.ts";
import { interactionEventSchema, monitoringOptionsSchema } from "../events/interaction.ts";
import { type FoundAnswer, toLateFindingInteraction } from "../events/late-finding.ts";
import { type MetadataReader, toMemberSchemas } from "../events/metadata-reader.ts";
import { type Conversations, type Subject, noteEvent } from "../telemetry/conversations.ts";
import type { BurstLogger } from "../util/logger.ts";
import { findSlip } from "../util/nearest-name.ts";
import type { AgentDirectory } from "./agents.ts";
import { type CheckedOptions, MEMBER_NAME, UNKNOWN_MEMBER } from "./arguments.ts";
import { type EventFactory, toApproximateBytes } from "./event-factory.ts";
import type { EventPaths, EventRecorder } from "./event-recorder.ts";

/** Names that are compared; a caller may make up names without end, and comparing costs. */
const MAX_COMPARED = 500;
/** Misspelt names that are logged. */
const MAX_REPORTED = 100;

/** Names that have a meaning in the metadata, of whatever kind, and in an event given to `track`. */
function listKnownNames(): { metadata: ReadonlySet<string>; event: ReadonlySet<string> } {
  const ofCase: (keyof CaseContext)[] = [
    "customerProfile",
    "transactionContext",
    "riskFactors",
    "toolsUsed",
  ];
  const metadata = new Set([
    ...eventTypeSchema.options.flatMap((kind) => Object.keys(toMemberSchemas(kind))),
    ...ofCase,
    "toolCallId",
  ]);
  const event = new Set([
    ...Object.keys(interactionEventSchema.shape),
    ...metadata,
    ...Object.keys(monitoringOptionsSchema.shape),
    "agentId",
  ]);
  return { metadata, event };
}

/**
 * Logs members of metadata that are not what they should be, and once each member, of an event as well, whose name is
 * nearly that of a known one.
 *
 * Members of the caller's own are welcome, so that a misspelt one is kept as such; but what it was meant to say is
 * missing at its place.
 */
class OddMembers {
  readonly #log: BurstLogger;
  readonly #compared = new Set<string>();
  #known: ReturnType<typeof listKnownNames> | undefined;
  #reported = 0;

  constructor(log: BurstLogger) {
    this.#log = log;
  }

  /**
   * Looks at what was read: a name without a typed place costs a look-up, once it was seen.
   *
   * @param ofEvent - Members that stood on the event itself.
   */
  report(kind: EventType, reader: MetadataReader, ofEvent: object | undefined): void {
    reader.reportInvalid(this.#log);
    for (const name in reader.others) {
      if (this.#compared.has(name) || this.#compared.size >= MAX_COMPARED) continue;
      this.#compared.add(name);
      this.#compare(kind, name, ofEvent !== undefined && Object.hasOwn(ofEvent, name));
    }
  }

  #compare(kind: EventType, name: string, isOfEvent: boolean): void {
    this.#known ??= listKnownNames();
    const { metadata, event } = this.#known;
    if (event.has(name) || !MEMBER_NAME.test(name) || this.#reported >= MAX_REPORTED) return;
    const nearest = findSlip(name, isOfEvent ? event : metadata);
    if (nearest === undefined) return;
    this.#reported++;
    const field = `${isOfEvent ? "event" : "metadata"}.${name}`;
    const message = `is unknown: did you mean ${nearest}? It is kept as metadata of your own`;
    const details = [{ field, message, code: UNKNOWN_MEMBER }];
    this.#log.log("warn", `misspelt:${field}`, `${kind}: ${field} ${message}`, { details });
  }
}

/** The metadata of one interaction. */
export interface GivenMetadata {
  readonly metadata?: unknown;
  /** Members for the metadata that came as arguments of their own. */
  readonly extra?: object | undefined;
}

/** Where an interaction comes from, and what else is known of it. */
interface Origin extends Pick<CheckedAnswer, "complianceChecks" | "verdict"> {
  /** Of one in the telemetry of another instrumentation. */
  readonly bridged?: BridgedEvent;
}

/** What an InteractionRecorder works with. */
interface InteractionRecorderOptions {
  readonly factory: EventFactory;
  readonly recorder: EventRecorder;
  readonly conversations: Conversations;
  readonly agents: AgentDirectory;
  readonly log: BurstLogger;
}

const TRACKED: Origin = {};

function toPaths({ bridged }: Origin, double: DoubleMatch | undefined): EventPaths {
  if (bridged) return "platform";
  return double === undefined ? "both" : "telemetry";
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
      this.#record(start, {}, subject, TRACKED);
    }
    const complianceChecks = options?.complianceChecks;
    this.#record(interaction, given, subject, { complianceChecks });
  }

  /**
   * Records an interaction of another instrumentation's telemetry: on the platform path alone, since the other backends
   * have the telemetry itself.
   *
   * @param verdict - Of an answer that is checked on its span.
   * @returns The place of the event among those to be delivered, or why it has none; `undefined` for what was tracked by
   *   hand as well.
   */
  trackBridged(
    bridged: BridgedEvent,
    verdict?: CheckedAnswer["verdict"],
  ): RecordResult | undefined {
    if (this.doubles.isTracked(bridged)) return undefined;
    const { conversations, agents } = this.#options;
    const { interaction, metadata } = bridged;
    const { conversation } = conversations.touch(interaction);
    const subject = { conversation, agent: agents.get(interaction.agentId) };
    return this.#record(interaction, { metadata }, subject, { bridged, verdict });
  }

  /**
   * Records a finding of an asynchronous rule in an event of its own.
   *
   * @param subject - Absent for an answer of an earlier process.
   */
  recordLateFinding(flag: ComplianceFlag, answer: AgentResponseEvent, subject?: Subject): void {
    const { interaction, metadata } = toLateFindingInteraction(flag, answer);
    if (subject) this.#record(interaction, { metadata }, subject, TRACKED);
    else this.track(interaction, { metadata }, undefined);
  }

  /** Records one thing that the judge says: it may be seconds or, after a restart, days behind the answer. */
  recordJudgement(finding: JudgeFinding, answer: FoundAnswer): void {
    const { factory, recorder, conversations, agents } = this.#options;
    const { interaction, metadata: given } = toJudgeInteraction(finding, answer);
    const metadata = factory.read(interaction.kind, given);
    const conversation = conversations.peek(interaction);
    const subject = { conversation, agent: agents.get(interaction.agentId) };
    const event = factory.build(interaction, metadata, subject, finding);
    recorder.recordApart(event, toApproximateBytes(metadata), conversation);
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
    { bridged, complianceChecks, verdict }: Origin,
    paths: EventPaths,
  ): RecordResult | undefined {
    const { recorder } = this.#options;
    // An instrumentation that captures no content has no text for the rules.
    if (event.interactionType === "agent_response" && bridged?.metadata["captured"] !== false) {
      const answer = { event, content, subject, complianceChecks, verdict };
      return recorder.recordAnswer(answer, bytes, paths);
    }
    if (bridged?.agentText !== undefined)
      return recorder.deliverWithText(event, bridged.agentText, subject, bytes);
    return recorder.record(event, bytes, subject, paths);
  }
}
