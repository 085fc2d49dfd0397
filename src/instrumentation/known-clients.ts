import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readString, toRecord } from "../util/values.ts";

/**
 * How a client's calls become events: by the `fetch` observer, by the client's public `hook` that a subpath of this
 * package uses, or by the client's own `spans`, which the bridge reads.
 */
type Coverage = "fetch" | "hook" | "spans";

/** A known client library. */
export interface KnownClient {
  /** Name of the package. */
  readonly name: string;
  readonly coverage: Coverage;
  /** Versions that tests have seen: from the first, up to but without the second. */
  readonly tested: readonly [from: string, below: string];
  /** How to cover the client. */
  readonly advice: string;
  /** Versions before the tested ones that are known not to be covered, and why. */
  readonly uncovered?: { readonly below: string; readonly reason: string } | undefined;
}

/** How a version is covered. */
export type ClientVerdict = "tested" | "untested" | "uncovered";

/** An installed version of a known client. */
export interface ClientReport {
  readonly client: KnownClient;
  readonly version: string;
  readonly verdict: ClientVerdict;
}

const FETCH_ADVICE = "monitor.instrumentFetch() before the client is built";
const SPANS_ADVICE = "its own spans, through monitor.spanProcessor";

/** Creates entries of clients that are all covered alike. */
function alike(
  coverage: Coverage,
  advice: string,
  clients: Readonly<Record<string, KnownClient["tested"]>>,
): KnownClient[] {
  return Object.entries(clients).map(([name, tested]) => ({ name, coverage, tested, advice }));
}

/** Known clients by package; `tested` holds the versions that the tests with real packages ran with. */
export const KNOWN_CLIENTS: readonly KnownClient[] = [
  {
    name: "openai",
    coverage: "fetch",
    tested: ["5.0.0", "8.0.0"],
    advice: FETCH_ADVICE,
    uncovered: {
      below: "5.0.0",
      reason: "it uses node-fetch unless `fetch: monitor.fetch` is given",
    },
  },
  ...alike("fetch", FETCH_ADVICE, {
    "@anthropic-ai/sdk": ["0.137.0", "2.0.0"],
    "@anthropic-ai/bedrock-sdk": ["1.0.0", "2.0.0"],
    "@google/genai": ["1.0.0", "4.0.0"],
    "@mistralai/mistralai": ["2.0.0", "3.0.0"],
    "cohere-ai": ["8.0.0", "9.0.0"],
    "groq-sdk": ["1.0.0", "2.0.0"],
    ollama: ["0.6.0", "0.7.0"],
  }),
  {
    name: "ai",
    coverage: "hook",
    tested: ["5.0.0", "8.0.0"],
    advice: `agent-monitor/ai-sdk for tools and agents; ${FETCH_ADVICE} for model calls`,
  },
  {
    name: "@langchain/core",
    coverage: "hook",
    tested: ["1.0.0", "2.0.0"],
    advice: `agent-monitor/langchain for tools and agents; ${FETCH_ADVICE} for model calls`,
  },
  {
    name: "@openai/agents",
    coverage: "hook",
    tested: ["0.20.0", "0.21.0"],
    advice: `agent-monitor/openai-agents for tools and hand-offs; ${FETCH_ADVICE} for model calls`,
  },
  {
    name: "@aws-sdk/client-bedrock-runtime",
    coverage: "hook",
    tested: ["3.1000.0", "4.0.0"],
    advice: "agent-monitor/bedrock: it does not use fetch",
  },
  ...alike("hook", "agent-monitor/mcp for each client", {
    "@modelcontextprotocol/sdk": ["1.0.0", "2.0.0"],
    "@modelcontextprotocol/client": ["2.0.0", "3.0.0"],
  }),
  {
    name: "@anthropic-ai/claude-agent-sdk",
    coverage: "hook",
    tested: ["0.3.0", "0.4.0"],
    advice: "agent-monitor/claude-agent for each query: its calls are made by another process",
  },
  ...alike("spans", SPANS_ADVICE, {
    "@mastra/core": ["1.0.0", "2.0.0"],
    genkit: ["1.0.0", "2.0.0"],
    "@google/adk": ["2.0.0", "3.0.0"],
    "@strands-agents/sdk": ["1.0.0", "2.0.0"],
  }),
];

const VERSION = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(-[\w.-]{1,99})?(?:\+[\w.-]*)?$/;

/** Compares two versions; a pre-release comes before its release. `undefined` when either is not a version. */
export function compareVersions(one: string, other: string): number | undefined {
  const [first, second] = [VERSION.exec(one), VERSION.exec(other)];
  if (!first || !second) return undefined;
  for (const index of [1, 2, 3]) {
    const difference = Number(first[index]) - Number(second[index]);
    if (difference !== 0) return difference;
  }
  return Number(first[4] === undefined) - Number(second[4] === undefined);
}

/** Returns whether a version lies in a range, including `from` and excluding `below`. */
export function isWithin(version: string, [from, below]: readonly [string, string]): boolean {
  // A pre-release of `below` is outside of the range already.
  const release = version.replace(/-.*$/, "");
  return (compareVersions(version, from) ?? -1) >= 0 && (compareVersions(release, below) ?? 0) < 0;
}

/** Returns the report of a package's version; `undefined` for a package that is not a known client. */
export function reportClient(name: string, version: string): ClientReport | undefined {
  const client = KNOWN_CLIENTS.find((known) => known.name === name);
  if (!client) return undefined;
  if (isWithin(version, client.tested)) return { client, version, verdict: "tested" };
  const { uncovered } = client;
  const isUncovered = uncovered && (compareVersions(version, uncovered.below) ?? 0) < 0;
  return { client, version, verdict: isUncovered ? "uncovered" : "untested" };
}

/** Returns a sentence that describes a report. */
export function describeClient({ client, version, verdict }: ClientReport): string {
  const { name, tested, advice, uncovered } = client;
  if (verdict === "tested") return `${name} ${version}: ${advice}`;
  if (verdict === "uncovered")
    return `${name} ${version} is not covered: ${uncovered?.reason ?? advice}`;
  return `${name} ${version} is outside of what was tested (from ${tested[0]}, below ${tested[1]}): ${advice}`;
}

/** Most folders that are searched, each the parent of the one before. */
const MAX_DEPTH = 64;

function readVersion(folder: string): string | undefined {
  try {
    const text = readFileSync(join(folder, "package.json"), "utf8");
    return readString(toRecord(JSON.parse(text))["version"]);
  } catch {
    return undefined;
  }
}

/** Finds a package's version as an import from a folder resolves it. */
function findVersion(folder: string, name: string, depth = 1): string | undefined {
  const version = readVersion(join(folder, "node_modules", name));
  const parent = dirname(folder);
  if (version !== undefined || parent === folder || depth === MAX_DEPTH) return version;
  return findVersion(parent, name, depth + 1);
}

/**
 * Finds the known clients that code in a folder can import, with their versions.
 *
 * Reads a few small files. A bundle has none of them, so that no client is found. Copies that only a dependency
 * resolves are found by `npx agent-monitor doctor`.
 *
 * @param folder - Absolute path.
 */
export function findInstalledClients(folder: string): ClientReport[] {
  return KNOWN_CLIENTS.flatMap(({ name }) => {
    const version = findVersion(folder, name);
    const report = version === undefined ? undefined : reportClient(name, version);
    return report ? [report] : [];
  });
}
