import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runCommand } from "../../helpers/command.ts";
import { type JsonObject, START } from "../helpers.ts";
import { createAnswer, type Desk, keyOf, openDesk, RULE } from "./desk.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const EVIL = `<img src=x onerror=alert(1)>"'&`;

let desk: Desk;
let directory: string;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "agent-monitor-"));
  desk = await openDesk({ review: { sampling: { default: 1, seed: "2026" } } });
});
afterEach(async () => {
  await desk.platform.close();
  rmSync(directory, { recursive: true, force: true });
});

const FALSE_POSITIVE = { action: "close", disposition: "false_positive", reasonCode: "definition" };
const VIOLATION = { action: "close", disposition: "violation", reasonCode: "confirmed" };
const ACCEPTABLE = { action: "close", disposition: "acceptable", reasonCode: "other" };

/** A week: four conversations with findings, two without; most of it reviewed. */
async function work(): Promise<void> {
  await desk.deliver(
    createAnswer("a", ["sure"]),
    createAnswer("b", ["certain"]),
    createAnswer("c", ["always"]),
    createAnswer("d", ["never"], { agentId: EVIL }),
    createAnswer("clean"),
    createAnswer("clean-2"),
  );
  desk.time.now += 2 * HOUR;
  await desk.act("anna", "a", FALSE_POSITIVE);
  desk.time.now += 4 * HOUR;
  await desk.act("anna", "b", VIOLATION);
  await desk.act("anna", "clean", ACCEPTABLE);
  await desk.act("anna", "c", { action: "escalate", comment: "for cara" });
  desk.time.now += DAY;
  // Another one sees it otherwise.
  const { findings } = await desk.detail("a");
  await desk.act("cara", "a", { action: "reopen", comment: "look again" });
  const findingIds = (findings as JsonObject[]).map(({ id }) => id);
  await desk.act("cara", "a", { ...VIOLATION, action: "decide", findingIds });
  await desk.act("cara", "a", VIOLATION);
}

describe("the supervision report", () => {
  it("says what was supervised, found, sampled and reviewed, by whom, and what waits", async () => {
    await work();
    const report = await desk.read("/api/report?from=2026-11-20&to=2026-11-22");
    expect(report).toMatchObject({
      period: { from: START - 14 * HOUR, to: START + 34 * HOUR },
      population: {
        conversations: 6,
        answers: 6,
        agents: [
          { agentId: "agent-1", conversations: 5, answers: 5, flagged: 3, sampled: 2 },
          { agentId: EVIL, conversations: 1, answers: 1, flagged: 1, sampled: 0 },
        ],
      },
      flagged: { answers: 4, findings: { violation: 4, warning: 0 } },
      sample: { population: 2, sampled: 2, reviewed: 1, unreviewed: 1, violations: 0 },
      decided: { answers: 4, violations: 2, undecided: 2 },
      waiting: { open: 3, escalated: 1, overdue: 2, ofSample: 1 },
      rules: [{ rule: RULE, findings: 4, violation: 2, undecided: 2, precision: { estimate: 1 } }],
      changes: [{ action: "sampling.change", actor: "system" }],
    });
    const reviewers = report["reviewers"] as JsonObject[];
    expect(reviewers.find(({ name }) => name === "anna")).toMatchObject({
      roles: ["reviewer"],
      closed: 3,
      decisions: 3,
      escalated: 1,
      // The finding, and the item.
      overturned: 2,
      medianMillis: 6 * HOUR,
    });
    expect(reviewers.find(({ name }) => name === "cara")).toMatchObject({
      closed: 1,
      reopened: 1,
      overturned: 0,
      medianMillis: 0,
    });
  });

  it("shows what waited at the end of the period, whatever has happened since", async () => {
    await work();
    const { waiting } = await desk.read("/api/report?from=2026-11-20&to=2026-11-21");
    // Of six one was a violation, one acceptable, and one a false positive that was reopened later.
    expect(waiting).toMatchObject({ at: START + 10 * HOUR, open: 3, escalated: 1, overdue: 0 });
    const before = await desk.read("/api/report?from=2026-11-10&to=2026-11-20");
    expect(before).toMatchObject({
      population: { answers: 0 },
      waiting: { open: 0 },
      sample: { elusion: null },
    });
  });

  it("is a document that needs nothing else, and in which nothing of others runs", async () => {
    await work();
    const headers = { authorization: `Bearer ${keyOf("anna")}` };
    const response = await fetch(`${desk.platform.url}/api/report?format=html`, { headers });
    const html = await response.text();
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]+=*'; .*frame-ancestors 'none'$/,
    );
    expect(html).toContain("Precision of the rules");
    expect(html).toContain("&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;");
    expect(html).not.toMatch(/<img|<script|href=|src=(?!x)/);
  });

  it("is printed by the command, for people, as JSON and as a document", async () => {
    await work();
    const common = [desk.platform.url, "--api-key", keyOf("anna"), "--from", "2026-11-20"];
    const text = await runCommand(["report", ...common]);
    expect(text).toMatchObject({ code: 0, err: "" });
    expect(text.out).toContain("Of 1 reviewed answer without findings none is a violation.");
    expect(text.out).toMatch(/anna \(reviewer\) +3 +0 +3 +1 +0 +2/);
    const json = await runCommand(["report", ...common, "--json"]);
    expect(JSON.parse(json.out)).toMatchObject({ population: { answers: 6 } });
    const file = join(directory, "report.html");
    expect(await runCommand(["report", ...common, "--html", file])).toMatchObject({ code: 0 });
    expect(readFileSync(file, "utf8")).toMatch(/^<!doctype html>/);
    const wrong = await runCommand(["report", ...common, "--json", "--html", file]);
    expect(wrong.code).toBe(2);
    const refused = await runCommand(["report", desk.platform.url, "--api-key", "wrong-key"]);
    expect(refused).toMatchObject({ code: 1 });
  });
});
