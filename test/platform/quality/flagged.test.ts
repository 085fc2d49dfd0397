import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../helpers.ts";
import { createAnswer, createLate, type Desk, openDesk, RULE } from "./desk.ts";

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk();
});
afterEach(() => desk.platform.close());

const CONFIRMED = { action: "decide", disposition: "violation", reasonCode: "confirmed" };
const WRONG = { action: "decide", disposition: "false_positive", reasonCode: "definition" };

/** Decides about the first finding of a conversation. */
async function decide(conversationId: string, decision: object): Promise<void> {
  const { findings } = await desk.detail(conversationId);
  const [first] = findings as JsonObject[];
  const { status } = await desk.act("anna", conversationId, {
    ...decision,
    findingIds: [first?.["id"]],
  });
  expect(status).toBe(200);
}

const readFlagged = async () => (await desk.read("/api/quality"))["flagged"];

describe("answers with findings", () => {
  it("count once each, however many findings they have", async () => {
    const early = createAnswer("late and early", ["sure"]);
    const late = createAnswer("late", ["always"]);
    await desk.deliver(createLate(early));
    await desk.deliver(
      createAnswer("one", ["sure"]),
      createAnswer("two", ["certain", "never"]),
      early,
      late,
    );
    await desk.deliver(createLate(late));
    expect(await readFlagged()).toEqual({ answers: 4, violations: 0, undecided: 4 });
  });

  it("are violations where one of their findings is, and undecided where one is left and none is", async () => {
    await desk.deliver(
      createAnswer("one", ["sure"]),
      createAnswer("violation", ["certain", "never"]),
      createAnswer("undecided", ["certain", "always"]),
      createAnswer("right", ["always"]),
    );
    await decide("one", CONFIRMED);
    await decide("violation", CONFIRMED);
    await decide("undecided", WRONG);
    await decide("right", WRONG);
    expect(await readFlagged()).toEqual({ answers: 4, violations: 2, undecided: 1 });
  });

  it("are those alone of which a suppression does not hold all back", async () => {
    await desk.deliver(createAnswer("wrong", ["sure of it"]));
    const [finding] = (await desk.detail("wrong"))["findings"] as JsonObject[];
    await desk.act("anna", "wrong", { ...WRONG, action: "close" });
    const suppression = {
      findingId: finding?.["id"],
      rule: RULE,
      phrase: "sure of it",
      reason: "the bank's own words",
      until: desk.time.now + 86_400_000,
    };
    expect((await desk.ask("cara", "/api/suppressions", suppression)).status).toBe(201);
    await desk.deliver(
      createAnswer("held back", ["sure of it"]),
      createAnswer("half", ["sure of it", "never"]),
    );
    expect(await readFlagged()).toEqual({ answers: 2, violations: 0, undecided: 1 });
  });
});
