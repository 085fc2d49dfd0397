/*
 * Installs the packed package into applications on both lines of OpenTelemetry and runs one suite of programs in each,
 * as ES modules and as CommonJS: `npm run test:compat`. Needs the npm registry, or npm's cache.
 *
 *   --app <text>      only applications whose name and Node.js version contain the text, as in "3.x"
 *   --tarball <path>  a packed package, in place of the working tree
 *   --keep            leaves the applications where they are, and says where
 *
 * Prints one line for each installation and each program. Ends with 1 when something failed.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { APPS, type App } from "./apps.ts";
import { bundlePrograms, findPrograms, FORMATS } from "./bundle.ts";
import { judgeInstallation } from "./judge-install.ts";
import { npmInstall, provideNode, writeManifest } from "../helpers/npm.ts";
import { findOtelCopies } from "./otel-copies.ts";
import { packWorkingTree } from "./pack.ts";
import { PROGRAMS } from "./programs.ts";
import { runCase, type Place } from "./run-case.ts";

const { values } = parseArgs({
  options: { app: { type: "string" }, tarball: { type: "string" }, keep: { type: "boolean" } },
});

const counts = { passed: 0, failed: 0 };

/** Prints one line; with what is wrong, if something is. */
function tell(subject: string, problem: string | undefined, startedAt: number): void {
  counts[problem === undefined ? "passed" : "failed"]++;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${problem === undefined ? "ok  " : "FAIL"}  ${subject} (${seconds} s)`);
  if (problem !== undefined) console.log(`      ${problem.replaceAll("\n", "\n      ")}`);
}

const toTitle = ({ name, node }: App): string => `OpenTelemetry ${name}, Node.js ${node}`;

/** Installs the application, then the package as its user would; tells how that went. */
async function install(app: App, directory: string, execPath: string, tarball: string) {
  const startedAt = performance.now();
  const { dependencies, overrides } = app;
  writeManifest(directory, { dependencies, overrides });
  try {
    await npmInstall(directory, execPath);
    const before = findOtelCopies(directory);
    const conflicts = await npmInstall(directory, execPath, [tarball]);
    const after = findOtelCopies(directory);
    const summary = judgeInstallation(app, { before, after, conflicts });
    tell(`${toTitle(app)}: npm install: ${summary}`, undefined, startedAt);
    return true;
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    tell(`${toTitle(app)}: npm install`, problem, startedAt);
    return false;
  }
}

async function runSuite(app: App, place: Omit<Place, "format">): Promise<void> {
  await bundlePrograms(place.programs, app.otel);
  for (const program of PROGRAMS) {
    // The machine has two cores, and a program keeps one of them.
    await Promise.all(
      FORMATS.map(async (format) => {
        const startedAt = performance.now();
        const problem = await runCase(program, { ...place, format });
        tell(`${toTitle(app)}, ${format}: ${program.name}`, problem, startedAt);
      }),
    );
  }
}

const unjudged = findPrograms().filter((name) => PROGRAMS.every((known) => known.name !== name));
if (unjudged.length > 0) throw new Error(`list in programs.ts: ${unjudged.join(", ")}`);

const startedAt = performance.now();
const root = mkdtempSync(join(tmpdir(), "agent-monitor-compat-"));
try {
  const tarball = values.tarball ? resolve(values.tarball) : await packWorkingTree(root);
  const apps = APPS.filter((app) => toTitle(app).includes(values.app ?? ""));
  const nodes = new Map<number, string>();
  for (const [index, app] of apps.entries()) {
    const known = nodes.get(app.node);
    const execPath = known ?? (await provideNode(app.node, join(root, `node-${app.node}`)));
    nodes.set(app.node, execPath);
    const directory = join(root, `app-${index}`);
    if (await install(app, directory, execPath, tarball))
      await runSuite(app, { app: directory, programs: join(directory, "programs"), execPath });
  }
} catch (error) {
  tell("test:compat", error instanceof Error ? error.message : String(error), startedAt);
} finally {
  if (values.keep) console.log(`kept: ${root}`);
  else rmSync(root, { recursive: true, force: true });
}
console.log(`${counts.passed} passed, ${counts.failed} failed`);
if (counts.failed > 0 || counts.passed === 0) process.exitCode = 1;
