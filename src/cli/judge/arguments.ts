import type { ResolvedJudgeOptions } from "../../config/judge-options.ts";
import type { ComplianceSeverity } from "../../events/compliance.ts";
import { FAIL_ON, parseChoice } from "../check/arguments.ts";
import { UsageError, parseArguments } from "../parse-arguments.ts";
import { resolveJudge } from "./judge-model.ts";
import { JUDGE_FORMATS } from "./run.ts";

const RULE_OPTIONS = {
  rules: { type: "string", multiple: true },
  settings: { type: "string" },
} as const;

const EXPORT_OPTIONS = {
  ...RULE_OPTIONS,
  requests: { type: "string" },
  out: { type: "string" },
  gate: { type: "string" },
  "sample-rate": { type: "string" },
  content: { type: "string" },
} as const;

const IMPORT_OPTIONS = {
  ...RULE_OPTIONS,
  requests: { type: "string" },
  cases: { type: "string" },
  format: { type: "string" },
  "fail-on": { type: "string" },
} as const;

/** Parsed arguments of `judge export`. */
export interface ExportArguments {
  /** `-` for the standard input. */
  readonly target: string;
  readonly rules: readonly string[];
  readonly settings: string | undefined;
  readonly riskThreshold: undefined;
  /** Absent: the standard output. */
  readonly out: string | undefined;
  readonly options: ResolvedJudgeOptions;
}

/** Parsed arguments of `judge import`. */
export interface ImportArguments {
  readonly target: string;
  readonly rules: readonly string[];
  readonly settings: string | undefined;
  readonly riskThreshold: undefined;
  readonly files: { readonly requests: string; readonly replies: string };
  readonly format: (typeof JUDGE_FORMATS)[number];
  readonly failOn: ComplianceSeverity | "never";
}

function need(value: string | undefined, message: string): string {
  if (value === undefined || value === "") throw new UsageError(message);
  return value;
}

// The model of the replies is not known yet.
async function noModel(): Promise<never> {
  throw new Error("requests are only written");
}

/** Parses the arguments of `judge export`. @throws UsageError */
export function parseExportArguments(args: readonly string[]): ExportArguments {
  const { values, positionals } = parseArguments(args, EXPORT_OPTIONS);
  if (positionals.length > 0) throw new UsageError("judge export takes its file by --requests");
  const { gate, content, out, settings, rules = [] } = values;
  const rate = values["sample-rate"];
  return {
    target: need(values.requests, "judge export needs --requests <cases.jsonl|->"),
    rules,
    settings,
    riskThreshold: undefined,
    out,
    options: resolveJudge(
      {
        model: noModel,
        ...(gate !== undefined && { gate }),
        ...(content !== undefined && { content }),
        ...(rate !== undefined && { sampleRate: rate.trim() === "" ? Number.NaN : Number(rate) }),
      },
      "judge export",
    ),
  };
}

/** Parses the arguments of `judge import`. @throws UsageError */
export function parseImportArguments(args: readonly string[]): ImportArguments {
  const { values, positionals } = parseArguments(args, IMPORT_OPTIONS);
  const [replies, ...others] = positionals;
  if (others.length > 0) throw new UsageError("judge import takes one file of replies");
  const { settings, rules = [] } = values;
  return {
    target: need(values.cases, "judge import needs --cases <cases.jsonl|->"),
    rules,
    settings,
    riskThreshold: undefined,
    files: {
      requests: need(values.requests, "judge import needs --requests <requests.jsonl>"),
      replies: need(replies, "judge import needs a file of replies"),
    },
    format: parseChoice("format", JUDGE_FORMATS, values.format ?? "text"),
    failOn: parseChoice("fail-on", FAIL_ON, values["fail-on"] ?? "violation"),
  };
}
