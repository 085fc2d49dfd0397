import type { ComplianceSeverity } from "../../events/compliance.ts";
import { UsageError, parseArguments } from "../parse-arguments.ts";
import { SEVERITIES } from "./finding.ts";

/** Formats of a report. */
export const FORMATS = ["text", "json", "sarif"] as const;

/** Values of `--fail-on`. */
export const FAIL_ON = [...SEVERITIES.toReversed(), "never"] as const;

/** Parsed arguments of `check`. */
export interface CheckArguments {
  /** `-` for the standard input. */
  readonly target: string;
  readonly format: (typeof FORMATS)[number];
  readonly failOn: ComplianceSeverity | "never";
  readonly riskThreshold: number | undefined;
  readonly rules: readonly string[];
  readonly settings: string | undefined;
  /** The judge that reads the answers as well; absent: rules alone. */
  readonly judging: JudgingArguments | undefined;
}

/** A module with the judge, or a folder with recorded requests and replies. */
export type JudgingArguments =
  | { readonly kind: "model"; readonly module: string; readonly record: string | undefined }
  | { readonly kind: "replay"; readonly folder: string };

const PARSE_OPTIONS = {
  format: { type: "string" },
  "fail-on": { type: "string" },
  "risk-threshold": { type: "string" },
  rules: { type: "string", multiple: true },
  settings: { type: "string" },
  judge: { type: "string" },
  record: { type: "string" },
  replay: { type: "string" },
} as const;

/** Parses one of several words. @throws UsageError */
export function parseChoice<T extends string>(
  option: string,
  choices: readonly T[],
  text: string,
): T {
  const choice = choices.find((name) => name === text);
  if (choice !== undefined) return choice;
  throw new UsageError(`--${option} must be ${choices.join(", ")} (got ${text})`);
}

function parseThreshold(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value >= 0 && value <= 100) return value;
  throw new UsageError(`--risk-threshold must be 0 to 100 (got ${text})`);
}

interface JudgingValues {
  readonly judge?: string | undefined;
  readonly record?: string | undefined;
  readonly replay?: string | undefined;
}

function parseJudging({ judge, record, replay }: JudgingValues): JudgingArguments | undefined {
  if (replay !== undefined && record !== undefined)
    throw new UsageError("--replay asks no model: there is nothing to --record");
  if (replay !== undefined) return { kind: "replay", folder: replay };
  if (judge !== undefined) return { kind: "model", module: judge, record };
  if (record !== undefined) throw new UsageError("--record needs --judge <module.js>");
  return undefined;
}

/** Parses the arguments of `check`. @throws UsageError */
export function parseCheckArguments(args: readonly string[]): CheckArguments {
  const { values, positionals } = parseArguments(args, PARSE_OPTIONS);
  const [target, ...others] = positionals;
  if (target === undefined || target === "" || others.length > 0)
    throw new UsageError("check needs one file, or - for the standard input");
  const threshold = values["risk-threshold"];
  return {
    target,
    format: parseChoice("format", FORMATS, values.format ?? "text"),
    failOn: parseChoice("fail-on", FAIL_ON, values["fail-on"] ?? "violation"),
    riskThreshold: threshold === undefined ? undefined : parseThreshold(threshold),
    rules: values.rules ?? [],
    settings: values.settings,
    judging: parseJudging(values),
  };
}
