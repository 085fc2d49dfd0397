import { linear, linearLater } from "../text/pattern.ts";
import { oneOf } from "../text/word-patterns.ts";

const MIN_DISTINCT = 4;

const PLACEHOLDER_WORD = linearLater(
  () => oneOf`
    your|example|sample|dummy|fake|placeholder|replace|insert|changeme|change[_-]me
    redacted|masked|hidden|removed|secret[_-]?here|test[_-]?(?:key|token)
    xxx|\.\.\.|\*\*\*|12345678|abcdef
    process\.env|os\.environ|getenv
  `,
  "i",
);
const TEMPLATE = linear(/^(?:[<[({$%].*|.*[>}\])])$/);
const NOTHING = linear(
  /^(?:null|none|nil|true|false|undefined|empty|n\/a|password|passwd|pwd|secret|token|string)$/i,
);

/** Returns whether a value only stands for one: `YOUR_API_KEY`, `<token>`, `********`, `${PASSWORD}`. */
export function isPlaceholder(value: string): boolean {
  return (
    new Set(value).size < MIN_DISTINCT ||
    TEMPLATE.test(value) ||
    NOTHING.test(value) ||
    PLACEHOLDER_WORD.test(value)
  );
}
