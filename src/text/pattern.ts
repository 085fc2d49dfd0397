const patterns = new Set<RegExp>();

/**
 * Registers a pattern as one that runs in linear time; every pattern of this room passes through here.
 *
 * The test of this room runs recheck over the registered patterns and fails on one that isn't here.
 */
export function linear(pattern: RegExp): RegExp {
  patterns.add(pattern);
  return pattern;
}

/** Gives the patterns registered so far. */
export function linearPatterns(): ReadonlySet<RegExp> {
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
