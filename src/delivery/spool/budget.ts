/** How many bytes all writers of a directory may use together. */
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

  /** Notes that this process has so many bytes more in the directory, or less. */
  addOwn(bytes: number): void {
    this.#own += bytes;
  }

  get own(): number {
    return this.#own;
  }

  /** Notes what other processes have there, dead letters included: they are measured from time to time. */
  setOthers(bytes: number): void {
    this.#others = bytes;
  }

  hasRoomFor(bytes: number): boolean {
    return this.#own + this.#others + bytes <= this.#maxBytes;
  }
}
