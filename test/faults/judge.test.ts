import { expect, it } from "vitest";
import { startReceiver, type Receiver } from "./support/receiver.ts";
import { startModel, type JudgingModel, type ModelReply } from "./support/judging-model.ts";
import {
  CONFIRMS,
  expectAllThere,
  expectEnded,
  expectJudge,
  expectJudgeBalanced,
  readJudgeResults,
  startJudged,
  toAnswerId,
  toJudgedPlan,
  type LifeChanges,
} from "./support/judged-life.ts";
import type { Child } from "./support/child.ts";
import { until } from "./support/until.ts";

const COUNT = 3;
/** A reply of 10 MB, which begins like a good one. */
const LONG = `{"findings":[],"more":"${"x".repeat(10 * 1024 * 1024)}"}`;
const EMPTY = JSON.stringify({ findings: [] });

interface Stage {
  readonly receiver: Receiver;
  readonly model: JudgingModel;
}

async function setUp(script: JudgingModel["script"]): Promise<Stage> {
  return { receiver: await startReceiver(), model: await startModel(script) };
}

const start = ({ receiver, model }: Stage, changes: LifeChanges): Child =>
  startJudged(toJudgedPlan(receiver, model, changes));

const claim = (claimed: object): ModelReply => ({
  body: { findings: [{ reason: "So it is.", confidence: 1, ...claimed }] },
});

it.each<[string, ModelReply, string]>([
  ["hangs", "hang", "timeout"],
  ["is refused with the question in the error", { status: 400, body: "" }, "error"],
  ["has an error of its own", { status: 500, body: "{}" }, "error"],
  ["cuts the connection", "reset", "error"],
  ["chats", { body: "Sure! There is nothing wrong with this answer." }, "not_json"],
  ["gives a page", { body: "<!doctype html><h1>502 Bad Gateway</h1>" }, "not_json"],
  ["gives nothing", { body: "" }, "empty"],
  ["gives half an object", { body: EMPTY.slice(0, -2) }, "not_json"],
  ["gives another object", { body: { findings: "none" } }, "not_schema"],
  ["gives 10 MB", { body: LONG }, "too_long"],
  ["is cut off", { body: { content: EMPTY, finishReason: "length" } }, "truncated"],
])("costs the judgement alone where the model %s", async (_name, reply, failure) => {
  const stage = await setUp(() => reply);
  const child = start(stage, { judge: reply === "hang" ? { timeout: 400 } : {} });
  const log = await expectEnded(child);
  await expectAllThere(stage.receiver, [child], child);
  expect(readJudgeResults(stage.receiver)).toEqual([]);
  expectJudge(child, {
    submitted: COUNT,
    judged: 0,
    calls: 2 * COUNT,
    failures: { [failure]: 2 * COUNT },
    finishReasons: failure === "truncated" ? { length: 2 * COUNT } : {},
    dropped: { failed: COUNT },
    contradicted: 0,
  });
  expect(log).toContain("the model has given no judgement");
});

it.each([
  ["another rule", { ruleId: "no-such-rule", quote: "lose money" }, "unknown_rule"],
  [
    "what nobody has said",
    { ruleId: "consumer-protection-guaranteed-returns", quote: "a gift of ten pounds" },
    "quote_not_found",
  ],
])("drops and counts a claim of %s, and keeps the finding", async (_name, claimed, problem) => {
  const stage = await setUp(() => claim(claimed));
  const child = start(stage, {});
  await expectEnded(child);
  await expectAllThere(stage.receiver, [child], child);
  // What was dropped may have been about the finding: nothing is contradicted.
  expect(readJudgeResults(stage.receiver)).toEqual([]);
  expectJudge(child, {
    judged: COUNT,
    calls: COUNT,
    findings: 0,
    contradicted: 0,
    droppedClaims: { [problem]: COUNT },
    failures: {},
    dropped: {},
  });
});

it.each([
  ["in seconds", () => ({ from: Date.now() + 1000, value: "1" })],
  [
    "as a date",
    () => {
      const from = Math.ceil(Date.now() / 1000) * 1000 + 1000;
      return { from, value: new Date(from).toUTCString() };
    },
  ],
])("waits for as long as the model asks for, %s, and loses nothing", async (_name, toRest) => {
  let restUntil = 0;
  const stage = await setUp(({ index }) => {
    if (index !== 0) return CONFIRMS;
    const { from, value } = toRest();
    restUntil = from;
    return { status: 429, headers: { "retry-after": value }, body: "" };
  });
  const child = start(stage, { judge: { maxConcurrency: 1 } });
  await expectEnded(child);
  await expectAllThere(stage.receiver, [child], child);
  const { calls } = stage.model;
  const [, ...later] = calls;
  // The client counts from the arrival of the answer, which is later; timers may be a millisecond early.
  expect(later.filter(({ at }) => at < restUntil - 2)).toEqual([]);
  expect(calls.length).toBe(COUNT + 1);
  expect(readJudgeResults(stage.receiver).length).toBe(COUNT);
  expectJudge(child, {
    state: "closed",
    judged: COUNT,
    confirmed: COUNT,
    failures: { rate_limited: 1 },
    dropped: {},
  });
});

it("asks a model that is away now and then, and has the rest judged when it is back", async () => {
  const stage = await setUp(() => CONFIRMS);
  await stage.model.stop();
  const count = 20;
  const child = start(stage, { count, end: "stay", judge: { maxConcurrency: 1 } });
  await until("the model is known to be away", () => child.stats?.judge?.state === "open");
  expectJudgeBalanced(child.stats?.judge);
  const { dropped = {} } = child.stats?.judge ?? {};
  expect(dropped).toEqual({ failed: 5 });
  await stage.model.restart();
  await until("the rest is judged", () => child.stats?.judge?.pending === 0);
  child.kill("SIGUSR2");
  const log = await expectEnded(child);
  await expectAllThere(stage.receiver, [child], child);
  expectJudge(child, { state: "closed", judged: count - 5, dropped });
  expect(new Set(stage.model.calls.map(toAnswerId)).size).toBe(count - 5);
  expect(readJudgeResults(stage.receiver).length).toBe(count - 5);
  expect(log).toContain("the judge's model is away");
  expect(log).toContain("the judge's model answers again");
});

it("gives up what it would outlast a shutdown with, and hangs up", async () => {
  const stage = await setUp(() => "hang");
  const child = start(stage, { monitor: { shutdownTimeout: 1500 }, judge: { timeout: 600_000 } });
  const log = await expectEnded(child);
  await expectAllThere(stage.receiver, [child], child);
  expectJudge(child, { pending: 0, dropped: { shutdown: COUNT } });
  await until("every call is hung up", () => stage.model.aborted === stage.model.calls.length);
  expect(log).toContain("still waited at shutdown");
});

it("holds no process that ends by itself while the model is away", async () => {
  const stage = await setUp(() => CONFIRMS);
  await stage.model.stop();
  const count = 20;
  const monitor = { shutdownTimeout: 500 };
  const child = start(stage, { count, end: "natural", monitor, judge: { maxConcurrency: 1 } });
  const log = await expectEnded(child);
  await expectAllThere(stage.receiver, [child], child);
  const { dropped } = child.stats?.judge ?? {};
  expect(dropped).toEqual({ failed: 5, shutdown: count - 5 });
  expect(log).toContain("still waited at shutdown");
});

it("ends with a process that ends by itself once its calls are over, at their deadline at the latest", async () => {
  const stage = await setUp(() => "hang");
  const child = start(stage, { end: "natural", judge: { timeout: 500 } });
  await expectEnded(child);
  await expectAllThere(stage.receiver, [child], child);
  expectJudge(child, { pending: 0, dropped: { failed: COUNT } });
});

it("does nothing to the exit code of a process that exits while a call is under way", async () => {
  const stage = await setUp(() => "hang");
  const child = start(stage, { end: "exit" });
  await expectEnded(child, 3);
});

it("ends a flush at its deadline, and goes on judging behind it", async () => {
  const stage = await setUp(() => "hang");
  const child = start(stage, { end: "flush", judge: { timeout: 1000 } });
  await child.reported("flushed");
  const [flushed] = child.reports("flushed") as Child["stats"][];
  expect(flushed?.judge).toMatchObject({ pending: COUNT });
  stage.model.script = () => CONFIRMS;
  await until("everything is judged", () => child.stats?.judge?.judged === COUNT);
  child.kill("SIGUSR2");
  await expectEnded(child);
  await expectAllThere(stage.receiver, [child], child);
  expect(readJudgeResults(stage.receiver).length).toBe(COUNT);
});
