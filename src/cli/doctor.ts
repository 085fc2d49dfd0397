import { statSync } from "node:fs";
import { resolve } from "node:path";
import { DEFAULT_ENDPOINT } from "../config/config.ts";
import { endpointSchema } from "../events/wire.ts";
import { reportClient } from "../instrumentation/known-clients.ts";
import { checkApp } from "./doctor/check-app.ts";
import { checkClashes, checkSilent, HARMFUL_PACKAGES } from "./doctor/check-clashes.ts";
import { checkEndpoint, checkEnvironment } from "./doctor/check-environment.ts";
import { checkClients, CHECKED_PACKAGES, checkPackages } from "./doctor/check-packages.ts";
import { findPackages, readManifest } from "./doctor/find-packages.ts";
import { type Finding, formatFindings, toExitCode } from "./doctor/finding.ts";
import { runApp } from "./doctor/run-app.ts";
import { type Command, UsageError, parseArguments } from "./parse-arguments.ts";
import { runWork } from "./run-command.ts";

const PARSE_OPTIONS = {
  url: { type: "string" },
  after: { type: "string" },
  json: { type: "boolean" },
} as const;

/** Default of the seconds that an application runs. */
const DEFAULT_SECONDS = 5;
const MAX_SECONDS = 600;

function readSeconds(given: string | undefined): number {
  const seconds = given === undefined ? DEFAULT_SECONDS : Number(given);
  if (seconds > 0 && seconds <= MAX_SECONDS) return seconds;
  throw new UsageError(`--after: expected seconds up to ${MAX_SECONDS} (got ${given ?? ""})`);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Splits at the `--` before the application's command. */
function splitCommand(
  args: readonly string[],
): [own: readonly string[], command: readonly string[]] {
  const at = args.indexOf("--");
  return at < 0 ? [args, []] : [args.slice(0, at), args.slice(at + 1)];
}

/** Parses the arguments of `doctor`. @throws UsageError */
export function parseDoctorArguments(args: readonly string[]) {
  const [own, command] = splitCommand(args);
  const { values, positionals } = parseArguments(own, PARSE_OPTIONS);
  const [given = ".", ...others] = positionals;
  if (others.length > 0) throw new UsageError("doctor takes one folder");
  const folder = resolve(given);
  if (!isFolder(folder)) throw new UsageError(`expected the folder of a project (got ${given})`);
  const url = values.url === undefined ? undefined : endpointSchema.safeParse(values.url);
  // The URL may contain a password.
  if (url?.success === false) throw new UsageError(`--url: ${url.error.issues[0]?.message ?? ""}`);
  if (args.includes("--") && command.length === 0)
    throw new UsageError("expected a program behind --");
  return {
    /** Absolute path of the project. */
    folder,
    /** Base URL of a platform. */
    url: url?.data,
    json: values.json === true,
    /** The program to run and its arguments; empty when only the project is checked. */
    command,
    /** Run time in ms. */
    runMillis: readSeconds(values.after) * 1000,
  };
}

const HELP = `Usage: agent-monitor doctor [folder] [options] [-- program arguments…]

Looks at a project (default: this folder) and says what keeps its agents from being monitored: clients of models and
their versions, copies of OpenTelemetry, the sampler of the environment, the platform and its clock. Nothing is
changed, no credentials are sent.

With a program it runs that as well and looks into it: its monitors and what they deliver, the context manager, the
tracer provider and its sampler, the copies of OpenTelemetry that it loads. What the program prints goes to stderr.

Options:
  --url <url>        base URL of the platform (default AGENT_MONITOR_ENDPOINT, else ${DEFAULT_ENDPOINT})
  --after <seconds>  how long the program runs before it is ended (default ${DEFAULT_SECONDS})
  --json             print the findings as JSON
  --help             show this
  --version          show the version

Examples:
  agent-monitor doctor
  agent-monitor doctor -- node --import agent-monitor/register app.js

Exit code: 0 nothing to mend, 1 warnings, 2 errors, or wrong usage.
`;

const TIMEOUT_MILLIS = 5000;
const DEPENDENCY_FIELDS = ["dependencies", "devDependencies", "optionalDependencies"];

function readDependencies(folder: string): ReadonlySet<string> {
  const manifest = readManifest(folder);
  return new Set(DEPENDENCY_FIELDS.flatMap((field) => Object.keys(manifest?.[field] ?? {})));
}

function checkFolder(folder: string, node: string): Finding[] {
  const isWanted = (name: string): boolean =>
    CHECKED_PACKAGES.has(name) ||
    HARMFUL_PACKAGES.has(name) ||
    reportClient(name, "0.0.0") !== undefined;
  const { packages, isInstalled, isCut } = findPackages(folder, isWanted);
  if (!isInstalled) {
    const message = "no node_modules: the packages of this project can't be looked at";
    const advice = "npm install, or name the folder of a project";
    return [{ check: "packages", level: "error", message, advice }];
  }
  const findings = [
    ...checkPackages({ folder, packages, dependencies: readDependencies(folder), node }),
    ...checkClients(packages),
    ...checkClashes(packages),
    ...checkSilent(packages),
  ];
  if (isCut) {
    const message = "too many folders in node_modules: not all were looked at";
    findings.push({ check: "packages", level: "warning", message });
  }
  return findings;
}

async function diagnose(given: ReturnType<typeof parseDoctorArguments>): Promise<number> {
  const { folder, url, command, json, runMillis: millis } = given;
  const { env, versions } = process;
  const report = command.length > 0 ? await runApp({ command, folder, millis }) : undefined;
  // The application's own settings take precedence over its environment.
  const [running] = report?.processes.flatMap(({ monitors }) => monitors) ?? [];
  const configured = url ?? running?.endpoint ?? (env["AGENT_MONITOR_ENDPOINT"] || undefined);
  const endpoint = checkEndpoint({
    url: configured ?? DEFAULT_ENDPOINT,
    isDefault: configured === undefined,
    timeoutMillis: TIMEOUT_MILLIS,
    now: Date.now,
  });
  const findings = [
    ...checkEnvironment(env, versions.node),
    ...checkFolder(folder, versions.node),
    ...(report ? checkApp(report) : []),
    ...(await endpoint),
  ];
  const exitCode = toExitCode(findings);
  process.stdout.write(
    json ? `${JSON.stringify({ exitCode, findings }, null, 2)}\n` : formatFindings(findings),
  );
  return exitCode;
}

/** Reports what keeps a project's agents from being monitored. */
export const doctorCommand: Command = {
  help: HELP,
  // Exit code 1 would mean that there are warnings.
  run: (args) => runWork("doctor", 2, () => diagnose(parseDoctorArguments(args))),
};
