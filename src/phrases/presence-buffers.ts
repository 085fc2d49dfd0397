import type { PhraseTables } from "./phrase-tables.ts";
import type { SentenceMask } from "./sentence-mask.ts";
import type { Span } from "./spans.ts";

/** Memory for the index of one text; buffers of this size are expensive to allocate for every text. */
export interface Buffers {
  /** The terms that the text has, as bits: few of those that are asked for are there. */
  readonly termBits: Int32Array;
  /** The slot of each term that the text has; the slots of a text stand side by side. */
  readonly slotOfTerm: Uint16Array;
  /** For each slot its term, the sentences of this, and its first place plus one. */
  readonly slotTerms: number[];
  readonly slotMasks: SentenceMask[];
  readonly slotPlaces: number[];
  /** The sentences that each mark has collected. */
  readonly marks: Int32Array;
  /** Counts the texts: what was noted for earlier ones is not read. */
  generation: number;
  /** For each element the text for which its sentences were found last, and these. */
  readonly masks: Int32Array;
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

/** Position of the index of an integer of bits in the number of a bit. */
export const BITS_SHIFT = 5;

/** The highest number that the masks hold; a busy process reaches it in weeks. */
export const MAX_GENERATION = 2 ** 31 - 1;
const MAX_SPARE = 8;
/** Lists of longer texts are not kept. */
const MAX_KEPT_PLACES = 50_000;

function createBuffers({ markListOfTerm, markCount, elements: { first } }: PhraseTables): Buffers {
  const terms = markListOfTerm.length;
  const elements = first.length - 1;
  return {
    termBits: new Int32Array((terms >> BITS_SHIFT) + 1),
    slotOfTerm: new Uint16Array(terms),
    slotTerms: [0],
    slotMasks: [0],
    slotPlaces: [0],
    marks: new Int32Array(markCount + 1),
    generation: 0,
    masks: new Int32Array(elements * 2),
    covered: new Int32Array(elements),
    positions: Array<readonly Span[] | undefined>(elements).fill(undefined),
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

  /** Returns buffers in which nothing is noted; lists may hold what nobody reads any more. */
  take(): Buffers {
    const buffers = this.#spare.pop() ?? createBuffers(this.#tables);
    if (buffers.generation === MAX_GENERATION) {
      buffers.masks.fill(0);
      buffers.generation = 0;
    }
    buffers.generation++;
    return buffers;
  }

  /** Takes buffers back, in which nothing is noted any more. */
  give(buffers: Buffers): void {
    if (this.#spare.length < MAX_SPARE && buffers.termAt.length < MAX_KEPT_PLACES)
      this.#spare.push(buffers);
  }
}
