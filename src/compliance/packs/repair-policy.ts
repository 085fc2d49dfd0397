import { readMember } from "../../util/untrusted-values.ts";
import type { RefusedPart } from "./read-file.ts";

type Path = readonly PropertyKey[];
type Members = Record<PropertyKey, unknown>;

/** Something to put in a place; without a value, what is there is left out. */
interface Repair {
  readonly path: Path;
  readonly value?: unknown;
}

/** Returns the repairs for a part, by its path behind the member that it is in; `undefined` where there is none. */
type Repairer = (path: Path, part: RefusedPart, file: unknown) => readonly Repair[] | undefined;

const WORD = ["word"];
const ON = { active: true };

/** A rule in which nothing is wrong. */
const RULE: Members = {
  version: "1.0.0",
  title: "Repaired",
  category: "custom",
  severity: "info",
  description: "Repaired.",
  explanation: "Repaired.",
  law: { citation: "None", asOf: "2026-01-01", status: "guidance" },
  recommendation: "None.",
  impact: { customer: "none", business: "none" },
};
const PATTERNS = { repaired: { match: WORD } };

const isMembers = (value: unknown): value is Members => typeof value === "object" && value !== null;

/** Returns cases that show all patterns. */
const toCases = (patterns: object): object => ({
  violating: Object.keys(patterns).map((pattern) => ({ pattern })),
  compliant: [{}],
});

/** Returns a value with something else in one place. */
function put(value: unknown, { path: [name, ...path], value: by }: Repair): unknown {
  if (name === undefined) return by;
  if (Array.isArray(value))
    return value.map((one: unknown, at) => (at === name ? put(one, { path, value: by }) : one));
  if (!isMembers(value)) return value;
  const { [name]: one, ...others } = value;
  const repaired = put(one, { path, value: by });
  return repaired === undefined ? others : { ...others, [name]: repaired };
}

const repairRule: Repairer = ([index = 0, member, name, inner], { path, what }, file) => {
  const at = ["rules", index];
  const rule: Members = {
    ...RULE,
    id: `repaired-${String(index)}`,
    patterns: PATTERNS,
    cases: toCases(PATTERNS),
  };
  const other = [{ path: at, value: rule }];
  const isWhole = member === undefined || (member === "patterns" && name === undefined);
  if (what === "name" || isWhole) return other;
  if (member === "patterns") {
    const pattern: Members = PATTERNS.repaired;
    return [{ path: path.slice(0, 5), value: inner === undefined ? pattern : pattern[inner] }];
  }
  if (member === "cases") {
    const patterns = [...at, "patterns"].reduce<unknown>(
      (part, key) => readMember(part, key),
      file,
    );
    return isMembers(patterns) ? [{ path: [...at, member], value: toCases(patterns) }] : other;
  }
  if (NAMED.has(member) && name !== undefined)
    return [{ path: [...at, member, name], value: WORD }];
  return [{ path: [...at, member], value: rule[member] }];
};

const repairNamed: Repairer = ([name], { path: [member = ""], what }) =>
  // Whatever names a list that isn't known would be a problem of its own.
  name === undefined || what === "name" ? undefined : [{ path: [member, name], value: WORD }];

const repairOverride: Repairer = ([id, member, name], { what, path }) => {
  if (id === undefined || what === "name") return [{ path }];
  const at = ["overrides", id];
  if (member === "secondLook") return [{ path: [...at, member], value: ON }];
  if (member === undefined) return [{ path: at, value: ON }];
  if (name !== undefined) return [{ path: [...at, member, name], value: ON }];
  return [{ path: [...at, member] }, { path: [...at, "active"], value: true }];
};

const repairLists: Repairer = ([kind, name], { what, path }) =>
  name === undefined || what === "name"
    ? [{ path }]
    : [{ path: ["listOverrides", kind ?? "", name], value: ON }];

const NAMED: ReadonlySet<PropertyKey> = new Set(["words", "phrases"]);

const REPAIRERS: Readonly<Record<string, Repairer>> = {
  pack: () => [{ path: ["pack"], value: { id: "repaired", version: "1.0.0", title: "Repaired" } }],
  words: repairNamed,
  phrases: repairNamed,
  rules: (path, part, file) =>
    path.length === 0 ? [{ path: part.path }] : repairRule(path, part, file),
  overrides: repairOverride,
  listOverrides: repairLists,
  secondLook: () => [{ path: ["secondLook"], value: ON }],
};

/**
 * Puts harmless things in the place of what the schema refuses, so that the rest of a file can be checked as well: all that is
 * wrong is to be listed at once. The result is only looked at, and never taken.
 */
export function repairPolicy(value: unknown, refused: readonly RefusedPart[]): unknown {
  let file = value;
  for (const part of refused) {
    const [member, ...path] = part.path;
    const repairer = REPAIRERS[String(member)];
    const repairs = part.what === "member" ? [{ path: part.path }] : repairer?.(path, part, file);
    if (!repairs) return undefined;
    file = repairs.reduce(put, file);
  }
  return file;
}
