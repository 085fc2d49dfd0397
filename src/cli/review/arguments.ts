import { environmentSchema } from "../../events/base-event.ts";
import { complianceCategorySchema } from "../../events/compliance.ts";
import { REVIEW_ORIGINS, REVIEW_STATES } from "../../platform/review/review-item.ts";
import { DISPOSITIONS } from "../../platform/review/review-policy.ts";
import { SEVERITIES } from "../../platform/severities.ts";
import { createCallPlatform, type PlatformCall, readTarget } from "../call-platform.ts";
import { parseChoice, parseNumber, UsageError } from "../parse-arguments.ts";
import { ACCESS_OPTIONS, isPlatformUrl, readAccess } from "../read-platform.ts";

const TEXT = { type: "string" } as const;

/** Options that choose items, as the queue's filter names them. */
export const FILTER_OPTIONS = {
  state: TEXT,
  assignee: TEXT,
  origin: TEXT,
  disposition: TEXT,
  tier: TEXT,
  severity: TEXT,
  risk: TEXT,
  overdue: { type: "boolean" },
  agent: TEXT,
  "agent-version": TEXT,
  environment: TEXT,
  rule: TEXT,
  category: TEXT,
} as const;

/** Options of each command of the review. */
export const COMMON_REVIEW_OPTIONS = {
  "api-key": ACCESS_OPTIONS["api-key"],
  json: { type: "boolean" },
} as const;

/** Options with a list of words. */
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  state: [...REVIEW_STATES, "any"],
  origin: REVIEW_ORIGINS,
  disposition: DISPOSITIONS,
  tier: ["confirmed", "contradicted"],
  severity: SEVERITIES,
  environment: environmentSchema.options,
  category: complianceCategorySchema.options,
};
const MAX_RISK = 100;

type Values = Readonly<Partial<Record<string, string | boolean>>>;

/** Returns the members of the queue's query that options ask for. @throws UsageError */
export function readFilter(values: Values): Readonly<Record<string, string>> {
  const query: Record<string, string> = {};
  for (const name of Object.keys(FILTER_OPTIONS)) {
    const value = values[name];
    if (value === undefined) continue;
    const text = String(value);
    const choices = CHOICES[name];
    if (choices) parseChoice(name, choices, text);
    if (name === "risk") parseNumber(name, text, 0, MAX_RISK);
    query[name === "agent-version" ? "version" : name] = text;
  }
  return query;
}

/** Splits arguments into the platform's URL, if one stands there, and the rest. */
export function splitTarget(positionals: readonly string[]): {
  readonly url: string | undefined;
  readonly keys: readonly string[];
} {
  const urls = positionals.filter(isPlatformUrl);
  if (urls.length > 1) throw new UsageError("review takes one URL");
  return { url: urls[0], keys: positionals.filter((argument) => !isPlatformUrl(argument)) };
}

/** Creates the client of the platform that arguments name. @throws UsageError */
export function openReview(url: string | undefined, values: Parameters<typeof readAccess>[1]) {
  const target = readTarget(url);
  return createCallPlatform(target, readAccess(target, values));
}

/** Path of an item. */
export const toItemPath = (key: string): PlatformCall["path"] =>
  `/api/reviews/${encodeURIComponent(key)}`;
