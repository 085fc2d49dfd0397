// Builds the benches into test/.bench, to be run without a loader: tsx would rewrite the built package as well
// (names are kept at each function that is made), and measure what nobody installs.
import { join } from "node:path";
import { build } from "esbuild";

const ROOT = join(import.meta.dirname, "..");
const PROGRAMS = [
  "run",
  "backlog",
  "compliance-side",
  "fanout-side",
  "instrument-side",
  "register-model",
  "register-side",
];

await build({
  entryPoints: PROGRAMS.map((name) => join(ROOT, `test/bench/${name}.ts`)),
  outdir: join(ROOT, "test/.bench"),
  bundle: true,
  platform: "node",
  target: "node20",
  format: "esm",
  packages: "external",
  logLevel: "warning",
});
