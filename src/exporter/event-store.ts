import type { PendingEvent } from "./pending-event.ts";

/** Keeps events in order until they are settled. */
export interface EventStore {
  /** Number of events that are kept. */
  readonly size: number;
  /** About the bytes of the events that are kept. */
  readonly bytes: number;
  readonly oldest: PendingEvent | undefined;
  /** Sequence of the newest event that was ever appended, 0 before the first. */
  readonly newestSequence: number;
  /** Takes an event, or refuses it when the store is full. */
  append(event: PendingEvent): number | undefined;
  /** Gives the oldest events up to a sequence, at most so many and so many bytes, at least one. */
  peek(upToSequence: number, maxCount: number, maxBytes: number): PendingEvent[];
  /** Forgets the oldest events. */
  removeOldest(count: number): void;
}

/** Keeps events in memory, bounded by count and bytes. */
export function createMemoryStore(maxCount: number, maxBytes: number): EventStore {
  let events: (PendingEvent | undefined)[] = [];
  let head = 0;
  let bytes = 0;
  let newestSequence = 0;

  return {
    get size() {
      return events.length - head;
    },
    get bytes() {
      return bytes;
    },
    get oldest() {
      return events[head];
    },
    get newestSequence() {
      return newestSequence;
    },
    append(event) {
      if (events.length - head >= maxCount || bytes + event.approximateBytes > maxBytes)
        return undefined;
      newestSequence++;
      bytes += event.approximateBytes;
      event.sequence = newestSequence;
      events.push(event);
      return newestSequence;
    },
    peek(upToSequence, count, byteLimit) {
      const taken: PendingEvent[] = [];
      let takenBytes = 0;
      for (let index = head; index < events.length && taken.length < count; index++) {
        const event = events[index];
        if (!event || event.sequence > upToSequence) break;
        takenBytes += event.bytes;
        if (taken.length > 0 && takenBytes > byteLimit) break;
        taken.push(event);
      }
      return taken;
    },
    removeOldest(count) {
      for (let removed = 0; removed < count && head < events.length; removed++) {
        bytes -= events[head]?.approximateBytes ?? 0;
        events[head] = undefined;
        head++;
      }
      // Half of the array at least, so that an event is moved once on average.
      if (head * 2 < events.length) return;
      events = events.slice(head);
      head = 0;
    },
  };
}
