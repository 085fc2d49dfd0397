import { byStart, type Unit } from "../assembly/record-tree.ts";
import {
  asksForTools,
  isAnsweredIn,
  isUserMessage,
  toAnswerText,
  toWindow,
} from "../reading/chat-message.ts";
import type { SpanRecord } from "../span-record.ts";
import { emitCall, emitTools, failureOf, toBatches } from "./emit-call.ts";
import type { Turn } from "./turn.ts";

/** The parts of an agent's run. */
interface Run {
  /** Model calls that talk with the user. */
  readonly calls: Unit[];
  readonly tools: Unit[];
  /** Agents that work for this one. */
  readonly helpers: Unit[];
}

/** Begins the turn of an agent that works for another one. */
export type BeginHelp = (helper: Unit) => Turn;

/** Takes apart what runs inside an agent or a call: agents in it help. */
function gather(unit: Unit, run: Run = { calls: [], tools: [], helpers: [] }): Run {
  for (const child of unit.children) {
    const { role } = child.record;
    if (role === "agent") run.helpers.push(child);
    else if (role === "call") run.calls.push(child);
    else if (role === "tool") run.tools.push(child);
    else gather(child, run);
  }
  return run;
}

/** Takes an agent's run apart; agents inside one that calls no model itself are the same run. */
function toRun(agent: Unit): Run {
  const run = gather(agent);
  if (run.calls.length > 0) return run;
  for (const unit of run.helpers.splice(0)) {
    const inner = toRun(unit);
    run.calls.push(...inner.calls);
    run.tools.push(...inner.tools);
    run.helpers.push(...inner.helpers);
  }
  return run;
}

function emitQuestion(agent: SpanRecord, run: Run, turn: Turn): void {
  const first = run.calls[0]?.record;
  if (first && toWindow(first.input).some(isUserMessage)) return;
  for (const { text } of toWindow(agent.input).filter(isUserMessage)) {
    const isEmitted = turn.conversation.hasUser(text) || turn.conversation.hadUser(text);
    if (!isEmitted) turn.user(text, agent);
  }
}

/** What was judged of the run was judged of its answer. */
function withJudged(call: SpanRecord, { evaluations }: SpanRecord): SpanRecord {
  if (evaluations.length === 0) return call;
  return { ...call, evaluations: [...call.evaluations, ...evaluations] };
}

/** Returns whether an agent may have answered although no text was captured. */
const hasUnseenAnswer = ({ isAbandoned, output, usage }: SpanRecord): boolean =>
  isAbandoned || (output.messages.length === 0 && usage !== undefined);

/** Emits what only the agent's own span says: an answer, a failure, or that nothing was captured. */
function emitEnd(agent: SpanRecord, run: Run, turn: Turn): void {
  const failure = failureOf(agent);
  const isEmitted = turn.hasAnswer && (!failure || turn.knows(failure));
  if (isEmitted || turn.hasFailure) return;
  // The sum of the tokens counts only where the calls themselves are not known.
  const summed = run.calls.length > 0 ? { ...agent, usage: undefined } : agent;
  const text = toAnswerText(agent.output);
  const isNew =
    text === undefined ? hasUnseenAnswer(summed) : !turn.conversation.isLastAnswer(text);
  if (failure) turn.failure(failure, summed, turn.hasAnswer ? undefined : text);
  else if (isNew) turn.answer(text, summed);
}

/** Emits what agents or models did inside a tool. @returns A model call whose tokens the result is to carry. */
export function emitHelp({ children }: Unit, beginHelp: BeginHelp): SpanRecord | undefined {
  const agents = children.filter(({ record }) => record.role === "agent");
  const [first, ...rest] = children.filter(({ record }) => record.role !== "agent");
  let unspent: SpanRecord | undefined;
  // Calls and tools side by side are the run of one that has no span of its own.
  if (first) unspent = emitHelper({ ...first, children: [first, ...rest] }, beginHelp);
  for (const agent of agents) unspent = emitHelper(agent, beginHelp) ?? unspent;
  return unspent;
}

/** Emits the steps of a run in order, tools that ran side by side together; those of a call are emitted by its caller. */
function emitSteps(
  { calls, tools, helpers }: Run,
  turn: Turn,
  beginHelp: BeginHelp,
  emitOneCall: (call: SpanRecord, emitInside: () => void) => void,
): void {
  const steps = [...calls, ...tools, ...helpers].toSorted(byStart);
  for (const batch of toBatches(steps)) {
    const [first] = batch;
    if (first?.record.role === "agent") emitHelper(first, beginHelp);
    else if (first?.record.role === "call") {
      emitOneCall(first.record, () => emitInside(first, turn, beginHelp));
    } else emitTools(batch, turn, (tool) => emitHelp(tool, beginHelp));
  }
}

/** @returns A model call whose tokens nothing has carried. */
function emitHelper(helper: Unit, beginHelp: BeginHelp): SpanRecord | undefined {
  const turn = beginHelp(helper);
  emitUnseenSteps(toRun(helper), turn, beginHelp);
  turn.end();
  return turn.takeUnspent();
}

/** Emits a run of which the user sees neither question nor answer. */
function emitUnseenSteps(run: Run, turn: Turn, beginHelp: BeginHelp): void {
  emitSteps(run, turn, beginHelp, (call, inside) =>
    emitCall(call, turn, { mayAsk: false, mayAnswer: false }, inside),
  );
}

/** Emits what runs inside a call, if anything does. */
export function emitInside(call: Unit, turn: Turn, beginHelp: BeginHelp): void {
  if (call.children.length > 0) emitUnseenSteps(gather(call), turn, beginHelp);
}

/** Returns whether a call ended with a text for the one who asked. */
const isAnswering = (call: SpanRecord): boolean =>
  !call.output.messages.some(asksForTools) &&
  toAnswerText(call.output) !== undefined &&
  failureOf(call) === undefined;

/** Picks the calls whose text the user got: the last one, and those that the user has reacted to. */
function pickAnswers(agent: SpanRecord, calls: readonly SpanRecord[]): ReadonlySet<SpanRecord> {
  const answering = calls.filter(isAnswering);
  const said = toAnswerText(agent.output);
  const same = answering.findLast(({ output }) => toAnswerText(output) === said);
  const last = same ?? answering.at(-1) ?? calls.at(-1);
  const reacted =
    said === undefined || agent.holdsTurns === true
      ? answering.filter((call) => {
          const text = toAnswerText(call.output) ?? "";
          return calls.some((later) => later.start > call.start && isAnsweredIn(later.input, text));
        })
      : [];
  return new Set(last ? [last, ...reacted] : reacted);
}

const toRecords = (units: readonly Unit[]): SpanRecord[] => units.map(({ record }) => record);

/** Returns the answer of the agent that the conversation was handed over to, when the first one has none. */
function findHandedOver({ calls, helpers }: Run): SpanRecord | undefined {
  if (toRecords(calls).some(isAnswering)) return undefined;
  const agents = helpers.filter(({ parent }) => parent?.record.role !== "tool");
  const inner = agents.toSorted(byStart).flatMap((unit) => toRun(unit).calls);
  return toRecords(inner).findLast(isAnswering);
}

/**
 * Emits the run of an agent: what the user said, the tools, one answer.
 *
 * What other agents do for it is emitted without questions and answers, for the user sees none of them.
 */
export function emitAgent(agent: Unit, turn: Turn, beginHelp: BeginHelp): void {
  const { record } = agent;
  const run = toRun(agent);
  run.calls.sort(byStart);
  const calls = toRecords(run.calls);
  const answers = pickAnswers(record, calls);
  const { input, output } = record;
  const isUnknown = calls.length + input.messages.length + output.messages.length === 0;
  if (isUnknown && record.usage && !turn.conversation.isOpen) turn.user(undefined, record);
  else emitQuestion(record, run, turn);
  emitSteps(run, turn, beginHelp, (call, inside) => {
    const hasText = toAnswerText(call.output) !== undefined;
    const mayAnswer = answers.has(call) && (hasText || toAnswerText(record.output) === undefined);
    const mayAsk = call === calls[0] || (turn.hasAnswer && !turn.conversation.isOpen);
    const place = { mayAsk, mayAnswer, failure: record.failure };
    emitCall(mayAnswer ? withJudged(call, record) : call, turn, place, inside);
  });
  turn.end();
  const handedOver = turn.hasAnswer ? undefined : findHandedOver(run);
  if (handedOver) turn.answer(toAnswerText(handedOver.output), handedOver);
  emitEnd(record, run, turn);
}
