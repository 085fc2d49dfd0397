import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { HAS_POSTGRES } from "../cluster/support/postgres-server.ts";
import { benchPostgresQueries } from "./query-postgres.ts";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const LARGE_CONVERSATIONS = 500_000;

type Figures = Readonly<Record<string, number>>;

const toReason = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split("\n").at(-1) ?? "";

/** Runs the measurements with real brokers, whose last line is their figures. */
async function measureRatios(say: (line: string) => void): Promise<Figures> {
  try {
    const args = ["--no-install", "tsx", "test/cluster/measure-ratios.ts"];
    const { stdout } = await run("npx", args, { cwd: ROOT });
    const lines = stdout.trim().split("\n");
    const figures = JSON.parse(lines.pop() ?? "{}") as Figures;
    for (const line of lines) say(line);
    return figures;
  } catch (error) {
    say(`gateway       left out, and the consumer: ${toReason(error)}`);
    return {};
  }
}

/**
 * Measures gateways, consumers and PostgreSQL, where Java and PostgreSQL are installed; what is left out is said.
 *
 * @param isLarge - Also what the pages ask for at 5,000,000 events, whose database takes half an hour to be built the first time.
 */
export async function benchCluster(
  isLarge: boolean,
  say: (line: string) => void,
): Promise<Figures> {
  if (!HAS_POSTGRES) {
    say("gateway       left out, and the consumer: PostgreSQL is not installed");
    return {};
  }
  const figures = await measureRatios(say);
  if (!isLarge) return figures;
  const { maxMs, slowest, millis } = await benchPostgresQueries(LARGE_CONVERSATIONS);
  say(`queries       ${maxMs.toFixed(1)} ms on PostgreSQL at 5000000 events (aim 150): ${slowest}`);
  for (const [path, figure] of Object.entries(millis).toSorted((one, other) => other[1] - one[1]))
    say(`              ${figure.toFixed(2).padStart(8)} ms ${path}`);
  return { ...figures, "query.maxMs5mPostgres": Math.round(maxMs * 100) / 100 };
}
