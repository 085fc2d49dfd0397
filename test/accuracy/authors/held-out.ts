import { appendRun, MAX_RUNS, readRunsFile, type LoggedRun } from "./run-log.ts";
import type { AuthorScore } from "./score.ts";

/** The state that is to be scored. */
export interface ScoredState {
  /** Digest of the behaviour. */
  readonly digest: string;
  /** Short id of the commit. */
  readonly commit: string;
  /** Whether the files that decide the figures are those of the commit. */
  readonly isCommitted: boolean;
}

/** What a run of the held-out texts works with. */
export interface HeldOutOptions {
  /** The log's file. */
  readonly log: string;
  readonly state: ScoredState;
  /** Why this state is worth one of the runs. */
  readonly reason: string;
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** Reads the texts and scores them; is called only when the run is allowed. */
  readonly score: () => AuthorScore;
}

/** What a run came to. */
export interface HeldOutRun {
  readonly score: AuthorScore;
  readonly number: number;
  /** Whether the same behaviour was scored before, so that nothing was logged. */
  readonly isRepeated: boolean;
}

/** Thrown when the held-out texts may not be scored; nothing was read then. */
export class HeldOutError extends Error {
  override readonly name = "HeldOutError";
}

/** Finds the run in which this behaviour was scored. */
export function findRun(
  runs: readonly LoggedRun[],
  digest: string | undefined,
): LoggedRun | undefined {
  return runs.find((run) => run.digest === digest);
}

/**
 * Scores the held-out texts and logs the run.
 *
 * @throws {@link HeldOutError} without a reason, with changes that are not committed, or when no run is left.
 */
export function runHeldOut({ log, state, reason, date, score }: HeldOutOptions): HeldOutRun {
  const runs = readRunsFile(log);
  const earlier = findRun(runs, state.digest);
  if (earlier) return { score: score(), number: earlier.number, isRepeated: true };
  const because = reason.replaceAll(/\s+/g, " ").trim();
  if (because === "") throw new HeldOutError("a run needs a reason");
  if (runs.length >= MAX_RUNS)
    throw new HeldOutError(
      `all ${MAX_RUNS} runs are used: the held-out texts are not scored again`,
    );
  if (!state.isCommitted)
    throw new HeldOutError("the run would name a commit that is not what it scores: commit first");
  const number = runs.length + 1;
  const { digest, commit } = state;
  const scored = score();
  appendRun(log, { number, date, commit, reason: because, digest, score: scored });
  return { score: scored, number, isRepeated: false };
}
