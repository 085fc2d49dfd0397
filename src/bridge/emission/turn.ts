import type { EventType } from "../../events/base-event.ts";
import { createInteraction, type Interaction } from "../../events/event-builder.ts";
import { addOrigin, type BridgedEvent, type EventIds } from "../bridged-event.ts";
import { addUsage, markAnswer, toCallMetadata, toDuration } from "./call-metadata.ts";
import { asksForTools } from "../reading/chat-message.ts";
import type { BridgedIdentity } from "../bridge-identity.ts";
import type { CallUsage, Failure, SpanRecord } from "../span-record.ts";
import { rateFailure } from "../reading/read-failure.ts";
import type { ConversationMemory } from "../assembly/conversation-memory.ts";
import type { MentionedCall, SeenToolCall, ConversationState } from "./conversation-state.ts";

/** What emits the turns of a trace works with. */
export interface EmitOptions {
  readonly memory: ConversationMemory;
  readonly emit: (event: BridgedEvent) => void;
  /** Gets a turn in which a tool was asked for that nothing has named: traces that are emitted next may name it. */
  readonly onUnnamed: (turn: Turn) => void;
}

/** What a Turn works with. */
export interface TurnOptions {
  readonly identity: BridgedIdentity;
  readonly conversation: ConversationState;
  readonly context: TurnContext;
  /** The agent that has asked this one, which the user does not see. */
  readonly parentAgent?: string | undefined;
}

/** What the turns of one trace share. */
export interface TurnContext {
  readonly options: EmitOptions;
  readonly eventIds: EventIds;
  /** Returns the arguments of a call from wherever they are whole: streams leave them out. */
  findParameters(call: MentionedCall): unknown;
  /** Returns the id of a call that only a later request names. */
  findCallId(call: MentionedCall): string | undefined;
}

const MAX_FAILURES = 100;
/** Stands for the name of a tool that no span names. */
export const UNKNOWN_TOOL = "unknown";

type Values = Partial<Omit<Interaction, "kind" | keyof BridgedIdentity>>;

/** Emits what happens in one turn of a conversation, each thing once and in order. */
export class Turn {
  readonly conversation: ConversationState;
  /** Runs whose result stands in a later message, if anywhere. */
  deferred: Map<SeenToolCall, SpanRecord> | undefined;
  hasAnswer = false;
  hasFailure = false;
  readonly #options: TurnOptions;
  #time = 0;
  /** A call that has brought nothing yet which could carry its tokens. */
  #unspent: SpanRecord | undefined;
  #spent: SpanRecord | undefined;
  /** Tokens of calls that nothing reports: what they asked for was not captured. */
  #carried: CallUsage | undefined;
  #failures: Set<string> | undefined;
  /** A call whose answer was not captured, as long as it may have been one for a tool. */
  #unseen: SpanRecord | undefined;

  constructor(options: TurnOptions) {
    this.#options = options;
    this.conversation = options.conversation;
  }

  /** Keeps what is to be emitted of a call for the tool that it turns out to have asked for. */
  save(call: SpanRecord): void {
    if (this.#spent === call) return;
    this.#carry(call);
    this.#unspent = call;
  }

  /** Keeps the tokens of a call that brought nothing of its own for the next thing that is emitted. */
  #carry(next?: SpanRecord): void {
    const call = this.#unspent;
    this.#unspent = undefined;
    if (call && call !== next) this.#carried = addUsage(this.#carried, call.usage);
  }

  /** Returns the tokens of a call and those that were carried to it. */
  #takeUsage(usage: CallUsage | undefined): CallUsage | undefined {
    const sum = addUsage(this.#carried, usage);
    this.#carried = undefined;
    return sum;
  }

  /** Returns a call whose tokens nothing has carried. */
  takeUnspent(): SpanRecord | undefined {
    const call = this.#unspent;
    this.#unspent = undefined;
    return call && { ...call, usage: this.#takeUsage(call.usage) };
  }

  /** Returns what was kept, once. */
  spend(): Record<string, unknown> | undefined {
    const call = this.#unspent ?? this.conversation.takeUnnamed();
    this.#unspent = undefined;
    this.#spent = call ?? this.#spent;
    return call && toCallMetadata(call, this.#takeUsage(call.usage));
  }

  isSpent(call: SpanRecord): boolean {
    return this.#spent === call;
  }

  /** Returns whether a failure is one that was emitted, of a tool perhaps. */
  knows({ message }: Failure): boolean {
    return message !== "" && this.#failures?.has(message) === true;
  }

  /** Emits the message of the user. @param text - `undefined` when it was not captured. */
  user(text: string | undefined, record: SpanRecord): void {
    this.#emitUnseen();
    if (text === undefined) this.conversation.unseenTrace = record.traceId;
    this.conversation.noteUser(text ?? "");
    const metadata = {
      captured: text === undefined ? false : undefined,
      truncated: record.input.isPartial || undefined,
    };
    this.#emit("user_message", record, record.start, { content: text ?? "" }, metadata);
  }

  /** Emits a tool call. */
  call(
    call: MentionedCall & { readonly name: string },
    record: SpanRecord,
    at: number,
    metadata: Record<string, unknown> = {},
  ): SeenToolCall {
    this.#unseen = undefined;
    const { context } = this.#options;
    const toolCallId = call.id ?? context.findCallId(call);
    const seen = this.conversation.noteCall({ ...call, id: toolCallId });
    context.options.memory.noteCall(toolCallId, this.conversation);
    const parameters = context.findParameters({ ...call, id: toolCallId });
    const values = { toolName: call.name, toolParameters: parameters ?? {} };
    this.#emit("tool_call", record, at, values, {
      toolCallId,
      captured: parameters === undefined ? false : undefined,
      truncated: call.isPartial || undefined,
      ...metadata,
    });
    return seen;
  }

  /**
   * Emits the result of a tool.
   *
   * @param run - The tool's own span, when there is one.
   * @param isPartial - Whether a limit cut the result.
   */
  result(
    call: SeenToolCall,
    result: unknown,
    record: SpanRecord,
    run: SpanRecord | undefined,
    isPartial = false,
  ): void {
    call.hasResult = true;
    this.deferred?.delete(call);
    const values = {
      toolName: call.name,
      toolResult: result ?? null,
      executionTime: run && toDuration(run),
    };
    const at = run?.end ?? record.start;
    this.#emit("tool_result", run ?? record, at, values, {
      toolCallId: call.id,
      ...this.#toOutcome(result, run?.failure),
      truncated: isPartial || undefined,
      // An agent behind the tool may have made it.
      ...this.spend(),
    });
  }

  #toOutcome(result: unknown, failure: Failure | undefined): Record<string, unknown> {
    if (!failure) return result === undefined ? { captured: false } : {};
    this.#noteFailure(failure);
    return { success: false, toolError: failure.message || failure.type };
  }

  /** Takes note of an answer that was not captured; what follows shows whether it was one to the user. */
  answerUnseen(record: SpanRecord): void {
    this.#unseen = record;
    this.hasAnswer = true;
  }

  /** Emits the answer. @param text - `undefined` when it was not captured. */
  answer(text: string | undefined, record: SpanRecord): void {
    this.#unseen = undefined;
    if (this.#unspent === record) this.#unspent = undefined;
    this.#emitDeferred();
    this.#carry();
    const unnamed = this.conversation.takeUnnamed();
    if (unnamed) this.#carried = addUsage(this.#carried, unnamed.usage);
    const usage = this.#takeUsage(this.isSpent(record) ? undefined : record.usage);
    const call = toCallMetadata(record, usage);
    this.hasAnswer = true;
    const userMessage = this.conversation.question;
    this.conversation.noteAnswer(text ?? "");
    const values = { content: text ?? "" };
    markAnswer(call, record, text);
    this.#emit("agent_response", record, record.end, values, call, userMessage);
  }

  /** Emits a failure. @param partial - What had come of the answer. */
  failure(failure: Failure, record: SpanRecord, partial?: string): void {
    this.#unseen = undefined;
    this.hasFailure = true;
    this.conversation.failedTrace = record.traceId;
    const { type, message, stack, code } = failure;
    const error = { name: type, message: message || type, stack, code };
    const metadata = {
      ...toCallMetadata(record, record.usage),
      ...rateFailure(failure),
      errorType: type,
      errorCode: code,
      partialContent: partial,
    };
    this.#emit("error", record, record.end, { error }, metadata);
  }

  /** Emits an unknown result for each run whose result never came up. */
  end(): void {
    this.#emitUnseen();
    this.#emitDeferred();
  }

  /** Keeps a call that asked for a tool which nothing has named: another trace may name it. */
  close(): void {
    const call = this.takeUnspent();
    if (!call || this.hasAnswer || this.hasFailure) return;
    if (call.output.messages.some(asksForTools)) return;
    this.conversation.noteUnnamed(call);
    this.#options.context.options.onUnnamed(this);
  }

  /** Emits a call that asked for a tool which nothing has named. */
  emitUnnamed(): void {
    const call = this.conversation.takeUnnamed();
    // Of others nobody knows whether they have brought anything.
    if (call?.settings.finishReason !== "tool_call") return;
    const mentioned = { id: undefined, name: UNKNOWN_TOOL };
    this.call(mentioned, call, call.end, toCallMetadata(call, call.usage));
  }

  #noteFailure({ message }: Failure): void {
    this.#failures ??= new Set();
    if (this.#failures.size < MAX_FAILURES) this.#failures.add(message);
  }

  #emitDeferred(): void {
    if (!this.deferred) return;
    for (const [call, run] of this.deferred) {
      if (!run.isAbandoned) this.result(call, undefined, run, run);
    }
    this.deferred = undefined;
  }

  #emitUnseen(): void {
    if (this.#unseen) this.answer(undefined, this.#unseen);
  }

  #emit(
    kind: EventType,
    record: SpanRecord,
    at: number,
    values: Values,
    metadata: Record<string, unknown>,
    userMessage?: string,
  ): void {
    const { identity, parentAgent, context } = this.#options;
    // Results are known to have come after the calls, whatever clocks say.
    this.#time = Math.max(this.#time, at);
    this.conversation.lastAt = Math.max(this.conversation.lastAt, at);
    const { agentText } = metadata;
    // What other agents say to this one nobody reads.
    const isRead = typeof agentText === "string" && parentAgent === undefined;
    const members = parentAgent === undefined ? metadata : { ...metadata, parentAgent };
    context.options.emit({
      eventId: context.eventIds.make(record, kind),
      interaction: createInteraction(kind, identity, values),
      metadata: addOrigin(members, record),
      timestamp: Math.round(this.#time),
      traceId: record.traceId,
      spanId: record.spanId,
      userMessage,
      agentText: isRead ? agentText : undefined,
    });
  }
}
