import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTestPath, isBalanced, type TestPath } from "../../helpers/exporter.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "agent-monitor-bad-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function open(spoolDirectory: string): TestPath {
  const spool = {
    spoolDirectory,
    durability: "process",
    maxSpoolBytes: 2 ** 30,
    maxSpoolAge: 7 * 86_400_000,
  } as const;
  return createTestPath({ spool });
}

describe("a spoolDirectory that can't be used", () => {
  it.each([
    ["is a file", () => join(root, "file")],
    ["is below a file", () => join(root, "file", "below")],
    ["can't be made", () => "/proc/agent-monitor"],
    ["has a name that is too long", () => join(root, "x".repeat(300))],
  ])("because it %s costs one error line, and the events stay in memory", async (_, toPath) => {
    writeFileSync(join(root, "file"), "");
    const test = open(toPath());
    const errors = test.lines.filter(({ level }) => level === "error");
    expect(errors).toHaveLength(1);
    expect(errors[0]?.message).toMatch(
      /^spoolDirectory \/.* can't be used \([A-Z]+\): .*kept in memory until it can; it is tried each second$/,
    );
    expect(test.path.stats().spool).toMatchObject({ state: "unusable", faults: 1 });
    test.record(150);
    await test.path.flush();
    await test.clock.advance(60_000);
    expect(test.path.stats()).toMatchObject({ acked: 150, pending: 0 });
    expect(isBalanced(test.path)).toBe(true);
    await test.path.shutdown(1000);
    expect(test.lines.filter(({ level }) => level === "error")).toHaveLength(1);
  });
});

describe("what is not ours", () => {
  const foreign = {
    "notes.txt": "remember the milk",
    "019aa1f2-0000-7000-8000-000000000001/notes.txt": "no writer",
    "019aa1f2-0000-7000-8000-000000000002/writer.json": `{"format":2,"writerId":"x"}`,
    "019aa1f2-0000-7000-8000-000000000003/writer.json": "{",
  };

  it("stays as it is, and is told once", async () => {
    for (const [path, text] of Object.entries(foreign)) {
      mkdirSync(join(root, path, ".."), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    const test = open(root);
    test.record(1);
    await test.path.flush();
    await test.clock.advance(31_000);
    await test.path.flush();
    const warnings = test.lines.filter(({ level }) => level === "warn");
    expect(warnings.map(({ message }) => message).toSorted()).toEqual([
      `spool: something in ${root} is not ours, and is left alone`,
      `spool: the directory of a writer is left alone (damaged_record): ${join(root, "019aa1f2-0000-7000-8000-000000000003")}`,
      `spool: the directory of a writer is left alone (newer_format): ${join(root, "019aa1f2-0000-7000-8000-000000000002")}`,
    ]);
    expect(test.lines.filter(({ level }) => level === "error")).toEqual([]);
    await test.path.shutdown(1000);
    for (const [path, text] of Object.entries(foreign))
      expect(readFileSync(join(root, path), "utf8")).toBe(text);
    expect(readdirSync(root).filter((name) => !name.endsWith(".ended.json"))).toHaveLength(4);
  });
});
