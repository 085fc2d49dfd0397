/** How often each line stands in some texts. Each count is an object: to replace a number in the map would take as long as to find it. */
export type LineCounts = Map<string, { count: number }>;

/**
 * Adds the lines of a text, as `joinLines` writes it.
 *
 * @param text - `null` has none.
 * @param leftOut - Lines that begin with it are left out.
 */
export function addLines(counts: LineCounts, text: string | null, leftOut?: string): void {
  if (text === null) return;
  for (const line of text.split("\n")) {
    if (leftOut !== undefined && line.startsWith(leftOut)) continue;
    const known = counts.get(line);
    if (known) known.count++;
    else counts.set(line, { count: 1 });
  }
}
