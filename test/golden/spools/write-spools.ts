import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleChildren } from "../../faults/support/build-children.ts";
import { until } from "../../faults/support/until.ts";
import { startSink } from "../../helpers/sink.ts";
import { STAGE_START } from "../runs/stage-clock.ts";
import { SPOOL_PLATFORM_PORT } from "./spool-cases.ts";
import { SPOOLS } from "./spool-files.ts";
import { SPOOL_STORIES, type CrashPoint, type SpoolDamage, type SpoolLife } from "./spool-lives.ts";
import { startProcess, type Scene } from "./spool-process.ts";

const HOUR_MILLIS = 3_600_000;

function copySpool(from: string, to: string): void {
  cpSync(from, to, { recursive: true, filter: (path) => !lstatSync(path).isSocket() });
}

/** Counts the steps up to one, in a life like the one that is to end there. */
async function countSteps(
  life: SpoolLife,
  { step, occurrence }: CrashPoint,
  directory: string,
  scene: Scene,
): Promise<number> {
  const rehearsal = join(scene.directory, "rehearsal");
  rmSync(rehearsal, { recursive: true, force: true });
  copySpool(directory, rehearsal);
  const env = { FAULT_CRASH_AT: "0", FAULT_DIRECTORY: rehearsal };
  const process = startProcess(life, rehearsal, scene, env);
  await process.ended;
  const steps = process.reports("step").map((name) => JSON.parse(name) as string);
  const found = steps.flatMap((name, index) => (name === step ? [index + 1] : []));
  const number = found[occurrence - 1];
  if (number === undefined) throw new Error(`no ${occurrence}. ${step} in ${steps.join(", ")}`);
  return number;
}

/** Says at which step a process is to be killed; nothing where another end is meant. */
async function toCrash(
  life: SpoolLife,
  directory: string,
  scene: Scene,
): Promise<Record<string, string>> {
  const { crash } = life.end;
  if (!crash) return {};
  return {
    FAULT_CRASH_AT: String(await countSteps(life, crash, directory, scene)),
    FAULT_CRASH_SIDE: crash.side,
    FAULT_DIRECTORY: directory,
  };
}

/** Has the platform give a life its answers, from the first on. */
function setUp({ platform, model }: Scene, { answers = [] }: SpoolLife): void {
  platform.requests.length = 0;
  model.requests.length = 0;
  platform.answer = () => {
    const index = platform.requests.length - 1;
    return index < answers.length ? answers[index] : "hang";
  };
}

async function live(life: SpoolLife, directory: string, scene: Scene): Promise<void> {
  const { report, requests = 0, calls = 0 } = life.end;
  const { platform, model } = scene;
  setUp(scene, life);
  const crash = await toCrash(life, directory, scene);
  setUp(scene, life);
  const child = startProcess(life, directory, scene, crash);
  if (report !== undefined)
    await until(`${report} is reported`, () => child.reports(report).length > 0);
  await until(`${requests} requests`, () => platform.requests.length >= requests);
  await until(`${calls} calls of the model`, () => model.requests.length >= calls);
  if (report !== undefined || requests + calls > 0) child.kill();
  await child.ended;
}

function listFiles(directory: string, ending: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(directory, name));
}

function doDamage(directory: string, { cut = 0, flip }: SpoolDamage): void {
  for (const path of listFiles(directory, ".seg")) {
    const bytes = readFileSync(path);
    const place = flip === undefined ? -1 : bytes.indexOf(flip);
    if (place !== -1) bytes[place] = (bytes[place] ?? 0) ^ 1;
    writeFileSync(path, bytes.subarray(0, bytes.length - cut));
  }
}

/** Says nothing of the machine on which a spool was written. */
function forgetMachine(directory: string): void {
  for (const path of listFiles(directory, ".owner.json")) {
    const record = readFileSync(path, "utf8").replaceAll(
      /("(?:machineId|bootId|pidNamespace)":")[^"]*/g,
      "$1written-elsewhere",
    );
    writeFileSync(path, record);
  }
}

/**
 * Writes the spools of cases that have none, by processes of the present version that are killed.
 *
 * The others stay: they are what an earlier version has left.
 */
export async function writeSpools(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "agent-monitor-golden-"));
  const [platform, model] = await Promise.all([startSink(SPOOL_PLATFORM_PORT), startSink()]);
  model.answer = () => "hang";
  try {
    await bundleChildren(directory);
    for (const [name, { lives, damage }] of Object.entries(SPOOL_STORIES)) {
      if (existsSync(join(SPOOLS, name))) continue;
      const spool = join(directory, "spools", name);
      mkdirSync(spool, { recursive: true });
      for (const [index, life] of lives.entries())
        await live(life, spool, {
          directory,
          platform,
          model,
          now: STAGE_START - (24 - index) * HOUR_MILLIS,
        });
      if (damage) doDamage(spool, damage);
      forgetMachine(spool);
      copySpool(spool, join(SPOOLS, name));
    }
  } finally {
    await Promise.all([platform.close(), model.close()]);
    rmSync(directory, { recursive: true });
  }
}
