import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openJudgeJournal } from "../../src/assessment/judge-journal.ts";
import type { JudgeJournal, JudgeTask } from "../../src/judge/judge-task.ts";
import { createBurstLogger, silentLogger } from "../../src/util/logger.ts";
import { startFixture } from "../helpers/child.ts";
import { createFakeClock } from "../helpers/clock.ts";
import { makeFastDirectory } from "../helpers/faulty-file-system.ts";
import { CLEAN, setUpJudge, toTask } from "../helpers/judge.ts";

function open(spoolDirectory: string, toKept = (task: JudgeTask): JudgeTask => task): JudgeJournal {
  const clock = createFakeClock();
  const log = createBurstLogger(silentLogger, clock);
  const place = { spoolDirectory, maxSpoolBytes: 2 ** 30, organizationId: "bank", clock, log };
  const journal = openJudgeJournal({ log: place, toKept });
  onTestFinished(() => journal.close());
  return journal;
}

/** Waits until a promise that reads real files has come to something. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it("gives all that was pending when a process was killed to the next one, once", async () => {
  const directory = makeFastDirectory();
  const env = { DIRECTORY: directory, COUNT: "600", JUDGED: "100" };
  const { signal, stderr } = await startFixture("judge/kill-pending", env).result;
  expect([signal, stderr]).toEqual(["SIGKILL", ""]);
  const { judge, judged, clock } = setUpJudge(
    async () => CLEAN,
    { maxPerMinute: 10_000 },
    { journal: open(directory) },
  );
  while (judge.isBusy) {
    await turn();
    await clock.advance(0);
  }
  expect(judge.stats()).toMatchObject({ recovered: 500, judged: 500, pending: 0, dropped: {} });
  const ids = new Set(judged.map(({ task }) => task.answer.eventId));
  expect(ids.size).toBe(500);
  judge.close();
  expect(await open(directory).recover(10)).toEqual([]);
});

it("keeps of a task what may lie on the disk, with the families that are open", async () => {
  const directory = makeFastDirectory();
  const toKept = (task: JudgeTask): JudgeTask => ({
    ...task,
    exchange: { earlier: [], agentResponse: "[CARD:1]" },
  });
  const before = open(directory, toKept);
  const task = toTask(1, {
    families: ["bsa_aml", "privacy"],
    exchange: { earlier: [], agentResponse: "4111 1111 1111 1111" },
  });
  expect(before.add(task)).toBe(true);
  before.finish("event-1", "bsa_aml");
  const files = readdirSync(directory, { recursive: true, encoding: "utf8" });
  const kept = files.filter((name) => name.endsWith(".seg"));
  for (const name of kept)
    expect(readFileSync(join(directory, name), "utf8")).not.toContain("4111");
  expect(kept).toHaveLength(1);
  before.close();
  const left = await open(directory).recover(10);
  expect(left).toEqual([{ ...toKept(task), families: ["privacy"] }]);
});

it.each([
  ["no turns", { exchange: { agentResponse: "x" } }],
  ["a turn that is none", { exchange: { earlier: [null], agentResponse: "x" } }],
  ["no list of tools", { exchange: { earlier: [], agentResponse: "x", toolsUsed: {} } }],
  ["an unknown reason", { reason: "whim" }],
  ["no names", { answer: { eventId: "event-1" } }],
])("gives up a task that is kept with %s", async (_name, damage) => {
  const directory = makeFastDirectory();
  const before = open(directory, (task) => ({ ...task, ...damage }) as unknown as JudgeTask);
  expect(before.add(toTask(1))).toBe(true);
  before.close();
  const after = open(directory);
  expect(await after.recover(10)).toEqual([]);
  after.close();
  expect(await open(directory).recover(10)).toEqual([]);
});

it("does not keep what can't be redacted, nor what is far too long", () => {
  const journal = open(makeFastDirectory(), (task) => {
    if (task.answer.eventId === "event-1") throw new Error("no");
    return task;
  });
  expect(journal.add(toTask(1))).toBe(false);
  const agentResponse = "x".repeat(2 ** 21);
  expect(journal.add(toTask(2, { exchange: { earlier: [], agentResponse } }))).toBe(false);
  expect(journal.add(toTask(3))).toBe(true);
});
