import { mergeUnits } from "../assembly/merge-units.ts";
import { type Unit, buildTree, byStart, walk } from "../assembly/record-tree.ts";
import { signArguments } from "../assembly/text-digest.ts";
import { toBridgedIdentity, type BridgedIdentity } from "../bridge-identity.ts";
import { EventIds } from "../bridged-event.ts";
import type { MessageToolCall } from "../reading/chat-message.ts";
import { findFirst } from "../reading/read-attributes.ts";
import type { ExchangeIdentity, SpanRecord, Writable } from "../span-record.ts";
import type { ConversationState, MentionedCall } from "./conversation-state.ts";
import { emitAgent, emitHelp, emitInside } from "./emit-agent.ts";
import { emitCall, emitTools, toBatches } from "./emit-call.ts";
import { type EmitOptions, Turn, type TurnContext, type TurnOptions } from "./turn.ts";

/** Returns what a workflow holds together. */
function flatten(unit: Unit): Unit[] {
  return unit.record.role === "workflow" ? unit.children.flatMap(flatten) : [unit];
}

function countUnits(units: readonly Unit[]): number {
  return units.reduce((count, { children }) => count + countUnits(children), units.length);
}

/** Spans below one that are asked who takes part. */
const MAX_ASKED = 200;

function* ancestors(unit: Unit): Generator<Unit> {
  for (let above = unit.parent; above; above = above.parent) yield above;
}

/** Returns the spans that may say who takes part: those above, the outermost first, the span itself, those below. */
function findSpeakers(unit: Unit): SpanRecord[] {
  const speakers = [...[...ancestors(unit)].toReversed(), unit].map(({ record }) => record);
  for (const { record } of walk(unit)) {
    if (speakers.length >= MAX_ASKED) break;
    speakers.push(record);
  }
  return speakers;
}

/** Puts together who takes part in what a span reports. */
function readParties(unit: Unit, speakers: readonly SpanRecord[]): ExchangeIdentity {
  const own = unit.record;
  if (speakers.length === 1 && !own.started?.around) return own.identity;
  const parties: Writable<ExchangeIdentity> = {};
  const around = findFirst(speakers, ({ started }) => started?.around);
  for (const identity of [...speakers.map((speaker) => speaker.identity), around ?? {}]) {
    parties.sessionId ??= identity.sessionId;
    parties.conversationId ??= identity.conversationId;
    parties.userId ??= identity.userId;
  }
  // The agent is the nearest one around, else the first below.
  const named = [own, ...[...ancestors(unit)].map(({ record }) => record), ...speakers];
  const agent = named.find(({ identity }) => identity.agentId ?? identity.agentName)?.identity;
  const { agentId, agentName, agentVersion } = agent ?? around ?? {};
  return { ...parties, agentId, agentName, agentVersion };
}

/** Collects the arguments of tool calls by id from wherever they are not empty. */
function collectParameters(records: readonly SpanRecord[]): ReadonlyMap<string, unknown> {
  const collected = new Map<string, unknown>();
  for (const { input, output, tool } of records) {
    const messages = [...output.messages, ...input.messages];
    const mentioned = messages.flatMap(({ toolCalls }) => toolCalls);
    for (const { id, parameters } of tool ? [...mentioned, tool] : mentioned) {
      const isEmpty = typeof parameters !== "object" || parameters === null;
      if (id === undefined || isEmpty || Object.keys(parameters).length === 0) continue;
      if (!collected.has(id)) collected.set(id, parameters);
    }
  }
  return collected;
}

const toKey = (name: string, parameters: unknown): string =>
  `${name}\n${signArguments(parameters)}`;

/** Collects the ids of tool calls, in order, that stand only in the request after the answer that asked for them. */
function collectLaterIds(records: readonly SpanRecord[]): ReadonlyMap<string, string[]> {
  const toCalls = (side: "input" | "output"): MessageToolCall[] =>
    records.flatMap((record) => record[side].messages.flatMap(({ toolCalls }) => toolCalls));
  const known = new Set(toCalls("output").map(({ id }) => id));
  const ids = new Map<string, string[]>();
  for (const { id, name, parameters } of toCalls("input")) {
    if (id === undefined || known.has(id)) continue;
    known.add(id);
    const key = toKey(name, parameters);
    ids.set(key, [...(ids.get(key) ?? []), id]);
  }
  return ids;
}

function toPartiesKey(identity: BridgedIdentity): string {
  const { agentId, sessionId, conversationId = "", userId = "" } = identity;
  // Identifiers hold no control characters.
  return `${agentId}\n${sessionId}\n${conversationId}\n${userId}`;
}

/** Emits what the spans of one trace say. */
class TraceEmitter implements TurnContext {
  readonly options: EmitOptions;
  readonly eventIds = new EventIds();
  readonly #records: readonly SpanRecord[];
  #parameters: ReadonlyMap<string, unknown> | undefined;
  #laterIds: ReadonlyMap<string, string[]> | undefined;
  /** Turns of calls that no agent holds together. */
  readonly #loose = new Map<string, Turn>();

  constructor(options: EmitOptions, records: readonly SpanRecord[]) {
    this.options = options;
    this.#records = records;
  }

  emit(units: readonly Unit[]): void {
    this.#emitAll(units);
    for (const turn of this.#loose.values()) {
      turn.end();
      turn.close();
    }
  }

  /** @returns Whether a failure was emitted. */
  #emitUnit(unit: Unit): boolean {
    const { record } = unit;
    if (record.role === "agent") {
      const turn = new Turn({ ...this.#identify(unit), context: this });
      emitAgent(unit, turn, (helper) => this.#beginHelp(helper, unit));
      turn.close();
      return turn.hasFailure;
    }
    const turn = this.#findLoose(unit);
    const before = turn.hasFailure;
    turn.hasFailure = false;
    emitCall(record, turn, { mayAsk: true, mayAnswer: true }, () =>
      emitInside(unit, turn, (helper) => this.#beginHelp(helper, unit)),
    );
    const hasFailed = turn.hasFailure;
    turn.hasFailure ||= before;
    return hasFailed;
  }

  /** Emits units in order, tools that ran side by side together; workflows only hold others together. */
  #emitAll(units: readonly Unit[]): void {
    const [only] = units;
    if (only?.record.role === "call" && units.length === 1) {
      this.#emitUnit(only);
      return;
    }
    const flat = units.flatMap(flatten).toSorted(byStart);
    const failed = new Set<Unit>();
    for (const batch of toBatches(flat)) {
      const [first] = batch;
      if (first?.record.role === "tool") this.#emitTools(batch);
      else if (first && this.#emitUnit(first)) failed.add(first);
    }
    for (const unit of units) this.#emitWorkflowFailure(unit, failed);
  }

  #emitTools(units: readonly Unit[]): void {
    const byTurn = new Map<Turn, Unit[]>();
    for (const unit of units) {
      const turn = this.#findLoose(unit);
      byTurn.set(turn, [...(byTurn.get(turn) ?? []), unit]);
    }
    for (const [turn, tools] of byTurn) {
      emitTools(tools, turn, (tool) => emitHelp(tool, (helper) => this.#beginHelp(helper, tool)));
    }
  }

  /** Returns how a workflow failed, unless what it holds has emitted it. */
  #emitWorkflowFailure(unit: Unit, failed: ReadonlySet<Unit>): void {
    const { role, failure } = unit.record;
    if (role !== "workflow" || unit.children.length === 0 || !failure) return;
    if (flatten(unit).some((child) => failed.has(child))) return;
    const turn = this.#findLoose(unit);
    if (!turn.knows(failure) || !turn.hasAnswer) turn.failure(failure, unit.record);
  }

  #identify(unit: Unit): Pick<TurnOptions, "identity" | "conversation"> {
    const { memory } = this.options;
    const isAlone = this.#records.length === 1;
    const nearest = isAlone ? this.#records : findSpeakers(unit);
    // What the span's own line leaves open, others of the trace may say.
    const speakers = isAlone ? nearest : [...nearest, ...this.#records.slice(0, MAX_ASKED)];
    const scope = findFirst(speakers, ({ started }) => started?.scope);
    const serviceName = findFirst(speakers, (speaker) => speaker.serviceName);
    const { traceId } = unit.record;
    const parties = readParties(unit, speakers);
    const call = nearest.find(({ role, input }) => role === "call" && input.messages.length > 0);
    const identity = toBridgedIdentity(parties, scope, { traceId, serviceName });
    const key = identity.conversationId ?? identity.sessionId;
    // A trace stands for a conversation only until a tool call shows where it belongs.
    const isGuess = key === traceId;
    const known = memory.recall(key);
    // What is known of this trace already belongs where the rest of it does.
    const joined = isGuess && !known ? this.#findJoined(unit.record, call) : undefined;
    if (joined) memory.join(key, joined);
    const conversation = joined ?? known ?? memory.begin(key, identity.sessionId);
    if (isGuess) memory.noteGuess(conversation);
    conversation.enter(traceId);
    return {
      identity: isGuess ? { ...identity, sessionId: conversation.sessionId } : identity,
      conversation,
    };
  }

  /** Finds the conversation of another trace that this one goes on with. */
  #findJoined(record: SpanRecord, call: SpanRecord | undefined): ConversationState | undefined {
    const { memory } = this.options;
    const byCalls = call && memory.findByCalls(call);
    if (byCalls) return byCalls;
    const asking = record.role === "tool" ? record : call;
    return asking && memory.findContinued(asking);
  }

  findParameters({ id, parameters }: MentionedCall): unknown {
    const isEmpty = parameters === undefined || JSON.stringify(parameters) === "{}";
    if (!isEmpty || id === undefined) return parameters;
    this.#parameters ??= collectParameters(this.#records);
    return this.#parameters.get(id) ?? parameters;
  }

  findCallId({ name = "", parameters }: MentionedCall): string | undefined {
    this.#laterIds ??= collectLaterIds(this.#records);
    if (this.#laterIds.size === 0) return undefined;
    return this.#laterIds.get(toKey(name, parameters))?.shift();
  }

  #findLoose(unit: Unit): Turn {
    const { identity, conversation } = this.#identify(unit);
    const key = this.#records.length === 1 ? "" : toPartiesKey(identity);
    const turn = this.#loose.get(key) ?? new Turn({ identity, conversation, context: this });
    this.#loose.set(key, turn);
    return turn;
  }

  #beginHelp(helper: Unit, agent: Unit): Turn {
    const { identity } = this.#identify(helper);
    const { traceId, spanId } = helper.record;
    const { agentName, agentId } = agent.record.identity;
    return new Turn({
      context: this,
      identity,
      conversation: this.options.memory.find(traceId + spanId, identity.sessionId),
      parentAgent: agentName ?? agentId ?? identity.agentId,
    });
  }
}

/**
 * Emits what the spans of a trace say, as events, each thing once.
 *
 * @param links - Parents of spans that are no GenAI spans, by span id.
 * @returns How many spans were merged into others.
 */
export function emitTrace(
  records: readonly SpanRecord[],
  links: ReadonlyMap<string, string>,
  options: EmitOptions,
): number {
  const emitter = new TraceEmitter(options, records);
  const tree = buildTree(records, links);
  if (records.length === 1) {
    emitter.emit(tree);
    return 0;
  }
  const before = countUnits(tree);
  const units = mergeUnits(tree);
  emitter.emit(units);
  return before - countUnits(units);
}
