import { fill } from "../dialects/index.ts";
import type { ReadMessages } from "../reading/chat-message.ts";
import { toCapturedText } from "../reading/read-attributes.ts";
import type { Failure, SpanRecord, ToolRun } from "../span-record.ts";
import { byStart, type Unit } from "./record-tree.ts";
import { contains, fromInner, isSameModel, mayBeginAlike, overlap } from "./same-call.ts";
import { signInput } from "./text-digest.ts";

/** Records before one that are compared with it. */
const MAX_NEIGHBOURS = 32;

const isBlank = ({ output }: SpanRecord): boolean =>
  output.messages.every(({ text, toolCalls }) => text.trim() === "" && toolCalls.length === 0);

function signOutput({ output }: SpanRecord): string {
  return JSON.stringify(
    output.messages.map(({ text, toolCalls }) => [text.trim(), toolCalls.map(({ name }) => name)]),
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

/** Merges a unit with one below it that is the same. */
function absorb(unit: Unit, inner: Unit): void {
  unit.record = mergeRecords(unit.record, inner.record);
  unit.children = unit.children.filter((child) => child !== inner);
  adopt(unit, inner.children);
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
    const { record } = twin;
    const isOuter = fromInner(record, unit.record) >= 0;
    twin.record = isOuter ? mergeRecords(record, unit.record) : mergeRecords(unit.record, record);
    adopt(twin, unit.children);
  }
  return kept;
}

/** A call below a call is the same one; with several below, the outer one runs a loop as an agent does. */
function mergeCall(unit: Unit): void {
  const [inner, ...others] = unit.children.filter(({ record }) => record.role === "call");
  if (others.length > 0) unit.record = { ...unit.record, role: "agent" };
  else if (inner) absorb(unit, inner);
}

/** The run of a tool below that of the same tool: a framework's, and a client's that calls its server. */
function mergeTool(unit: Unit): void {
  const { tool, start, end } = unit.record;
  const inner = unit.children.find(
    ({ record }) =>
      record.role === "tool" &&
      (record.tool?.name === tool?.name ||
        (record.tool?.id !== undefined && record.tool.id === tool?.id)),
  );
  if (!inner) return;
  absorb(unit, inner);
  unit.record = { ...unit.record, start, end };
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

/** Takes the inner span's messages, which are what was sent, unless they are cut or absent. */
function pickSide(outer: ReadMessages, inner: ReadMessages): ReadMessages {
  if (outer.messages.length === 0) return inner.messages.length === 0 ? outer : inner;
  return isBlankSide(inner) || (inner.isPartial && !outer.isPartial) ? outer : inner;
}

const isBlankSide = ({ messages }: ReadMessages): boolean =>
  messages.every(
    ({ text, toolCalls, toolResults }) =>
      toCapturedText(text) === undefined && toolCalls.length + toolResults.length === 0,
  );

function mergeFailures(outer: SpanRecord, inner: SpanRecord): Failure | undefined {
  const [one, other] = [inner.failure, outer.failure];
  if (!one) return other;
  // The framework has tried again, with success.
  if (!other) return outer.isAbandoned || outer.output.messages.length === 0 ? one : undefined;
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
  const { model, responseId } = fill(inner.identity, outer.identity);
  return {
    ...outer,
    start: inner.start,
    end: inner.isAbandoned ? outer.end : inner.end,
    identity: { ...fill(outer.identity, inner.identity), model, responseId },
    started: outer.started ?? inner.started,
    input: pickSide(outer.input, inner.input),
    output: pickSide(outer.output, inner.output),
    usage: inner.usage ?? outer.usage,
    settings: fill(inner.settings, outer.settings),
    tool: mergeTools(outer.tool, inner.tool),
    failure: mergeFailures(outer, inner),
    evaluations: [...outer.evaluations, ...inner.evaluations],
    isAbandoned: outer.isAbandoned && inner.isAbandoned,
  };
}
