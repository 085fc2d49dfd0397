import { fromInner } from "../reading/from-inner.ts";
import { mayHaveSameInput } from "./sign-input.ts";
import { mergeRecords } from "./merge-records.ts";
import { byStart, type Unit } from "./record-tree.ts";
import { contains, isSameModel, mayBeginAlike, overlap } from "./same-call.ts";
import type { SpanRecord } from "../span-record.ts";

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
