import { linear } from "../../text/pattern.ts";

const FIGURE = linear(/[$\u20ac\u00a3]?\d[\d,]{0,15}(?:\.\d{1,4})?%?/g);
const SIGNS = linear(/[$\u20ac\u00a3,%]/g);
const MARK = linear(/[$\u20ac\u00a3%]/);
/** Next to a figure: it is a part of something longer. */
const PART = linear(/[-/:\w#]/);
/** "****6604" is masked, "**$611.18**" and "**614 rows**" are bold. */
const MASK_BEFORE = linear(/\*{3}$/);
const MASK_REACH = 3;
/** Smaller numbers count days, payments and attempts. */
const MIN_FIGURE = 100;
const NUMBER = linear(/\d[\d,]{0,15}(?:\.\d{1,6})?/g);
const SCALES = [1, 100, 0.01];
const TOLERANCE = 0.01;

/** A number in a message that looks like an amount, a percentage or a score. */
export interface Figure {
  readonly value: number;
  readonly isPercent: boolean;
}

/** Lists the figures of a text; parts of longer identifiers are none. */
export function figuresOf(text: string): readonly Figure[] {
  const figures: Figure[] = [];
  for (const match of text.matchAll(FIGURE)) {
    const [source] = match;
    const around = text.charAt(match.index - 1) + text.charAt(match.index + source.length);
    const value = Number(source.replaceAll(SIGNS, ""));
    const isMarked = MARK.test(source);
    const isYear = !isMarked && value >= 1900 && value <= 2100;
    const isMasked = MASK_BEFORE.test(
      text.slice(Math.max(0, match.index - MASK_REACH), match.index),
    );
    if (!PART.test(around) && !isMasked && !isYear && (isMarked || value >= MIN_FIGURE))
      figures.push({ value, isPercent: source.endsWith("%") });
  }
  return figures;
}

/** Lists every number that is written in a text, whatever it counts. */
export function numbersIn(text: string): readonly number[] {
  return Array.from(text.matchAll(NUMBER), ([digits]) => Number(digits.replaceAll(",", "")));
}

function toleranceOf(figure: number): number {
  return TOLERANCE * Math.max(1, Math.abs(figure) * 0.5);
}

/** Returns whether a figure states a number, rounded, in dollars or cents, as a share or in percent. */
export function isNear(figure: number, number: number): boolean {
  return SCALES.some((scale) => Math.abs(figure - Math.abs(number) * scale) <= toleranceOf(figure));
}

/** Numbers that are known, to be asked for many figures. */
export class KnownFigures {
  readonly #sorted: Float64Array;

  constructor(numbers: readonly number[]) {
    this.#sorted = Float64Array.from(numbers, Math.abs).toSorted();
  }

  /** Returns whether a figure states one of them. */
  has(figure: number): boolean {
    const tolerance = toleranceOf(figure);
    return SCALES.some((scale) => {
      const next = this.#sorted[this.#firstFrom((figure - tolerance) / scale)];
      return next !== undefined && next <= (figure + tolerance) / scale;
    });
  }

  #firstFrom(least: number): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#sorted[middle] ?? 0) < least) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
