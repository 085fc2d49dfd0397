import { pathToFileURL } from "node:url";
import type { ComplianceRule } from "../../events/compliance.ts";
import { UsageError } from "../command.ts";

/**
 * Loads the rules that a module exports, as its default export or as `rules`.
 *
 * Whether each is a rule is for the engine to say.
 *
 * @throws UsageError
 */
export async function loadRules(path: string): Promise<ComplianceRule[]> {
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
