import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { JudgeModel } from "../../src/config/judge-options.ts";
import type { JudgeStats } from "../../src/judge/judge-stats.ts";
import type { JudgeTask } from "../../src/judge/judge-task.ts";
import { CLEAN, setUpJudge, toTask } from "../helpers/judge.ts";

const MINUTE = 60_000;

const FAMILIES = ["bsa_aml", "privacy", "custom"] as const;

const replies = fc.constantFrom("clean", "garbage", "throws", "limited", "hangs", "slow");

const commands = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("submit" as const), families: fc.nat({ max: 3 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("draft" as const), families: fc.nat({ max: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("abort" as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("advance" as const),
      millis: fc.nat({ max: 20_000 }),
    }),
  },
);

const sum = (counts: Readonly<Record<string, number | undefined>>): number =>
  Object.values(counts).reduce<number>((total, count = 0) => total + count, 0);

const toLost = ({ judged, pending, dropped, submitted, recovered }: JudgeStats): number =>
  submitted + recovered - judged - pending - sum(dropped);

it("loses nothing it was told of, and keeps to its bounds, whatever the model does", async () => {
  const script = fc.record({
    replies: fc.array(replies, { minLength: 1, maxLength: 20 }),
    commands: fc.array(commands, { maxLength: 30 }),
    left: fc.nat({ max: 5 }),
    isKept: fc.boolean(),
    isClosed: fc.boolean(),
    maxPending: fc.integer({ min: 1, max: 8 }),
  });
  const life = fc.asyncProperty(script, async (given) => {
    let open = 0;
    let mostOpen = 0;
    const times: number[] = [];
    const model: JudgeModel = async (_request, { signal }) => {
      const reply = given.replies[times.length % given.replies.length];
      times.push(clock.monotonic());
      open++;
      mostOpen = Math.max(mostOpen, open);
      try {
        if (reply === "throws") throw new Error("away");
        if (reply === "limited")
          throw Object.assign(new Error("later"), { status: 429, retryAfter: 7 });
        if (reply === "slow")
          await new Promise<void>((resolve, fail) => {
            clock.schedule(resolve, 900);
            // A call that goes on is none of the judge's any more.
            signal.addEventListener("abort", fail);
          });
        if (reply === "hangs")
          await new Promise((_, fail) => signal.addEventListener("abort", fail));
        return reply === "garbage" ? "Sorry, I can't." : CLEAN;
      } finally {
        open--;
      }
    };
    const left = Array.from({ length: given.left }, (_, index) => toTask(1000 + index));
    const kept = new Set<string>();
    const journal = {
      add: ({ answer, families }: JudgeTask) => {
        for (const family of families) kept.add(`${answer.eventId} ${family}`);
        return true;
      },
      finish: (eventId: string, family: string) => void kept.delete(`${eventId} ${family}`),
      recover: async () => {
        const tasks = left.splice(0);
        for (const { answer } of tasks) kept.add(`${answer.eventId} bsa_aml`);
        return tasks;
      },
      close: () => undefined,
    };
    const { judge, clock } = setUpJudge(
      model,
      { maxConcurrency: 3, maxPerMinute: 10, timeout: 1000, maxPending: given.maxPending },
      given.isKept ? { journal } : {},
    );
    const drafts: Promise<unknown>[] = [];
    let controller = new AbortController();
    let number = 0;
    for (const command of given.commands) {
      const families = "families" in command ? FAMILIES.slice(0, command.families) : [];
      if (command.kind === "submit") judge.submit(toTask(number++, { families }));
      if (command.kind === "draft")
        drafts.push(judge.judgeNow(toTask(number++, { families }), controller.signal));
      if (command.kind === "advance") await clock.advance(command.millis);
      if (command.kind === "abort") {
        controller.abort();
        controller = new AbortController();
      }
      expect(toLost(judge.stats())).toBe(0);
      expect(judge.stats().pending).toBeGreaterThanOrEqual(0);
    }
    if (given.isClosed) {
      judge.close();
      expect(toLost(judge.stats())).toBe(0);
      const { pending, recovered } = judge.stats();
      // What has found no room lies in the journal alone.
      const waiting = given.isKept ? given.left - left.length - recovered : 0;
      expect(pending + waiting).toBe(given.isKept ? kept.size : 0);
    } else {
      // What never ends otherwise is too old after an hour; what was left may have to wait for room as long, one after another.
      await clock.advance((given.left + 1) * 65 * MINUTE);
      expect(judge.stats()).toMatchObject({ pending: 0 });
      expect(toLost(judge.stats())).toBe(0);
      expect(kept.size).toBe(0);
      judge.close();
    }
    // Nobody waits for a draft for ever.
    await Promise.all(drafts);
    await clock.advance(MINUTE);
    expect(clock.pending).toBe(0);
    expect(toLost(judge.stats())).toBe(0);
    expect(judge.stats().pending).toBeGreaterThanOrEqual(0);
    const isTooMany = times.some((time, index) => time - (times[index - 10] ?? -MINUTE) < MINUTE);
    expect(isTooMany).toBe(false);
    expect(mostOpen).toBeLessThanOrEqual(3);
  });
  await fc.assert(life, { numRuns: 60 });
}, 60_000);
