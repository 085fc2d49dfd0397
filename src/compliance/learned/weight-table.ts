import {
  FILTER_SHIFT,
  HEAD_LENGTH,
  PLANE_BITS,
  PLANE_MASK,
  REST_BITS,
  REST_MASK,
  WORD_SHIFT,
  type WeightRecords,
} from "./weight-records.ts";

/**
 * Sums the weights of features, plane by plane.
 *
 * A text touches some hundred features of many thousand: what it needs of each stands in one place.
 */
export class WeightTable {
  readonly #filter: Int32Array;
  readonly #buckets: Int32Array;
  readonly #records: Int16Array;

  constructor({ filter, buckets, records }: WeightRecords) {
    this.#filter = filter;
    this.#buckets = buckets;
    this.#records = records;
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
