import type { PendingEvent } from "./pending-event.ts";

/** Events that are kept, but whose last form is still to come. */
export class ProvisionalEvents {
  // In the order of their sequences.
  readonly #sequences = new Map<PendingEvent, number>();

  get size(): number {
    return this.#sequences.size;
  }

  /** Sequence of the oldest; `Infinity` when there is none. */
  get first(): number {
    for (const sequence of this.#sequences.values()) return sequence;
    return Infinity;
  }

  /** Takes note of an event that is kept now. */
  note(event: PendingEvent, sequence: number): void {
    if (event.isProvisional) this.#sequences.set(event, sequence);
  }

  /** Gives the sequence of an event that gets its last form now; `undefined` when it is not kept any more. */
  take(event: PendingEvent): number | undefined {
    const sequence = this.#sequences.get(event);
    this.#sequences.delete(event);
    return sequence;
  }

  /** Forgets everything up to a sequence. */
  forget(upToSequence: number): void {
    for (const [event, sequence] of this.#sequences) {
      if (sequence > upToSequence) return;
      this.#sequences.delete(event);
    }
  }
}
