import { type Unit, byBeginning, byStart } from "../assembly/record-tree.ts";
import {
  asksForTools,
  isAnsweredIn,
  isUserMessage,
  toAnswerText,
  toWindow,
} from "../reading/chat-message.ts";
import type { Failure, SpanRecord } from "../span-record.ts";
import { type ToolStep, emitCall, emitTools, failureOf, toBatches } from "./emit-call.ts";
import type { Turn } from "./turn.ts";

/** The parts of an agent's run. */
interface Run {
  /** Model calls that talk with the user. */
  readonly calls: SpanRecord[];
  /** What runs inside a call that runs its tools itself. */
  readonly inside: Map<SpanRecord, Run>;
  readonly tools: Unit[];
  /** Agents that work for this one. */
  readonly helpers: Unit[];
}

function gather(unit: Unit, run: Run, nested: Unit[]): void {
  for (const child of unit.children) {
    const { record } = child;
    if (record.role === "agent") {
      nested.push(child);
      continue;
    }
    if (record.role === "call") {
      run.calls.push(record);
      if (child.children.length > 0) run.inside.set(record, toInside(child));
    } else if (record.role !== "tool") gather(child, run, nested);
    else run.tools.push(child);
  }
}

function createRun(): Run {
  return { calls: [], inside: new Map(), tools: [], helpers: [] };
}

/** Takes apart what runs inside a model call: whatever it is, it helps. */
function toInside(call: Unit): Run {
  const run = createRun();
  gather(call, run, run.helpers);
  return run;
}

/** Takes an agent's run apart; agents inside one that calls no model itself are the same run. */
function toRun(agent: Unit): Run {
  const run = createRun();
  const nested: Unit[] = [];
  gather(agent, run, nested);
  if (run.calls.length > 0) run.helpers.push(...nested);
  else {
    for (const unit of nested) {
      const inner = toRun(unit);
      run.calls.push(...inner.calls);
      for (const [call, inside] of inner.inside) run.inside.set(call, inside);
      run.tools.push(...inner.tools);
      run.helpers.push(...inner.helpers);
    }
  }
  return run;
}

function emitQuestion(agent: SpanRecord, run: Run, turn: Turn): void {
  const first = run.calls[0];
  if (first && toWindow(first.input).some(isUserMessage)) return;
  for (const { text } of toWindow(agent.input).filter(isUserMessage)) {
    const isTold = turn.conversation.hasUser(text) || turn.conversation.hadUser(text);
    if (!isTold) turn.user(text, agent);
  }
}

/** Takes the sum of the tokens away where the calls themselves are known. */
function withoutCounted(agent: SpanRecord, { calls }: Run): SpanRecord {
  return calls.length > 0 ? { ...agent, usage: undefined } : agent;
}

/** What was judged of the run was judged of its answer. */
function withJudged(call: SpanRecord, { evaluations }: SpanRecord): SpanRecord {
  if (evaluations.length === 0) return call;
  return { ...call, evaluations: [...call.evaluations, ...evaluations] };
}

/** Returns how an agent failed, unless what happened inside has emitted it. */
function emitFailure(agent: SpanRecord, run: Run, failure: Failure, turn: Turn): void {
  const isOver = turn.hasAnswer || turn.hasFailure;
  const isTold = turn.hasFailure || (turn.hasAnswer && turn.knows(failure));
  const partial = isOver ? undefined : toAnswerText(agent.output);
  if (!isTold) turn.failure(failure, withoutCounted(agent, run), partial);
}

/** Emits what only the agent's own span says: an answer, a failure, or that nothing was captured. */
function emitEnd(agent: SpanRecord, run: Run, turn: Turn): void {
  const failure = failureOf(agent);
  if (failure) {
    emitFailure(agent, run, failure, turn);
    return;
  }
  if (turn.hasAnswer || turn.hasFailure) return;
  const text = toAnswerText(agent.output);
  const hasCalls = run.calls.length > 0;
  if (text === undefined) {
    const isSpent = !hasCalls && agent.output.length === 0 && agent.usage !== undefined;
    if (isSpent || agent.isAbandoned) turn.answer(undefined, withoutCounted(agent, run));
  } else if (!turn.conversation.isLastAnswer(text)) {
    turn.answer(text, withoutCounted(agent, run));
  }
}

interface Step {
  readonly record: SpanRecord;
  readonly start: number;
  readonly end: number;
  readonly call?: SpanRecord;
  readonly tool?: Unit;
  readonly helper?: Unit;
}

/** Returns what happened, in order; tools that ran side by side together. */
function toSteps({ calls, tools, helpers }: Run): Step[][] {
  const at = (record: SpanRecord): Pick<Step, "record" | "start" | "end"> => {
    const { start, end } = record;
    return { record, start, end };
  };
  const steps: Step[] = [
    ...calls.map((call) => ({ ...at(call), call })),
    ...tools.map((tool) => ({ ...at(tool.record), tool })),
    ...helpers.map((helper) => ({ ...at(helper.record), helper })),
  ];
  steps.sort((one, other) => byBeginning(one.record, other.record));
  return toBatches(steps, ({ tool }) => tool !== undefined);
}

/** Makes the step of a tool, in which agents or models may have worked. */
export function toToolStep(tool: Unit, beginHelp: BeginHelp): ToolStep {
  return {
    run: tool.record,
    emitInside: tool.children.length > 0 ? () => emitAllHelp(tool.children, beginHelp) : undefined,
  };
}

function emitAllHelp(helpers: readonly Unit[], beginHelp: BeginHelp): SpanRecord | undefined {
  const agents = helpers.filter(({ record }) => record.role === "agent");
  const [first, ...rest] = helpers.filter(({ record }) => record.role !== "agent");
  let unspent: SpanRecord | undefined;
  // Calls and tools side by side are the run of one that has no span of its own.
  if (first) unspent = emitHelper({ ...first, children: [first, ...rest] }, beginHelp, true);
  for (const agent of agents) unspent = emitHelper(agent, beginHelp) ?? unspent;
  return unspent;
}

/** Emits the steps of a run; those of a call are emitted by its caller. */
function emitSteps(
  run: Run,
  turn: Turn,
  beginHelp: BeginHelp,
  emitOneCall: (call: SpanRecord, emitInside: () => void) => void,
): void {
  for (const steps of toSteps(run)) {
    const tools = steps.flatMap(({ tool }) => (tool ? [toToolStep(tool, beginHelp)] : []));
    if (tools.length > 0) emitTools(tools, turn);
    const [{ call, helper } = {}] = steps;
    if (helper) emitHelper(helper, beginHelp);
    if (!call) continue;
    const inside = run.inside.get(call);
    emitOneCall(call, () => inside && emitUnseenSteps(inside, turn, beginHelp));
  }
}

/** Begins the turn of an agent that works for another one. */
type BeginHelp = (helper: Unit) => Turn;

/** @returns A model call whose tokens nothing has carried. */
function emitHelper(
  helper: Unit,
  beginHelp: BeginHelp,
  isGroup = helper.record.role === "agent",
): SpanRecord | undefined {
  const turn = beginHelp(helper);
  const run = toRun(isGroup ? helper : { ...helper, children: [helper] });
  emitUnseenSteps(run, turn, beginHelp);
  turn.end();
  return turn.takeUnspent();
}

/** Emits a run of which the user sees neither question nor answer. */
function emitUnseenSteps(run: Run, turn: Turn, beginHelp: BeginHelp): void {
  emitSteps(run, turn, beginHelp, (call, inside) =>
    emitCall(call, turn, { mayAsk: false, mayAnswer: false }, inside),
  );
}

/** Emits what runs inside a call outside of any agent. */
export function emitInside(call: Unit, turn: Turn, beginHelp: BeginHelp): void {
  if (call.children.length > 0) emitUnseenSteps(toInside(call), turn, beginHelp);
}

/** Returns the answer of the agent that the conversation was handed over to, when the first one has none. */
function findHandedOver(run: Run): SpanRecord | undefined {
  if (run.calls.some(isAnswering)) return undefined;
  const agents = run.helpers.filter(
    ({ record, parent }) => record.role === "agent" && parent?.record.role !== "tool",
  );
  return agents
    .toSorted(byStart)
    .flatMap((unit) => toRun(unit).calls)
    .findLast(isAnswering);
}

/**
 * Emits the run of an agent: what the user said, the tools, one answer.
 *
 * What other agents do for it is emitted without questions and answers, for the user sees none of them.
 */
export function emitAgent(agent: Unit, turn: Turn, beginHelp: BeginHelp): void {
  const { record } = agent;
  const run = toRun(agent);
  run.calls.sort(byBeginning);
  const answers = pickAnswers(record, run.calls);
  const isUnknown = run.calls.length === 0 && record.input.length + record.output.length === 0;
  if (isUnknown && record.usage && !turn.conversation.isOpen) turn.user(undefined, record);
  else emitQuestion(record, run, turn);
  emitSteps(run, turn, beginHelp, (call, inside) => {
    const hasText = toAnswerText(call.output) !== undefined;
    const mayAnswer = answers.has(call) && (hasText || toAnswerText(record.output) === undefined);
    const mayAsk = call === run.calls[0] || (turn.hasAnswer && !turn.conversation.isOpen);
    const place = { mayAsk, mayAnswer, failure: record.failure };
    emitCall(mayAnswer ? withJudged(call, record) : call, turn, place, inside);
  });
  turn.end();
  const handedOver = turn.hasAnswer ? undefined : findHandedOver(run);
  if (handedOver) turn.answer(toAnswerText(handedOver.output), handedOver);
  emitEnd(record, run, turn);
}

/** Returns whether a call ended with a text for the one who asked. */
const isAnswering = (call: SpanRecord): boolean =>
  !call.output.some(asksForTools) &&
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
