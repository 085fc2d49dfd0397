/** What is known of observed model calls. */
export interface CallStats {
  /** Calls that are not over. */
  readonly open: number;
  /** Calls that nobody observed, because their client was built before the monitor. */
  readonly missed: number;
  /** Whether another monitor of the process observes the global `fetch`, so that this one sees nothing of it. */
  readonly isSecond: boolean;
}
