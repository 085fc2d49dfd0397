import { pathToFileURL } from "node:url";
import type { ComplianceRule } from "../../events/compliance.ts";
import { PackError, readRulePackFile, type PolicyPack } from "../../packs.ts";
import { UsageError } from "../command.ts";

/**
 * Loads the rules that a module exports, as its default export or as `rules`.
 *
 * Whether each is a rule is for the engine to say.
 *
 * @throws UsageError
 */
async function loadModule(path: string): Promise<ComplianceRule[]> {
  let module: { readonly default?: unknown; readonly rules?: unknown };
  try {
    module = (await import(pathToFileURL(path).href)) as typeof module;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--rules: ${path} can't be loaded (${reason})`);
  }
  // A CommonJS module has its exports as its default export.
  const exported = module.default as { readonly rules?: unknown } | undefined;
  const rules = module.rules ?? exported?.rules ?? exported;
  if (Array.isArray(rules)) return rules as ComplianceRule[];
  throw new UsageError(`--rules: ${path} must export an array of rules, by default or as "rules"`);
}

/** Rules of modules, and packs. */
export interface GivenRules {
  readonly rules: readonly ComplianceRule[];
  readonly packs: readonly PolicyPack[];
}

const isPack = (path: string): boolean => /\.ya?ml$/i.test(path);

/** Loads modules of rules, and packs, which end in `.yaml` or `.yml`. @throws UsageError with the problems of all packs. */
export async function loadAll(paths: readonly string[]): Promise<GivenRules> {
  const problems: string[] = [];
  const packs = paths.filter(isPack).flatMap((path) => {
    try {
      return readRulePackFile(path);
    } catch (error) {
      if (!(error instanceof PackError)) throw error;
      problems.push(error.message);
      return [];
    }
  });
  if (problems.length > 0) throw new UsageError(`--rules: ${problems.join("\n")}`);
  const rules: ComplianceRule[] = [];
  for (const path of paths.filter((one) => !isPack(one))) rules.push(...(await loadModule(path)));
  return { rules, packs };
}
