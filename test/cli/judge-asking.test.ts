import { describe, expect, it } from "vitest";
import { askModel } from "../../src/cli/judge/judge-model.ts";
import { mapInOrder } from "../../src/cli/judge/judge-cases.ts";
import type { Question } from "../../src/cli/judge/questions.ts";
import type { RecordedReply } from "../../src/cli/judge/recording.ts";
import { groupReplies, replayReplies } from "../../src/cli/judge/replay.ts";
import {
  judgeOptionsSchema,
  type JudgeModel,
  type JudgeOptions,
} from "../../src/config/judge-options.ts";
import { createFakeClock } from "../helpers/clock.ts";

const sent = { earlier: [], agentResponse: "The password is hunter2.", isCut: false };
const QUESTION: Question = {
  request: {
    id: "sha256:one",
    family: "privacy",
    system: "rules",
    user: "exchange",
    schema: {},
    ruleIds: ["privacy-secret"],
    promptVersion: "1",
    promptHash: "sha256:prompt",
  },
  reason: "finding",
  sent,
  texts: { sent, whole: sent },
};
const CLEAN = { findings: [] };

function setUp(model: JudgeModel, options: Partial<JudgeOptions> = {}) {
  const clock = createFakeClock();
  const warnings: string[] = [];
  const ask = askModel({
    options: judgeOptionsSchema.parse({ model, ...options }),
    clock,
    onWarning: (message) => void warnings.push(message),
  });
  return { ask, clock, warnings };
}

describe("a model that is asked from the command line", () => {
  it("gets no more calls at a time than it is to get", async () => {
    let [running, most] = [0, 0];
    const open: (() => void)[] = [];
    const { ask, clock } = setUp(
      async () => {
        most = Math.max(most, ++running);
        await new Promise<void>((resolve) => open.push(resolve));
        running--;
        return CLEAN;
      },
      { maxConcurrency: 2 },
    );
    const all = Promise.all(Array.from({ length: 5 }, async () => ask(QUESTION)));
    for (let turn = 0; turn < 5; turn++) {
      await clock.advance(0);
      for (const resolve of open.splice(0)) resolve();
    }
    expect(await all).toHaveLength(5);
    expect(most).toBe(2);
  });

  it("is asked again after the time that it names, and said to be waited for", async () => {
    let calls = 0;
    const { ask, clock, warnings } = setUp(async () => {
      if (calls++ === 0) throw Object.assign(new Error("busy"), { status: 429, retryAfter: 7 });
      return CLEAN;
    });
    const answer = ask(QUESTION);
    await clock.advance(6_999);
    expect(calls).toBe(1);
    await clock.advance(1);
    expect(await answer).toMatchObject({ judgement: { claims: [], calls: 1 } });
    expect(warnings).toEqual(["the model wants to be asked later: waiting 7 s"]);
  });

  it("is given up when it only ever wants to be asked later", async () => {
    const { ask, clock } = setUp(async () => {
      throw Object.assign(new Error("busy"), { status: 429, retryAfter: 1 });
    });
    const answer = ask(QUESTION);
    await clock.advance(60_000);
    expect(await answer).toMatchObject({ judgement: { failure: "rate_limited" } });
  });

  it("gets no call beyond the rate and the budget", async () => {
    let calls = 0;
    const { ask, clock } = setUp(
      async () => {
        calls++;
        return CLEAN;
      },
      { maxPerMinute: 2, dailyBudget: { requests: 3 } },
    );
    const all = Promise.all(Array.from({ length: 4 }, async () => ask(QUESTION)));
    await clock.advance(0);
    expect(calls).toBe(2);
    await clock.advance(60_000);
    expect(calls).toBe(3);
    expect((await all).filter((one) => one === "over_budget")).toHaveLength(1);
  });

  it("that hangs costs its deadline, twice", async () => {
    const { ask, clock } = setUp(async () => new Promise<never>(() => undefined), { timeout: 100 });
    const answer = ask(QUESTION);
    await clock.advance(200);
    expect(await answer).toMatchObject({ judgement: { failure: "timeout", calls: 2 } });
  });
});

describe("recorded replies", () => {
  const claim = { ruleId: "privacy-secret", quote: "hunter2", reason: "r", confidence: 1 };
  const answer = async (...replies: Partial<RecordedReply>[]) =>
    replayReplies(groupReplies(replies.map((one) => ({ id: "sha256:one", ...one }))))(QUESTION);

  it("are checked as those of a model are", async () => {
    const findings = [claim, { ...claim, ruleId: "other" }];
    const reply = { reply: { findings }, model: "m", latency: 20 };
    expect(await answer(reply)).toMatchObject({
      latency: 20,
      judgement: {
        claims: [{ quote: "hunter2", start: 16 }],
        dropped: { unknown_rule: 1 },
        evaluator: { model: "m" },
        calls: 1,
      },
    });
  });

  it("repeat a call that failed, with its reason", async () => {
    expect(
      await answer({ failure: "timeout", latency: 100 }, { reply: CLEAN, latency: 20 }),
    ).toMatchObject({
      latency: 120,
      judgement: { calls: 2, failedCalls: [{ failure: "timeout" }], claims: [] },
    });
    expect(await answer({ failure: "timeout" })).toMatchObject({
      judgement: { calls: 1, failure: "timeout" },
    });
  });

  it("that can't be read, or were cut off, are failures", async () => {
    expect(await answer({ reply: "no JSON" })).toMatchObject({
      latency: undefined,
      judgement: { failure: "not_json", calls: 1 },
    });
    expect(await answer({ reply: '{"findings":[]}', finishReason: "length" })).toMatchObject({
      judgement: { failure: "truncated", finishReason: "length" },
    });
  });

  it("of another request are none", async () => {
    expect(await answer({ id: "sha256:two", reply: CLEAN })).toBe("not_recorded");
  });
});

describe("mapInOrder", () => {
  it("keeps the order, and no more at a time than it may", async () => {
    let [running, most] = [0, 0];
    async function* count() {
      for (let number = 0; number < 20; number++) yield number;
    }
    const found: number[] = [];
    const mapped = mapInOrder(count(), 3, async (number) => {
      most = Math.max(most, ++running);
      for (let turn = 0; turn < 20 - number; turn++) await Promise.resolve();
      running--;
      return number;
    });
    for await (const number of mapped) found.push(number);
    expect(found).toEqual(Array.from({ length: 20 }, (_, index) => index));
    expect(most).toBe(3);
  });
});
