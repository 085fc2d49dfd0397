import { execFileSync } from "node:child_process";
import { digestOfFindings } from "./digest.ts";
import { HeldOutError, type ScoredState } from "./held-out.ts";

/** Where a state is read from. */
export interface StatePlaces {
  readonly repository: string;
  /** Golden findings. */
  readonly findings: string;
  /** Paths below the repository that decide the figures. */
  readonly scoredFiles: readonly string[];
}

/**
 * Reads which behaviour and which commit the working tree has.
 *
 * @throws {@link HeldOutError} without golden findings.
 */
export function readScoredState({ repository, findings, scoredFiles }: StatePlaces): ScoredState {
  const digest = digestOfFindings(findings);
  if (digest === undefined) throw new HeldOutError("no golden findings: npm run golden -- --write");
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-C", repository, ...args], { encoding: "utf8" }).trim();
  return {
    digest,
    commit: git("rev-parse", "--short", "HEAD"),
    isCommitted: git("status", "--porcelain", "--", ...scoredFiles) === "",
  };
}
