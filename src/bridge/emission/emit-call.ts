import type { Unit } from "../assembly/record-tree.ts";
import { signInput } from "../assembly/text-digest.ts";
import {
  asksForTools,
  isAnswer,
  isUserMessage,
  joinTexts,
  toAnswerText,
  toWindow,
  type ChatMessage,
} from "../reading/chat-message.ts";
import { toCapturedText } from "../reading/read-attributes.ts";
import type { Failure, SpanRecord } from "../span-record.ts";
import { toCallMetadata } from "./call-metadata.ts";
import type { SeenToolCall } from "./conversation-state.ts";
import { UNKNOWN_TOOL, type Turn } from "./turn.ts";

/** What a model call may emit, by its place in the run of an agent. */
interface CallPlace {
  /** Whether messages of role `user` in its input are the user's. */
  readonly mayAsk: boolean;
  /** Whether its text is the answer. */
  readonly mayAnswer: boolean;
  /** How the agent around it failed. */
  readonly failure?: Failure | undefined;
}

/** Calls that were found for what the messages of one call mention, so that each stands for one mention. */
interface Found {
  readonly asked: Set<SeenToolCall>;
  readonly answered: Set<SeenToolCall>;
}

/** Emits tool calls and results that a message mentions, where they were not emitted before. */
function emitMentioned(
  { toolCalls, toolResults }: ChatMessage,
  call: SpanRecord,
  turn: Turn,
  { asked, answered }: Found,
): void {
  const { conversation } = turn;
  for (const mentioned of toolCalls) {
    const known = conversation.findCall(mentioned, asked);
    const seen = known ?? turn.call(mentioned, call, call.start, turn.spend());
    seen.id ??= mentioned.id;
    asked.add(seen);
  }
  for (const { id, name, result, isPartial } of toolResults) {
    const known =
      id === undefined
        ? conversation.findNth(name, answered)
        : conversation.findAwaiting({ id, name });
    // What was asked for is unknown, but that something came back is not.
    const seen = known ?? conversation.noteCall({ id, name: name ?? UNKNOWN_TOOL });
    answered.add(seen);
    if (!seen.hasResult) {
      turn.result(seen, result, call, turn.deferred?.get(seen), isPartial);
    }
  }
}

/** Returns whether a call has no word of the user because none was captured. */
function isQuestionUnseen({ input: { messages } }: SpanRecord): boolean {
  return (
    messages.length === 0 ||
    messages.some(({ role, toolResults }) => role === "user" && toolResults.length === 0)
  );
}

function emitInput(call: SpanRecord, turn: Turn, mayAsk: boolean): void {
  const found: Found = { asked: new Set(), answered: new Set() };
  const window = toWindow(call.input);
  const { conversation } = turn;
  if (mayAsk && !window.some(isUserMessage) && isQuestionUnseen(call)) {
    const isNew = !conversation.isOpen && conversation.unseenTrace !== call.traceId;
    if (isNew) turn.user(undefined, call);
  }
  for (const message of window) {
    if (mayAsk && isUserMessage(message) && !conversation.hasUser(message.text)) {
      turn.user(message.text, call);
    }
    emitMentioned(message, call, turn, found);
  }
}

/** Returns how a call failed: it may say so itself, or leave it to the agent to say. */
export function failureOf(call: SpanRecord, around?: Failure): Failure | undefined {
  if (call.failure) return call.failure;
  if (call.settings.finishReason !== "error") return undefined;
  return around ?? { type: "Error", message: "the model call ended with an error" };
}

/** Returns whether an answer is one that nobody captured: it was not to be, or its span never ended. */
function isUnseen({ isAbandoned, output, settings }: SpanRecord): boolean {
  if (settings.finishReason === "tool_call") return false;
  return (
    isAbandoned ||
    output.messages.length === 0 ||
    output.messages.some(({ text }) => text !== "" && toCapturedText(text) === undefined)
  );
}

/** Returns what the agent said beside asking for tools: in a chat the user reads it. */
function toTextBeside({ output }: SpanRecord): string | undefined {
  const beside = output.messages.filter((message) => asksForTools(message) || isAnswer(message));
  return joinTexts(beside);
}

/** Emits the tools that a model has asked for; the tokens of the call count once. */
function emitAsked(call: SpanRecord, turn: Turn): void {
  const given = {
    ...(!turn.isSpent(call) && toCallMetadata(call, call.usage)),
    agentText: toTextBeside(call),
  };
  let metadata: Record<string, unknown> | undefined = given;
  for (const mentioned of call.output.messages.flatMap(({ toolCalls }) => toolCalls)) {
    if (mentioned.id !== undefined && turn.conversation.findCall(mentioned, NONE)) continue;
    turn.call(mentioned, call, call.end, metadata);
    metadata = undefined;
  }
  // Emitted already, by a message that knew no tokens.
  if (metadata === given) turn.save(call);
}

/** Emits the tools that the provider has run during the call, and the answer that came of it. */
function emitServed(call: SpanRecord, turn: Turn, text: string | undefined): void {
  const found: Found = { asked: new Set(), answered: new Set() };
  for (const message of call.output.messages) emitMentioned(message, call, turn, found);
  if (text === undefined) turn.save(call);
  else turn.answer(text, call);
}

const NONE: ReadonlySet<SeenToolCall> = new Set();

/** Returns whether a failed tool has left its mark on a span around or behind it, which went well. */
function isEcho(failure: Failure, { output }: SpanRecord, turn: Turn): boolean {
  return output.messages.length > 0 && turn.knows(failure);
}

function emitOutput(call: SpanRecord, turn: Turn, { mayAnswer, failure: around }: CallPlace): void {
  const text = toAnswerText(call.output);
  const failure = failureOf(call, around);
  if (failure && !isEcho(failure, call, turn)) turn.failure(failure, call, text);
  else if (call.output.messages.some(({ toolCalls }) => toolCalls.length > 0)) {
    if (text === undefined || call.output.messages.some(asksForTools)) emitAsked(call, turn);
    else emitServed(call, turn, mayAnswer ? text : undefined);
  } else if (text !== undefined && mayAnswer) turn.answer(text, call);
  else {
    turn.save(call);
    if (isUnseen(call) && mayAnswer) turn.answerUnseen(call);
  }
}

/**
 * Emits what a model call brought that was not emitted before.
 *
 * @param emitInside - Emits what happened between question and answer, of a call that runs tools itself.
 */
export function emitCall(
  call: SpanRecord,
  turn: Turn,
  place: CallPlace,
  emitInside: () => void,
): void {
  const { responseId } = call.identity;
  const isEmitted =
    responseId !== undefined &&
    !turn.conversation.isNewResponse(call.traceId, responseId, signInput(call));
  if (isEmitted) return;
  emitInput(call, turn, place.mayAsk && call.isContinued !== true);
  // Tools inside a call are those that it has asked for, or those that its answer comes after.
  if (call.isUnderWay) return;
  const isAsking = call.output.messages.some(asksForTools);
  if (isAsking) emitOutput(call, turn, place);
  else if (toAnswerText(call.output) === undefined) turn.save(call);
  emitInside();
  if (!isAsking) emitOutput(call, turn, place);
}

function emitRunCall(run: SpanRecord, turn: Turn): SeenToolCall | undefined {
  if (!run.tool) return undefined;
  const { id, name, parameters, areParametersPartial: isPartial } = run.tool;
  const mentioned = { id, name, parameters, isPartial };
  const known = turn.conversation.findAwaiting(mentioned);
  const seen = known ?? turn.call(mentioned, run, run.start, turn.spend());
  seen.id ??= id;
  seen.hasRun = true;
  return seen;
}

function emitOutcome(run: SpanRecord, seen: SeenToolCall, turn: Turn): void {
  if (seen.hasResult) return;
  const result = run.tool?.result;
  // Never ended: whether it did anything is unknown, and the next message of the model may show it.
  const isUnknown = result === undefined && (run.isAbandoned || !run.failure);
  if (isUnknown) (turn.deferred ??= new Map()).set(seen, run);
  else turn.result(seen, result, run, run, run.tool?.isResultPartial);
}

/**
 * Emits tools that ran side by side: the calls, unless the model's answer has brought them, and the results.
 *
 * @param emitInside - Emits what happened inside a tool; returns a model call whose tokens the result is to carry.
 */
export function emitTools(
  tools: readonly Unit[],
  turn: Turn,
  emitInside: (tool: Unit) => SpanRecord | undefined,
): void {
  const asked = tools.map((tool) => ({ tool, seen: emitRunCall(tool.record, turn) }));
  // In the order of the calls: what starts in one millisecond may have started in any.
  asked.sort((one, other) => (one.seen?.order ?? 0) - (other.seen?.order ?? 0));
  for (const { tool, seen } of asked) {
    const made = emitInside(tool);
    if (made) turn.save(made);
    if (seen) emitOutcome(tool.record, seen, turn);
  }
}

/** Puts tools together that overlap, for they were asked for at once; others stay alone. */
export function toBatches(units: readonly Unit[]): Unit[][] {
  const batches: Unit[][] = [];
  let end = 0;
  for (const unit of units) {
    const { role, start, end: ownEnd } = unit.record;
    const last = batches.at(-1);
    if (role === "tool" && last?.[0]?.record.role === "tool" && start < end) {
      last.push(unit);
      end = Math.max(end, ownEnd);
    } else {
      batches.push([unit]);
      end = ownEnd;
    }
  }
  return batches;
}
