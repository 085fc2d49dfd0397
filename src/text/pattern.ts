const patterns = new Set<RegExp>();
const later: (() => RegExp)[] = [];

/** What texts can be tested with: a regular expression, or one that is made at its first test. */
export type Tester = Pick<RegExp, "test">;

/**
 * Registers a pattern as one that runs in linear time; every pattern of the rooms that read text for rules passes through here.
 *
 * A test runs recheck over the registered patterns and fails on one that isn't here.
 */
export function linear(pattern: RegExp): RegExp {
  patterns.add(pattern);
  return pattern;
}

/** Returns a pattern like `linear` that is made at its first test: most are seldom needed. */
export function linearLater(toSource: () => string, flags = ""): Tester {
  let pattern: RegExp | undefined;
  const get = (): RegExp => (pattern ??= linear(new RegExp(toSource(), flags)));
  later.push(get);
  return { test: (text) => get().test(text) };
}

/** Returns the patterns registered so far. */
export function linearPatterns(): ReadonlySet<RegExp> {
  for (const get of later) get();
  return patterns;
}

/** A stretch of a text, in UTF-16 units. */
export interface Range {
  /** Position of the first unit. */
  readonly start: number;
  /** Position behind the last unit. */
  readonly end: number;
}

/** Finds every match of a pattern with the `g` flag. */
export function findAll(pattern: RegExp, text: string): Range[] {
  const found: Range[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    found.push({ start: match.index, end: match.index + match[0].length });
    if (match[0] === "") pattern.lastIndex++;
  }
  return found;
}
