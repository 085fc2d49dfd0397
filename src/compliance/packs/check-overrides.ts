import type { CompiledPack } from "../compiled/compiled-pack.ts";
import type { PackProblem } from "../pack-problem.ts";
import { toHint } from "./name-hint.ts";
import type { PolicyFile } from "./policy-schema.ts";
import type { Sourced } from "./read-yaml.ts";

/** Checks that what a pack changes is there, and that its own rules have ids of their own. */
export function checkOverrides(
  { file, value, source }: Sourced<PolicyFile>,
  builtIn: CompiledPack,
): PackProblem[] {
  const patterns = new Map(
    builtIn.rules.map((rule) => [rule.id, [...rule.patterns, ...rule.checked]]),
  );
  const problems: PackProblem[] = [];
  const report = (path: readonly string[], message: string): void => {
    problems.push({ file, ...source.placeOfKey(path), message: `${path.join(".")}: ${message}` });
  };
  for (const [id, override] of Object.entries(value.overrides ?? {})) {
    const known = patterns.get(id);
    if (!known) {
      report(["overrides", id], `no built-in rule has this id${toHint(id, [...patterns.keys()])}`);
      continue;
    }
    for (const name of Object.keys(override.patterns ?? {}))
      if (!known.includes(name))
        report(
          ["overrides", id, "patterns", name],
          `the rule has no pattern of this name${toHint(name, known)}`,
        );
  }
  for (const [index, { id }] of (value.rules ?? []).entries())
    if (patterns.has(id))
      problems.push({
        file,
        ...source.placeOf(["rules", index, "id"]),
        message: `id: "${id}" is a built-in rule, which a pack changes under "overrides"`,
      });
  return problems;
}
