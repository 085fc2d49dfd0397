import { relative } from "node:path";
import {
  compareVersions,
  describeClient,
  reportClient,
  type ClientVerdict,
} from "../../instrumentation/known-clients.ts";
import type { InstalledPackage } from "./find-packages.ts";
import type { Finding, Level } from "./finding.ts";

const API = "@opentelemetry/api";
const LEAST_API = "1.9.0";
/** Packages of an OpenTelemetry SDK; `sdk-trace` is the name in 3.x. */
const SDKS = ["@opentelemetry/sdk-trace-base", "@opentelemetry/sdk-trace"];
const SDK_LINES = [2, 3];
/** Minimum Node.js version of OpenTelemetry 3.x. */
const LEAST_NODE_OF_3 = "22.15.0";
const CONTEXT_MANAGERS = [
  "@opentelemetry/sdk-node",
  "@opentelemetry/sdk-trace-node",
  "@opentelemetry/auto-instrumentations-node",
  "@opentelemetry/context-async-hooks",
];
const IMPORT_HOOK = "import-in-the-middle";
const OURS = "agent-monitor";

/** Packages that these checks read, beside the clients. */
export const CHECKED_PACKAGES: ReadonlySet<string> = new Set([API, ...SDKS, IMPORT_HOOK, OURS]);

/** Inputs of the checks of installed packages. */
interface Installation {
  /** Absolute path of the project. */
  readonly folder: string;
  readonly packages: readonly InstalledPackage[];
  /** Names of the project's own dependencies. */
  readonly dependencies: ReadonlySet<string>;
  /** Version of Node, without `v`. */
  readonly node: string;
}

const toMajor = (version: string): number => Number.parseInt(version, 10);

/** Describes several copies of a package. */
function describeCopies(copies: readonly InstalledPackage[], folder: string): string {
  const places = copies.map(({ version, path }) => `${version} in ${relative(folder, path)}`);
  return `${copies.length} copies of ${copies[0]?.name}: ${places.join(", ")}`;
}

function checkApi({ packages, folder }: Installation): Finding[] {
  const check = "opentelemetry-api";
  const copies = packages.filter(({ name }) => name === API);
  const [first] = copies;
  if (!first) {
    const advice = `npm install ${API}`;
    return [{ check, level: "error", message: `${API} is not installed`, advice }];
  }
  const findings: Finding[] = copies
    .filter(({ version }) => (compareVersions(version, LEAST_API) ?? 0) < 0)
    .map(({ version }) => ({
      check,
      level: "error",
      message: `${API} ${version} is older than ${LEAST_API}`,
    }));
  if (copies.length > 1) {
    const advice =
      "a copy sees no provider that one of an older minor version has registered: install one, with overrides if need be";
    findings.push({ check, level: "warning", message: describeCopies(copies, folder), advice });
  }
  if (findings.length > 0) return findings;
  return [{ check, level: "ok", message: `${API} ${first.version}, one copy` }];
}

function checkSdk({ packages, node }: Installation): Finding[] {
  const check = "opentelemetry-sdk";
  const sdks = packages.filter(({ name }) => SDKS.includes(name));
  const lines = [...new Set(sdks.map(({ version }) => toMajor(version)))].toSorted((a, b) => a - b);
  const findings: Finding[] = sdks
    .filter(({ version }) => !SDK_LINES.includes(toMajor(version)))
    .map(({ name, version }) => ({
      check,
      level: "warning",
      message: `${name} ${version}: only 2.x and 3.x were tested`,
    }));
  if (lines.includes(3) && (compareVersions(node, LEAST_NODE_OF_3) ?? 0) < 0) {
    const message = `OpenTelemetry 3.x needs Node ${LEAST_NODE_OF_3} or newer, this is ${node}`;
    findings.push({ check, level: "error", message });
  }
  if (findings.length > 0) return findings;
  const versions = lines.map((line) => `${line}.x`).join(" and ");
  const message =
    versions === "" ? "no OpenTelemetry SDK is installed" : `OpenTelemetry ${versions}`;
  return [{ check, level: versions === "" ? "note" : "ok", message }];
}

function checkContextManager({ dependencies }: Installation): Finding[] {
  const sdk = SDKS.find((name) => dependencies.has(name));
  if (sdk === undefined || CONTEXT_MANAGERS.some((name) => dependencies.has(name))) return [];
  const message = `${sdk} registers no context manager: spans don't find their parents, turns fall apart`;
  const advice =
    "use NodeSDK or NodeTracerProvider, or context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())";
  return [{ check: "context-manager", level: "warning", message, advice }];
}

function checkImportHooks({ packages, folder }: Installation): Finding[] {
  const copies = packages.filter(({ name }) => name === IMPORT_HOOK);
  if (copies.length < 2) return [];
  const message = describeCopies(copies, folder);
  const advice =
    "a loader hook serves only the instrumentations that use its own copy; agent-monitor needs none";
  return [{ check: "import-hook", level: "warning", message, advice }];
}

function checkOwnCopies({ packages, folder }: Installation): Finding[] {
  const check = OURS;
  const copies = packages.filter(({ name }) => name === OURS);
  const [first] = copies;
  if (!first) {
    const message = `${OURS} is not installed in this folder`;
    return [{ check, level: "warning", message, advice: `npm install ${OURS} ${API}` }];
  }
  if (copies.length === 1) return [{ check, level: "ok", message: `${OURS} ${first.version}` }];
  const message = describeCopies(copies, folder);
  return [{ check, level: "warning", message, advice: "install one: each observes for itself" }];
}

/** Checks whether the installed packages fit together. */
export function checkPackages(installation: Installation): Finding[] {
  return [checkOwnCopies, checkApi, checkSdk, checkContextManager, checkImportHooks].flatMap(
    (check) => check(installation),
  );
}

const LEVELS: Readonly<Record<ClientVerdict, Level>> = {
  tested: "ok",
  untested: "warning",
  uncovered: "warning",
};

/** Reports for every version of every client how it is covered. */
export function checkClients(packages: readonly InstalledPackage[]): Finding[] {
  const reported = new Map<string, Finding>();
  for (const { name, version } of packages) {
    const report = reportClient(name, version);
    if (!report) continue;
    const message = describeClient(report);
    reported.set(message, { check: "client", level: LEVELS[report.verdict], message });
  }
  if (reported.size > 0) return [...reported.values()];
  return [{ check: "client", level: "note", message: "no known client is installed" }];
}
