import { signInput } from "../assembly/text-digest.ts";
import {
  type ChatMessage,
  type MessageToolCall,
  asksForTools,
  isAnswer,
  isUserMessage,
  toAnswerText,
  toWindow,
} from "../reading/chat-message.ts";
import { toCapturedText } from "../reading/read-attributes.ts";
import type { Failure, SpanRecord } from "../span-record.ts";
import { toCallMetadata } from "./call-metadata.ts";
import type { SeenToolCall } from "./conversation-state.ts";
import { type Turn, UNKNOWN_TOOL } from "./turn.ts";

/** What a model call may tell, by its place in the run of an agent. */
interface CallPlace {
  /** Whether messages of role `user` in its input are the user's. */
  readonly mayAsk: boolean;
  /** Whether its text is the answer. */
  readonly mayAnswer: boolean;
  /** How the agent around it failed. */
  readonly failure?: Failure | undefined;
}

function emitMentionedCalls(
  { toolCalls }: ChatMessage,
  call: SpanRecord,
  turn: Turn,
  matched: Set<SeenToolCall>,
): void {
  for (const mentioned of toolCalls) {
    const known = turn.conversation.findCall(mentioned, matched);
    const told = known ?? turn.call(mentioned, call, call.start, turn.spend());
    told.id ??= mentioned.id;
    matched.add(told);
  }
}

function emitMentionedResults(
  { toolResults }: ChatMessage,
  call: SpanRecord,
  turn: Turn,
  matched: Set<SeenToolCall>,
): void {
  for (const { id, name, result, isPartial } of toolResults) {
    const known =
      id === undefined
        ? turn.conversation.findNth(name, matched)
        : turn.conversation.findAwaiting({ id, name });
    // What was asked for is unknown, but that something came back is not.
    const told = known ?? turn.conversation.noteCall({ id, name: name ?? UNKNOWN_TOOL });
    matched.add(told);
    if (!told.hasResult) {
      turn.result(told, result, call, turn.deferred?.get(told), isPartial);
    }
  }
}

/** Returns whether a call has no word of the user because none was captured. */
function isQuestionUnseen({ input }: SpanRecord): boolean {
  return (
    input.length === 0 ||
    input.some(({ role, toolResults }) => role === "user" && toolResults.length === 0)
  );
}

function emitInput(call: SpanRecord, turn: Turn, mayAsk: boolean): void {
  const matched = new Set<SeenToolCall>();
  const answered = new Set<SeenToolCall>();
  const window = toWindow(call.input);
  const hasQuestion = window.some(isUserMessage);
  if (mayAsk && !hasQuestion && isQuestionUnseen(call)) {
    const { conversation } = turn;
    if (!conversation.isOpen && !conversation.hasUnseen(call.traceId)) turn.user(undefined, call);
  }
  for (const message of window) {
    if (mayAsk && isUserMessage(message) && !turn.conversation.hasUser(message.text)) {
      turn.user(message.text, call);
    }
    emitMentionedCalls(message, call, turn, matched);
    emitMentionedResults(message, call, turn, answered);
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
    output.length === 0 ||
    output.some(({ text }) => text !== "" && toCapturedText(text) === undefined)
  );
}

/** Returns what the agent said beside asking for tools: in a chat the user reads it. */
function toTextBeside({ output }: SpanRecord): string | undefined {
  const texts = output.filter((message) => asksForTools(message) || isAnswer(message));
  return toCapturedText(
    texts
      .map(({ text }) => text)
      .filter((text) => text !== "")
      .join("\n"),
  );
}

/** Emits the tools that a model has asked for; the tokens of the call count once. */
function emitAsked(call: SpanRecord, turn: Turn, calls: readonly MessageToolCall[]): void {
  const agentText = toTextBeside(call);
  const given = turn.isSpent(call)
    ? { agentText }
    : { ...toCallMetadata(call, call.usage), agentText };
  let metadata: Record<string, unknown> | undefined = given;
  for (const mentioned of calls) {
    const { id } = mentioned;
    if (id !== undefined && turn.conversation.findCall(mentioned, NONE)) continue;
    turn.call(mentioned, call, call.end, metadata);
    metadata = undefined;
  }
  // Told already, by a message that knew no tokens.
  if (metadata === given) turn.save(call);
}

/** Emits the tools that the provider has run during the call, and the answer that came of it. */
function emitServed(call: SpanRecord, turn: Turn, text: string | undefined): void {
  const matched = new Set<SeenToolCall>();
  const answered = new Set<SeenToolCall>();
  for (const message of call.output) {
    emitMentionedCalls(message, call, turn, matched);
    emitMentionedResults(message, call, turn, answered);
  }
  if (text === undefined) turn.save(call);
  else turn.answer(text, call);
}

const NONE: ReadonlySet<SeenToolCall> = new Set();

function emitOutput(call: SpanRecord, turn: Turn, { mayAnswer, failure: around }: CallPlace): void {
  const text = toAnswerText(call.output);
  const failure = failureOf(call, around);
  // A failed tool may leave its mark on spans around and behind it, which went well.
  const isEcho = failure !== undefined && call.output.length > 0 && turn.knows(failure);
  if (failure && !isEcho) turn.failure(failure, call, text);
  else if (call.output.some(({ toolCalls }) => toolCalls.length > 0)) {
    emitToolCalls(call, turn, mayAnswer, text);
  } else if (text !== undefined && mayAnswer) turn.answer(text, call);
  else {
    turn.save(call);
    if (isUnseen(call) && mayAnswer) turn.answerUnseen(call);
  }
}

function emitToolCalls(
  call: SpanRecord,
  turn: Turn,
  mayAnswer: boolean,
  text: string | undefined,
): void {
  const isServed = text !== undefined && !call.output.some(asksForTools);
  if (isServed) emitServed(call, turn, mayAnswer ? text : undefined);
  else
    emitAsked(
      call,
      turn,
      call.output.flatMap(({ toolCalls }) => toolCalls),
    );
}

/**
 * Emits what a model call brought that was not emitted before.
 *
 * @param emitInside - Tells what happened between question and answer, of a call that runs tools itself.
 */
export function emitCall(
  call: SpanRecord,
  turn: Turn,
  place: CallPlace,
  emitInside?: () => void,
): void {
  const { responseId } = call.identity;
  const { conversation } = turn;
  if (responseId !== undefined) {
    if (!conversation.isNewResponse(call.traceId, responseId, signInput(call))) return;
  }
  emitInput(call, turn, place.mayAsk && call.isContinued !== true);
  // Tools inside a call are those that it has asked for, or those that its answer comes after.
  if (call.isUnderWay) return;
  const isAsking = call.output.some(asksForTools);
  if (isAsking) emitOutput(call, turn, place);
  else if (emitInside && toAnswerText(call.output) === undefined) turn.save(call);
  emitInside?.();
  if (!isAsking) emitOutput(call, turn, place);
}

/** A run of a tool, and how to tell what happened inside it. */
export interface ToolStep {
  readonly run: SpanRecord;
  /** @returns A model call whose tokens the result is to carry. */
  readonly emitInside?: (() => SpanRecord | undefined) | undefined;
}

function emitRunCall(run: SpanRecord, turn: Turn): SeenToolCall | undefined {
  if (!run.tool) return undefined;
  const { id, name, parameters, areParametersPartial: isPartial } = run.tool;
  const mentioned = { id, name, parameters, isPartial };
  const known = turn.conversation.findAwaiting(mentioned);
  const told = known ?? turn.call(mentioned, run, run.start, turn.spend());
  told.id ??= id;
  told.hasRun = true;
  return told;
}

function emitOutcome(run: SpanRecord, told: SeenToolCall, turn: Turn): void {
  if (told.hasResult) return;
  const result = run.tool?.result;
  // Never ended: whether it did anything is unknown, and the next message of the model may tell.
  const isUnknown = result === undefined && (run.isAbandoned || !run.failure);
  if (isUnknown) (turn.deferred ??= new Map()).set(told, run);
  else turn.result(told, result, run, run, run.tool?.isResultPartial);
}

/** Emits tools that ran side by side: the calls, unless the model's answer has brought them, and the results. */
export function emitTools(steps: readonly ToolStep[], turn: Turn): void {
  const asked = steps.map((step) => ({ ...step, told: emitRunCall(step.run, turn) }));
  // In the order of the calls: what starts in one millisecond may have started in any.
  asked.sort((one, other) => (one.told?.order ?? 0) - (other.told?.order ?? 0));
  for (const { run, told, emitInside } of asked) {
    const made = emitInside?.();
    if (made) turn.save(made);
    if (told) emitOutcome(run, told, turn);
  }
}

/** Puts runs together that overlap: they were asked for at once. */
export function toBatches<T extends { readonly start: number; readonly end: number }>(
  steps: readonly T[],
  isTool: (step: T) => boolean,
): T[][] {
  const batches: T[][] = [];
  let end = 0;
  for (const step of steps) {
    const last = batches.at(-1);
    if (last?.[0] && isTool(step) && isTool(last[0]) && step.start < end) {
      last.push(step);
      end = Math.max(end, step.end);
    } else {
      batches.push([step]);
      end = step.end;
    }
  }
  return batches;
}
