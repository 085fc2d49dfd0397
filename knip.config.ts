import type { KnipConfig } from "knip";
import { ENTRIES } from "./.ci/entries.ts";

const config: KnipConfig = {
  entry: [
    ...ENTRIES.map(({ source }) => `src/${source}`),
    "src/cli.ts",
    "src/cli/doctor/probe.ts",
    "src/platform/ui/main.ts",
    "examples/**/*.ts",
    ".ci/*.ts",
    "test/bench/*.ts",
    "test/platform/postgres/*.ts",
    "test/compat/suite/*.ts",
    "test/cluster/*.ts",
    "test/collector/*.ts",
    "test/fixtures/**/*.ts",
    "test/clients/suite/main.ts",
  ],
  project: ["src/**/*.ts", "test/**/*.ts", "examples/**/*.ts", ".ci/**/*.ts"],
  // Configurations that a runner names, and no script.
  vitest: { config: ["vitest*.config.ts"] },
  ignoreExportsUsedInFile: { interface: true, type: true },
  // Kafka is Java; psql comes with PostgreSQL.
  ignoreBinaries: ["java", "psql"],
  ignoreDependencies: ["@opentelemetry/instrumentation-openai"],
};

export default config;
