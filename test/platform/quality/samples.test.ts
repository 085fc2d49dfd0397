import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { PlatformOptions } from "../../../src/platform/index.ts";
import { isSampled } from "../../../src/platform/quality/sampling.ts";
import { type JsonObject, START } from "../helpers.ts";
import { createAnswer, createLate, type Desk, openDesk } from "./desk.ts";

const opened: Desk[] = [];
async function open(options: PlatformOptions = {}): Promise<Desk> {
  const desk = await openDesk(options);
  opened.push(desk);
  return desk;
}
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ platform }) => platform.close()));
});

const ALL = { review: { sampling: { default: 1, seed: "2026-Q4" } } };
const ACCEPTABLE = { action: "close", disposition: "acceptable", reasonCode: "other" };
const VIOLATION = { action: "close", disposition: "violation", reasonCode: "confirmed" };
const FALSE_POSITIVE = { action: "close", disposition: "false_positive", reasonCode: "definition" };
const DAY = 86_400_000;
const TODAY = START - (START % DAY);

describe("the sample", () => {
  it("is off where nobody asks for it", async () => {
    const desk = await open();
    await desk.deliver(createAnswer("clean"));
    expect(await desk.list()).toEqual([]);
    expect((await desk.read("/api/samples"))["samples"]).toMatchObject([
      { agentId: "agent-1", rate: 0, seed: "", answers: 1, population: 1, sampled: 0 },
    ]);
    expect(await desk.trail("sampling.change")).toEqual([]);
  });

  it("brings answers without findings into the queue, the same ones everywhere", async () => {
    const sampling = { default: 0.3, agents: { loans: 0 }, seed: "2026-Q4" };
    const ids = Array.from({ length: 40 }, (_, index) => `answer-${index}`);
    const expected = ids.filter((id) => isSampled("2026-Q4", id, 0.3)).toSorted();
    for (let machine = 0; machine < 2; machine++) {
      const desk = await open({ review: { sampling } });
      await desk.deliver(
        ...ids.map((eventId) => createAnswer(eventId, [], { eventId })),
        ...ids.map((id) => createAnswer(`loan-${id}`, [], { agentId: "loans" })),
      );
      const items = await desk.list("?origin=qa_sample&limit=200");
      expect(items.map((item) => String(item["conversationId"])).toSorted()).toEqual(expected);
      expect((await desk.read("/api/samples"))["samples"]).toEqual([
        {
          organizationId: "first-bank",
          agentId: "agent-1",
          seed: "2026-Q4",
          rate: 0.3,
          from: TODAY,
          to: TODAY + DAY,
          answers: 40,
          flagged: 0,
          population: 40,
          sampled: expected.length,
        },
        expect.objectContaining({ agentId: "loans", rate: 0, population: 40, sampled: 0 }),
      ]);
    }
  });

  it("is decided about by the decision of the item, and never as a false positive", async () => {
    const desk = await open(ALL);
    await desk.deliver(createAnswer("a"), createAnswer("b"));
    expect(await desk.act("anna", "a", FALSE_POSITIVE)).toMatchObject({ status: 422 });
    expect(await desk.act("anna", "a", VIOLATION)).toMatchObject({ status: 200 });
    expect(await desk.act("anna", "b", ACCEPTABLE)).toMatchObject({ status: 200 });
    expect(await desk.detail("a")).toMatchObject({
      item: { origin: "qa_sample", state: "closed" },
      sampled: [
        { rate: 1, isFlagged: false, decision: { disposition: "violation", actor: "anna" } },
      ],
    });
    expect((await desk.read("/api/quality"))["sample"]).toMatchObject({
      population: 2,
      sampled: 2,
      reviewed: 2,
      violations: 1,
      elusion: { estimate: 0.5 },
    });
  });

  it("is decided about answer by answer where the item has findings, or several wait", async () => {
    const desk = await open(ALL);
    await desk.deliver(createAnswer("a", ["sure"]), createAnswer("a"), createAnswer("b"));
    await desk.deliver(createAnswer("b"));
    await desk.act("anna", "a", FALSE_POSITIVE);
    expect((await desk.read("/api/quality"))["sample"]).toMatchObject({
      sampled: 3,
      reviewed: 0,
      unreviewed: 3,
      elusion: null,
    });
    expect(await desk.act("anna", "b", VIOLATION)).toMatchObject({ status: 422 });
    const sampled = (await desk.detail("b"))["sampled"] as JsonObject[];
    const decide = { ...VIOLATION, action: "decide", findingIds: [sampled[0]?.["id"]] };
    expect(await desk.act("anna", "b", decide)).toMatchObject({ status: 200 });
    expect(await desk.act("anna", "b", ACCEPTABLE)).toMatchObject({ status: 200 });
    expect((await desk.read("/api/quality"))["sample"]).toMatchObject({
      reviewed: 2,
      violations: 1,
      unreviewed: 1,
    });
  });

  it("takes a closed conversation back, and one that is pressing before its time", async () => {
    const desk = await open(ALL);
    await desk.deliver(createAnswer("a"));
    await desk.act("anna", "a", ACCEPTABLE);
    await desk.deliver(createAnswer("a"));
    expect(await desk.list()).toMatchObject([{ state: "reopened", origin: "qa_sample" }]);
    await desk.deliver(createAnswer("a", ["sure"]));
    expect(await desk.list()).toMatchObject([
      { origin: "rule", severity: "violation", dueAt: START + DAY },
    ]);
  });

  it("loses an answer in which something is found later, and its population does", async () => {
    const desk = await open(ALL);
    const late = createAnswer("a");
    await desk.deliver(late, createAnswer("b"));
    await desk.deliver(createLate(late));
    expect((await desk.read("/api/quality"))["sample"]).toMatchObject({
      answers: 2,
      flagged: 1,
      population: 1,
      sampled: 1,
      flaggedSince: 1,
    });
    await desk.act("anna", "a", FALSE_POSITIVE);
    expect((await desk.detail("a"))["sampled"]).toMatchObject([
      { isFlagged: true, decision: null },
    ]);
  });

  it("is not taken twice of an answer that is delivered again, or in a fuller copy", async () => {
    const desk = await open(ALL);
    const whole = createAnswer("a", [], { content: "Good day", contentLength: 8 });
    await desk.deliver({ ...whole, content: "", metadata: { captured: false } });
    await desk.deliver(whole);
    await desk.deliver(whole);
    expect((await desk.read("/api/quality"))["sample"]).toMatchObject({ answers: 1, sampled: 1 });
    expect((await desk.detail("a"))["sampled"]).toHaveLength(1);
  });
});

describe("a change of the sample", () => {
  it("is written to the audit trail when the platform starts, once", async () => {
    const directory = mkdtempSync(join(tmpdir(), "agent-monitor-"));
    const database = join(directory, "platform.db");
    const settings = [
      { default: 0.01, seed: "one" },
      { seed: "one", default: 0.01, agents: {} },
      { default: 0.01, agents: { b: 0.2, a: 0.1 }, seed: "one" },
      { default: 0.01, agents: { a: 0.1, b: 0.2 }, seed: "one" },
      {},
    ];
    for (const sampling of settings) {
      const desk = await openDesk({ database, review: { sampling } });
      await desk.platform.close();
    }
    const desk = await open({ database });
    const changes = (await desk.trail("sampling.change")).map(
      ({ detail }) => (JSON.parse(String(detail)) as JsonObject)["sampling"],
    );
    expect(changes.toReversed()).toEqual([
      { default: 0.01, agents: {}, seed: "one" },
      { default: 0.01, agents: { a: 0.1, b: 0.2 }, seed: "one" },
      { default: 0, agents: {}, seed: "agent-monitor" },
    ]);
    rmSync(directory, { recursive: true, force: true });
  });
});

describe("the samples' list", () => {
  it("is read in pages, for the days that are asked for", async () => {
    const desk = await open({ review: { sampling: { default: 0.5 } } });
    await desk.deliver(
      ...Array.from({ length: 5 }, (_, index) =>
        createAnswer(`s-${index}`, [], {
          agentId: `agent-${index}`,
          timestamp: START - index * DAY,
        }),
      ),
    );
    const seen: unknown[] = [];
    for (let next: string | null = ""; next !== null;) {
      const after: string = next === "" ? "" : `&after=${next}`;
      const page = await desk.read(`/api/samples?limit=2${after}`);
      seen.push(...(page["samples"] as JsonObject[]).map(({ agentId }) => agentId));
      next = page["next"] as string | null;
    }
    expect(seen).toEqual(["agent-0", "agent-1", "agent-2", "agent-3", "agent-4"]);
    const some = await desk.read("/api/samples?from=2026-11-18&to=2026-11-20");
    expect((some["samples"] as JsonObject[]).map(({ agentId }) => agentId)).toEqual([
      "agent-1",
      "agent-2",
    ]);
  });

  it.each([
    ["from=tomorrow"],
    ["from=2026-11-20&to=2026-11-20"],
    ["from=2026-13-45"],
    ["to=99999999999999999"],
    ["after=WzFd"],
    ["rate=1"],
  ])("refuses a query that makes no sense: %s", async (query) => {
    const desk = await open();
    const { status, body } = await desk.ask("anna", `/api/samples?${query}`);
    expect({ status, code: body["code"] }).toEqual({ status: 400, code: "invalid_query" });
  });
});
