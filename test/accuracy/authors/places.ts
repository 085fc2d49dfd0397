import { join } from "node:path";

const REPOSITORY = join(import.meta.dirname, "../../..");

/** Texts to work with. */
export const AUTHORS = join(REPOSITORY, "test/fixtures/compliance/authors");

/** Short, dense texts to train with; no figure counts them. */
export const EXCERPTS = join(REPOSITORY, "test/fixtures/compliance/excerpts");

/** Texts that nothing may be worked on with; beside this harness only the test of their structure reads them. */
export const HELD_OUT = join(REPOSITORY, "test/fixtures/compliance/held-out");

/** What language models have replied to the judge's requests about held-out texts. */
export const JUDGE_REPLIES = join(REPOSITORY, "test/fixtures/judge");

/** The log of runs on the held-out texts. */
export const RUN_LOG = join(REPOSITORY, "test/accuracy/held-out-runs.md");

/** What the rules find in all labelled texts that may be looked at. */
export const GOLDEN_FINDINGS = join(REPOSITORY, "test/golden/findings");

/** Files that decide the figures; a run names the commit that has them. */
export const SCORED_FILES: readonly string[] = [
  "src",
  "test/accuracy",
  "test/fixtures",
  "test/golden",
];

export { REPOSITORY };
