import type { Range } from "./pattern.ts";

/**
 * A text made of stretches of another one, which knows where they stood there.
 *
 * Stretches that were taken as they are cost one entry, however long.
 */
export class MappedText {
  #text = "";
  /** Where each stretch begins here. */
  readonly #starts: number[] = [];
  /** Where each stretch begins in the other text. */
  readonly #sources: number[] = [];
  /** Where it ends there, or `VERBATIM` if it was taken as it is. */
  readonly #sourceEnds: number[] = [];

  /** The text so far. */
  get text(): string {
    return this.#text;
  }

  /** Adds a stretch of the other text as it is. */
  addVerbatim(source: string, start: number, end: number): void {
    if (start < end) this.#add(source.slice(start, end), start, VERBATIM);
  }

  /** Adds what stands for a stretch of the other text. */
  add(text: string, start: number, end: number): void {
    if (text !== "") this.#add(text, start, end);
  }

  /** Returns the place in the other text, in UTF-16 units. */
  toSource({ start, end }: Range): Range {
    if (this.#text === "") return { start: 0, end: 0 };
    const first = this.#stretchAt(start);
    const last = end > start ? this.#stretchAt(end - 1) : undefined;
    const from = this.#isVerbatim(first) ? this.#shift(first, start) : (this.#sources[first] ?? 0);
    if (last === undefined) return { start: from, end: from };
    const to = this.#isVerbatim(last) ? this.#shift(last, end) : (this.#sourceEnds[last] ?? 0);
    return { start: from, end: to };
  }

  #add(text: string, start: number, sourceEnd: number): void {
    this.#starts.push(this.#text.length);
    this.#sources.push(start);
    this.#sourceEnds.push(sourceEnd);
    this.#text += text;
  }

  #isVerbatim(stretch: number): boolean {
    return this.#sourceEnds[stretch] === VERBATIM;
  }

  #shift(stretch: number, position: number): number {
    return (this.#sources[stretch] ?? 0) + position - (this.#starts[stretch] ?? 0);
  }

  /** Returns the stretch that a position is in; behind the end, the last one. */
  #stretchAt(position: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

const VERBATIM = -1;
