// `npm run check`: every check, the quickest first, stopping at the first that fails.
import { spawnSync } from "node:child_process";

/** Scripts of package.json, and what repairs what they find. */
const STEPS: readonly (readonly [script: string, repair?: string])[] = [
  ["check:format", "npm run fix"],
  ["check:generated", "npm run docs:generate"],
  ["typecheck"],
  ["lint", "npm run fix, for some of it"],
  ["check:unused"],
  ["build"],
  ["check:package"],
  ["check:api", "npm run api, then review the change of test/api"],
  ["check:architecture"],
];

const startedAt = performance.now();
for (const [index, [script, repair]] of STEPS.entries()) {
  console.log(`[${index + 1}/${STEPS.length}] ${script}`);
  const stepStartedAt = performance.now();
  const { status } = spawnSync("npm", ["run", "-s", script], { stdio: "inherit" });
  if (status !== 0) {
    const hint = repair === undefined ? "" : `; to repair: ${repair}`;
    console.error(`\ncheck failed in step ${index + 1}: npm run ${script}${hint}`);
    process.exit(1);
  }
  console.log(`      ok, ${Math.round(performance.now() - stepStartedAt)} ms`);
}
console.log(`check passed in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
