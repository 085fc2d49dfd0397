import { readFileSync } from "node:fs";
import { join } from "node:path";
import { npmInstall, writeManifest } from "../helpers/npm.ts";
import { REPOSITORY } from "../helpers/installed-package.ts";

/** Packages by the names under which they are installed, each with its own name and its version. */
export type Packages = Readonly<Record<string, readonly [name: string, version: string]>>;

/** Packages of one client want a zod that those of another one can't have; they take either. */
const FLAGS = ["--legacy-peer-deps"];
const FRESH = ["--no-prefer-offline", "--prefer-online"];

/** Names what else an application has, in the versions of this repository. */
function toOwnDependencies(): Record<string, string> {
  const manifest = JSON.parse(readFileSync(join(REPOSITORY, "package.json"), "utf8")) as Record<
    "dependencies" | "devDependencies",
    Record<string, string>
  >;
  return {
    "@opentelemetry/api": manifest.devDependencies["@opentelemetry/api"]!,
    zod: manifest.dependencies["zod"]!,
  };
}

/**
 * Installs packages and the packed package side by side.
 *
 * @param isFresh - Whether the registry is asked what the latest version is.
 * @throws Error with npm's words when it did not install.
 */
export async function installApp(
  directory: string,
  packages: Packages,
  { tarball, isFresh }: { readonly tarball: string; readonly isFresh: boolean },
): Promise<void> {
  const aliases = Object.entries(packages).map(([alias, [name, version]]) => [
    alias,
    `npm:${name}@${version}`,
  ]);
  const dependencies = { ...toOwnDependencies(), ...Object.fromEntries(aliases) };
  writeManifest(directory, {
    dependencies: { ...dependencies, "agent-monitor": `file:${tarball}` },
  });
  await npmInstall(directory, process.execPath, isFresh ? [...FLAGS, ...FRESH] : FLAGS);
}

/** Reads which version of a package is installed. */
export function readVersion(directory: string, alias: string): string {
  const path = join(directory, "node_modules", alias, "package.json");
  return (JSON.parse(readFileSync(path, "utf8")) as { version: string }).version;
}
