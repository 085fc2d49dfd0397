import { BoundedMap } from "../util/bounded-map.ts";

interface Run {
  abandon(): void;
}

/** Runs of all hooks together; the one that began first is given up when there are more. */
const MAX_RUNS = 50_000;

/** Knows the runs that hooks have begun to tell of and that have not ended. */
export class OpenRuns {
  readonly #open = new BoundedMap<Run, Run>(MAX_RUNS, (run) => run.abandon());

  /** Keeps a run. @returns Forgets it. */
  add(run: Run): () => void {
    this.#open.set(run, run);
    return () => void this.#open.delete(run);
  }

  /** Gives every run up, inner ones first. */
  abandon(): void {
    for (const run of [...this.#open.values()].toReversed()) run.abandon();
    this.#open.clear();
  }
}
