import type { OtlpItem } from "./otlp-protocol.ts";

/** About the bytes of an item beside its texts: ids, times, names. */
const BASE_BYTES = 300;
const MAX_DEPTH = 8;
/** Members of one item that are looked at: values that refer to each other could go on for ever. */
const MAX_MEMBERS = 10_000;

const sizes = new WeakMap<object, number>();

interface Visit {
  size: number;
  members: number;
}

function addValue(visit: Visit, value: unknown, depth: number): void {
  if (typeof value === "string") visit.size += value.length;
  if (typeof value !== "object" || value === null || depth >= MAX_DEPTH) return;
  for (const member of Object.values(value)) {
    if (++visit.members > MAX_MEMBERS) return;
    visit.size += 8;
    addValue(visit, member, depth + 1);
  }
}

/**
 * Estimates the bytes of a span or log record, once for all destinations: a queue bounded by number alone could
 * still hold any amount of conversation.
 */
export function sizeOfItem(item: OtlpItem): number {
  const known = sizes.get(item);
  if (known !== undefined) return known;
  const visit: Visit = { size: BASE_BYTES, members: 0 };
  try {
    addValue(visit, item.attributes, 0);
    if ("events" in item) for (const { attributes } of item.events) addValue(visit, attributes, 0);
    else addValue(visit, item.body, 0);
  } catch {
    // A getter of a value that throws; the codec will say what becomes of it.
  }
  sizes.set(item, visit.size);
  return visit.size;
}
