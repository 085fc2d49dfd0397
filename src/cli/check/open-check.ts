import { createReadStream, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { complianceSettingsSchema, type ComplianceSettings } from "../../events/agent.ts";
import type { ComplianceRule } from "../../events/compliance.ts";
import { toValidationDetails, ValidationError } from "../../events/validation-error.ts";
import { PackError, readRulePackFile, type PolicyPack } from "../../packs.ts";
import { isRecord } from "../../util/values.ts";
import { UsageError } from "../parse-arguments.ts";
import { toPrintable } from "../spool/output.ts";
import type { CheckArguments } from "./arguments.ts";
import type { LineSource } from "./check-lines.ts";
import { Checker, type CheckerOptions } from "./checker.ts";

/**
 * Loads the rules that a module exports, as its default export or as `rules`.
 *
 * The engine checks whether each is a rule.
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
interface GivenRules {
  readonly rules: readonly ComplianceRule[];
  readonly packs: readonly PolicyPack[];
}

const isPack = (path: string): boolean => /\.ya?ml$/i.test(path);

/** Loads modules of rules, and packs, which end in `.yaml` or `.yml`. @throws UsageError with the problems of all packs. */
async function loadAll(paths: readonly string[]): Promise<GivenRules> {
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

const DEFAULTS = { sr11_7_enabled: true, fair_lending_monitoring: true, bsa_aml_checks: true };

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as unknown;
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : "no valid JSON";
    throw new UsageError(`--settings: ${path} can't be read (${reason})`);
  }
}

/** Loads compliance settings from a JSON file; a check without a setting is on. @throws UsageError */
function loadSettings(path: string): ComplianceSettings {
  const value = readJson(path);
  if (!isRecord(value)) throw new UsageError(`--settings: ${path} must hold a JSON object`);
  const unknown = Object.keys(value).filter((key) => !(key in complianceSettingsSchema.shape));
  if (unknown.length > 0)
    throw new UsageError(`--settings: ${path} has unknown members: ${unknown.join(", ")}`);
  const parsed = complianceSettingsSchema.safeParse({ ...DEFAULTS, ...value });
  if (parsed.success) return parsed.data;
  const { message } = new ValidationError(path, toValidationDetails(parsed.error.issues));
  throw new UsageError(`--settings: ${message}`);
}

/** The file that is checked, and the rules. */
export type CheckTarget = Pick<CheckArguments, "target" | "rules" | "settings" | "riskThreshold">;

/** A file that is about to be checked. */
export interface OpenedCheck {
  readonly checker: Checker;
  /** Reports lines that can't be read; they are counted in the checker's summary. */
  readonly source: LineSource;
  /** Texts of the first problems of reading. */
  readonly problems: readonly string[];
}

/** Limit of reading problems that are reported one by one. */
const MAX_REPORTED = 20;

/** Writes a warning on the standard error. */
export function warn(message: string): void {
  process.stderr.write(`agent-monitor: ${toPrintable(message)}\n`);
}

/** Reports problems of reading on the standard error, the first ones one by one. */
function createProblems(): {
  readonly reported: string[];
  readonly report: (problem: string) => void;
} {
  const reported: string[] = [];
  let count = 0;
  return {
    reported,
    report(problem) {
      count++;
      if (count <= MAX_REPORTED) reported.push(problem);
      if (count <= MAX_REPORTED + 1) warn(count > MAX_REPORTED ? "and more" : problem);
    },
  };
}

function createChecker(options: CheckerOptions, paths: readonly string[]): Checker {
  try {
    return new Checker(options);
  } catch (error) {
    // An invalid rule of the package itself is not the caller's error.
    if (paths.length === 0 || !(error instanceof Error)) throw error;
    throw new UsageError(`--rules: ${paths.join(", ")}: ${error.message}`);
  }
}

/** Reads to the end, or to a failure, which is reported. */
async function* readUpTo(
  chunks: AsyncIterable<Uint8Array>,
  onFailure: (code: string) => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    onFailure("code" in error ? String(error.code) : "unknown");
  }
}

/** Opens the input: a file, or `-` for the standard input. @throws UsageError for invalid rules or settings. */
export async function openCheck(given: CheckTarget): Promise<OpenedCheck> {
  const { target, riskThreshold } = given;
  const { rules, packs } = await loadAll(given.rules);
  const settings = given.settings === undefined ? undefined : loadSettings(given.settings);
  const checker = createChecker(
    { rules, packs, settings, riskThreshold, onWarning: warn },
    given.rules,
  );
  const { reported, report } = createProblems();
  const isStandardInput = target === "-";
  const name = isStandardInput ? "stdin" : target;
  const chunks = readUpTo(isStandardInput ? process.stdin : createReadStream(target), (code) => {
    checker.summary.errors++;
    report(`${name}: can't be read (${code})`);
  });
  return { checker, source: { name, chunks, onProblem: report }, problems: reported };
}
