/** A platform that has refused a size is asked for a little more after so many batches that it took. */
const GROW_AFTER = 10;
const GROW_FACTOR = 1.25;
const LEAST_BYTES = 1024;

/** How many bytes a batch may have: what is configured, or less once the platform has said 413. */
export class ByteLimit {
  readonly #most: number;
  #current: number;
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
    this.#current = most;
  }

  get bytes(): number {
    return this.#current;
  }

  /** The platform refused a body for its size. */
  shrink(refusedBytes: number): void {
    this.#taken = 0;
    this.#current = Math.max(LEAST_BYTES, Math.min(this.#current, Math.floor(refusedBytes / 2)));
  }

  /** The platform took a batch. */
  grow(): void {
    if (this.#current >= this.#most) return;
    this.#taken++;
    if (this.#taken < GROW_AFTER) return;
    this.#taken = 0;
    this.#current = Math.min(this.#most, Math.ceil(this.#current * GROW_FACTOR));
  }
}
