import type { PhraseTables } from "./phrase-tables.ts";
import type { SentenceMask } from "./sentence-mask.ts";
import type { Span } from "./spans.ts";

/** Memory for the index of one text; buffers of this size are expensive to allocate for every text. */
export interface Buffers {
  /** The slot of each term that the text has; 0 for the others. The slots of a text stand side by side. */
  readonly slotOfTerm: Uint16Array;
  /** For each slot its term, the sentences of this, and its first place plus one. */
  readonly slotTerms: number[];
  readonly slotMasks: SentenceMask[];
  readonly slotPlaces: number[];
  /** The sentences that each mark has collected. */
  readonly marks: Int32Array;
  /** The sentences of each element, as far as they are known. */
  readonly masks: Int32Array;
  readonly isKnown: Uint8Array;
  readonly known: number[];
  /** The sentences in which each element was looked for. */
  readonly covered: Int32Array;
  /** Where each element stands, as far as it was asked. */
  readonly positions: (readonly Span[] | undefined)[];
  /** The elements that were looked for. */
  readonly positioned: number[];
  /** The sentence of each token, and its bit. */
  readonly sentenceOf: number[];
  readonly maskOf: SentenceMask[];
  /** For each token the start of the match that ends there, less one; zero in between. */
  readonly startAt: number[];
  /** The term of each place and its tokens: the words in the order of the text, then the literals. */
  readonly termAt: number[];
  readonly spanAt: Span[];
  /** The next place of the same term, plus one. */
  readonly nextPlaces: number[];
  /** The first place of each token, and behind the last one the number of all places of words. */
  readonly firstPlaceOf: number[];
}

const MAX_SPARE = 8;
/** Lists of longer texts are not kept. */
const MAX_KEPT_PLACES = 50_000;

function createBuffers({
  marksOfTerm,
  markOfElement,
  numbersOfKey,
  numbersOfElement: { length: elements },
}: PhraseTables): Buffers {
  const marks = Math.max(numbersOfKey.length - 1, ...markOfElement);
  return {
    slotOfTerm: new Uint16Array(marksOfTerm.first.length - 1),
    slotTerms: [0],
    slotMasks: [0],
    slotPlaces: [0],
    marks: new Int32Array(marks + 1),
    masks: new Int32Array(elements),
    isKnown: new Uint8Array(elements),
    known: [],
    covered: new Int32Array(elements),
    positions: Array.from({ length: elements }, () => undefined),
    positioned: [],
    sentenceOf: [],
    maskOf: [],
    startAt: [],
    termAt: [],
    spanAt: [],
    nextPlaces: [],
    firstPlaceOf: [],
  };
}

/** Lends buffers for the texts that are matched with one set of phrases. */
export class BufferPool {
  readonly #tables: PhraseTables;
  readonly #spare: Buffers[] = [];

  constructor(tables: PhraseTables) {
    this.#tables = tables;
  }

  /** Gives buffers in which nothing is noted; lists may hold what nobody reads any more. */
  take(): Buffers {
    return this.#spare.pop() ?? createBuffers(this.#tables);
  }

  /** Takes buffers back, in which nothing is noted any more. */
  give(buffers: Buffers): void {
    if (this.#spare.length < MAX_SPARE && buffers.termAt.length < MAX_KEPT_PLACES)
      this.#spare.push(buffers);
  }
}
