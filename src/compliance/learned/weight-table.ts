import type { FeatureWeights, LearnedModel } from "./learned-model.ts";

/** Slots for each feature of the table, so that few share one. */
const SLOTS_PER_FEATURE = 2;
const EMPTY = 0;

/** Sums the weights of features, plane by plane. */
export class WeightTable {
  readonly #weights: FeatureWeights;
  readonly #scales: Float64Array;
  /** Indexes of features, from 1, by their hash, in open addressing. */
  readonly #slots: Int32Array;

  constructor({ facts, weights }: LearnedModel) {
    this.#weights = weights;
    this.#scales = Float64Array.from(facts.planes, ({ scale }) => scale);
    const { features } = weights;
    const bits = Math.ceil(Math.log2(Math.max(2, features.length * SLOTS_PER_FEATURE)));
    this.#slots = new Int32Array(2 ** bits);
    for (const [index, feature] of features.entries())
      this.#slots[this.#slotOf(feature)] = index + 1;
  }

  /** Adds the weights of features to sums, one for each plane; features that the model does not know weigh nothing. */
  addTo(sums: Float64Array, features: readonly number[]): void {
    const { starts, planes, weights } = this.#weights;
    for (const feature of features) {
      const index = this.#slots[this.#slotOf(feature)] ?? EMPTY;
      if (index === EMPTY) continue;
      const end = starts[index] ?? 0;
      for (let at = starts[index - 1] ?? 0; at < end; at++) {
        const plane = planes[at] ?? 0;
        sums[plane] = (sums[plane] ?? 0) + (weights[at] ?? 0) * (this.#scales[plane] ?? 0);
      }
    }
  }

  #slotOf(feature: number): number {
    const { features } = this.#weights;
    const mask = this.#slots.length - 1;
    let slot = feature & mask;
    for (;;) {
      const index = this.#slots[slot] ?? EMPTY;
      if (index === EMPTY || features[index - 1] === feature) return slot;
      slot = (slot + 1) & mask;
    }
  }
}
