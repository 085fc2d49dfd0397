import { defineConfig } from "vitest/config";

export default defineConfig({
  // `agent-monitor` is the source, as in tsconfig.json; only package.test.ts tests the built package.
  resolve: { tsconfigPaths: true },
  test: {
    include: ["test/**/*.test.ts"],
    pool: "forks",
    testTimeout: 30_000,
    hookTimeout: 30_000,
    coverage: { include: ["src/**/*.ts"], exclude: ["src/platform/ui/**"] },
  },
});
