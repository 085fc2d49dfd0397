// Builds the benches into test/.bench, to be run without a loader: tsx would rewrite the built package as well
// (names are kept at each function that is made), and measure what nobody installs.
import { join } from "node:path";
import { build } from "esbuild";
import { MODULES, options, ROOT } from "./build-options.ts";

const PROGRAMS = [
  "run",
  "backlog",
  "bridge-side",
  "compliance-side",
  "fanout-side",
  "gateway-side",
  "instrument-side",
  "platform-run",
  "platform-side",
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

// The bridge alone is no part of the public interface: its modules, joined as the build of the package joins them.
await build({
  ...options,
  stdin: {
    contents:
      'export { EventBridge } from "./bridge/event-bridge.js"; export { toDetailedEvent } from "./bridge/bridged-event.js";',
    resolveDir: MODULES,
  },
  format: "cjs",
  outfile: join(ROOT, "test/.bench/bridge-code.cjs"),
  write: true,
});
