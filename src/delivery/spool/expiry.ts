import type { Clock } from "../../util/clock.ts";
import type { FileSystem } from "./file-system.ts";
import type { SegmentSet } from "./segment-set.ts";
import type { Segment } from "./segment-reader.ts";

/** A file must be found too old twice, so far apart: a wall clock that jumps must not cost an event. */
const CONFIRMATION_MILLIS = 3_600_000;

export interface ExpiryOptions {
  readonly fs: FileSystem;
  readonly clock: Clock;
  /** Time in ms after which events are given up. */
  readonly maxSpoolAge: number;
}

/** Finds up to which sequence events are too old, by the time at which their file was last written to; 0 for none. */
export function createExpiry(options: ExpiryOptions, segments: SegmentSet): () => number {
  const { fs, clock, maxSpoolAge } = options;
  /** When a file was found too old for the first time, in monotonic ms. */
  let suspects = new Map<string, number>();

  const isTooOld = ({ path }: Segment): boolean => clock.now() - fs.modifiedAt(path) > maxSpoolAge;

  return () => {
    const now = clock.monotonic();
    const files = segments.segments;
    const looked = new Map<string, number>();
    let expired = 0;
    let isConfirmed = true;
    try {
      for (const [index, segment] of files.entries()) {
        if (!isTooOld(segment)) break;
        const since = suspects.get(segment.name) ?? now;
        looked.set(segment.name, since);
        isConfirmed &&= now - since >= CONFIRMATION_MILLIS;
        if (isConfirmed) expired = (files[index + 1]?.first ?? Infinity) - 1;
      }
    } catch {
      // A file that can't be looked at is not given up.
    }
    suspects = looked;
    return expired;
  };
}
