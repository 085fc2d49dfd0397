/** Why no event comes of a span or a log record, as the books of delivery name it. */
export type BridgeLoss = "no_trace_context" | "queue_full" | "invalid_argument";

/** What became of what the bridge saw. */
export interface BridgeCounts {
  /** Events that were handed on. */
  events: number;
  /** Spans of models, agents and tools that were read. */
  spans: number;
  /** Spans that say the same as others and were merged into them. */
  merged: number;
  /** Spans that never ended. */
  abandoned: number;
  /** Spans and log records that were left out: there were too many, or nobody can know what they belong to. */
  dropped: number;
  /** Spans and log records that came twice. */
  repeated: number;
  /** Spans whose content was cut, so that a part of it is all there is. */
  cut: number;
  /** Spans and log records that could not be read. */
  malformed: number;
  /** Events that the application tracks by hand as well, each of which was emitted once. */
  doubled: number;
}

/** The counts, and how many traces wait for the rest of their spans. */
export interface BridgeStats extends Readonly<BridgeCounts> {
  /** Traces and parts of traces that are not complete yet. */
  readonly waiting: number;
}

/** Begins to count. */
export function createBridgeCounts(): BridgeCounts {
  return {
    events: 0,
    spans: 0,
    merged: 0,
    abandoned: 0,
    dropped: 0,
    repeated: 0,
    cut: 0,
    malformed: 0,
    doubled: 0,
  };
}
