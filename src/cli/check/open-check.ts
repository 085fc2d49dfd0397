import { readFileSync } from "node:fs";
import { complianceSettingsSchema, type ComplianceSettings } from "../../events/agent.ts";
import type { ComplianceRule } from "../../events/compliance.ts";
import { toValidationDetails, ValidationError } from "../../events/validation-error.ts";
import { PackError, readRulePackFile, type PolicyPack } from "../../packs.ts";
import { isRecord } from "../../util/values.ts";
import {
  loadMember,
  parseArguments,
  parseChoice,
  takeOnly,
  UsageError,
} from "../parse-arguments.ts";
import { openInput } from "../read-lines.ts";
import { createProblems, warn } from "../run-command.ts";
import { ALL_ON, createChecker, FAIL_ON, type FailureLimits } from "./checker.ts";

/** The file that is checked, and the rules. */
export interface CheckTarget {
  /** `-` for the standard input. */
  readonly target: string;
  readonly rules: readonly string[];
  readonly settings: string | undefined;
  readonly riskThreshold?: number | undefined;
}

/** A module with the judge, or a folder with recorded requests and replies. */
export type JudgingArguments =
  | { readonly kind: "model"; readonly module: string; readonly record: string | undefined }
  | { readonly kind: "replay"; readonly folder: string };

const FORMATS = ["text", "json", "sarif"] as const;

/** Parsed arguments of `check`. */
export interface CheckArguments extends CheckTarget, FailureLimits {
  readonly format: (typeof FORMATS)[number];
  /** The judge that reads the answers as well; absent: rules alone. */
  readonly judging: JudgingArguments | undefined;
}

const PARSE_OPTIONS = {
  format: { type: "string" },
  json: { type: "boolean" },
  "fail-on": { type: "string" },
  "risk-threshold": { type: "string" },
  rules: { type: "string", multiple: true },
  settings: { type: "string" },
  judge: { type: "string" },
  record: { type: "string" },
  replay: { type: "string" },
} as const;

function parseThreshold(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value >= 0 && value <= 100) return value;
  throw new UsageError(`--risk-threshold must be 0 to 100 (got ${text})`);
}

type JudgingValues = Readonly<Partial<Record<"judge" | "record" | "replay", string | undefined>>>;

function parseJudging({ judge, record, replay }: JudgingValues): JudgingArguments | undefined {
  if (replay !== undefined && record !== undefined)
    throw new UsageError("--replay asks no model: there is nothing to --record");
  if (replay !== undefined) return { kind: "replay", folder: replay };
  if (judge !== undefined) return { kind: "model", module: judge, record };
  if (record !== undefined) throw new UsageError("--record needs --judge <module.js>");
  return undefined;
}

/** Reads the format of a report; `--json` is short for one. @throws UsageError */
export function parseFormat<Format extends string>(
  formats: readonly Format[],
  { format, json }: { readonly format?: string | undefined; readonly json?: boolean | undefined },
): Format {
  if (json && format !== undefined && format !== "json")
    throw new UsageError(`--json and --format ${format} contradict each other`);
  return parseChoice("format", formats, json ? "json" : (format ?? "text"));
}

/** Parses the arguments of `check`. @throws UsageError */
export function parseCheckArguments(args: readonly string[]): CheckArguments {
  const { values, positionals } = parseArguments(args, PARSE_OPTIONS);
  const threshold = values["risk-threshold"];
  return {
    target: takeOnly(positionals, "check needs one file, or - for the standard input"),
    format: parseFormat(FORMATS, values),
    failOn: parseChoice("fail-on", FAIL_ON, values["fail-on"] ?? "violation"),
    riskThreshold: threshold === undefined ? undefined : parseThreshold(threshold),
    rules: values.rules ?? [],
    settings: values.settings,
    judging: parseJudging(values),
  };
}

/** Loads the rules that a module exports; the engine checks whether each is a rule. @throws UsageError */
async function loadModule(path: string): Promise<ComplianceRule[]> {
  const rules = await loadMember("rules", path, "rules");
  if (Array.isArray(rules)) return rules as ComplianceRule[];
  throw new UsageError(`--rules: ${path} must export an array of rules, by default or as "rules"`);
}

const isPack = (path: string): boolean => /\.ya?ml$/i.test(path);

/** Reads packs, which end in `.yaml` or `.yml`. @throws UsageError with the problems of all packs. */
function readPacks(paths: readonly string[]): PolicyPack[] {
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
  return packs;
}

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
  const parsed = complianceSettingsSchema.safeParse({ ...ALL_ON, ...value });
  if (parsed.success) return parsed.data;
  const { message } = new ValidationError(path, toValidationDetails(parsed.error.issues));
  throw new UsageError(`--settings: ${message}`);
}

/** Opens the input: a file, or `-` for the standard input. @throws UsageError for invalid rules or settings. */
export async function openCheck(given: CheckTarget) {
  const packs = readPacks(given.rules);
  const rules: ComplianceRule[] = [];
  for (const path of given.rules.filter((one) => !isPack(one)))
    rules.push(...(await loadModule(path)));
  const checker = createChecker(`--rules: ${given.rules.join(", ")}`, {
    rules,
    packs,
    settings: given.settings === undefined ? undefined : loadSettings(given.settings),
    riskThreshold: given.riskThreshold,
  });
  const problems = createProblems(warn);
  const input = openInput(given.target, (problem) => {
    checker.summary.errors++;
    problems.report(problem);
  });
  return {
    checker,
    /** Reports lines that can't be read; they are counted in the checker's summary. */
    source: { ...input, onProblem: problems.report },
    /** Texts of the first problems of reading. */
    problems: problems.first,
  };
}
