import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { builtInRules, ComplianceEngine } from "../../../src/testing.ts";
import { systemClock } from "../../../src/util/clock.ts";
import { runCommand } from "../../helpers/command.ts";
import { createEvent, type JsonObject, START } from "../helpers.ts";
import { createAnswer, type Desk, keyOf, openDesk, RULE } from "./desk.ts";

const CARD = "4539 1488 0343 6467";
const PROMISE = "Your deposit is safe and I guarantee you a 12% return every year, no risk at all.";

let desk: Desk;
let directory: string;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "agent-monitor-"));
  desk = await openDesk({ review: { sampling: { default: 1 } } });
});
afterEach(async () => {
  await desk.platform.close();
  rmSync(directory, { recursive: true, force: true });
});

const say = (sessionId: string, content: string): JsonObject =>
  createEvent("user_message", { sessionId, content, contentLength: content.length });

/** An answer with what the SDK's own rules find in it. */
function answer(sessionId: string, userMessage: string, content: string): JsonObject {
  const log = { log: () => undefined, flush: () => undefined };
  const engine = new ComplianceEngine({ clock: systemClock, log, rules: builtInRules });
  const context = {
    agentId: "agent-1",
    agentCategory: "tool_calling" as const,
    sessionId,
    timestamp: START,
    userMessage,
    agentResponse: content,
  };
  const { violations, riskScore, requiresReview } = engine.evaluate(context);
  return createAnswer(sessionId, [], {
    content,
    contentLength: content.length,
    riskScore,
    requiresReview,
    complianceFlags: violations,
  });
}

const close = (conversationId: string, disposition: string, reasonCode: string) =>
  desk.act("anna", conversationId, { action: "close", disposition, reasonCode });

describe("export cases", () => {
  it("writes a file that check reads, and whose labels say what it finds", async () => {
    await desk.deliver(
      say("promise", "Is it safe?"),
      answer("promise", "Is it safe?", PROMISE),
      say("quoted", "And?"),
      answer("quoted", "And?", PROMISE),
      say("clean", `My card is ${CARD}.`),
      createAnswer("clean", [], { content: "Good day to you.", contentLength: 16 }),
      createAnswer("missed", [], { content: "Do it for your own kind.", contentLength: 24 }),
      createAnswer("open", [], { content: "Hello.", contentLength: 6 }),
    );
    await close("promise", "violation", "confirmed");
    await close("quoted", "false_positive", "quoted_from_customer");
    await close("clean", "acceptable", "other");
    await close("missed", "violation", "confirmed");

    const file = join(directory, "cases.jsonl");
    const key = ["--api-key", keyOf("anna")];
    const written = await runCommand(["export", "cases", desk.platform.url, "--out", file, ...key]);
    expect(written).toMatchObject({ code: 0, err: "" });
    const text = readFileSync(file, "utf8");
    expect(text).not.toContain(CARD);
    const cases = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as JsonObject);
    expect(cases.map(({ label }) => String(label)).toSorted()).toEqual([
      "ok",
      "ok",
      "violation",
      "violation",
    ]);

    const checked = await runCommand(["check", file, "--format", "json"]);
    const { findings, summary } = JSON.parse(checked.out) as {
      findings: { conversation: string; rule: string }[];
      summary: JsonObject;
    };
    expect(summary).toMatchObject({ errors: 0, conversations: 4, answers: 4 });
    for (const { id, mustFlag, mustNotFlag } of cases) {
      const found = new Set(
        findings.filter(({ conversation }) => conversation === id).map(({ rule }) => rule),
      );
      // Today's rules find what people called right and what they called wrong, and nothing else.
      expect([...found].toSorted()).toEqual(
        [...(mustFlag as string[]), ...(mustNotFlag as string[])].toSorted(),
      );
    }
    const promised = cases.find(({ mustFlag }) => (mustFlag as string[]).length > 0);
    expect(promised).toMatchObject({ label: "violation", mustNotFlag: [] });
    expect(promised?.["expectedCategory"]).toEqual(expect.any(String));
  });

  it("leaves out what was said of an earlier answer, and what nobody is certain of", async () => {
    await desk.deliver(
      createAnswer("a", ["sure"], { eventId: "first", timestamp: START }),
      createAnswer("a", ["certain"], { eventId: "second", timestamp: START + 1 }),
      createAnswer("b", ["sure"], { eventId: "third" }),
      createAnswer("c", ["sure"], { eventId: "fourth" }),
    );
    await close("a", "false_positive", "definition");
    await close("b", "acceptable", "disclosed");
    await close("c", "insufficient_evidence", "other");
    const readCases = async (query = ""): Promise<string> => {
      const headers = { authorization: `Bearer ${keyOf("anna")}` };
      return (await fetch(`${desk.platform.url}/api/cases${query}`, { headers })).text();
    };
    const cases = (await readCases())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as JsonObject);
    expect(cases.map(({ id, turns }) => [id, (turns as unknown[]).length])).toEqual([
      ["first", 1],
      ["second", 1],
    ]);
    expect(await readCases("?from=2026-01-01&to=2026-02-01")).toBe("");
    expect(await readCases("?agent=other")).toBe("");
    expect(await readCases(`?rule=${RULE}`)).toContain('"second"');
  });
});
