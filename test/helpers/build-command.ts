import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import type { TestProject } from "vitest/node";
import { createUiPlugin } from "../../.ci/build-ui.ts";

const ROOT = join(import.meta.dirname, "../..");

declare module "vitest" {
  interface ProvidedContext {
    /** The command `agent-monitor`, bundled from the sources. */
    readonly commandFile: string;
  }
}

/** Bundles the command for all tests: started through a loader, it would compile the sources each time. */
export async function setup(project: TestProject): Promise<() => void> {
  // Its packages are found from inside the project.
  mkdirSync(join(ROOT, "temp"), { recursive: true });
  const directory = mkdtempSync(join(ROOT, "temp/command-"));
  const remove = (): void => rmSync(directory, { recursive: true, force: true });
  try {
    await build({
      entryPoints: {
        cli: join(ROOT, "src/cli.ts"),
        // The doctor runs it in processes of the application.
        probe: join(ROOT, "src/cli/doctor/probe.ts"),
      },
      outdir: directory,
      outExtension: { ".js": ".mjs" },
      bundle: true,
      splitting: true,
      platform: "node",
      target: "node20",
      format: "esm",
      packages: "external",
      plugins: [await createUiPlugin()],
      logLevel: "warning",
    });
  } catch (error) {
    remove();
    throw error;
  }
  project.provide("commandFile", join(directory, "cli.mjs"));
  return remove;
}
