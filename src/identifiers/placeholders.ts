import { linear } from "../text/pattern.ts";

const MIN_DISTINCT = 4;

const PLACEHOLDER_WORD = linear(
  /your|example|sample|dummy|placeholder|redacted|changeme|change[_-]me|replace|insert|masked|hidden|removed|secret[_-]?here|xxx|\.\.\.|\*\*\*|process\.env|os\.environ|getenv|12345678|abcdef|test[_-]?(?:key|token)|fake/i,
);
const TEMPLATE = linear(/^(?:[<[({$%].*|.*[>}\])])$/);
const NOTHING = linear(
  /^(?:null|none|nil|true|false|undefined|empty|n\/a|password|passwd|pwd|secret|token|string)$/i,
);

/** Tells whether a value only stands for one: `YOUR_API_KEY`, `<token>`, `********`, `${PASSWORD}`. */
export function isPlaceholder(value: string): boolean {
  return (
    new Set(value).size < MIN_DISTINCT ||
    TEMPLATE.test(value) ||
    NOTHING.test(value) ||
    PLACEHOLDER_WORD.test(value)
  );
}
