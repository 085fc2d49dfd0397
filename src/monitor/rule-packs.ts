import { addRules } from "../compliance/deferred-rules.ts";
import { readPackFile } from "../compliance/packs/deferred-packs.ts";
import { formatProblem, type PackProblem } from "../compliance/pack-problem.ts";
import type { ComplianceRule } from "../events/compliance.ts";
import { ValidationError, type ValidationDetail } from "../events/validation-error.ts";
import { toErrorName } from "../util/logger.ts";

/** Returns the problems of a pack, whichever copy of the package has thrown them. */
function toProblems(error: unknown): readonly PackProblem[] | undefined {
  const isOfPack = error instanceof Error && error.name === "PackError" && "problems" in error;
  return isOfPack ? (error.problems as readonly PackProblem[]) : undefined;
}

function toDetails(field: string, error: unknown): ValidationDetail[] {
  const code = "invalid_pack";
  const problems = toProblems(error);
  if (problems)
    return problems.map((problem) => ({ field, message: formatProblem(problem), code }));
  if (error instanceof ValidationError)
    return error.details.map(({ field: path, message }) => ({
      field,
      message: `${path}: ${message}`,
      code,
    }));
  const reason =
    error instanceof Error && "code" in error ? String(error.code) : toErrorName(error);
  return [{ field, message: `agent-monitor/packs can't be loaded (${reason})`, code }];
}

/**
 * Returns the built-in rules, and those of packs with what they change of the former; nothing where no pack is given.
 *
 * @throws {@link ValidationError} that lists the problems of all packs.
 */
export function loadRules(paths: readonly string[] = []): readonly ComplianceRule[] | undefined {
  const details: ValidationDetail[] = [];
  let rules: readonly ComplianceRule[] | undefined;
  for (const [index, path] of paths.entries()) {
    try {
      rules = addRules(readPackFile(path), rules);
    } catch (error) {
      details.push(...toDetails(`rulePacks[${index}]`, error));
    }
  }
  if (details.length > 0) throw new ValidationError("config", details);
  return rules;
}
