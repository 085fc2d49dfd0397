import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { npmInstall, toNodePackage, writeManifest } from "../../helpers/npm.ts";
import { bundleChildren } from "./build-children.ts";

/** An application on Node.js 24 and OpenTelemetry 3.x. */
export interface NewerApplication {
  readonly execPath: string;
  readonly programDirectory: string;
  remove(): void;
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
  const remove = (): void => rmSync(directory, { recursive: true, force: true });
  try {
    writeManifest(directory, { dependencies });
    await npmInstall(directory, process.execPath);
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
