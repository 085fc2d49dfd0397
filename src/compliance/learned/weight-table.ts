import type { FeatureWeights } from "./learned-model.ts";

/** Bits of a feature that number its bucket; a record keeps the others. */
const BUCKET_BITS = 15;
const FEATURE_BITS = 24;
const REST_BITS = FEATURE_BITS - BUCKET_BITS;
const REST_MASK = 2 ** REST_BITS - 1;
const BUCKETS = 2 ** BUCKET_BITS;
/** What a record has in front of its weights: the rest of its feature, and their number. */
const HEAD_LENGTH = 2;
/** Bits by which it shows that the model does not know a feature, as it does most; a few unknown ones share a bit with known ones. */
const FILTER_BITS = 19;
const FILTER_SHIFT = FEATURE_BITS - FILTER_BITS;
const WORD_SHIFT = 5;
/** An entry is a weight, and the number of its plane in these bits. */
const PLANE_BITS = 8;
const PLANE_MASK = 2 ** PLANE_BITS - 1;

/**
 * Sums the weights of features, plane by plane.
 *
 * All of a feature stands side by side in one record: a text touches some hundred of many thousand.
 */
export class WeightTable {
  readonly #filter = new Int32Array(2 ** (FILTER_BITS - WORD_SHIFT));
  /** Where the records of each bucket begin, and the end of the last. */
  readonly #buckets = new Int32Array(BUCKETS + 1);
  /** Heads of records, and behind each its weights with their planes. */
  readonly #records: Int16Array;

  constructor({ features, starts, planes, weights }: FeatureWeights) {
    this.#records = new Int16Array(features.length * HEAD_LENGTH + weights.length);
    let at = 0;
    let bucket = 0;
    for (let index = 0; index < features.length; index++) {
      const feature = features[index] ?? 0;
      const bit = feature >> FILTER_SHIFT;
      this.#filter[bit >> WORD_SHIFT] = (this.#filter[bit >> WORD_SHIFT] ?? 0) | (1 << bit);
      while (bucket <= feature >> REST_BITS) this.#buckets[bucket++] = at;
      const [start = 0, end = 0] = [starts[index], starts[index + 1]];
      this.#records[at++] = feature & REST_MASK;
      this.#records[at++] = end - start;
      for (let weight = start; weight < end; weight++)
        this.#records[at++] = ((weights[weight] ?? 0) << PLANE_BITS) | (planes[weight] ?? 0);
    }
    this.#buckets.fill(at, bucket);
  }

  /** Adds the weights of features to sums, one for each plane; features that the model does not know weigh nothing. */
  addTo(sums: Int32Array, features: readonly number[]): void {
    const filter = this.#filter;
    for (const feature of features) {
      const bit = feature >> FILTER_SHIFT;
      if (((filter[bit >> WORD_SHIFT] ?? 0) & (1 << bit)) !== 0) this.#add(sums, feature);
    }
  }

  #add(sums: Int32Array, feature: number): void {
    const records = this.#records;
    const bucket = feature >> REST_BITS;
    const rest = feature & REST_MASK;
    const last = this.#buckets[bucket + 1] ?? 0;
    for (let at = this.#buckets[bucket] ?? 0; at < last;) {
      const end = at + HEAD_LENGTH + (records[at + 1] ?? 0);
      if (records[at] === rest) {
        for (at += HEAD_LENGTH; at < end; at++) {
          const entry = records[at] ?? 0;
          const plane = entry & PLANE_MASK;
          sums[plane] = (sums[plane] ?? 0) + (entry >> PLANE_BITS);
        }
        return;
      }
      at = end;
    }
  }
}
