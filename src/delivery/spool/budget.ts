/** Counts the bytes that all writers of a directory use together, against their limit. */
export class SpoolBudget {
  readonly #maxBytes: number;
  #own = 0;
  #others = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes in use, as far as is known. */
  get used(): number {
    return this.#own + this.#others;
  }

  /** Adds to the bytes of this process in the directory; a negative number when files are removed. */
  addOwn(bytes: number): void {
    this.#own += bytes;
  }

  get own(): number {
    return this.#own;
  }

  /** Sets the bytes of other processes, dead letters included: they are measured from time to time. */
  setOthers(bytes: number): void {
    this.#others = bytes;
  }

  hasRoomFor(bytes: number): boolean {
    return this.#own + this.#others + bytes <= this.#maxBytes;
  }
}
