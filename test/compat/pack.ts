import { cpSync, existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../helpers/installed-package.ts";
import { runProgram } from "../helpers/run-program.ts";

/** What building and packing need. */
const PARTS = [
  ".ci",
  "src",
  "package.json",
  "api-extractor.json",
  "tsconfig.json",
  "tsconfig.build.json",
  "README.md",
  "CHANGELOG.md",
  "LICENSE",
  "docs",
  "semconv.md",
];

const BUILD_TIMEOUT_MILLIS = 240_000;

/**
 * Builds a copy of the working tree and packs it: the `dist` of the repository stays as it is.
 *
 * @param directory - An empty one, for the copy and the tarball.
 * @returns The path of the tarball.
 */
export async function packWorkingTree(directory: string): Promise<string> {
  const copy = join(directory, "package-source");
  mkdirSync(copy, { recursive: true });
  for (const part of PARTS) {
    const from = join(REPOSITORY, part);
    if (existsSync(from)) cpSync(from, join(copy, part), { recursive: true });
  }
  symlinkSync(join(REPOSITORY, "node_modules"), join(copy, "node_modules"), "junction");
  const options = { cwd: copy, timeoutMillis: BUILD_TIMEOUT_MILLIS };
  const built = await runProgram("npm", ["run", "-s", "build"], options);
  if (built.code !== 0) throw new Error(`the package can't be built:\n${built.stderr}`);
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", directory];
  const packed = await runProgram("npm", args, options);
  if (packed.code !== 0) throw new Error(`the package can't be packed:\n${packed.stderr}`);
  const [report] = JSON.parse(packed.stdout) as [{ filename: string }];
  return join(directory, report.filename);
}
