/*
 * Installs the packed package beside the clients of model providers, several major versions of each, and does with
 * every one of them the same once without us and once observed: `npm run test:clients`. What the caller and the server
 * see must be the same, and the platform must get exactly the events; the same holds beside the instrumentations of
 * others. Needs the npm registry, or npm's cache; see matrix.ts for what runs where.
 *
 *   --client <text>   only clients and instrumentations whose name contains the text, as in "openai 6"
 *   --node <major>    only that major version of Node.js
 *   --tarball <path>  a packed package, in place of the working tree
 *   --latest          the latest version of every client: `npm run canary`
 *
 * Prints one line for each client and what failed. Ends with 1 when something did.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { provideNode } from "../helpers/npm.ts";
import { packWorkingTree } from "../compat/pack.ts";
import { toLatest } from "./canary.ts";
import { INSTRUMENTATIONS, SURROUNDINGS } from "./coexist/instrumentations.ts";
import { runTogether } from "./coexist/run-together.ts";
import { installApp, readVersion, type Packages } from "./install.ts";
import { CLIENTS, type Client, type Format } from "./matrix.ts";
import { runClient } from "./run-client.ts";

const { values } = parseArgs({
  options: {
    client: { type: "string", default: "" },
    node: { type: "string" },
    tarball: { type: "string" },
    latest: { type: "boolean", default: false },
  },
});

/** Programs that run at once. */
const PARALLEL = 2;
/** Major versions of Node.js that clients run on. */
const MAJORS = ["20", "22", "24"].filter((major) => (values.node ?? major) === major);
/** Where the instrumentations of others run. */
const COEXISTENCE_MAJOR = "20";
const counts = { passed: 0, failed: 0 };
const nodes = new Map<string, string>();

/** Provides each Node.js; one that can't be had fails what runs on it, and nothing else. */
async function provideNodes(root: string): Promise<void> {
  for (const major of MAJORS) {
    try {
      nodes.set(major, await provideNode(Number(major), join(root, `node-${major}`)));
    } catch (error) {
      counts.failed++;
      const problem = error instanceof Error ? error.message : String(error);
      console.log(`FAIL  Node.js ${major}: ${problem}`);
    }
  }
}

/** Runs a client in one format; gives what is wrong, each in one line. */
async function judge(client: Client, app: string, major: string, format: Format) {
  const execPath = nodes.get(major);
  if (execPath === undefined) return { runs: 0, problems: ["this Node.js is not there"] };
  try {
    const verdicts = await runClient(client, { app, execPath, format });
    const problems = verdicts.flatMap((verdict) =>
      verdict.problems.map((problem) => `${verdict.scenario}: ${problem}`),
    );
    return { runs: verdicts.length, problems };
  } catch (error) {
    return { runs: 0, problems: [error instanceof Error ? error.message : String(error)] };
  }
}

/** Runs a client everywhere, and prints one line for it. */
async function tell(client: Client, app: string): Promise<void> {
  const startedAt = performance.now();
  let runs = 0;
  const places: string[] = [];
  /** What is wrong, and where. */
  const problems = new Map<string, Set<string>>();
  for (const [major, formats] of Object.entries(client.runs)) {
    if (!MAJORS.includes(major)) continue;
    places.push(`Node.js ${major} ${formats.join("+")}`);
    for (const format of formats) {
      const found = await judge(client, app, major, format);
      runs += found.runs;
      for (const problem of found.problems) {
        const where = problems.get(problem) ?? new Set();
        problems.set(problem, where.add(`${major} ${format}`));
      }
    }
  }
  if (places.length === 0) return;
  counts[problems.size === 0 ? "passed" : "failed"]++;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const version = readVersion(app, Object.keys(client.packages)[0]!);
  const title = `${client.name} (${version}), ${places.join(", ")}`;
  console.log(`${problems.size === 0 ? "ok  " : "FAIL"}  ${title}: ${runs} runs (${seconds} s)`);
  for (const [problem, where] of problems)
    console.log(`      ${problem.replaceAll("\n", "\n      ")} [${[...where].join(", ")}]`);
}

/** Runs clients, a few at once. */
async function tellAll(clients: readonly Client[], app: string): Promise<void> {
  const queue = [...clients];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) await tell(next, app);
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
}

/** Runs OpenAI's client with the instrumentations of others, and prints one line for each. */
async function tellCoexistence(tarball: string, app: string): Promise<void> {
  const chosen = INSTRUMENTATIONS.filter(({ name }) => name.includes(values.client));
  const execPath = nodes.get(COEXISTENCE_MAJOR);
  if (chosen.length === 0 || execPath === undefined) return;
  const theirs = Object.assign({}, ...chosen.map(({ packages }) => packages)) as Packages;
  await installApp(app, { ...SURROUNDINGS, ...theirs }, { tarball, isFresh: false });
  for (const instrumentation of chosen) {
    const problems = await runTogether(instrumentation, { app, execPath }).catch(
      (error: unknown) => [error instanceof Error ? error.message : String(error)],
    );
    counts[problems.length === 0 ? "passed" : "failed"]++;
    const version = readVersion(app, instrumentation.package);
    const title = `openai 6 with ${instrumentation.name} (${version}), both orders`;
    console.log(`${problems.length === 0 ? "ok  " : "FAIL"}  ${title}`);
    for (const problem of problems) console.log(`      ${problem}`);
  }
}

const root = mkdtempSync(join(tmpdir(), "agent-monitor-clients-"));
try {
  const clients = values.latest ? toLatest(CLIENTS) : CLIENTS;
  const chosen = clients.filter(({ name }) => name.includes(values.client));
  const tarball = values.tarball ? resolve(values.tarball) : await packWorkingTree(root);
  await provideNodes(root);
  if (chosen.length > 0) {
    const app = join(root, "app");
    const packages = Object.assign({}, ...chosen.map((client) => client.packages)) as Packages;
    await installApp(app, packages, { tarball, isFresh: values.latest });
    await tellAll(chosen, app);
  }
  if (!values.latest) await tellCoexistence(tarball, join(root, "together"));
} catch (error) {
  counts.failed++;
  console.log(`FAIL  test:clients: ${error instanceof Error ? error.message : String(error)}`);
} finally {
  rmSync(root, { recursive: true, force: true });
}
console.log(`${counts.passed} clients passed, ${counts.failed} failed`);
if (counts.failed > 0 || counts.passed === 0) process.exitCode = 1;
