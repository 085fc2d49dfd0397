import { decodeBase64 } from "../../util/base64.ts";

/** A value that JSON has not, and where it stands: the names of members and the numbers of items on the way to it. */
export type OddValue = readonly [type: "bytes" | "number", ...path: (number | string)[]];

/** JSON, and which of its texts stand for something else. */
export interface WrittenJson {
  readonly json: string;
  /** Absent where every text is one. */
  readonly odd?: readonly OddValue[] | undefined;
}

const isOddNumber = (value: unknown): value is number =>
  typeof value === "number" && !Number.isFinite(value);

function addOddValues(value: unknown, path: readonly (number | string)[], found: OddValue[]): void {
  if (value instanceof Uint8Array) found.push(["bytes", ...path]);
  else if (isOddNumber(value)) found.push(["number", ...path]);
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) addOddValues(item, [...path, index], found);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value))
      addOddValues(member, [...path, name], found);
  }
}

/** Writes JSON; bytes, NaN and infinity, which it has not, as in OTLP/JSON. */
export function writeJson(value: object): WrittenJson {
  let isOdd = false;
  const json = JSON.stringify(value, (_name, member: unknown) => {
    if (member instanceof Uint8Array) {
      isOdd = true;
      return Buffer.from(member).toString("base64");
    }
    if (!isOddNumber(member)) return member;
    isOdd = true;
    return String(member);
  });
  if (!isOdd) return { json };
  const odd: OddValue[] = [];
  addOddValues(value, [], odd);
  return { json, odd };
}

type Container = Record<number | string, unknown>;

function toOddValue(type: OddValue[0], text: string): unknown {
  if (type === "number") return Number(text);
  return new Uint8Array(decodeBase64(text) ?? []);
}

/** Parses what `writeJson` has written. */
export function parseJson(json: string, odd: readonly OddValue[] = []): unknown {
  const value: unknown = JSON.parse(json);
  for (const [type, ...path] of odd) {
    const last = path.pop();
    if (last === undefined) continue;
    let parent = value as Container;
    for (const step of path) parent = parent[step] as Container;
    parent[last] = toOddValue(type, String(parent[last]));
  }
  return value;
}
