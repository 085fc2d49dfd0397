import type { FeatureWeights } from "./learned-model.ts";
import { FEATURE_BITS } from "./word-features.ts";

/** Bits of a feature that number its bucket; a record keeps the others. */
const BUCKET_BITS = 15;
/** What a record has in front of its weights: the rest of its feature, and their number. */
export const HEAD_LENGTH = 2;
export const REST_BITS = FEATURE_BITS - BUCKET_BITS;
export const REST_MASK = 2 ** REST_BITS - 1;
const BUCKETS = 2 ** BUCKET_BITS;
/** Bits by which it shows that the model does not know a feature, as it does most; a few unknown ones share a bit with known ones. */
const FILTER_BITS = 19;
export const FILTER_SHIFT = FEATURE_BITS - FILTER_BITS;
export const WORD_SHIFT = 5;
/** An entry is a weight, and the number of its plane in these bits. */
export const PLANE_BITS = 8;
export const PLANE_MASK = 2 ** PLANE_BITS - 1;

export const FILTER_LENGTH = 2 ** (FILTER_BITS - WORD_SHIFT);
export const BUCKETS_LENGTH = BUCKETS + 1;

/** Weights as they are summed: all of a feature stands side by side in one record. */
export interface WeightRecords {
  /** A bit for each feature that the model may know. */
  readonly filter: Int32Array;
  /** Where the records of each bucket begin, and the end of the last. */
  readonly buckets: Int32Array;
  /** Heads of records, and behind each its weights with their planes. */
  readonly records: Int16Array;
}

/** Lays weights out as they are summed; the build does it, because it takes a new process ten times as long as reading them. */
export function toRecords({ features, starts, planes, weights }: FeatureWeights): WeightRecords {
  const filter = new Int32Array(FILTER_LENGTH);
  const buckets = new Int32Array(BUCKETS_LENGTH);
  const records = new Int16Array(features.length * HEAD_LENGTH + weights.length);
  let at = 0;
  let bucket = 0;
  for (let index = 0; index < features.length; index++) {
    const feature = features[index] ?? 0;
    const bit = feature >> FILTER_SHIFT;
    filter[bit >> WORD_SHIFT] = (filter[bit >> WORD_SHIFT] ?? 0) | (1 << bit);
    while (bucket <= feature >> REST_BITS) buckets[bucket++] = at;
    const [start = 0, end = 0] = [starts[index], starts[index + 1]];
    records[at++] = feature & REST_MASK;
    records[at++] = end - start;
    for (let weight = start; weight < end; weight++)
      records[at++] = ((weights[weight] ?? 0) << PLANE_BITS) | (planes[weight] ?? 0);
  }
  buckets.fill(at, bucket);
  return { filter, buckets, records };
}
