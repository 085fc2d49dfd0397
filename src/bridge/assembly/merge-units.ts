import { fill } from "../dialects/index.ts";
import type { ChatMessage } from "../reading/chat-message.ts";
import { toCapturedText } from "../reading/read-attributes.ts";
import type { Failure, SpanRecord, ToolRun } from "../span-record.ts";
import { byStart, type Unit } from "./record-tree.ts";
import { contains, fromInner, isSameModel, mayBeginAlike, overlap } from "./same-call.ts";
import { signInput } from "./text-digest.ts";

/** Records before one that are compared with it. */
const MAX_NEIGHBOURS = 32;

const isBlank = ({ output }: SpanRecord): boolean =>
  output.every(({ text, toolCalls }) => text.trim() === "" && toolCalls.length === 0);

function signOutput({ output }: SpanRecord): string {
  return JSON.stringify(
    output.map(({ text, toolCalls }) => [text.trim(), toolCalls.map(({ name }) => name)]),
  );
}

function haveSameOutput(one: SpanRecord, other: SpanRecord): boolean {
  if (isBlank(one) || isBlank(other)) return true;
  return signOutput(one) === signOutput(other) || mayBeginAlike(one, other);
}

/** Returns whether two calls may have been sent the same: nobody can say where one has no question. */
function mayHaveSameInput(one: SpanRecord, other: SpanRecord): boolean {
  const [first, second] = [signInput(one), signInput(other)];
  return first === "" || second === "" || first === second;
}

/** Returns whether two records beside each other are of one model call, seen by two instrumentations. */
function isSameCall(one: SpanRecord, other: SpanRecord): boolean {
  const ids = [one.identity.responseId, other.identity.responseId];
  if (ids[0] !== undefined && ids[1] !== undefined) {
    // Caches and gateways give the same id again.
    return ids[0] === ids[1] && overlap(one, other) && mayHaveSameInput(one, other);
  }
  if (one.scope === other.scope) return false;
  return (
    (contains(one, other) || contains(other, one)) &&
    isSameModel(one, other) &&
    mayHaveSameInput(one, other) &&
    haveSameOutput(one, other)
  );
}

function isSameTool(one: SpanRecord, other: SpanRecord): boolean {
  const [id, otherId] = [one.tool?.id, other.tool?.id];
  if (id !== undefined && otherId !== undefined) return id === otherId;
  if (one.scope === other.scope || one.tool?.name !== other.tool?.name) return false;
  return contains(one, other) || contains(other, one);
}

function isSame({ record: one }: Unit, { record: other }: Unit): boolean {
  if (one.role !== other.role) return false;
  if (one.role === "call") return isSameCall(one, other);
  return one.role === "tool" && isSameTool(one, other);
}

function adopt(unit: Unit, children: readonly Unit[]): void {
  for (const child of children) child.parent = unit;
  unit.children = [...unit.children, ...children];
}

/** Merges spans that stand beside each other and are the same call or run. */
function mergeSiblings(units: readonly Unit[]): Unit[] {
  const kept: Unit[] = [];
  for (const unit of units.toSorted(byStart)) {
    // Only neighbours in time can be the same.
    const twin = kept.slice(-MAX_NEIGHBOURS).find((other) => isSame(other, unit));
    if (!twin) {
      kept.push(unit);
      continue;
    }
    const isOuter = fromInner(twin.record, unit.record) >= 0;
    twin.record = isOuter
      ? mergeRecords(twin.record, unit.record)
      : mergeRecords(unit.record, twin.record);
    adopt(twin, unit.children);
  }
  return kept;
}

/** A call below a call is the same one; with several below, the outer one runs a loop as an agent does. */
function mergeCall(unit: Unit): void {
  const calls = unit.children.filter(({ record }) => record.role === "call");
  const [inner] = calls;
  if (!inner) return;
  if (calls.length > 1) {
    unit.record = { ...unit.record, role: "agent" };
    return;
  }
  unit.record = mergeRecords(unit.record, inner.record);
  unit.children = unit.children.filter((child) => child !== inner);
  adopt(unit, inner.children);
}

/** The run of a tool below that of the same tool: a framework's, and a client's that calls its server. */
function mergeTool(unit: Unit): void {
  const inner = unit.children.find(
    ({ record }) =>
      record.role === "tool" &&
      (record.tool?.name === unit.record.tool?.name ||
        (record.tool?.id !== undefined && record.tool.id === unit.record.tool?.id)),
  );
  if (!inner) return;
  unit.record = {
    ...mergeRecords(unit.record, inner.record),
    start: unit.record.start,
    end: unit.record.end,
  };
  unit.children = unit.children.filter((child) => child !== inner);
  adopt(unit, inner.children);
}

/**
 * Merges what several instrumentations say of the same model call or the same run of a tool.
 *
 * @returns The units that are left, the earlier first.
 */
export function mergeUnits(units: readonly Unit[]): Unit[] {
  for (const unit of units) {
    unit.children = mergeUnits(unit.children);
    if (unit.record.role === "call") mergeCall(unit);
    else if (unit.record.role === "tool") mergeTool(unit);
  }
  return mergeSiblings(units).toSorted(byStart);
}

interface Side {
  readonly messages: readonly ChatMessage[];
  readonly isPartial: boolean;
}

/** Takes the inner span's messages, which are what was sent, unless they are cut or absent. */
function pickSide(outer: Side, inner: Side): Side {
  if (inner.messages.length === 0 || (isBlankSide(inner) && outer.messages.length > 0))
    return outer;
  return inner.isPartial && !outer.isPartial && outer.messages.length > 0 ? outer : inner;
}

const isBlankSide = ({ messages }: Side): boolean =>
  messages.every(
    ({ text, toolCalls, toolResults }) =>
      toCapturedText(text) === undefined && toolCalls.length + toolResults.length === 0,
  );

const inputOf = (record: SpanRecord): Side => ({
  messages: record.input,
  isPartial: record.isInputPartial,
});
const outputOf = (record: SpanRecord): Side => ({
  messages: record.output,
  isPartial: record.isOutputPartial,
});

function mergeFailures(outer: SpanRecord, inner: SpanRecord): Failure | undefined {
  const [one, other] = [inner.failure, outer.failure];
  if (!one) return other;
  // The framework has tried again, with success.
  if (!other) return outer.isAbandoned || outer.output.length === 0 ? one : undefined;
  const detailed = one.message === "" ? other : one;
  return {
    ...detailed,
    type: one.message === "" && one.type !== "Error" ? one.type : detailed.type,
    code: one.code ?? other.code,
    stack: one.stack ?? other.stack,
  };
}

function mergeTools(outer: ToolRun | undefined, inner: ToolRun | undefined): ToolRun | undefined {
  if (!outer || !inner) return outer ?? inner;
  // A whole one wins over one that was cut.
  const [first, other] = outer.isResultPartial === true ? [inner, outer] : [outer, inner];
  const [asked, alsoAsked] = outer.areParametersPartial === true ? [inner, outer] : [outer, inner];
  const { result, isResultPartial } = first.result === undefined ? other : first;
  const { parameters, areParametersPartial } = asked.parameters === undefined ? alsoAsked : asked;
  return { ...fill(outer, inner), result, isResultPartial, parameters, areParametersPartial };
}

/**
 * Merges two spans of the same model call or the same tool's run, field by field: the inner one is nearer to the
 * facts, the outer one to the application.
 */
function mergeRecords(outer: SpanRecord, inner: SpanRecord): SpanRecord {
  const input = pickSide(inputOf(outer), inputOf(inner));
  const output = pickSide(outputOf(outer), outputOf(inner));
  const { model, responseId } = fill(inner.identity, outer.identity);
  return {
    ...outer,
    start: inner.start,
    end: inner.isAbandoned ? outer.end : inner.end,
    identity: { ...fill(outer.identity, inner.identity), model, responseId },
    started: outer.started ?? inner.started,
    input: input.messages,
    output: output.messages,
    isInputPartial: input.isPartial,
    isOutputPartial: output.isPartial,
    usage: inner.usage ?? outer.usage,
    settings: fill(inner.settings, outer.settings),
    tool: mergeTools(outer.tool, inner.tool),
    failure: mergeFailures(outer, inner),
    evaluations: [...outer.evaluations, ...inner.evaluations],
    isAbandoned: outer.isAbandoned && inner.isAbandoned,
  };
}
