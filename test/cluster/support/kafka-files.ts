import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { runProgram, type ProgramResult } from "../../helpers/run-program.ts";

const POM = join(import.meta.dirname, "../kafka/pom.xml");
const CACHE = join(import.meta.dirname, "../../../temp/cluster/kafka");
/** Lists what belongs into the cache; written last, so that its presence says that all was copied. */
const MANIFEST = "manifest.json";
/** Kafka 4 has no bytecode for older ones. */
const MIN_JAVA = 17;
/** 43 MiB, of a slow mirror. */
const DOWNLOAD_MILLIS = 600_000;
const VERSION_MILLIS = 60_000;

interface Manifest {
  /** Text of the pom that the jars were resolved from. */
  readonly pom: string;
  /** Bytes of each jar by its name. */
  readonly jars: Readonly<Record<string, number>>;
}

function listJars(directory: string): Record<string, number> {
  const names = readdirSync(directory).filter((name) => name.endsWith(".jar"));
  return Object.fromEntries(names.map((name) => [name, statSync(join(directory, name)).size]));
}

/** Returns whether the cache holds all jars of this pom, and no others. */
function isComplete(directory: string, pom: string): boolean {
  try {
    const manifest = JSON.parse(readFileSync(join(directory, MANIFEST), "utf8")) as Manifest;
    const found = listJars(directory);
    return (
      manifest.pom === pom &&
      Object.keys(found).length === Object.keys(manifest.jars).length &&
      Object.entries(manifest.jars).every(([name, size]) => found[name] === size)
    );
  } catch {
    return false;
  }
}

/** Returns the line that says what went wrong: Maven writes pages about it. */
function toReason({ stdout, stderr }: ProgramResult): string {
  const lines = `${stdout}\n${stderr}`.split("\n").map((line) => line.trim());
  // What stands before it on its line is for terminals.
  const error = lines.find((line) => line.includes("[ERROR]"))?.replace(/^.*?\[ERROR\]/, "");
  return (error ?? lines.find(Boolean) ?? "no output").trim().slice(0, 500);
}

async function checkJava(): Promise<void> {
  const result = await runProgram("java", ["-version"], {
    cwd: CACHE,
    timeoutMillis: VERSION_MILLIS,
  });
  if (result.code !== 0) throw new Error(`Kafka needs Java: ${toReason(result)}`);
  const version = /version "(\d+)/.exec(result.stderr)?.[1];
  if (Number(version) < MIN_JAVA) {
    throw new Error(`Kafka needs Java ${MIN_JAVA} or newer, got ${version}`);
  }
}

async function download(pom: string): Promise<void> {
  // Beside the cache, and moved there as a whole: another process may do the same.
  const directory = mkdtempSync(`${CACHE}-`);
  try {
    // With -C, an artefact whose checksum is wrong is an error.
    const args = ["-q", "-B", "-C", "-Dstyle.color=never", "-f", POM];
    const goal = [
      "dependency:copy-dependencies",
      "-DincludeScope=runtime",
      `-DoutputDirectory=${directory}`,
    ];
    const options = { cwd: directory, timeoutMillis: DOWNLOAD_MILLIS };
    const result = await runProgram("mvn", [...args, ...goal], options);
    if (result.code !== 0) {
      throw new Error(`Kafka can't be had from Maven: ${toReason(result)}`);
    }
    const manifest: Manifest = { pom, jars: listJars(directory) };
    writeFileSync(join(directory, MANIFEST), JSON.stringify(manifest));
    if (isComplete(CACHE, pom)) return;
    rmSync(CACHE, { recursive: true, force: true });
    renameSync(directory, CACHE);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Removes what a process left that was ended while it downloaded. */
function removeRests(): void {
  const parent = dirname(CACHE);
  const hourAgo = Date.now() - 3_600_000;
  for (const name of readdirSync(parent)) {
    const path = join(parent, name);
    const isRest = name.startsWith(`${basename(CACHE)}-`) && statSync(path).mtimeMs < hourAgo;
    if (isRest) rmSync(path, { recursive: true, force: true });
  }
}

/**
 * Makes the files of Kafka available: from `temp/cluster/kafka` when all of them are there, else from Maven.
 *
 * @returns The class path for `java`.
 * @throws when there is no Java or no Maven, or Maven can't get the artefacts.
 */
export async function prepareKafka(): Promise<string> {
  const pom = readFileSync(POM, "utf8");
  mkdirSync(CACHE, { recursive: true });
  await checkJava();
  if (!isComplete(CACHE, pom)) {
    removeRests();
    await download(pom);
  }
  return join(CACHE, "*");
}
