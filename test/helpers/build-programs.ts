import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import type { TestProject } from "vitest/node";
import { createUiPlugin } from "../../.ci/build-ui.ts";

const ROOT = join(import.meta.dirname, "../..");
/** Folders of `test/fixtures` with applications that tests start. Those of `faults` need nothing outside, see `bundleChildren`. */
const APPLICATIONS = ["exit", "judge", "register", "spool"];

declare module "vitest" {
  interface ProvidedContext {
    /** Where the command, `register` and the applications of `test/fixtures` are, bundled from the sources. */
    readonly programDirectory: string;
  }
}

function listApplications(): string[] {
  return APPLICATIONS.flatMap((folder) =>
    readdirSync(join(ROOT, "test/fixtures", folder))
      .filter((name) => name.endsWith(".ts"))
      .map((name) => `${folder}/${name.replace(/\.ts$/, "")}`),
  );
}

/** Bundles what tests start in processes of their own: started through a loader, each would compile the sources anew. */
export async function setup(project: TestProject): Promise<() => void> {
  // Its packages are found from inside the project.
  mkdirSync(join(ROOT, "temp"), { recursive: true });
  const directory = mkdtempSync(join(ROOT, "temp/programs-"));
  const remove = (): void => rmSync(directory, { recursive: true, force: true });
  try {
    await build({
      entryPoints: {
        cli: join(ROOT, "src/cli.ts"),
        // The doctor runs it in processes of the application.
        probe: join(ROOT, "src/cli/doctor/probe.ts"),
        register: join(ROOT, "src/register.ts"),
        ...Object.fromEntries(
          listApplications().map((name) => [name, join(ROOT, `test/fixtures/${name}.ts`)]),
        ),
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
  project.provide("programDirectory", directory);
  return remove;
}
