import { AsyncLocalStorage } from "node:async_hooks";
import { describe, expect, it } from "vitest";
import type { JudgeModel } from "../../src/config/judge-options.ts";
import type { JudgeJournal, JudgeTask } from "../../src/judge/judge-task.ts";
import { CLEAN, JUDGE_RULES, setUpJudge, toTask } from "../helpers/judge.ts";

const MINUTE = 60_000;
const SECRET = "4111 1111 1111 1111";

/** A model that answers when a test says so. */
function createPatientModel() {
  const waiting: { reply: () => void; fail: (error: unknown) => void; signal: AbortSignal }[] = [];
  const model: JudgeModel = async (_request, { signal }) =>
    new Promise((resolve, fail) => {
      waiting.push({ reply: () => resolve(CLEAN), fail, signal });
    });
  return { model, waiting };
}

const tooMany = (more: object = {}): Error =>
  Object.assign(new Error("slow down"), { status: 429, ...more });

function createJournal(left: readonly JudgeTask[] = [], isFull = false) {
  const lines: string[] = [];
  let rest = left;
  const journal: JudgeJournal = {
    add({ answer }) {
      lines.push(`add ${answer.eventId}`);
      return !isFull;
    },
    finish: (eventId, family) => void lines.push(`finish ${eventId} ${family}`),
    async recover() {
      const tasks = rest;
      rest = [];
      return tasks;
    },
    close: () => void lines.push("close"),
  };
  return { journal, lines };
}

describe("asking", () => {
  it("asks nothing before the caller has gone on, and then each family by itself", async () => {
    const asked: string[] = [];
    const { judge, judged, clock } = setUpJudge(async ({ family }) => {
      asked.push(family);
      return CLEAN;
    });
    judge.submit(toTask(1, { families: ["bsa_aml", "privacy"] }));
    await Promise.resolve();
    expect(asked).toEqual([]);
    expect(judge.stats()).toMatchObject({ submitted: 2, pending: 2, judged: 0 });
    await clock.advance(0);
    expect(asked).toEqual(["bsa_aml", "privacy"]);
    expect(judged.map(({ task }) => task.answer.eventId)).toEqual(["event-1", "event-1"]);
    expect(judge.stats()).toMatchObject({ pending: 0, judged: 2, calls: 2 });
    expect(judge.isBusy).toBe(false);
    expect(clock.pending).toBe(0);
  });

  it("reads the rules once, and not before something is asked", async () => {
    let reads = 0;
    const rules = (): typeof JUDGE_RULES => {
      reads++;
      return JUDGE_RULES;
    };
    const { judge, clock } = setUpJudge(async () => CLEAN, {}, { rules });
    await clock.advance(MINUTE);
    expect(reads).toBe(0);
    judge.submit(toTask(1, { families: ["bsa_aml", "privacy"] }));
    judge.submit(toTask(2, { families: ["sr_11_7"] }));
    await clock.advance(0);
    expect(reads).toBe(1);
    // A family without rules is no question that a model could answer.
    expect(judge.stats()).toMatchObject({ judged: 2, calls: 2, dropped: { failed: 1 } });
  });

  it("shows the model what it may see, and tells of the exchange as it is", async () => {
    let seen = "";
    const { judge, judged, clock } = setUpJudge(
      async ({ user }) => {
        seen = user;
        return CLEAN;
      },
      {},
      { toVisible: (exchange) => ({ ...exchange, agentResponse: "Your card [CARD:1]." }) },
    );
    judge.submit(toTask(1, { exchange: { earlier: [], agentResponse: `Your card ${SECRET}.` } }));
    await clock.advance(0);
    expect(seen).toContain("[CARD:1]");
    expect(seen).not.toContain(SECRET);
    expect(judged[0]?.sent.agentResponse).toBe("Your card [CARD:1].");
    expect(judged[0]?.task.exchange.agentResponse).toBe(`Your card ${SECRET}.`);
  });

  it("counts what a judgement comes to, and what the model says it used", async () => {
    const finding = { ruleId: "bsa-aml-rule", reason: "It names it.", confidence: 0.9 };
    const reply = {
      content: {
        findings: [
          { ...finding, quote: "Answer number 1." },
          { ...finding, quote: "It is nowhere." },
        ],
      },
      usage: { inputTokens: 1000, outputTokens: 20, cost: 0.01 },
    };
    const { judge, clock } = setUpJudge(async () => reply);
    judge.submit(toTask(1));
    await clock.advance(0);
    expect(judge.stats()).toMatchObject({
      findings: 1,
      droppedClaims: { quote_not_found: 1 },
      inputTokens: 1000,
      outputTokens: 20,
      cost: 0.01,
    });
  });

  it("drops what fails twice, and says how both calls failed, without a word of content", async () => {
    const replies = [{ content: SECRET, finishReason: "length" }, SECRET];
    const { judge, clock, judged, lines } = setUpJudge(async () => replies.shift() ?? CLEAN);
    judge.submit(toTask(1, { exchange: { earlier: [], agentResponse: SECRET } }));
    await clock.advance(0);
    expect(judged).toEqual([]);
    expect(judge.stats()).toMatchObject({
      dropped: { failed: 1 },
      calls: 2,
      failures: { truncated: 1, not_json: 1 },
      finishReasons: { length: 1 },
    });
    expect(lines).toHaveLength(1);
    expect(lines.join("\n")).not.toContain(SECRET);
  });

  it("says what the caller's function has thrown, by class and status", async () => {
    const thrown = Object.assign(new TypeError(SECRET), { response: { status: 401 } });
    const { judge, clock, lines } = setUpJudge(async () => {
      throw thrown;
    });
    judge.submit(toTask(1));
    await clock.advance(0);
    expect(lines).toEqual([
      "the judge: 1 judgement is dropped: the model has given no judgement (error, TypeError with status 401)",
    ]);
  });

  it("judges what fails once", async () => {
    const replies = ["no JSON", CLEAN];
    const { judge, clock } = setUpJudge(async () => replies.shift() ?? "");
    judge.submit(toTask(1));
    await clock.advance(0);
    expect(judge.stats()).toMatchObject({ judged: 1, dropped: {}, failures: { not_json: 1 } });
  });

  it("gives up a call at its deadline, and aborts it", async () => {
    const { model, waiting } = createPatientModel();
    const { judge, clock } = setUpJudge(model, { timeout: 1000 });
    judge.submit(toTask(1));
    await clock.advance(2000);
    expect(judge.stats()).toMatchObject({ dropped: { failed: 1 }, failures: { timeout: 2 } });
    expect(waiting.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  });

  it("survives a caller whose functions throw", async () => {
    const fail = (): never => {
      throw new TypeError(SECRET);
    };
    const broken = [{ onJudged: fail }, { toVisible: fail }, { rules: fail }, { isolate: fail }];
    for (const work of broken) {
      const { judge, clock, lines } = setUpJudge(async () => CLEAN, {}, work);
      judge.submit(toTask(1));
      await clock.advance(0);
      const { judged, dropped, pending } = judge.stats();
      expect([judged + (dropped.failed ?? 0), pending]).toEqual([1, 0]);
      expect(lines.join("\n")).not.toContain(SECRET);
    }
  });
});

describe("bounds", () => {
  it("has so many calls at a time, and takes the oldest first", async () => {
    const { model, waiting } = createPatientModel();
    const { judge, clock, judged } = setUpJudge(model, { maxConcurrency: 2 });
    for (let number = 1; number <= 3; number++) judge.submit(toTask(number));
    await clock.advance(0);
    expect(waiting).toHaveLength(2);
    waiting[1]?.reply();
    await clock.advance(0);
    expect(waiting).toHaveLength(3);
    for (const { reply } of waiting) reply();
    await clock.advance(0);
    const ids = judged.map(({ task }) => task.answer.eventId);
    expect(ids).toEqual(["event-2", "event-1", "event-3"]);
  });

  it("drops the newest when too many wait, and says so once", async () => {
    const { judge, clock, lines } = setUpJudge(async () => CLEAN, { maxPending: 2 });
    for (let number = 1; number <= 5; number++) judge.submit(toTask(number));
    expect(judge.stats()).toMatchObject({ pending: 2, dropped: { queue_full: 3 } });
    expect(lines).toHaveLength(1);
    await clock.advance(0);
    expect(judge.stats()).toMatchObject({ judged: 2, pending: 0 });
  });

  it("drops answers whose texts would take too much memory", () => {
    const { judge } = setUpJudge(async () => CLEAN);
    const agentResponse = "x".repeat(2 ** 20);
    for (let number = 0; number < 50; number++)
      judge.submit(toTask(number, { exchange: { earlier: [], agentResponse } }));
    expect(judge.stats()).toMatchObject({ pending: 48, dropped: { queue_full: 2 } });
  });

  it("lets calls wait that are too many for a minute", async () => {
    const { judge, clock } = setUpJudge(async () => CLEAN, { maxPerMinute: 3 });
    for (let number = 0; number < 7; number++) judge.submit(toTask(number));
    await clock.advance(MINUTE - 1);
    expect(judge.stats()).toMatchObject({ judged: 3, pending: 4 });
    await clock.advance(1);
    expect(judge.stats().judged).toBe(6);
    await clock.advance(MINUTE);
    expect(judge.stats()).toMatchObject({ judged: 7, dropped: {} });
  });

  it.each([
    { budget: { requests: 2 }, judged: 2 },
    { budget: { tokens: 2500 }, judged: 3 },
    { budget: { cost: 0.015 }, judged: 2 },
  ])(
    "keeps to a day's budget of $budget, and begins anew the next day",
    async ({ budget, judged }) => {
      const usage = { inputTokens: 900, outputTokens: 100, cost: 0.01 };
      const { judge, clock } = setUpJudge(async () => ({ content: CLEAN, usage }), {
        dailyBudget: budget,
        maxConcurrency: 1,
      });
      for (let number = 0; number < 5; number++) judge.submit(toTask(number));
      await clock.advance(0);
      expect(judge.stats()).toMatchObject({ judged, pending: 0, dropped: { budget: 5 - judged } });
      await clock.advance(24 * 60 * MINUTE);
      judge.submit(toTask(6));
      await clock.advance(0);
      expect(judge.stats().judged).toBe(judged + 1);
    },
  );
});

describe("a budget of what the model does not say", () => {
  const usage = { inputTokens: 900, outputTokens: 100 };

  it.each([
    { budget: { tokens: 2500 }, reply: CLEAN },
    { budget: { cost: 0.01 }, reply: { content: CLEAN, usage } },
  ])("of $budget is warned of, once", async ({ budget, reply }) => {
    const { judge, clock, lines } = setUpJudge(async () => reply, { dailyBudget: budget });
    for (let number = 0; number < 5; number++) judge.submit(toTask(number));
    await clock.advance(0);
    expect(judge.stats().judged).toBe(5);
    expect(lines).toEqual([expect.stringContaining("does not say what it uses")]);
  });

  it.each([
    { budget: { requests: 100 }, reply: CLEAN },
    { budget: { tokens: 2500 }, reply: { content: CLEAN, usage } },
  ])("is none with $budget", async ({ budget, reply }) => {
    const { judge, clock, lines } = setUpJudge(async () => reply, { dailyBudget: budget });
    judge.submit(toTask(1));
    await clock.advance(0);
    expect(lines).toEqual([]);
  });
});

describe("a model that is away", () => {
  it("stops asking after five failures in a row, asks rarely, and judges what waits when it is back", async () => {
    let isAway = true;
    const { judge, clock, lines } = setUpJudge(
      async () => {
        if (isAway) throw new Error("ECONNREFUSED");
        return CLEAN;
      },
      { maxConcurrency: 1 },
    );
    for (let number = 0; number < 20; number++) judge.submit(toTask(number));
    await clock.advance(0);
    expect(judge.stats()).toMatchObject({
      state: "open",
      calls: 10,
      dropped: { failed: 5 },
      pending: 15,
    });
    await clock.advance(10 * MINUTE);
    // 1, 2, 4, 8, 16, 32 s, and then once a minute: nothing more is given up.
    expect(judge.stats()).toMatchObject({ calls: 10 + 6 + 8, dropped: { failed: 5 }, pending: 15 });
    isAway = false;
    await clock.advance(MINUTE);
    expect(judge.stats()).toMatchObject({ state: "closed", judged: 15, pending: 0 });
    expect(lines.filter((line) => line.includes("is away"))).toHaveLength(1);
  });

  it("lets nothing wait for longer than an hour", async () => {
    const { judge, clock } = setUpJudge(async () => {
      throw new Error("ECONNREFUSED");
    });
    for (let number = 0; number < 20; number++) judge.submit(toTask(number));
    await clock.advance(62 * MINUTE);
    const { dropped, pending } = judge.stats();
    expect(pending).toBe(0);
    expect((dropped.failed ?? 0) + (dropped.too_old ?? 0)).toBe(20);
    expect(dropped.too_old).toBeGreaterThan(10);
  });

  it.each([
    { name: "seconds", error: tooMany({ retryAfter: 120 }), wait: 120_000 },
    { name: "a header", error: tooMany({ headers: { "retry-after": "90" } }), wait: 90_000 },
    {
      name: "headers of fetch",
      error: tooMany({ headers: new Headers({ "Retry-After": "30" }) }),
      wait: 30_000,
    },
    {
      name: "a date",
      error: tooMany({ headers: { "retry-after": "Tue, 14 Nov 2023 22:14:20 GMT" } }),
      wait: 60_000,
    },
    { name: "days", error: tooMany({ retryAfter: 1e6 }), wait: 15 * MINUTE },
    { name: "no time", error: tooMany(), wait: 1000 },
    { name: "no wait", error: tooMany({ retryAfter: 0 }), wait: 1000 },
  ])("waits as long as a rate limit says: $name", async ({ error, wait }) => {
    let isLimited = true;
    const { judge, clock } = setUpJudge(async () => {
      if (isLimited) throw error;
      return CLEAN;
    });
    judge.submit(toTask(1));
    await clock.advance(0);
    isLimited = false;
    await clock.advance(wait - 1);
    expect(judge.stats()).toMatchObject({
      state: "open",
      calls: 1,
      pending: 1,
      failures: { rate_limited: 1 },
    });
    await clock.advance(1);
    expect(judge.stats()).toMatchObject({ state: "closed", judged: 1, dropped: {} });
  });
});

describe("drafts", () => {
  it("come before what waits, and are told to their caller alone", async () => {
    const asked: string[] = [];
    const { judge, clock, judged } = setUpJudge(
      async ({ user }) => {
        asked.push(/number \d/.exec(user)?.[0] ?? "");
        return CLEAN;
      },
      { maxConcurrency: 1 },
    );
    judge.submit(toTask(1));
    const draft = judge.judgeNow(toTask(2, { families: ["bsa_aml", "custom"] }));
    await clock.advance(0);
    expect(asked).toEqual(["number 2", "number 2", "number 1"]);
    expect((await draft).map(({ judgement }) => judgement.family)).toEqual(["bsa_aml", "custom"]);
    expect(judged).toHaveLength(1);
    expect(judge.stats()).toMatchObject({ submitted: 3, judged: 3 });
  });

  it("are given up when their caller waits no longer", async () => {
    const { model, waiting } = createPatientModel();
    const { judge, clock } = setUpJudge(model, { maxConcurrency: 1 });
    const controller = new AbortController();
    const draft = judge.judgeNow(toTask(1, { families: ["bsa_aml", "custom"] }), controller.signal);
    await clock.advance(0);
    controller.abort();
    expect(await draft).toEqual([]);
    expect(waiting.map(({ signal }) => signal.aborted)).toEqual([true]);
    expect(judge.stats()).toMatchObject({ pending: 0, dropped: { too_old: 2 } });
    expect(await judge.judgeNow(toTask(2), controller.signal)).toEqual([]);
  });

  it("don't wait for a model that is away", async () => {
    const { judge, clock } = setUpJudge(async () => {
      throw tooMany({ retryAfter: 600 });
    });
    const first = judge.judgeNow(toTask(1));
    await clock.advance(0);
    expect(await first).toEqual([]);
    expect(await judge.judgeNow(toTask(2))).toEqual([]);
    expect(judge.stats()).toMatchObject({ dropped: { circuit_open: 2 }, calls: 1 });
  });
});

describe("the end", () => {
  it("waits until everything is told, or for as long as it may", async () => {
    const { model, waiting } = createPatientModel();
    const { judge, clock } = setUpJudge(model);
    judge.submit(toTask(1));
    const ends: string[] = [];
    void judge.settled(500).then(() => ends.push("deadline"));
    void judge.settled(undefined).then(() => ends.push("settled"));
    await clock.advance(500);
    expect(ends).toEqual(["deadline"]);
    waiting[0]?.reply();
    await clock.advance(0);
    expect(ends).toEqual(["deadline", "settled"]);
    expect(clock.pending).toBe(0);
    await judge.settled(undefined);
  });

  it("aborts what is asked, and drops what waits", async () => {
    const { model, waiting } = createPatientModel();
    const { judge, clock, lines } = setUpJudge(model, { maxConcurrency: 1 });
    for (let number = 0; number < 3; number++) judge.submit(toTask(number));
    await clock.advance(0);
    const draft = judge.judgeNow(toTask(4));
    const settled = judge.settled(undefined);
    judge.close();
    expect(await draft).toEqual([]);
    await settled;
    expect(waiting[0]?.signal.aborted).toBe(true);
    expect(judge.stats()).toMatchObject({ pending: 0, dropped: { shutdown: 4 } });
    judge.submit(toTask(5));
    await clock.advance(MINUTE);
    expect(judge.stats()).toMatchObject({ submitted: 5, dropped: { shutdown: 5 }, calls: 1 });
    expect(clock.pending).toBe(0);
    // The second is the summary of the burst.
    expect(lines).toHaveLength(2);
  });
});

describe("what others name or hold", () => {
  it("judges an answer in nobody's store, whoever was tracked before it", async () => {
    const store = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const { judge, clock } = setUpJudge(
      async () => {
        seen.push(store.getStore());
        return CLEAN;
      },
      { maxConcurrency: 1 },
    );
    store.run("request A", () => judge.submit(toTask(1)));
    store.run("request B", () => judge.submit(toTask(2)));
    await clock.advance(0);
    expect(seen).toEqual([undefined, undefined]);
  });

  it("counts what tools and facts hold of the room", async () => {
    const { judge } = setUpJudge(createPatientModel().model);
    const result = "x".repeat(1024 * 1024);
    const toolsUsed = [
      { name: "t", category: "c", riskLevel: "low", parameters: {}, result, success: true },
    ] as const;
    const exchange = { earlier: [], agentResponse: "Fine.", toolsUsed };
    for (let number = 0; number < 60; number++) judge.submit(toTask(number, { exchange }));
    expect(judge.stats().dropped.queue_full).toBeGreaterThan(40);
    judge.close();
  });

  it("counts by why answers were judged, and in how many it has found something", async () => {
    const { judge, clock } = setUpJudge(
      async () => CLEAN,
      {},
      {
        onJudged: ({ task }) => ({
          findings: task.answer.eventId === "event-1" ? 2 : 0,
          confirmed: 0,
          contradicted: 0,
        }),
      },
    );
    const families = ["bsa_aml", "privacy"] as const;
    judge.submit(toTask(1, { reason: "sample" }));
    judge.submit(toTask(2, { reason: "sample", families }));
    judge.submit(toTask(3));
    await Promise.all([judge.judgeNow(toTask(4)), clock.advance(0)]);
    expect(judge.stats().byReason).toEqual({
      sample: { judged: 3, withFindings: 1 },
      finding: { judged: 1, withFindings: 0 },
    });
  });

  it("counts twenty finish reasons by name, and all others as one", async () => {
    let calls = 0;
    const { judge, clock } = setUpJudge(
      async () => ({ content: "", finishReason: `reason ${calls++}` }),
      { maxPerMinute: 1000 },
    );
    for (let number = 0; number < 4; number++)
      judge.submit(toTask(number, { families: ["bsa_aml", "privacy", "custom"] }));
    await clock.advance(60 * MINUTE);
    const { finishReasons, failures } = judge.stats();
    expect(calls).toBeGreaterThan(20);
    expect(Object.keys(finishReasons)).toHaveLength(21);
    expect(finishReasons["other"]).toBe(calls - 20);
    expect(failures["empty"]).toBe(calls);
  });
});

describe("a wait without a deadline", () => {
  it("is not for a model that is away, whether it is so already or comes to be", async () => {
    const { judge, clock } = setUpJudge(async () => {
      throw new Error("ECONNREFUSED");
    });
    for (let number = 0; number < 20; number++) judge.submit(toTask(number));
    let ends = 0;
    void judge.settled().then(() => ends++);
    await clock.advance(0);
    void judge.settled().then(() => ends++);
    await clock.advance(0);
    expect(ends).toBe(2);
    expect(judge.stats().pending).toBeGreaterThan(0);
    // A deadline is waited for: the model may come back by then.
    void judge.settled(500).then(() => ends++);
    await clock.advance(499);
    expect(ends).toBe(2);
    await clock.advance(1);
    expect(ends).toBe(3);
  });

  it("is not for the calls of the next minute, but for those under way", async () => {
    const { model, waiting } = createPatientModel();
    const { judge, clock } = setUpJudge(model, { maxPerMinute: 1 });
    judge.submit(toTask(1));
    judge.submit(toTask(2));
    let isSettled = false;
    void judge.settled().then(() => (isSettled = true));
    await clock.advance(10);
    expect(isSettled).toBe(false);
    waiting[0]?.reply();
    await clock.advance(0);
    expect(isSettled).toBe(true);
    expect(judge.stats()).toMatchObject({ judged: 1, pending: 1 });
  });

  it("ends after a minute where a call takes longer", async () => {
    const { judge, clock } = setUpJudge(createPatientModel().model, { timeout: 600_000 });
    judge.submit(toTask(1));
    let isSettled = false;
    void judge.settled().then(() => (isSettled = true));
    await clock.advance(MINUTE - 1);
    expect(isSettled).toBe(false);
    await clock.advance(1);
    expect(isSettled).toBe(true);
  });
});

describe("the journal", () => {
  it("has an answer before anything else is done with it, and is told the end of each family", async () => {
    const { journal, lines } = createJournal();
    const { judge, clock } = setUpJudge(async () => CLEAN, {}, { journal });
    judge.submit(toTask(1, { families: ["bsa_aml", "privacy"] }));
    expect(lines).toEqual(["add event-1"]);
    await clock.advance(0);
    expect(lines.slice(1)).toEqual(["finish event-1 bsa_aml", "finish event-1 privacy"]);
  });

  it("keeps at the end what was not judged", async () => {
    const { journal, lines } = createJournal();
    const { judge, clock } = setUpJudge(
      createPatientModel().model,
      { maxConcurrency: 1 },
      { journal },
    );
    judge.submit(toTask(1));
    judge.submit(toTask(2));
    await clock.advance(0);
    judge.close();
    await clock.advance(0);
    expect(lines).toEqual(["add event-1", "add event-2", "close"]);
    expect(judge.stats()).toMatchObject({ pending: 2, dropped: {} });
  });

  it("that is full costs no judgement", async () => {
    const { journal, lines } = createJournal([], true);
    const { judge, clock } = setUpJudge(async () => CLEAN, { maxConcurrency: 1 }, { journal });
    judge.submit(toTask(1));
    await clock.advance(0);
    judge.submit(toTask(2));
    judge.close();
    expect(lines).toEqual(["add event-1", "add event-2", "close"]);
    expect(judge.stats()).toMatchObject({ judged: 1, notKept: 2, dropped: { shutdown: 1 } });
  });

  it("gives what an earlier process has left; what is a week old is dropped", async () => {
    const week = 7 * 24 * 60 * MINUTE;
    const { journal, lines } = createJournal([
      toTask(1, { families: ["privacy"] }),
      toTask(2, { at: 1_700_000_000_000 - week - 1 }),
    ]);
    const { judge, clock, judged } = setUpJudge(async () => CLEAN, {}, { journal });
    expect(judge.isBusy).toBe(true);
    await clock.advance(0);
    expect(judged.map(({ task }) => task.answer.eventId)).toEqual(["event-1"]);
    expect(judge.stats()).toMatchObject({ recovered: 2, judged: 1, dropped: { too_old: 1 } });
    expect(lines).toEqual(["finish event-2 bsa_aml", "finish event-1 privacy"]);
    expect(judge.isBusy).toBe(false);
  });

  it("gives up what is older than it may lie on the disk", async () => {
    const hour = 60 * MINUTE;
    const { journal, lines } = createJournal([toTask(1, { at: 1_700_000_000_000 - 2 * hour })]);
    const { judge, clock } = setUpJudge(
      async () => CLEAN,
      {},
      { journal: { ...journal, maxAgeMillis: hour } },
    );
    await clock.advance(0);
    expect(judge.stats()).toMatchObject({ recovered: 1, judged: 0, dropped: { too_old: 1 } });
    expect(lines).toEqual(["finish event-1 bsa_aml"]);
    judge.close();
  });

  it("keeps what has no room now, and gives it out at a later look", async () => {
    const { journal, lines } = createJournal([1, 2, 3].map((number) => toTask(number)));
    const { judge, clock, judged } = setUpJudge(async () => CLEAN, { maxPending: 2 }, { journal });
    await clock.advance(0);
    expect(judge.stats()).toMatchObject({ recovered: 2, judged: 2, pending: 0, dropped: {} });
    expect(lines).toEqual(["finish event-1 bsa_aml", "finish event-2 bsa_aml"]);
    expect(judge.isBusy).toBe(false);
    await clock.advance(MINUTE);
    expect(judge.stats()).toMatchObject({ recovered: 3, judged: 3, pending: 0, dropped: {} });
    expect(judged).toHaveLength(3);
    judge.close();
  });

  it("keeps what meets a spent budget, until another day", async () => {
    const { journal, lines } = createJournal([
      toTask(1, { families: ["bsa_aml", "privacy"] }),
      toTask(2),
    ]);
    const { judge, clock } = setUpJudge(
      async () => CLEAN,
      { dailyBudget: { requests: 1 }, maxConcurrency: 1 },
      { journal },
    );
    await clock.advance(0);
    expect(judge.stats()).toMatchObject({ recovered: 1, judged: 1, pending: 0, dropped: {} });
    expect(lines).toEqual(["finish event-1 bsa_aml"]);
    // The next day has begun.
    await clock.advance(24 * 60 * MINUTE);
    expect(judge.stats()).toMatchObject({ recovered: 2, judged: 2, pending: 0, dropped: {} });
    expect(lines.slice(1)).toEqual(["finish event-1 privacy"]);
    judge.close();
  });

  it("costs nothing but a line when what it has kept can't be taken", async () => {
    const broken = toTask(1);
    Object.defineProperty(broken, "at", {
      get: () => {
        throw new TypeError("broken");
      },
    });
    const { journal } = createJournal([broken]);
    const { judge, clock, lines } = setUpJudge(async () => CLEAN, {}, { journal });
    await clock.advance(0);
    expect(lines).toEqual([expect.stringContaining("can't be judged: TypeError")]);
    judge.submit(toTask(2));
    await clock.advance(0);
    expect(judge.stats()).toMatchObject({ judged: 1, pending: 0 });
    judge.close();
  });

  it("is looked into again, since another process may end at any time", async () => {
    let left: JudgeTask[] = [];
    const { journal } = createJournal();
    const recover = async (): Promise<JudgeTask[]> => left.splice(0);
    const { judge, clock } = setUpJudge(
      async () => CLEAN,
      {},
      { journal: { ...journal, recover } },
    );
    await clock.advance(0);
    left = [toTask(1)];
    await clock.advance(MINUTE);
    expect(judge.stats()).toMatchObject({ recovered: 1, judged: 1 });
    judge.close();
    expect(clock.pending).toBe(0);
  });
});
