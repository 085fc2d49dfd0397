import { FEATURE_BITS } from "./word-features.ts";

const MIN_SLOTS = 2048;
/** Rounds that a slot can distinguish; 0 is that of a slot in which nothing was put. */
const MAX_ROUND = 2 ** (32 - FEATURE_BITS) - 1;

/** A set of features that is emptied by counting on: sentences have few of them, and texts many sentences. */
export class FeatureSet {
  /** Each feature with the round that it was added in, in open addressing. */
  #slots = new Int32Array(MIN_SLOTS);
  #round = 1;
  #size = 0;

  /** Removes all features. */
  clear(): void {
    this.#size = 0;
    // A message of nothing but different words is seldom: what it took is given back.
    const isLarge = this.#slots.length > MIN_SLOTS;
    if (isLarge) this.#slots = new Int32Array(MIN_SLOTS);
    else if (this.#round === MAX_ROUND) this.#slots.fill(0);
    this.#round = isLarge || this.#round === MAX_ROUND ? 1 : this.#round + 1;
  }

  /** Adds a feature, and returns whether it was missing. */
  add(feature: number): boolean {
    if (!this.#put((this.#round << FEATURE_BITS) | feature)) return false;
    this.#size++;
    if (this.#size * 2 > this.#slots.length) this.#grow();
    return true;
  }

  #put(entry: number): boolean {
    const slots = this.#slots;
    const last = slots.length - 1;
    const round = entry >>> FEATURE_BITS;
    let slot = entry & last;
    for (;;) {
      const known = slots[slot] ?? 0;
      if (known === entry) return false;
      if (known >>> FEATURE_BITS !== round) break;
      slot = (slot + 1) & last;
    }
    slots[slot] = entry;
    return true;
  }

  #grow(): void {
    const slots = this.#slots;
    this.#slots = new Int32Array(slots.length * 2);
    for (const entry of slots) if (entry >>> FEATURE_BITS === this.#round) this.#put(entry);
  }
}
