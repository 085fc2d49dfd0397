/*
 * Runs the tests with real brokers: `npm run test:cluster`, with `-- --small` fewer events and each part killed once. Anything else is
 * vitest's.
 */
import { spawn } from "node:child_process";

const given = process.argv.slice(2);
const isSmall = given.includes("--small");
const args = given.filter((each) => each !== "--small");
const child = spawn(
  "npx",
  ["--no-install", "vitest", "run", "--config", "vitest.cluster.config.ts", ...args],
  { stdio: "inherit", env: { ...process.env, CLUSTER_SIZE: isSmall ? "small" : "full" } },
);
child.once("exit", (code) => process.exit(code ?? 1));
