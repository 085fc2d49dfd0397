import { defineConfig } from "vitest/config";

// Tests with real brokers, which take minutes: `npm run test:cluster`.
export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    pool: "forks",
    include: ["test/cluster/**/*.test.ts"],
    globalSetup: [
      ".ci/compile-packs.ts",
      "test/helpers/build-programs.ts",
      "test/faults/support/build-children.ts",
      "test/cluster/support/prepare-parts.ts",
    ],
    // Each file starts brokers of its own.
    maxWorkers: 1,
    testTimeout: 600_000,
    hookTimeout: 300_000,
  },
});
