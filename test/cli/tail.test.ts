import { once } from "node:events";
import { join } from "node:path";
import { spawn } from "node:child_process";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { formatEvent } from "../../src/cli/tail/format-event.ts";
import { startPlatform, type Platform } from "../../src/platform/index.ts";
import { startCommand } from "../helpers/command.ts";
import { createBatch, createEvent, type JsonObject, postBatch } from "../platform/helpers.ts";

let platform: Platform;

beforeEach(async () => {
  platform = await startPlatform({ port: 0 });
});
afterEach(() => platform.close());

async function say(content: string, fields: JsonObject = {}): Promise<void> {
  await postBatch(platform, createBatch([createEvent("agent_response", { content, ...fields })]));
}

const FLAGGED = {
  requiresReview: true,
  complianceFlags: [
    { rule: "privacy-iban", category: "privacy", severity: "violation", description: "d" },
  ],
};

function start(...args: string[]) {
  const child = startCommand(["tail", ...args]);
  let [out, err] = ["", ""];
  child.stdout?.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (err += chunk.toString()));
  return {
    out: () => out,
    err: () => err,
    async end(): Promise<number | null> {
      child.kill("SIGINT");
      const [code] = (await once(child, "exit")) as [number | null];
      return code;
    },
  };
}

const SOON = { timeout: 20_000 };

it("shows what is there, and what comes, a line each, until it is interrupted", async () => {
  await say("The first one");
  const tail = start(platform.url);
  await expect.poll(tail.out, SOON).toContain("The first one");
  await say("My card 4111 1111 1111 1111 was found", FLAGGED);
  await expect.poll(tail.out, SOON).toContain("‼ violation privacy-iban");
  expect(tail.out()).not.toContain("4111 1111 1111 1111");
  const lines = tail.out().trimEnd().split("\n");
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d {2}\S+ .* answer +The first one$/);
  expect(await tail.end()).toBe(0);
});

it("takes only what is asked for, and prints lines of JSON", async () => {
  await say("plain");
  await say("found", FLAGGED);
  await say("of another", { ...FLAGGED, agentId: "other-agent" });
  const tail = start(platform.url, "--json", "--severity", "warning", "--agent", "other-agent");
  await expect.poll(tail.out, SOON).toContain("\n");
  const rows = tail
    .out()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { event: JsonObject });
  expect(rows.map(({ event }) => event["content"])).toEqual(["of another"]);
  expect(await tail.end()).toBe(0);
});

it("goes on after the platform was away", async () => {
  await say("before");
  const tail = start(platform.url);
  await expect.poll(tail.out, SOON).toContain("before");
  const { port } = platform;
  await platform.close();
  await expect.poll(tail.err, SOON).toMatch(/can't be read \(\w+\); trying again/);
  platform = await startPlatform({ port });
  await say("after");
  await expect.poll(tail.out, SOON).toContain("after");
  expect(tail.err()).toContain("the platform answers again");
  expect(await tail.end()).toBe(0);
});

it("ends without a word when its reader does", async () => {
  for (let index = 0; index < 20; index++) await say(`number ${index}`);
  const command = `"${process.execPath}" "${join(inject("programDirectory"), "cli.mjs")}" tail ${platform.url} | head -n 1; echo "\${PIPESTATUS[0]}"`;
  const shell = spawn("bash", ["-c", command]);
  let [out, err] = ["", ""];
  shell.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  shell.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  // The pipe breaks at the next line.
  await expect.poll(() => out, SOON).toContain("number");
  await say("one more");
  await once(shell, "close");
  expect(out.trimEnd().split("\n").at(-1)).toBe("0");
  expect(err).toBe("");
});

it("ends with 1 where the platform refuses", async () => {
  await platform.close();
  platform = await startPlatform({ port: 0, apiKey: "secret-key" });
  const tail = startCommand(["tail", platform.url]);
  expect(await once(tail, "exit")).toEqual([1, null]);
});

describe("a line", () => {
  const event = { timestamp: 0, agentId: "a", interactionType: "agent_response" };

  it("fits its width, and can't move the cursor", () => {
    const line = formatEvent({ ...event, content: `\u001b[2J${"word ".repeat(100)}` }, 80);
    expect(line).toHaveLength(80);
    expect(line).not.toContain("\u001b");
    expect(line.endsWith("…")).toBe(true);
  });

  it("is written for whatever an event holds", () => {
    expect(formatEvent({}, 80)).toContain("--:--:--");
    expect(
      formatEvent({ ...event, interactionType: "tool_result", toolName: "t", success: false }, 80),
    ).toContain("t failed");
  });
});
