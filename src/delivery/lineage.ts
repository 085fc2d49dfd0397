/**
 * A batch that was planned of new events, and the ever smaller batches that it is sent as when it is refused.
 *
 * One bad event must not take the others along, and a platform that refuses everything must not turn a whole
 * stream into dead letters: an event is given up only once the platform has taken something else.
 */
export class Lineage {
  /** Whether it began as a single event: its refusal does not tell whose fault it is. */
  readonly isLone: boolean;
  /** Whether it is a part of a batch that an earlier process saw refused: that it is again says nothing new. */
  readonly isLeftover: boolean;
  readonly #maxFruitless: number;
  #refusals = 0;
  #isTaken = false;
  #isSuspended = false;

  /** @param size - Events of the batch that it began with. */
  constructor(size: number, isLeftover = false) {
    this.isLone = size === 1;
    this.isLeftover = isLeftover;
    this.#maxFruitless = 2 * Math.ceil(Math.log2(size)) + 2;
  }

  /** Whether the platform takes events now, so that a refused one is to blame itself. */
  get isTaken(): boolean {
    return this.#isTaken;
  }

  /** Whether its batches wait until the platform has taken another one. */
  get isSuspended(): boolean {
    return this.#isSuspended;
  }

  /** Whether so many parts were refused, and none taken, that sending on is in vain. */
  get isInVain(): boolean {
    return !this.#isTaken && this.#refusals > this.#maxFruitless;
  }

  noteRefusal(): void {
    this.#refusals++;
  }

  noteTaken(): void {
    this.#isTaken = true;
    this.#isSuspended = false;
  }

  suspend(): void {
    this.#isSuspended = true;
  }
}
