import type { InteractionContext, ToolUsageInfo } from "../../events/compliance.ts";
import { ownMembers } from "../../util/untrusted-values.ts";
import { linear, type Tester } from "../../text/pattern.ts";
import { spacedWords } from "./tool-words.ts";

/** A value somewhere in what a tool gave back, and the words of the key that it stands under. */
export interface NamedValue {
  /** In small letters, `monthly fee` for `monthlyFee`. */
  readonly name: string;
  readonly value: string | number | boolean;
}

const MAX_DEPTH = 4;
const MAX_VALUES = 200;
/** Objects and lists hold no value of their own, but take time. */
const MAX_VISITED = 1000;
const FAILED = linear(
  /\b(?:fail\w{0,3}|error|rejected|denied|declined|refused|not found|unauthori[sz]ed|forbidden|timeout)\b/,
);
const SUCCESS_KEY = linear(/^(?:success|ok|succeeded|completed|posted)$/);
const STATUS_KEY = linear(/^(?:status|state|outcome|result)$/);
const ERROR_KEY = linear(/^(?:error|error code|failure reason)$/);
const JOINS = linear(/[_-]/g);
/** What stands for an error that did not happen. */
const NO_ERROR = linear(/^(?:|0+|false|no|none|null|nil|n\/a|ok|okay|success)$/);

/** Writes a value as small words: "not sent" for "NOT_SENT". */
export function toWords(value: NamedValue["value"]): string {
  return String(value).toLowerCase().replaceAll(JOINS, " ");
}

/** Lists the plain values in a tool's parameters or result, at most 200 of the first four levels. */
export function listValues(source: unknown): readonly NamedValue[] {
  const values: NamedValue[] = [];
  let visited = 0;
  const visit = (name: string, value: unknown, depth: number): void => {
    if (values.length >= MAX_VALUES || depth > MAX_DEPTH || ++visited > MAX_VISITED) return;
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
      values.push({ name, value });
    } else if (typeof value === "object" && value !== null) {
      const entries = Array.isArray(value)
        ? value.slice(0, MAX_VALUES).map((item: unknown) => [name, item] as const)
        : ownMembers(value, MAX_VALUES);
      for (const [key, item] of entries)
        visit(Array.isArray(value) ? key : spacedWords(key), item, depth + 1);
    }
  };
  visit("", source, 0);
  return values;
}

/** Returns whether a tool call failed, by its flag or by what its result says. */
export function hasFailed({ success, result }: ToolUsageInfo): boolean {
  if (!success) return true;
  return listValues(result).some(
    ({ name, value }) =>
      (SUCCESS_KEY.test(name) && value === false) ||
      (STATUS_KEY.test(name) && FAILED.test(String(value).toLowerCase())) ||
      (ERROR_KEY.test(name) && !NO_ERROR.test(String(value).trim().toLowerCase())),
  );
}

/** Lists the tools whose name has one of some words. */
export function toolsNamed({ toolsUsed = [] }: InteractionContext, words: Tester): ToolUsageInfo[] {
  return toolsUsed.filter(({ name }) => words.test(spacedWords(name)));
}
