import { configDefaults, defineConfig } from "vitest/config";

// Slower ones, each a suite of its own: what the SDK does at faults, and what all of the rules and the bridge find in many texts and files.
const FAULTS = "test/faults/**/*.test.ts";
const RULES = "test/{accuracy,assessment,golden,training}/**/*.test.ts";
/** Needs Java, and has a configuration of its own. */
const CLUSTER = "test/cluster/**";
/** Needs PostgreSQL, and has a configuration of its own as well. */
const POSTGRES = "test/platform/postgres/**";
const SETUP = [".ci/compile-packs.ts", "test/helpers/build-programs.ts"];

/** Tests with a process for each file: they patch globals or clients, or look at what a module keeps, as whether the rules are prepared. */
const ALONE = [
  "test/*.test.ts",
  "test/{cli,compliance,config,e2e,helpers,instrumentation,judge,monitor,otlp,scope,telemetry,util}/**/*.test.ts",
  "test/delivery/platform-path.test.ts",
];

export default defineConfig({
  // `agent-monitor` is the source, as in tsconfig.json; only package.test.ts tests the built package.
  resolve: { tsconfigPaths: true },
  test: {
    pool: "forks",
    // Half of the time goes into child processes that are waited for.
    maxWorkers: "100%",
    // They end a test that hangs; the slowest one needs a quarter of it, and machines differ threefold.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    coverage: { include: ["src/**/*.ts"], exclude: ["src/platform/ui/**"] },
    projects: [
      {
        extends: true,
        test: {
          name: "tests",
          include: ["test/**/*.test.ts"],
          globalSetup: SETUP,
          exclude: [...ALONE, FAULTS, RULES, CLUSTER, POSTGRES, ...configDefaults.exclude],
          // A process runs file after file: to load the sources anew for each took longer than all their tests.
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: "alone", include: ALONE, globalSetup: SETUP },
      },
      {
        extends: true,
        test: { name: "rules", include: [RULES], globalSetup: SETUP, isolate: false },
      },
      {
        extends: true,
        test: {
          name: "faults",
          include: [FAULTS],
          globalSetup: [".ci/compile-packs.ts", "test/faults/support/build-children.ts"],
          testTimeout: 240_000,
          // Each keeps the machine busy with child processes of its own: behind all others, and no more than two files at a time.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
