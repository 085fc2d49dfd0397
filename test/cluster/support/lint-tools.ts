import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { runProgram } from "../../helpers/run-program.ts";

const CACHE = join(import.meta.dirname, "../../../temp/cluster");
/** The loader of the Compose Specification, whose schema it has. */
const COMPOSE = { module: "github.com/compose-spec/compose-go/v2/cmd", version: "v2.16.2" };
/** Knows what a workload of Kubernetes should have: probes, limits, policies. */
const SCORE = { module: "github.com/zegl/kube-score/cmd/kube-score", version: "v1.20.0" };
/** Has the schemas of Kubernetes in it. */
const SCHEMAS = "kubernetes-validate==1.37.0";
/** Of two slow cores that have built nothing yet. */
const BUILD_MILLIS = 1_200_000;

async function runStep(command: string, args: readonly string[], env = {}): Promise<void> {
  const result = await runProgram(command, args, {
    cwd: CACHE,
    env: { ...process.env, ...env },
    timeoutMillis: BUILD_MILLIS,
  });
  if (result.code !== 0)
    throw new Error(`${command} ${args[0]}: ${result.stderr.trim().slice(-500)}`);
}

/** Makes something in a directory beside the cache, and moves it there: another process may do the same. */
async function makeOnce(name: string, make: (directory: string) => Promise<void>): Promise<string> {
  const target = join(CACHE, name);
  if (existsSync(target)) return target;
  mkdirSync(dirname(target), { recursive: true });
  const directory = mkdtempSync(`${target}-`);
  try {
    await make(directory);
    if (!existsSync(target)) renameSync(directory, target);
    return target;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function buildProgram({ module, version }: typeof COMPOSE): Promise<string> {
  const name = module.split("/").at(-1) ?? "";
  const directory = await makeOnce(`lint-${name}-${version}`, (path) =>
    runStep("go", ["install", "-buildvcs=false", `${module}@${version}`], {
      GOBIN: path,
      GOFLAGS: "-mod=mod",
      CGO_ENABLED: "0",
    }),
  );
  return join(directory, name);
}

/** Where the linters are. */
export interface LintTools {
  readonly compose: string;
  readonly score: string;
  /** Packages of Python. */
  readonly schemas: string;
}

/**
 * Makes the linters available: from `temp/cluster` when they are there, else two are built with Go and one is installed with pip.
 *
 * @returns Where they are, as JSON.
 * @throws when there is no Go or no pip, or a module can't be had.
 */
export async function prepareLintTools(): Promise<string> {
  const compose = await buildProgram(COMPOSE);
  const score = await buildProgram(SCORE);
  const schemas = await makeOnce(`lint-${SCHEMAS}`, (path) =>
    runStep("python3", ["-m", "pip", "install", "--quiet", "--target", path, SCHEMAS]),
  );
  return JSON.stringify({ compose, score, schemas } satisfies LintTools);
}
