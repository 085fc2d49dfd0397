import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import type { TestProject } from "vitest/node";

const FIXTURES = join(import.meta.dirname, "../../fixtures/faults");

declare module "vitest" {
  interface ProvidedContext {
    /** Where the programs of `test/fixtures/faults` are, as files that need nothing else. */
    readonly childDirectory: string;
  }
}

/**
 * Bundles the child programs: started through a loader, each would take a second more.
 *
 * @param external - Packages that are to be found where the bundle is.
 */
export async function bundleChildren(directory: string, external: string[] = []): Promise<void> {
  await build({
    entryPoints: readdirSync(FIXTURES).map((name) => join(FIXTURES, name)),
    outdir: directory,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    external,
    // The CommonJS packages inside ask for the built-in modules.
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
    },
    // OpenTelemetry's API has `logs` from 1.10 on only, and that is looked at.
    logOverride: { "import-is-undefined": "silent" },
    logLevel: "warning",
  });
}

/** Makes the bundle that all tests share. */
export async function setup(project: TestProject): Promise<() => void> {
  const directory = mkdtempSync(join(tmpdir(), "agent-monitor-children-"));
  const remove = (): void => rmSync(directory, { recursive: true, force: true });
  try {
    await bundleChildren(directory);
  } catch (error) {
    remove();
    throw error;
  }
  project.provide("childDirectory", directory);
  return remove;
}
