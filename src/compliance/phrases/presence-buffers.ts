import type { Term, WordBits } from "./literals.ts";
import type { SentenceMask } from "./sentence-mask.ts";
import type { Span } from "./spans.ts";
import type { Tables } from "./tables.ts";

/** What a text needs room for; buffers of this size are dear to make anew for every text. */
export interface Buffers {
  readonly tables: Tables;
  /** The sentences of each term. */
  readonly termMasks: Int32Array;
  /** For each term of the text its first place in the list of places, plus one. */
  readonly firstPlaces: Int32Array;
  /** The sentences of each element. */
  readonly masks: Int32Array;
  /** The sentences that have all that each loose row needs. */
  readonly looseMasks: Int32Array;
  /** The sentences in which each element was looked for. */
  readonly covered: Int32Array;
  /** Where each element stands, as far as it was asked. */
  readonly positions: (readonly Span[] | undefined)[];
  /** The elements that were asked for. */
  readonly positioned: number[];
  /** The terms of the text. */
  readonly terms: Term[];
  /** The sentence of each token, and its bit. */
  readonly sentenceOf: number[];
  readonly maskOf: SentenceMask[];
  /** For each token the start of the match that ends there, less one; zero in between. */
  readonly startAt: number[];
  /** The term of each place and its tokens: the words in the order of the text, then the literal rows. */
  readonly termAt: Term[];
  readonly spanAt: Span[];
  /** The next place of the same term, plus one. */
  readonly nextPlaces: number[];
  /** The first place of each token, and behind the last one the number of all places of words. */
  readonly firstPlaceOf: number[];
  /** The words of each token; behind the last one none. */
  readonly wordBits: WordBits[];
}

const MAX_SPARE = 8;
/** Lists of longer texts are not kept. */
const MAX_KEPT_PLACES = 50_000;
let spare: Buffers[] = [];

/** Gives buffers in which nothing is noted; lists may hold what nobody reads any more. */
export function takeBuffers(tables: Tables): Buffers {
  const buffers = spare.pop();
  if (buffers?.tables === tables) return buffers;
  spare = [];
  return {
    tables,
    termMasks: new Int32Array(tables.literals.termCount),
    firstPlaces: new Int32Array(tables.literals.termCount),
    masks: new Int32Array(tables.size),
    looseMasks: new Int32Array(tables.loose.length),
    covered: new Int32Array(tables.size),
    positions: Array.from({ length: tables.size }, () => undefined),
    positioned: [],
    terms: [],
    sentenceOf: [],
    maskOf: [],
    startAt: [],
    termAt: [],
    spanAt: [],
    nextPlaces: [],
    firstPlaceOf: [],
    wordBits: [],
  };
}

/** Gives buffers back, in which nothing is noted any more. */
export function giveBuffers(buffers: Buffers): void {
  if (spare.length < MAX_SPARE && buffers.termAt.length < MAX_KEPT_PLACES) spare.push(buffers);
}
