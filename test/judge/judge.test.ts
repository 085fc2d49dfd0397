import { describe, expect, it } from "vitest";
import { CLEAN, setUpJudge, toTask } from "../helpers/judge.ts";

describe("Judge", () => {
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
  });

  it("drops what fails twice, and says how both calls failed", async () => {
    const replies = [{ content: "", finishReason: "length" }, "no JSON"];
    const { judge, clock, judged, lines } = setUpJudge(async () => replies.shift() ?? CLEAN);
    judge.submit(toTask(1));
    await clock.advance(0);
    expect(judged).toEqual([]);
    expect(judge.stats()).toMatchObject({
      dropped: { failed: 1 },
      calls: 2,
      failures: { truncated: 1, not_json: 1 },
      finishReasons: { length: 1 },
    });
    expect(lines).toHaveLength(1);
  });
});
