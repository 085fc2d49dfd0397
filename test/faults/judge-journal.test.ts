import { lstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { TASK_DIRECTORY } from "../../src/delivery/spool/writers.ts";
import { makeDirectory, toProgramPath, type Child, type StartOptions } from "./support/child.ts";
import {
  CONFIRMS,
  expectAllThere,
  expectDiscreet,
  expectEnded,
  expectJudge,
  expectJudgeBalanced,
  QUOTE,
  readEvents,
  readJudgeResults,
  SECRET,
  startJudged,
  toAnswerId,
  toJudgedPlan,
  type LifeChanges,
} from "./support/judged-life.ts";
import { startModel, type JudgingModel } from "./support/judging-model.ts";
import { inParallel } from "./support/pool.ts";
import { createRandom } from "./support/random.ts";
import { startReceiver, type Receiver } from "./support/receiver.ts";
import { until } from "./support/until.ts";
import { expectEmptySpool } from "./support/verdict.ts";

const COUNT = 500;
/** Calls at one time. */
const CONCURRENCY = 4;
/** Steps at which a process is killed, evenly over its life. */
const CRASHES = 16;
const SPOOL_KEY = "a key of at least thirty-two bytes";
/** Redaction takes it out; it stands in the question. */
const ADDRESS = "jane.doe@example.com";

interface Stage {
  readonly receiver: Receiver;
  readonly model: JudgingModel;
  readonly spoolDirectory: string;
}

async function setUp(script: JudgingModel["script"]): Promise<Stage> {
  const spoolDirectory = makeDirectory();
  return { receiver: await startReceiver(), model: await startModel(script), spoolDirectory };
}

function start(
  { receiver, model, spoolDirectory }: Stage,
  changes: LifeChanges,
  options?: StartOptions,
): Child {
  const monitor = { spoolDirectory, ...changes.monitor };
  const judge = { maxPerMinute: 100_000, ...changes.judge };
  return startJudged(toJudgedPlan(receiver, model, { ...changes, monitor, judge }), options);
}

/** A healthy life that tracks nothing and finishes what others have left. */
async function recover(stage: Stage, monitor: LifeChanges["monitor"] = {}): Promise<Child> {
  stage.model.script = () => CONFIRMS;
  const patient = { shutdownTimeout: 100_000, ...monitor };
  const child = start(stage, { name: "recovery", count: 0, monitor: patient });
  await expectEnded(child);
  return child;
}

async function kill(child: Child): Promise<void> {
  child.kill();
  const { signal, stderr } = await child.ended;
  expect(signal).toBe("SIGKILL");
  expectDiscreet(stderr);
}

/** A process of which so many answers wait for a model that hangs. */
async function startPending(stage: Stage, changes: LifeChanges): Promise<Child> {
  stage.model.script = () => "hang";
  const { count = 0 } = changes;
  const hanging = stage.model.calls.length + CONCURRENCY;
  const judge = { timeout: 600_000, maxConcurrency: CONCURRENCY };
  const child = start(stage, { end: "stay", judge, ...changes });
  const isFull = (): boolean => stage.model.calls.length >= hanging;
  await until("all wait", () => child.stats?.judge?.submitted === count && isFull());
  expectJudge(child, { pending: count, notKept: 0 });
  return child;
}

async function leavePending(stage: Stage, changes: LifeChanges): Promise<Child> {
  const child = await startPending(stage, changes);
  await kill(child);
  return child;
}

/** Checks that the platform has what the judge says of each answer, once. */
function expectEachJudgedOnce({ receiver }: Stage, lives: readonly Child[]): void {
  const answers = readEvents(receiver).filter(
    ({ interactionType }) => interactionType === "agent_response",
  );
  const expected = answers.map(({ eventId }) => eventId).toSorted((a, b) => (a < b ? -1 : 1));
  const judged = readJudgeResults(receiver).map(({ eventId }) => eventId);
  expect(judged.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(expected);
  const promised = lives.flatMap((life) => life.promised.filter((id) => id.includes("answer")));
  expect(judged.length).toBe(promised.length);
}

/** Everything that lies in the files of a directory. */
function readAll(directory: string): string {
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" });
  const files = names
    .map((name) => join(directory, name))
    .filter((path) => lstatSync(path).isFile());
  return files.map((path) => readFileSync(path).toString("latin1")).join("\n");
}

it.each([
  ["as it is", {}],
  ["encrypted", { spoolKey: SPOOL_KEY }],
])(
  `has all ${COUNT} answers judged that a process was killed with, the spool %s`,
  async (_name, settings) => {
    const stage = await setUp(() => "hang");
    const killed = await leavePending(stage, { count: COUNT, monitor: settings });
    const onDisk = readAll(stage.spoolDirectory);
    for (const said of [SECRET, QUOTE, "Is the fund safe"])
      expect(onDisk.includes(said), `${said} lies there readable`).toBe(!("spoolKey" in settings));
    const before = stage.model.calls.length;
    const last = await recover(stage, settings);
    await expectAllThere(stage.receiver, [killed], last);
    expectJudge(last, { recovered: COUNT, judged: COUNT, dropped: {} });
    expect(new Set(stage.model.calls.slice(before).map(toAnswerId)).size).toBe(COUNT);
    expectEachJudgedOnce(stage, [killed]);
    expectEmptySpool(stage.spoolDirectory);
    expectEmptySpool(join(stage.spoolDirectory, TASK_DIRECTORY));
  },
);

it.each([
  ["shutdown", 5],
  ["exit", 3],
] as const)(
  "leaves to the next process what an end (%s) has no time for, and says of none that it is lost",
  async (end, code) => {
    const count = 50;
    const stage = await setUp(() => "hang");
    const judge = { timeout: 600_000 };
    const first = start(stage, { count, end, judge, monitor: { shutdownTimeout: 1500 } });
    const log = await expectEnded(first, code);
    expect(log).not.toContain("dropped");
    if (end === "shutdown") expectJudge(first, { pending: count, dropped: {} });
    const last = await recover(stage);
    await expectAllThere(stage.receiver, [first], last);
    expectJudge(last, { recovered: count, judged: count, dropped: {} });
    expectEachJudgedOnce(stage, [first]);
  },
);

it("leaves to the next process what waits for a model that is away when a process ends by itself", async () => {
  const count = 50;
  const stage = await setUp(() => CONFIRMS);
  await stage.model.stop();
  const judge = { maxConcurrency: 1 };
  const monitor = { shutdownTimeout: 500 };
  const first = start(stage, { count, end: "natural", judge, monitor });
  await expectEnded(first);
  // So many fail before it is known to be away.
  expectJudge(first, { pending: count - 5, dropped: { failed: 5 } });
  await stage.model.restart();
  const last = await recover(stage);
  await expectAllThere(stage.receiver, [first], last);
  expectJudge(last, { recovered: count - 5, judged: count - 5, dropped: {} });
});

it("tells each judgement once, whenever the processes that judge are killed", async () => {
  const random = createRandom();
  const stage = await setUp(() => CONFIRMS);
  const count = 60;
  const lives: Child[] = [];
  const isDone = ({ stats: { judge } = {} as NonNullable<Child["stats"]> }: Child): boolean =>
    judge?.submitted === count && judge.pending === 0;
  for (let life = 0; life < 6; life++) {
    const end = stage.model.calls.length + 1 + random.below(2 * count);
    const isEarly = life % 2 === 0;
    const child = start(stage, { name: `life${life}`, count, end: "stay", isEarly });
    await child.reported("tracked");
    await until(
      "it is in the middle of judging, or done",
      () => stage.model.calls.length >= end || isDone(child),
    );
    await kill(child);
    lives.push(child);
  }
  const last = await recover(stage);
  try {
    await expectAllThere(stage.receiver, lives, last);
    expectEachJudgedOnce(stage, lives);
    expectEmptySpool(join(stage.spoolDirectory, TASK_DIRECTORY));
  } catch (error) {
    throw new Error(`with FAULT_SEED=${random.seed}`, { cause: error });
  }
});

/** A life that is killed at a step of its own in the spool directory or on the network. */
function startCrashing(stage: Stage, step: number): Child {
  const { receiver, model, spoolDirectory } = stage;
  const monitor = { spoolDirectory, durability: "process" } as const;
  const isEarly = step % 2 === 0;
  return startJudged(toJudgedPlan(receiver, model, { name: `life${step}`, isEarly, monitor }), {
    nodeOptions: ["--import", pathToFileURL(toProgramPath("crash-at")).href],
    env: {
      FAULT_CRASH_AT: String(step),
      FAULT_CRASH_SIDE: step % 4 < 2 ? "before" : "after",
      FAULT_DIRECTORY: spoolDirectory,
    },
  });
}

it("has every answer that was promised judged, whatever the step at which its process is killed", async () => {
  const stage = await setUp(() => CONFIRMS);
  const whole = startCrashing(stage, 0);
  await expectEnded(whole);
  const steps = whole.reports("step").length;
  expect(steps).toBeGreaterThan(CRASHES);
  const points = Array.from(
    { length: CRASHES },
    (_, index) => 1 + Math.floor((index * steps) / CRASHES),
  );
  const lives = await inParallel(points, 2, async (step) => {
    const child = startCrashing(stage, step);
    await child.ended;
    return child;
  });
  const last = await recover(stage);
  const events = readEvents(stage.receiver);
  const ids = new Map(
    events.flatMap((event) =>
      event.interactionType === "agent_response"
        ? [[event.content.split(" ", 1)[0], event.eventId] as const]
        : [],
    ),
  );
  const judged = readJudgeResults(stage.receiver).map(({ eventId }) => eventId);
  expect(new Set(judged).size, "told twice").toBe(judged.length);
  const promised = [whole, ...lives].flatMap((life) => life.promised);
  const answers = promised.filter((id) => id.includes("answer"));
  const ends = await Promise.all([whole, ...lives, last].map(({ ended }) => ended));
  const losses = ends.flatMap(({ stderr }) => stderr.match(/^.*dropped.*$/gm) ?? []);
  expect(losses, "what the processes say of losses").toEqual([]);
  expect(
    answers.filter((id) => !ids.has(id)),
    "not delivered",
  ).toEqual([]);
  expectEmptySpool(join(stage.spoolDirectory, TASK_DIRECTORY));
  expect(
    answers.filter((id) => !judged.includes(ids.get(id) ?? "")),
    "not judged",
  ).toEqual([]);
});

it("has each answer judged by one of several processes that come at once", async () => {
  const count = 100;
  const stage = await setUp(() => "hang");
  const killed = [
    await startPending(stage, { name: "one", count }),
    await startPending(stage, { name: "two", count }),
  ];
  for (const child of killed) await kill(child);
  const before = stage.model.calls.length;
  const next = await Promise.all([recover(stage), recover(stage), recover(stage)]);
  const recovered = next.map(({ stats }) => stats?.judge?.recovered ?? 0);
  expect(recovered.reduce((sum, one) => sum + one, 0)).toBe(2 * count);
  expect(stage.model.calls.length - before).toBe(2 * count);
  for (const { stats } of next) expectJudgeBalanced(stats?.judge);
  await expectAllThere(stage.receiver, killed, next[0]);
  expectEachJudgedOnce(stage, killed);
});

it("takes nothing from a process that lives on the same directory", async () => {
  const count = 50;
  const stage = await setUp(() => "hang");
  const living = await startPending(stage, { count });
  const other = await recover(stage);
  expectJudge(other, { recovered: 0, calls: 0 });
  await kill(living);
  const last = await recover(stage);
  expectJudge(last, { recovered: count, judged: count });
  await expectAllThere(stage.receiver, [living], last);
  expectEachJudgedOnce(stage, [living]);
});

it("keeps nothing on disk that redaction takes out, and still has it judged", async () => {
  const count = 20;
  const stage = await setUp(() => "hang");
  const monitor = { redact: true };
  const question = `Write to ${ADDRESS}. Is the fund safe?`;
  const killed = await leavePending(stage, { count, monitor, question });
  const onDisk = readAll(stage.spoolDirectory);
  expect(onDisk).toContain(SECRET);
  expect(onDisk).not.toContain(ADDRESS);
  const last = await recover(stage, monitor);
  await expectAllThere(stage.receiver, [killed], last);
  expectEachJudgedOnce(stage, [killed]);
  expect(JSON.stringify(readEvents(stage.receiver))).not.toContain(ADDRESS);
  expect(JSON.stringify(stage.model.calls)).not.toContain(ADDRESS);
});

it("judges in memory what a directory that can't be used does not keep, counts it and says so once", async () => {
  const count = 50;
  const stage = await setUp(() => CONFIRMS);
  // A file where its directory should be: nobody's rights get past that.
  writeFileSync(join(stage.spoolDirectory, TASK_DIRECTORY), "");
  const child = start(stage, { count });
  const log = await expectEnded(child);
  await expectAllThere(stage.receiver, [child], child);
  expectEachJudgedOnce(stage, [child]);
  expectJudge(child, { notKept: count, judged: count, dropped: {} });
  expect(log.split("\n").filter((line) => line.includes("can't be kept")).length).toBe(1);
});

it("judges in memory what a full disk does not keep, and counts what a kill would take", async () => {
  const stage = await setUp(() => "hang");
  const plan = { name: "life", count: COUNT, end: "stay", judge: { timeout: 600_000 } } as const;
  const child = start(stage, plan, { shell: "ulimit -f 256" });
  await until("all wait", () => child.stats?.judge?.submitted === COUNT);
  await until("the platform has all", () => child.stats?.pending === 0);
  const { notKept = 0, pending } = child.stats?.judge ?? {};
  expect(pending).toBe(COUNT);
  expect(notKept).toBeGreaterThan(0);
  expect(notKept).toBeLessThan(COUNT);
  await kill(child);
  const last = await recover(stage);
  const kept = COUNT - notKept;
  expectJudge(last, { recovered: kept, judged: kept, dropped: {} });
  await expectAllThere(stage.receiver, [child], last);
  expect(readJudgeResults(stage.receiver).length).toBe(kept);
});

it.each(["shutdown", "natural", "flush"] as const)(
  "has answers judged that no rule had seen when their process was killed (%s)",
  async (end) => {
    const stage = await setUp(() => CONFIRMS);
    await stage.receiver.stop();
    const killed = start(stage, { count: 50, end: "kill", isEarly: true });
    expect((await killed.ended).signal).toBe("SIGKILL");
    await stage.receiver.restart();
    const last = start(stage, { name: "last", count: 0, end, flushTimeoutMillis: 20_000 });
    if (end === "flush") {
      await last.reported("flushed");
      const [stats] = last.reports("flushed") as Child["stats"][];
      expectJudge({ stats }, { submitted: 50, judged: 50 });
      expect(stats).toMatchObject({ pending: 0 });
      last.kill("SIGUSR2");
    }
    await expectEnded(last);
    await expectAllThere(stage.receiver, [killed], last);
    expectJudge(last, { submitted: 50, judged: 50, dropped: {} });
    expectEachJudgedOnce(stage, [killed]);
  },
);
