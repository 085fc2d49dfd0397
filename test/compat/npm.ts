import { delimiter, dirname, join } from "node:path";
import { mkdirSync, writeFileSync } from "node:fs";
import { runProgram } from "./run-program.ts";

const INSTALL_TIMEOUT_MILLIS = 200_000;
const FLAGS = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"];

/** Lines of npm about packages that don't go together. */
const CONFLICT = /ERESOLVE|EBADENGINE|[Cc]onflicting peer|incorrect peer|unmet peer/;

/** Variables for programs of a Node.js installation: `node` is the given one, also in what npm starts. */
function toNodeEnv(execPath: string): NodeJS.ProcessEnv {
  const path = [dirname(execPath), process.env["PATH"]].join(delimiter);
  // `npm run -s` hands its silence on, and with it the warnings that are looked for.
  return { ...process.env, PATH: path, npm_config_loglevel: "warn" };
}

/**
 * Installs what package.json asks for, and more packages if they are named.
 *
 * @returns The lines in which npm told of conflicts.
 * @throws Error with npm's words when it did not install.
 */
export async function npmInstall(
  directory: string,
  execPath: string,
  packages: readonly string[] = [],
): Promise<string[]> {
  const result = await runProgram("npm", ["install", ...FLAGS, ...packages], {
    cwd: directory,
    env: toNodeEnv(execPath),
    timeoutMillis: INSTALL_TIMEOUT_MILLIS,
  });
  if (result.code !== 0) throw new Error(`npm install failed in ${directory}:\n${result.stderr}`);
  const lines = `${result.stdout}\n${result.stderr}`.split("\n");
  return lines.filter((line) => CONFLICT.test(line));
}

/** Writes the package.json of a project. */
export function writeManifest(directory: string, manifest: object): void {
  mkdirSync(directory, { recursive: true });
  const content = JSON.stringify({ name: "app", private: true, ...manifest });
  writeFileSync(join(directory, "package.json"), content);
}

/** Gives the path of a Node.js of a major version: of this process, or from the registry. */
export async function provideNode(major: number, directory: string): Promise<string> {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  const platform = process.platform === "win32" ? "win" : process.platform;
  const name = `node-${platform}-${process.arch}`;
  writeManifest(directory, { dependencies: { [name]: `^${major}.0.0` } });
  await npmInstall(directory, process.execPath);
  return join(directory, "node_modules", name, "bin/node");
}
