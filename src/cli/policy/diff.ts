import { readPolicyFile } from "../../packs.ts";
import { isRecord, type JsonRecord } from "../../util/values.ts";
import { UsageError, parseArguments } from "../parse-arguments.ts";
import { toPrintable } from "../spool/output.ts";

const OPTIONS = { json: { type: "boolean" } } as const;

/** Members that differ, by their path; a missing one is `undefined`. */
interface Difference {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

const isLines = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((line) => typeof line === "string");

/** Lists differences; of lists of phrases, the removed and added lines. */
function compare(path: string, before: unknown, after: unknown): Difference[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (isLines(before) && isLines(after)) {
    const gone = before.filter((line) => !after.includes(line));
    const added = after.filter((line) => !before.includes(line));
    // The order of phrases has no effect.
    return gone.length + added.length === 0 ? [] : [{ path, before: gone, after: added }];
  }
  if (!isRecord(before) || !isRecord(after)) return [{ path, before, after }];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) =>
    compare(path === "" ? name : `${path}.${name}`, before[name], after[name]),
  );
}

/** Returns the content of a pack in a form that can be compared: rules by id. */
function toComparable(path: string): JsonRecord {
  const { policy, source, cases } = readPolicyFile(path);
  const { id, version, title, rules, overrides, listOverrides, secondLook } = policy;
  const words = Object.assign({}, ...source.words.map(({ value }) => value.words)) as JsonRecord;
  const byId = rules.map(({ facts, phrases }) => {
    const {
      patterns: _patterns,
      checked: _checked,
      probes: _probes,
      words: _words,
      ...said
    } = facts;
    return [facts.id, { ...said, phrases, cases: cases.get(facts.id) }] as const;
  });
  return {
    pack: { id, version, title },
    words,
    rules: Object.fromEntries(byId),
    overrides,
    listOverrides,
    secondLook,
  };
}

function formatValue(mark: string, value: unknown): string[] {
  if (value === undefined) return [];
  const lines = isLines(value) ? value : [JSON.stringify(value)];
  return lines.map((line) => toPrintable(`  ${mark} ${line}`));
}

/** Reports what another version of a pack changes. */
export function diffPolicies(args: readonly string[]): number {
  const { values, positionals } = parseArguments(args, OPTIONS);
  const [one, other, ...others] = positionals;
  if (one === undefined || other === undefined || others.length > 0)
    throw new UsageError("policy diff needs two packs");
  const differences = compare("", toComparable(one), toComparable(other));
  const lines = differences.flatMap(({ path, before, after }) => [
    toPrintable(path),
    ...formatValue("-", before),
    ...formatValue("+", after),
  ]);
  if (values.json) process.stdout.write(`${JSON.stringify({ differences })}\n`);
  else process.stdout.write(lines.length === 0 ? "nothing differs\n" : `${lines.join("\n")}\n`);
  return differences.length > 0 ? 1 : 0;
}
