/**
 * Keeps at most `maxEntries` entries; the least recently used one is dropped.
 *
 * `get` and `set` count as use.
 */
export class BoundedMap<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #maxEntries: number;
  readonly #onEvict: ((value: V, key: K) => void) | undefined;
  /** Key used last: a run of uses of one key need not move it again and again. */
  #newest: K | undefined;
  /** Continues from the oldest key: starting anew would skip each time the entries deleted since the map was last packed. */
  #keys: IterableIterator<K> | undefined;
  /** The key returned last, as long as it is the oldest. */
  #oldest: { readonly key: K } | undefined;

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
      this.delete(key);
      this.#entries.set(key, value);
      this.#newest = key;
    }
    return value;
  }

  set(key: K, value: V): void {
    this.delete(key);
    this.#entries.set(key, value);
    this.#newest = key;
    if (this.#entries.size <= this.#maxEntries) return;
    const oldest = this.oldest();
    if (!oldest) return;
    this.delete(oldest[0]);
    this.#onEvict?.(oldest[1], oldest[0]);
  }

  delete(key: K): boolean {
    if (this.#oldest?.key === key) this.#oldest = undefined;
    return this.#entries.delete(key);
  }

  /** Returns the least recently used entry, without using it. */
  oldest(): [K, V] | undefined {
    const oldest = (this.#oldest ??= this.#findOldest());
    // The entry exists, and its value may be `undefined`.
    return oldest && [oldest.key, this.#entries.get(oldest.key) as V];
  }

  values(): IterableIterator<V> {
    return this.#entries.values();
  }

  clear(): void {
    this.#entries.clear();
    this.#keys = undefined;
    this.#oldest = undefined;
  }

  #findOldest(): { readonly key: K } | undefined {
    let next = (this.#keys ??= this.#entries.keys()).next();
    if (next.done === true) {
      // An iterator at its end doesn't see later entries.
      this.#keys = this.#entries.keys();
      next = this.#keys.next();
    }
    return next.done === true ? undefined : { key: next.value };
  }
}
