/** A passage that something was found in. */
export interface Passage {
  /** In UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** Place of what was found in its list. */
  readonly index: number;
}

/** A part of a text, with the places of all that was found in it. */
export interface Segment {
  readonly text: string;
  readonly found: readonly number[];
}

/** Cuts a text where passages begin and end; they may overlap. What is outside of the text is left out. */
export function toSegments(text: string, passages: readonly Passage[]): Segment[] {
  const inside = passages
    .map(({ start, end, index }) => ({
      index,
      start: Math.max(0, start),
      end: Math.min(text.length, end),
    }))
    .filter(({ start, end }) => start < end);
  const cuts = new Set([0, text.length, ...inside.flatMap(({ start, end }) => [start, end])]);
  const places = [...cuts].toSorted((one, other) => one - other);
  return places.slice(1).map((end, at) => {
    const start = places[at] ?? 0;
    const found = inside.filter((one) => one.start <= start && one.end >= end);
    return { text: text.slice(start, end), found: [...new Set(found.map(({ index }) => index))] };
  });
}
