import { toNameRule } from "./member-names.ts";
import type { Redaction } from "./text-redaction.ts";
import { isRedacted } from "./token.ts";

// Members of JSON or of a printed object somewhere in a text, or of JSON that a limit cut.
const MEMBER =
  /(["'])([A-Za-z][\w .-]{1,60})\1\s{0,8}[:=]\s{0,8}(?:"((?:[^"\\]|\\.)*)|'((?:[^'\\]|\\.)*)|(-?\d[\d.]{0,40}))/g;
// The same within a string of JSON, its quotes escaped.
const ESCAPED_MEMBER =
  /\\{1,7}"([A-Za-z][\w .-]{1,60})\\{1,7}"\s{0,8}:\s{0,8}(?:\\{1,7}"([^"\\]*)|(-?\d[\d.]{0,40}))/g;

/** Redacts the values of members whose names say what they are. */
export function redactMembersInText(text: string, { kinds, toToken }: Redaction): string {
  const replace = (match: string, name: string, value: string | undefined): string => {
    const { kind } = toNameRule(name);
    if (!value || !kind || !kinds.has(kind) || isRedacted(value)) return match;
    return match.slice(0, match.length - value.length) + toToken(kind, value);
  };
  let redacted = text;
  if (/["']\s{0,8}[:=]/.test(text)) {
    redacted = redacted.replaceAll(
      MEMBER,
      (
        match: string,
        _quote: string,
        name: string,
        double?: string,
        single?: string,
        digits?: string,
      ) => replace(match, name, double ?? single ?? digits),
    );
    if (redacted.includes('\\"')) {
      redacted = redacted.replaceAll(
        ESCAPED_MEMBER,
        (match: string, name: string, quoted?: string, digits?: string) =>
          replace(match, name, quoted ?? digits),
      );
    }
  }
  return redacted;
}
