import { linearLater, type Tester } from "./pattern.ts";

/**
 * Joins alternatives of a pattern, a theme on each line, to one group.
 *
 * ```ts
 * oneOf`
 *   wire|transfer|remit\w*
 *   letter of credit|${FOREIGN}
 * `; // (?:wire|transfer|remit\w*|letter of credit|...)
 * ```
 */
export function oneOf(lines: TemplateStringsArray, ...parts: readonly string[]): string {
  const themes = String.raw(lines, ...parts).split("\n");
  const alternatives = themes.map((theme) => theme.trim()).filter((theme) => theme !== "");
  return `(?:${alternatives.join("|")})`;
}

type TestMaker = (lines: TemplateStringsArray, ...parts: readonly string[]) => Tester;

/** Tests whether one of some words stands in a text; they are given as to `oneOf`. */
export const anyWord: TestMaker = (lines, ...parts) =>
  linearLater(() => String.raw`\b${oneOf(lines, ...parts)}\b`);

/** Tests whether a text begins with one of some words. */
export const firstWord: TestMaker = (lines, ...parts) =>
  linearLater(() => String.raw`^${oneOf(lines, ...parts)}\b`);

/** Tests whether a text ends with one of some words. */
export const lastWord: TestMaker = (lines, ...parts) =>
  linearLater(() => String.raw`\b${oneOf(lines, ...parts)}$`);

/** Tests whether a text is one of some words, and no more. */
export const wholeText: TestMaker = (lines, ...parts) =>
  linearLater(() => `^${oneOf(lines, ...parts)}$`);
