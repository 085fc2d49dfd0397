import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { judgeOptionsSchema, type ResolvedJudgeOptions } from "../../config/judge-options.ts";
import { toValidationDetails, ValidationError } from "../../events/validation-error.ts";
import { UsageError } from "../parse-arguments.ts";

/** Reads a judge's settings; missing ones get their default. @throws UsageError */
export function resolveJudge(settings: object, name: string): ResolvedJudgeOptions {
  const { success, data, error } = judgeOptionsSchema.safeParse(settings);
  if (success) return data;
  throw new UsageError(new ValidationError(name, toValidationDetails(error.issues)).message);
}

/**
 * Loads the judge that a module exports, as its default export or as `judge`: the function that asks the model, or the settings of
 * a monitor's `judge`, which hold one.
 *
 * @throws UsageError
 */
export async function loadJudge(path: string): Promise<ResolvedJudgeOptions> {
  let module: { readonly default?: unknown; readonly judge?: unknown };
  try {
    module = (await import(pathToFileURL(resolve(path)).href)) as typeof module;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--judge: ${path} can't be loaded (${reason})`);
  }
  // A CommonJS module has its exports as its default export.
  const exported = module.default as { readonly judge?: unknown } | undefined;
  const judge = module.judge ?? exported?.judge ?? exported;
  if (typeof judge === "function") return resolveJudge({ model: judge }, `--judge: ${path}`);
  if (typeof judge === "object" && judge !== null && "model" in judge)
    return resolveJudge(judge, `--judge: ${path}`);
  throw new UsageError(
    `--judge: ${path} must export a function (request, { signal }) => Promise, or settings with one as "model", by default or as "judge"`,
  );
}
