import { execFileSync } from "node:child_process";
import {
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  readdirSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { makeDirectory } from "../helpers/spool.ts";
import {
  bury,
  copySpool,
  findSegment,
  listLetters,
  listWriterNames,
  leaveSpool,
  makeSuiteDirectory,
  SPOOL_KEY,
} from "../helpers/spools.ts";
import { listSpool, runSpool, writeEvents } from "../helpers/spool-cli.ts";
import { runCommand } from "../helpers/command.ts";

function keyFile(text = SPOOL_KEY): string {
  const path = join(makeDirectory(), "spool.key");
  writeFileSync(path, `${text}\n`, { mode: 0o600 });
  return path;
}

describe("spool", () => {
  it("has help, and says what is wrong with a call", async () => {
    expect((await runSpool("--help")).out).toMatch(/CUSTOMER DATA/);
    for (const args of [
      [],
      ["lst"],
      ["ls"],
      ["ls", "a", "b"],
      ["ls", ".", "--jsn"],
      ["ls", ".", "--dead", "--limit", "x"],
      ["ls", ".", "--limit", "1"],
      ["ls", ".", "--content"],
      ["redrive", ".", "--writer", "x"],
      ["redrive", ".", "--all", "--dry-run", "--to-file", "-"],
    ])
      expect(await runSpool(...args)).toMatchObject({ code: 2, out: "" });
  });

  it("says in one line what is not a spool", async () => {
    const directory = makeDirectory();
    const file = join(directory, "notes.txt");
    writeFileSync(file, "");
    const none = await runSpool("ls", directory);
    expect(none).toMatchObject({ code: 1, out: "" });
    expect(none.err).toMatch(
      /^agent-monitor: .*: expected a spool directory, found other files only\n$/,
    );
    expect((await runSpool("ls", file)).err).toMatch(/: expected a directory\n$/);
    expect((await writeEvents(join(directory, "missing"))).err).toMatch(
      /: there is no such directory\n$/,
    );
    expect((await runSpool("ls", makeDirectory())).out).toMatch(/^total: 0 writers, 0 events/);
  });

  it("refuses a key that is none, and does not show it", async () => {
    const short = await runSpool("ls", ".", "--key-file", keyFile("hunter2"));
    expect(short).toMatchObject({ code: 2, out: "" });
    expect(short.err).toMatch(/--key-file: expected at least 32 bytes/);
    expect(short.err).not.toContain("hunter2");
    expect((await runSpool("ls", ".", "--key-file", "/nowhere")).err).toMatch(/ENOENT/);
  });
});

describe("a spool whose process was killed", () => {
  const directory = makeSuiteDirectory();
  beforeAll(() => leaveSpool(directory));

  it("is listed without content", async () => {
    const copy = copySpool(directory);
    writeFileSync(join(copy, "notes.txt"), "");
    const [writerId = ""] = listWriterNames(copy);
    const report = await listSpool(copy);
    expect(report).toMatchObject({ code: 0, foreign: ["notes.txt"], deadLetters: { count: 0 } });
    expect(report.writers).toMatchObject([
      {
        writerId,
        owner: "dead",
        organizationId: "bank",
        pending: 25,
        planned: 10,
        batches: 1,
        missing: 0,
      },
    ]);
    const { out } = await runSpool("ls", copy);
    expect(out).toMatch(new RegExp(`^WRITER .*\\n${writerId} +dead +bank +25 +10 in 1 `));
    expect(out).toContain('not of the spool: 1 ("notes.txt")');
    expect(out + JSON.stringify(report)).not.toContain("message 1");
  });

  it("is shown event by event, with content only when that is asked for", async () => {
    const copy = copySpool(directory);
    const [writerId = ""] = listWriterNames(copy);
    const { out } = await runSpool("ls", copy, "--writer", writerId, "--limit", "2");
    expect(out).toMatch(
      /\n1 +\S+Z +user_message +\S+ +agent +session +\d+ +1\n2 .*\n\nthere is more/,
    );
    expect(out).not.toContain("message 0");
    const shown = await listSpool(copy, "--writer", writerId, "--content");
    expect(shown).toMatchObject({ code: 0, more: false, deadLetters: [] });
    expect(shown.events).toHaveLength(25);
    const [first, last] = [shown.events[0], shown.events[24]];
    expect(first).toMatchObject({
      writerId,
      sequence: 1,
      batch: { sequence: 1 },
      event: { content: "message 0" },
    });
    expect(last).toMatchObject({ sequence: 25, batch: null });
    const one = await runSpool("ls", copy, "--event", last.eventId, "--content");
    expect(one.out).toMatch(/SEQUENCE.*\n25 .*\n {2}\{.*"content":"message 24".*\}\n$/);
    expect(await runSpool("ls", copy, "--event", "nothing")).toMatchObject({ code: 1, out: "" });
    expect((await runSpool("ls", copy, "--writer", "x")).err).toMatch(/there is no writer "x"/);
    expect((await runSpool("ls", copy, "--dead")).out).toBe("nothing waits here\n");
  });

  it("is written byte by byte, and nothing of it changes", async () => {
    const copy = copySpool(directory);
    const before = readdirSync(copy, { recursive: true });
    const { code, out, err } = await writeEvents(copy);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const bytes = readFileSync(findSegment(copy)).toString("latin1");
    const lines = out.trimEnd().split("\n");
    expect(lines).toHaveLength(25);
    for (const line of lines) expect(bytes).toContain(line);
    expect(lines.map((line) => JSON.parse(line).sequence)).toEqual(
      Array.from({ length: 25 }, (_, index) => index + 1),
    );
    expect(readdirSync(copy, { recursive: true })).toEqual(before);
  });

  it("is written into a new file that only its owner can read", async () => {
    const file = join(makeDirectory(), "events.jsonl");
    const [writerId = ""] = listWriterNames(directory);
    const toFile = ["redrive", directory, "--to-file", file];
    const done = await runSpool(...toFile, "--writer", writerId);
    expect(done).toMatchObject({ code: 0, out: "25 events written\n" });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await runSpool(...toFile)).toMatchObject({
      code: 1,
      err: "agent-monitor: --to-file: the file is there already\n",
    });
    expect((await writeEvents(directory, "--writer", "x")).err).toMatch(/there is no writer "x"/);
  });

  it("says what is damaged", async () => {
    const copy = copySpool(directory);
    const segment = findSegment(copy);
    const bytes = readFileSync(segment);
    bytes[bytes.indexOf("message 4")] = 0;
    writeFileSync(segment, bytes);
    truncateSync(segment, bytes.length - 5);
    const { code, out, err } = await writeEvents(copy);
    expect(code).toBe(3);
    expect(out.trimEnd().split("\n")).toHaveLength(23);
    expect(err).toMatch(/^agent-monitor: writer \S+: 1 event missing, \d+ B damaged\n$/);
    expect(await listSpool(copy)).toMatchObject({
      code: 3,
      writers: [{ pending: 23, missing: 1 }],
    });
    const verified = await runCommand(["verify", copy]);
    expect(verified.out).toMatch(/BROKEN at batch 1 \(\S+\): 1 of its events can't be read;/);
    expect(verified.code).toBe(1);
  });

  it.skipIf(process.platform === "win32")("opens nothing but files", async () => {
    const copy = copySpool(directory);
    const [writer = ""] = listWriterNames(copy);
    execFileSync("sh", [
      "-c",
      `mkfifo "$0"`,
      join(copy, writer, `0000000000000099-${"0".repeat(32)}.seg`),
    ]);
    symlinkSync("/etc/passwd", join(copy, writer, `0000000000000098-${"0".repeat(32)}.seg`));
    const { code, out, err } = await writeEvents(copy);
    expect(code).toBe(3);
    expect(err).toMatch(/2 files unreadable/);
    expect(out.trimEnd().split("\n")).toHaveLength(25);
  });
});

describe("an encrypted spool", () => {
  const directory = makeSuiteDirectory();
  beforeAll(() => leaveSpool(directory, { AGENT_MONITOR_SPOOL_KEY: SPOOL_KEY }));

  it("tells without the key only what is not content", async () => {
    const report = await listSpool(directory);
    expect(report).toMatchObject({
      code: 0,
      writers: [{ encrypted: true, journal: "locked", locked: 25, pending: 25 }],
    });
    expect((await runSpool("ls", directory)).out).toMatch(
      /<= 25 .*journal locked, encrypted, 25 events locked/,
    );
    const exported = await writeEvents(directory);
    expect(exported).toMatchObject({ code: 3, out: "" });
    expect(exported.err).toMatch(/25 events can't be decrypted/);
    expect(await runCommand(["verify", directory])).toMatchObject({ code: 3 });
    const otherKey = keyFile("another key, but of more than 32 bytes");
    const wrong = await writeEvents(directory, "--key-file", otherKey);
    expect(wrong).toMatchObject({ code: 3, out: "" });
  });

  it("is read with the key", async () => {
    const key = keyFile();
    expect(await listSpool(directory, "--key-file", key)).toMatchObject({
      code: 0,
      writers: [{ encrypted: true, locked: 0, pending: 25, planned: 10 }],
    });
    const { code, out } = await writeEvents(directory, "--key-file", key);
    expect(code).toBe(0);
    expect(out.trimEnd().split("\n")).toHaveLength(25);
    expect(await runCommand(["verify", directory, "--spool-key", key])).toMatchObject({ code: 0 });
  });
});

describe("dead letters", () => {
  it("are counted, shown and written", async () => {
    const directory = makeDirectory();
    const [id = ""] = await bury(directory, ["too_old", "bad_agent", "too_old"]);
    expect((await runSpool("ls", directory)).out).toBe(
      "total: 0 writers, 0 events, 0 B\ndead letters: 3 (2 too_old, 1 bad_agent)\n",
    );
    const [name = ""] = listLetters(directory);
    const byEvent = await runSpool("ls", directory, "--event", id);
    expect(byEvent.out).toMatch(
      /^DEAD LETTER .*\n\S+ +\S+Z +too_old +user_message +\S+ +agent +session\n$/,
    );
    expect(byEvent.out).toContain(name.replace(".dead", ""));
    const dead = await listSpool(directory, "--dead");
    expect(dead.deadLetters.map(({ reason }: any) => reason)).toEqual([
      "too_old",
      "bad_agent",
      "too_old",
    ]);
    const [{ writerId }] = dead.deadLetters;
    expect(await listSpool(directory, "--dead", "--writer", "x")).toMatchObject({
      deadLetters: [],
    });
    expect(await listSpool(directory, "--dead", "--writer", writerId)).toEqual(dead);
    expect((await writeEvents(directory, "--reason", "bad_agent")).out).toMatch(/^\{.*\}\n$/);
    const { out, code } = await writeEvents(directory, "--all");
    expect(code).toBe(0);
    expect(listLetters(directory)).toHaveLength(3);
    const events = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.map(({ content }) => content)).toEqual([
      "poison too_old",
      "poison bad_agent",
      "poison too_old",
    ]);
    writeFileSync(join(directory, "dead", name), "nothing");
    expect(await listSpool(directory)).toMatchObject({
      code: 3,
      deadLetters: { count: 3, damaged: 1 },
    });
  });
});
