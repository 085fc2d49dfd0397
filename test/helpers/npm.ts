import { delimiter, dirname, join } from "node:path";
import { mkdirSync, writeFileSync } from "node:fs";
import { runProgram } from "./run-program.ts";

const INSTALL_TIMEOUT_MILLIS = 200_000;
const TRIES = 2;
const FLAGS = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"];

/**
 * What npm is to do about a registry that does not answer: ask again, soon. By default it waits for five minutes before
 * it asks a second time, which is longer than an installation may take.
 */
const PATIENCE = {
  npm_config_fetch_timeout: "30000",
  npm_config_fetch_retries: "3",
  npm_config_fetch_retry_mintimeout: "1000",
  npm_config_fetch_retry_maxtimeout: "5000",
};

/** Lines of npm about packages that don't go together. */
const CONFLICT = /ERESOLVE|EBADENGINE|[Cc]onflicting peer|incorrect peer|unmet peer/;

/** What npm says when it did not get an answer from the registry: packages and their versions are not the reason. */
const UNANSWERED =
  /code (?:E(?:AI_AGAIN|CONNREFUSED|CONNRESET|IDLETIMEOUT|NOTFOUND|PIPE|TIMEDOUT|429|5\d\d)|ERR_SOCKET_TIMEOUT)|network timeout/;

/** Variables for programs of a Node.js installation: `node` is the given one, also in what npm starts. */
function toNodeEnv(execPath: string): NodeJS.ProcessEnv {
  const path = [dirname(execPath), process.env["PATH"]].join(delimiter);
  // `npm run -s` hands its silence on, and with it the warnings that are looked for.
  return { ...process.env, ...PATIENCE, PATH: path, npm_config_loglevel: "warn" };
}

/**
 * Installs what package.json asks for, and more packages if they are named; once more if the registry does not answer.
 *
 * @param args - Packages and flags, as npm's command line has them.
 * @returns The lines in which npm told of conflicts.
 * @throws Error with npm's words when it did not install.
 */
export async function npmInstall(
  directory: string,
  execPath: string,
  args: readonly string[] = [],
): Promise<string[]> {
  for (let left = TRIES - 1; ; left--) {
    const result = await runProgram("npm", ["install", ...FLAGS, ...args], {
      cwd: directory,
      env: toNodeEnv(execPath),
      timeoutMillis: INSTALL_TIMEOUT_MILLIS,
    });
    const lines = `${result.stdout}\n${result.stderr}`.split("\n");
    if (result.code === 0) return lines.filter((line) => CONFLICT.test(line));
    const isUnanswered = result.isLate || UNANSWERED.test(result.stderr);
    if (left === 0 || !isUnanswered)
      throw new Error(`npm install failed in ${directory}:\n${result.stderr}`);
    console.error(`npm install in ${directory} is tried once more: ${result.stderr.trim()}`);
  }
}

/** Writes the package.json of a project. */
export function writeManifest(directory: string, manifest: object): void {
  mkdirSync(directory, { recursive: true });
  const content = JSON.stringify({ name: "app", private: true, ...manifest });
  writeFileSync(join(directory, "package.json"), content);
}

/** Names the package that holds a `node` for this machine. */
export function toNodePackage(): string {
  return `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
}

/** Gives the path of a Node.js of a major version: of this process, or from the registry. */
export async function provideNode(major: number, directory: string): Promise<string> {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  const name = toNodePackage();
  writeManifest(directory, { dependencies: { [name]: `^${major}.0.0` } });
  await npmInstall(directory, process.execPath);
  return join(directory, "node_modules", name, "bin/node");
}
