import type { SentenceMask } from "./sentence-mask.ts";
import type { Span } from "./spans.ts";
import type { Tables } from "./tables.ts";
import type { WordId } from "./vocabulary.ts";

/** What a text needs room for; buffers of this size are dear to make anew for every text. */
export interface Buffers {
  readonly tables: Tables;
  /** The sentences of each word. */
  readonly wordMasks: Int32Array;
  /** For each word of the text its first place in the list of places, plus one. */
  readonly firstPlaces: Int32Array;
  /** For each element the first of its literal rows in the list of these, plus one. */
  readonly firstLiterals: Int32Array;
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
  /** The words of the text. */
  readonly words: WordId[];
  /** The sentence of each token, and its bit. */
  readonly sentenceOf: number[];
  readonly maskOf: SentenceMask[];
  /** For each token the start of the match that ends there, less one; zero in between. */
  readonly startAt: number[];
  /** The word and the token of each place, in the order of the text. */
  readonly wordAt: WordId[];
  readonly tokenAt: number[];
  /** The first place of each token, and behind the last one the number of all. */
  readonly firstPlaceOf: number[];
  /** The next place of the same word, plus one. */
  readonly nextPlaces: number[];
  /** The elements that literal rows were found of. */
  readonly literalOwners: number[];
  readonly literals: Span[];
  /** The next literal row of the same element, plus one. */
  readonly nextLiterals: number[];
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
    wordMasks: new Int32Array(tables.madeOf.vocabulary),
    firstPlaces: new Int32Array(tables.madeOf.vocabulary),
    firstLiterals: new Int32Array(tables.size),
    masks: new Int32Array(tables.size),
    looseMasks: new Int32Array(tables.loose.length),
    covered: new Int32Array(tables.size),
    positions: Array.from({ length: tables.size }, () => undefined),
    positioned: [],
    words: [],
    sentenceOf: [],
    maskOf: [],
    startAt: [],
    wordAt: [],
    tokenAt: [],
    firstPlaceOf: [],
    nextPlaces: [],
    literalOwners: [],
    literals: [],
    nextLiterals: [],
  };
}

/** Gives buffers back, in which nothing is noted any more. */
export function giveBuffers(buffers: Buffers): void {
  if (spare.length < MAX_SPARE && buffers.wordAt.length < MAX_KEPT_PLACES) spare.push(buffers);
}
