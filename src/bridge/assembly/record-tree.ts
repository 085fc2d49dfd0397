import type { SpanRecord } from "../span-record.ts";

/** A span in the tree of those around and below it. */
export interface Unit {
  record: SpanRecord;
  parent: Unit | undefined;
  children: Unit[];
}

const MAX_DEPTH = 500;

/** Follows parents, through spans that are no GenAI spans themselves, to the next one that is. */
function findParent(
  record: SpanRecord,
  units: ReadonlyMap<string, Unit>,
  links: ReadonlyMap<string, string>,
): Unit | undefined {
  let id = record.parentSpanId;
  for (let hops = 0; id !== undefined && hops < MAX_DEPTH; hops++) {
    const unit = units.get(id);
    if (unit) return unit;
    id = links.get(id);
  }
  return undefined;
}

/** Returns whether a unit stands above another; what is deeper than any real trace counts as a cycle. */
function isAbove(unit: Unit, other: Unit): boolean {
  let above: Unit | undefined = other;
  for (let hops = 0; above; hops++) {
    if (above === unit || hops >= MAX_DEPTH) return true;
    above = above.parent;
  }
  return false;
}

/**
 * Orders units by start, and what began in one millisecond by arrival: of two instrumentations one says the time in whole
 * milliseconds, the other with their fractions.
 */
export function byStart({ record: one }: Unit, { record: other }: Unit): number {
  return Math.floor(one.start) - Math.floor(other.start) || one.order - other.order;
}

/** Leaves units out that say nothing of their own; what is below them moves up. */
function lift(unit: Unit): Unit[] {
  unit.children = unit.children.flatMap(lift);
  if (unit.record.role !== "other") return [unit];
  for (const child of unit.children) child.parent = unit.parent;
  return unit.children;
}

/**
 * Arranges the records of a trace by who called whom.
 *
 * Cycles and parents that are missing make a record a root.
 *
 * @param links - Parents of spans that are no GenAI spans, by span id.
 */
export function buildTree(
  records: readonly SpanRecord[],
  links: ReadonlyMap<string, string>,
): Unit[] {
  const [only] = records;
  // Most often a model was called once, and nothing else is there.
  if (only && records.length === 1) {
    return only.role === "other" ? [] : [{ record: only, parent: undefined, children: [] }];
  }
  const units = new Map<string, Unit>();
  for (const record of records) {
    units.set(record.spanId, { record, parent: undefined, children: [] });
  }
  const roots: Unit[] = [];
  for (const unit of units.values()) {
    const parent = findParent(unit.record, units, links);
    if (parent && !isAbove(unit, parent)) {
      unit.parent = parent;
      parent.children.push(unit);
    } else roots.push(unit);
  }
  return nestByTime(roots.flatMap(lift)).toSorted(byStart);
}

function isInside({ record: inner }: Unit, { record: outer }: Unit): boolean {
  return inner.isFlat === true && outer.start <= inner.start && inner.end <= outer.end;
}

/** Returns whether a model was called during the run of a tool; tools that run side by side are in none of the others. */
function hasCallInside(tool: Unit, units: readonly Unit[]): boolean {
  return units.some((unit) => unit.record.role === "call" && isInside(unit, tool));
}

/** Puts units that do not name their parent below the run of the tool or the agent that they ran in. */
function nestByTime(units: readonly Unit[]): Unit[] {
  const holders = units.filter(
    (unit) =>
      unit.record.isFlat === true &&
      (unit.record.role === "agent" || (unit.record.role === "tool" && hasCallInside(unit, units))),
  );
  if (holders.length === 0) return [...units];
  const left: Unit[] = [];
  for (const unit of units) {
    const around = holders
      .filter((holder) => holder !== unit && isInside(unit, holder) && !isInside(holder, unit))
      .toSorted((one, other) => other.record.start - one.record.start);
    const [nearest] = around;
    if (nearest) {
      unit.parent = nearest;
      nearest.children.push(unit);
    } else left.push(unit);
  }
  return left;
}

/** Returns every unit below one, each before those below it, the earlier first. */
export function* walk(unit: Unit): Generator<Unit> {
  for (const child of unit.children.toSorted(byStart)) {
    yield child;
    yield* walk(child);
  }
}
