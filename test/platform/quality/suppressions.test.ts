import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hasPhrase } from "../../../src/platform/quality/suppression.ts";
import { type JsonObject, START } from "../helpers.ts";
import { createAnswer, type Desk, openDesk, RULE } from "./desk.ts";

const DAY = 86_400_000;
const FALSE_POSITIVE = { action: "close", disposition: "false_positive", reasonCode: "definition" };

let desk: Desk;
let findingId: unknown;
beforeEach(async () => {
  desk = await openDesk();
  await desk.deliver(createAnswer("first", ["No guaranteed return!"]));
  await desk.act("anna", "first", FALSE_POSITIVE);
  const { findings } = await desk.detail("first");
  findingId = (findings as JsonObject[])[0]?.["id"];
});
afterEach(() => desk.platform.close());

const toRequest = (more: JsonObject = {}): JsonObject => ({
  findingId,
  rule: RULE,
  phrase: "no guaranteed return",
  until: START + 30 * DAY,
  reason: "A refusal, not a promise.",
  ...more,
});

const listSuppressions = async (query = ""): Promise<JsonObject[]> =>
  (await desk.read(`/api/suppressions${query}`))["suppressions"] as JsonObject[];

describe("a suppression", () => {
  it("holds later findings with its phrase back, counts and shows them", async () => {
    const { status, body } = await desk.ask("cara", "/api/suppressions", toRequest());
    expect(status).toBe(201);
    const { id } = body["suppression"] as JsonObject;
    await desk.deliver(createAnswer("second", ["There is no GUARANTEED return"]));
    await desk.deliver(createAnswer("third", ["a guaranteed return"]));
    expect(await desk.list()).toMatchObject([{ conversationId: "third" }]);
    expect(await listSuppressions()).toMatchObject([
      { id, state: "active", createdBy: "cara", heldBack: 1, lastHeldBackAt: START },
    ]);
    await desk.deliver(createAnswer("second", ["certainly"]));
    expect(await desk.detail("second")).toMatchObject({
      findings: [{ suppressedBy: id }, { suppressedBy: null }],
    });
    const quality = await desk.read("/api/quality");
    expect(quality["rules"]).toMatchObject([{ rule: RULE, findings: 4, heldBack: 1 }]);
    const { conversations } = await desk.read("/api/conversations?review=true");
    expect(conversations).toHaveLength(3);
  });

  it("ends with its time, and before it when it is revoked", async () => {
    await desk.ask("cara", "/api/suppressions", toRequest());
    const [{ id } = {}] = await listSuppressions();
    desk.time.now += 30 * DAY;
    await desk.deliver(createAnswer("late", ["no guaranteed return"]));
    expect(await desk.list()).toMatchObject([{ conversationId: "late" }]);
    expect(await listSuppressions("?state=expired")).toMatchObject([{ id, heldBack: 0 }]);
    const revoke = (name: unknown) =>
      desk.ask("cara", `/api/suppressions/${String(name)}/revoke`, { reason: "too wide" });
    expect(await revoke(id)).toMatchObject({ status: 409 });
    const again = toRequest({ until: desk.time.now + DAY });
    const { body } = await desk.ask("cara", "/api/suppressions", again);
    expect(await revoke((body["suppression"] as JsonObject)["id"])).toMatchObject({
      status: 200,
      body: { suppression: { state: "revoked", revokedBy: "cara" } },
    });
    expect(await revoke("none")).toMatchObject({ status: 404 });
    await desk.deliver(createAnswer("later", ["no guaranteed return"]));
    expect(await desk.list()).toHaveLength(2);
    expect(await desk.trail("suppression.create")).toHaveLength(2);
    const [revoked] = await desk.trail("suppression.revoke");
    expect(revoked).toMatchObject({ actor: "cara", role: "supervisor" });
    expect(JSON.stringify(await desk.trail("suppression.create"))).not.toContain(
      "guaranteed return",
    );
  });

  it("of an agent is for that agent alone", async () => {
    await desk.ask("cara", "/api/suppressions", toRequest({ agent: "agent-1" }));
    await desk.deliver(
      createAnswer("same", ["no guaranteed return"]),
      createAnswer("other", ["no guaranteed return"], { agentId: "agent-2" }),
    );
    expect(await desk.list()).toMatchObject([{ conversationId: "other" }]);
  });

  it("is refused to a reviewer, which is written down", async () => {
    expect(await desk.ask("anna", "/api/suppressions", toRequest())).toMatchObject({
      status: 403,
      body: { code: "forbidden" },
    });
    expect(await desk.trail("suppression.refused")).toMatchObject([{ actor: "anna" }]);
    expect(await listSuppressions()).toEqual([]);
  });

  it.each([
    ["of an unknown finding", { findingId: "none" }],
    ["of another rule", { rule: "other" }],
    ["of another agent", { agent: "agent-9" }],
    ["with words that are not in the quote", { phrase: "guaranteed profit" }],
    ["with half a word", { phrase: "guarant" }],
    ["with next to nothing", { phrase: "no!" }],
    ["that is over", { until: START }],
    ["for more than a year", { until: START + 366 * DAY }],
    ["without a reason", { reason: " " }],
    ["with an unknown member", { forever: true }],
  ])("%s is refused", async (_, more) => {
    const { status, body } = await desk.ask("cara", "/api/suppressions", toRequest(more));
    expect({ status, code: body["code"] }).toEqual({ status: 422, code: "invalid_suppression" });
  });

  it("is made of nothing but a false positive", async () => {
    await desk.deliver(createAnswer("open", ["no guaranteed return"]));
    const { findings } = await desk.detail("open");
    const request = toRequest({ findingId: (findings as JsonObject[])[0]?.["id"] });
    expect(await desk.ask("cara", "/api/suppressions", request)).toMatchObject({ status: 422 });
  });
});

describe("a phrase", () => {
  it.each([
    ["There is no guaranteed return.", "No guaranteed return", true],
    ["no *guaranteed*  return", "no guaranteed return", true],
    ["not guaranteed returns", "guaranteed return", false],
    ["return guaranteed", "guaranteed return", false],
    ["", "guaranteed", false],
  ])("in %j is %j: %j", (quote, phrase, expected) => {
    expect(hasPhrase(quote, phrase)).toBe(expected);
  });
});
