import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { bundleChildren } from "./build-children.ts";

const INSTALL_TIMEOUT_MILLIS = 180_000;
const run = promisify(execFile);

/** An application on Node.js 24 and OpenTelemetry 3.x. */
export interface NewerApplication {
  readonly execPath: string;
  readonly programDirectory: string;
  remove(): void;
}

/** Package of the `node` binary for this machine. */
function toNodePackage(): string {
  return `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
}

/** Installs what this process itself does not run on, with npm, into a project in the temporary directory. */
export async function installNewerApplication(): Promise<NewerApplication> {
  const directory = mkdtempSync(join(tmpdir(), "agent-monitor-newer-"));
  const nodePackage = toNodePackage();
  const dependencies = {
    [nodePackage]: "^24.9.0",
    "@opentelemetry/api": "^1.10.0",
    "@opentelemetry/sdk-logs": "^3.1.0",
    "@opentelemetry/sdk-trace": "^3.1.0",
  };
  const manifest = JSON.stringify({ name: "newer", private: true, dependencies });
  writeFileSync(join(directory, "package.json"), manifest);
  const flags = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"];
  const remove = (): void => rmSync(directory, { recursive: true, force: true });
  try {
    await run("npm", ["install", ...flags], { cwd: directory, timeout: INSTALL_TIMEOUT_MILLIS });
    const programDirectory = join(directory, "programs");
    mkdirSync(programDirectory);
    await bundleChildren(programDirectory, ["@opentelemetry/api"]);
    const execPath = join(directory, "node_modules", nodePackage, "bin/node");
    return { execPath, programDirectory, remove };
  } catch (error) {
    remove();
    throw error;
  }
}
