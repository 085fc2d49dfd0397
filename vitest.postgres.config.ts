import { join } from "node:path";
import { defineConfig, type Plugin } from "vitest/config";
import { HAS_POSTGRES } from "./test/cluster/support/postgres-server.ts";

/** About the file of SQLite alone: its drivers, its lock, its layouts of before; and the command's options, whose platforms have no file. */
const OF_SQLITE = ["cli", "migration", "storage"].map((name) => `test/platform/${name}.test.ts`);

if (!HAS_POSTGRES) {
  const leftOut = "PostgreSQL is not installed (apt-get install postgresql)";
  if (process.env["REQUIRE_CLUSTER"] === "1") throw new Error(leftOut);
  process.stdout.write(`${leftOut}: its tests are left out\n`);
}

const OPENER = join(import.meta.dirname, "test/platform/postgres/open-database.ts");

/** Has the platform open a database of PostgreSQL where a test names a file, or none. */
const openPostgres: Plugin = {
  name: "open-postgres",
  enforce: "pre",
  resolveId(source, importer) {
    const isOpener =
      source.endsWith("/open-database.ts") && importer?.endsWith("/start-platform.ts");
    return isOpener === true ? OPENER : undefined;
  },
};

// The platform's own tests, on PostgreSQL: `npm run test:postgres`.
export default defineConfig({
  plugins: [openPostgres],
  resolve: { tsconfigPaths: true },
  test: {
    pool: "forks",
    isolate: false,
    include: HAS_POSTGRES ? ["test/platform/**/*.test.ts"] : [],
    passWithNoTests: !HAS_POSTGRES,
    exclude: ["test/platform/ui/**", ...OF_SQLITE],
    globalSetup: [
      ".ci/compile-packs.ts",
      "test/helpers/build-programs.ts",
      "test/faults/support/build-children.ts",
      "test/platform/postgres/start-server.ts",
    ],
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
