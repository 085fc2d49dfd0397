import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { npmInstall, writeManifest } from "./npm.ts";

/** The repository's own directory. */
export const REPOSITORY = join(import.meta.dirname, "../..");

const run = promisify(execFile);

/** One file of the packed package. */
interface PackedFile {
  readonly path: string;
  readonly size: number;
}

/** What `npm pack` says of the package. */
export interface PackReport {
  readonly filename: string;
  readonly version: string;
  /** Bytes of the tarball. */
  readonly size: number;
  readonly files: readonly PackedFile[];
}

/** A project into which the packed package was installed. */
export interface Consumer {
  readonly directory: string;
  readonly packageDirectory: string;
  readonly pack: PackReport;
  /** Writes a file of the project. */
  write(path: string, content: string): void;
  /** Runs Node.js in the project; gives its standard output, trimmed. */
  node(...args: string[]): Promise<string>;
  /** Runs the compiler in the project; gives its complaints, empty when there are none. */
  compile(...args: string[]): Promise<string>;
  /** Does the same with a compiler of another version, by the path of its package. */
  compileWith(compiler: string, ...args: string[]): Promise<string>;
  remove(): void;
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Reads a JSON file of the repository. */
export function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(REPOSITORY, path), "utf8"));
}

/** Exact versions, from the lock file, of what the consumer needs: so that npm finds them in its cache. */
function findLockedVersions(): Record<string, string> {
  const { dependencies, optionalDependencies } = readJson("package.json") as Manifest;
  const { packages } = readJson("package-lock.json") as {
    packages: Record<string, { version?: string }>;
  };
  const names = Object.keys({ ...dependencies, ...optionalDependencies });
  return Object.fromEntries(
    [...names, "@opentelemetry/api", "@types/node"].map((name) => [
      name,
      packages[`node_modules/${name}`]?.version ?? "*",
    ]),
  );
}

/**
 * Packs the built package and installs it with npm into a new project in the temporary directory.
 *
 * @param more - Other packages of the project, as npm names them.
 */
export async function installPackage(more: Readonly<Record<string, string>>): Promise<Consumer> {
  if (!existsSync(join(REPOSITORY, "dist/index.js"))) {
    throw new Error("dist is missing: run `npm run build` first, or all tests with `npm test`");
  }
  const directory = mkdtempSync(join(tmpdir(), "agent-monitor-consumer-"));
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", directory], {
    cwd: REPOSITORY,
  });
  const [pack] = JSON.parse(stdout) as [PackReport];

  const write = (path: string, content: string): void => {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  };
  const own = { "agent-monitor": `file:${pack.filename}` };
  const dependencies = { ...findLockedVersions(), ...more, ...own };
  writeManifest(directory, { name: "consumer", dependencies });
  await npmInstall(directory, process.execPath);

  const compile = async (compiler: string, ...args: string[]): Promise<string> => {
    const program = join(REPOSITORY, compiler, "bin/tsc");
    try {
      await run(process.execPath, [program, ...args], { cwd: directory });
      return "";
    } catch (error) {
      const { stdout: complaints, message } = error as { stdout?: string; message: string };
      return complaints ?? message;
    }
  };

  return {
    directory,
    packageDirectory: join(directory, "node_modules/agent-monitor"),
    pack,
    write,
    async node(...args) {
      const result = await run(process.execPath, args, { cwd: directory });
      return result.stdout.trim();
    },
    compile: (...args) => compile("node_modules/typescript", ...args),
    compileWith: compile,
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
