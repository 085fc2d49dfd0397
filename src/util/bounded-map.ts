/**
 * Keeps at most `maxEntries` entries; the one used longest ago makes room.
 *
 * `get` and `set` count as use.
 */
export class BoundedMap<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #maxEntries: number;
  readonly #onEvict: ((value: V, key: K) => void) | undefined;
  /** Used last: a run of uses of one key need not move it again and again. */
  #newest: K | undefined;

  constructor(maxEntries: number, onEvict?: (value: V, key: K) => void) {
    this.#maxEntries = maxEntries;
    this.#onEvict = onEvict;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined && key !== this.#newest) {
      this.#entries.delete(key);
      this.#entries.set(key, value);
      this.#newest = key;
    }
    return value;
  }

  set(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    this.#newest = key;
    if (this.#entries.size <= this.#maxEntries) return;
    const oldest = this.oldest();
    if (!oldest) return;
    this.#entries.delete(oldest[0]);
    this.#onEvict?.(oldest[1], oldest[0]);
  }

  delete(key: K): boolean {
    return this.#entries.delete(key);
  }

  /** Gives the entry used longest ago, without using it. */
  oldest(): [K, V] | undefined {
    const first = this.#entries.entries().next();
    return first.done ? undefined : first.value;
  }

  values(): IterableIterator<V> {
    return this.#entries.values();
  }

  clear(): void {
    this.#entries.clear();
  }
}
