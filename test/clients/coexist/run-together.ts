import { join } from "node:path";
import { build } from "esbuild";
import { runProgram } from "../../helpers/run-program.ts";
import { toCleanEnv } from "../clean-env.ts";
import type { Instrumentation } from "./instrumentations.ts";
import { judgeReport } from "./judge-report.ts";
import { ORDERS, program, type Order, type Report } from "./program.ts";

const PROGRAM_TIMEOUT_MILLIS = 30_000;

function toEntry({ kind, package: other }: Instrumentation, order: Order): string {
  return [
    'import * as instrumentation from "@opentelemetry/instrumentation";',
    'import * as node from "@opentelemetry/sdk-trace-node";',
    `import * as other from ${JSON.stringify(other)};`,
    // The others do without it.
    kind === "sentry"
      ? 'import * as sentryOtel from "@sentry/opentelemetry";'
      : "const sentryOtel = undefined;",
    'import { AgentMonitor } from "agent-monitor";',
    `import { program } from ${JSON.stringify(join(import.meta.dirname, "program.ts"))};`,
    "const modules = { instrumentation, node, other, sentryOtel };",
    'const loadClient = () => require("openai");',
    `const options = ${JSON.stringify({ kind, order })};`,
    "void program.run({ ...options, modules, loadClient, Monitor: AgentMonitor });",
  ].join("\n");
}

async function run(
  instrumentation: Instrumentation,
  order: Order,
  { app, execPath }: { readonly app: string; readonly execPath: string },
): Promise<Report> {
  const outfile = join(app, "programs", `with-${instrumentation.kind}-${order}.cjs`);
  await build({
    stdin: { contents: toEntry(instrumentation, order), resolveDir: app },
    outfile,
    bundle: true,
    packages: "external",
    tsconfigRaw: {},
    platform: "node",
    target: "node20",
    format: "cjs",
    logLevel: "error",
  });
  const options = { cwd: app, env: toCleanEnv(), timeoutMillis: PROGRAM_TIMEOUT_MILLIS };
  const result = await runProgram(execPath, [outfile], options);
  const report = program.read(result.stdout);
  if (result.code !== 0 || !report)
    throw new Error(`${order}: ended with ${result.code}: ${result.stderr.trim().slice(-2000)}`);
  return report;
}

/**
 * Runs OpenAI's client with another instrumentation: without us, with us before it, and with us behind it.
 *
 * @returns What is wrong, each in one line.
 */
export async function runTogether(
  instrumentation: Instrumentation,
  place: { readonly app: string; readonly execPath: string },
): Promise<string[]> {
  const reports = new Map<Order, Report>();
  for (const order of ORDERS) reports.set(order, await run(instrumentation, order, place));
  const alone = reports.get("without")!;
  return (["first", "last"] as const).flatMap((order) =>
    judgeReport(alone, reports.get(order)!).map((problem) => `we are ${order}: ${problem}`),
  );
}
