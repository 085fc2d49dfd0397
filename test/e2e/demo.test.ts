import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
// From source: tsx resolves `agent-monitor` by the paths of tsconfig.json.
const DEMO = ["--import", "tsx", "examples/demo/main.ts"];

function run(...flags: string[]) {
  return promisify(execFile)(process.execPath, [...DEMO, ...flags], { cwd: ROOT, timeout: 25_000 });
}

describe("the demo", () => {
  it("prints one line of JSON with every event delivered", async () => {
    const { stdout, stderr } = await run("--once", "--json");
    expect(stderr).toBe("");
    expect(stdout.trimEnd().split("\n")).toHaveLength(1);
    const line = JSON.parse(stdout) as Record<string, unknown>;
    expect(line).toEqual({
      tracked: expect.any(Number) as number,
      delivered: line["tracked"],
      dropped: 0,
      flagged: expect.any(Number) as number,
      judged: 5,
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/#\/queue$/) as string,
    });
    expect(line["tracked"]).toBeGreaterThan(20);
    expect(line["flagged"]).toBeGreaterThanOrEqual(2);
  });

  it("delivers everything that a killed assistant had tracked", async () => {
    const { stdout, stderr } = await run("--once", "--json", "--kill");
    expect(stderr).toBe("");
    const line = JSON.parse(stdout) as Record<string, number>;
    expect(line["delivered"]).toBe(line["tracked"]);
    expect(line["recovered"]).toBeGreaterThan(10);
    expect(line["dropped"]).toBe(0);
  });

  it("tells what was delivered and which rules were broken", async () => {
    const { stdout } = await run("--once");
    expect(stdout).toMatch(/Delivered (\d+) of \1 events/);
    expect(stdout).toContain("violation bsa-aml-structuring-advice");
    expect(stdout).toContain("violation consumer-protection-guaranteed-returns");
  });

  it("tells every part of the conversations, and nothing twice", async () => {
    const { stdout } = await run("--once");
    const counts = [...stdout.matchAll(/^ {2}(\w+) +(\d+)$/gm)].map(([, kind, count]) => [
      kind,
      Number(count),
    ]);
    // One call fails at first: the client asks again, and that is no error.
    expect(Object.fromEntries(counts)).toEqual({
      user_message: 10,
      agent_response: 9,
      tool_call: 4,
      tool_result: 4,
      error: 1,
      compliance_violation: 5,
    });
  });

  it("shows what a model makes of the findings, and what it alone has found", async () => {
    const { stdout } = await run("--once");
    const [, judged = ""] = stdout.split("Judged 5\n");
    expect(judged).toContain("confirmed bsa-aml-structuring-advice");
    expect(judged).toContain("contradicted consumer-protection-guaranteed-returns");
    expect(judged).toContain("confirmed consumer-protection-pressure, found by the judge alone");
    // The finding that the model contradicts is on record all the same.
    expect(stdout).toContain("When a seller says that a fund guarantees 8 % every year");
  });

  it("tracks nothing by hand", () => {
    const folder = join(ROOT, "examples/demo");
    for (const name of readdirSync(folder)) {
      expect(readFileSync(join(folder, name), "utf8"), name).not.toMatch(/\.track\w*\(/);
    }
  });

  it("serves the queue with its own conversations until it is interrupted", async () => {
    const child = spawn(process.execPath, [...DEMO, "--json"], {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [chunk] = (await once(child.stdout, "data")) as [Buffer];
    const { url } = JSON.parse(chunk.toString()) as { url: string };
    expect((await fetch(url)).headers.get("content-type")).toContain("text/html");
    const queue = await fetch(new URL("/api/reviews", url));
    const { items } = (await queue.json()) as { items: { finding: { rule: string } }[] };
    expect(items.map(({ finding }) => finding.rule)).toContain("bsa-aml-structuring-advice");
    child.kill("SIGINT");
    expect(await once(child, "exit")).toEqual([0, null]);
  });
});
