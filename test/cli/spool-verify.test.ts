import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import {
  copySpool,
  findSegment,
  leaveSpool,
  listWriterNames,
  makeSuiteDirectory,
} from "../helpers/spools.ts";
import { runCommand, type Finished } from "../helpers/command.ts";

describe("verify of a spool directory", () => {
  const directory = makeSuiteDirectory();
  beforeAll(() => leaveSpool(directory));

  it("is verified", async () => {
    const { code, out } = await runCommand(["verify", directory]);
    const [, writerId = "", hash = ""] =
      /^writer (\S+): verified; 1 batch, 25 events, last batch 1 (\S+)\n/.exec(out) ?? [];
    expect(code).toBe(0);
    const expectLast = (anchor: string): Promise<Finished> =>
      runCommand(["verify", directory, "--expect-last", `${writerId}=${anchor}`]);
    expect((await expectLast(`1,${hash}`)).code).toBe(0);
    expect((await expectLast("2")).out).toMatch(/BROKEN at batch 2: the chain ends before it/);
    expect((await expectLast(`1,sha256:${"0".repeat(64)}`)).out).toMatch(/BROKEN at batch 1/);
  });

  it("is found broken when somebody changes an event", async () => {
    const copy = copySpool(directory);
    const segment = findSegment(copy);
    const bytes = readFileSync(segment);
    bytes.write("massage 0", bytes.indexOf("message 0"));
    // As somebody would who knows the format.
    bytes.writeUInt32LE(crc32(bytes.subarray(8, 32 + bytes.readUInt32LE(12))), 4);
    writeFileSync(segment, bytes);
    const { code, out } = await runCommand(["verify", copy]);
    expect(out).toMatch(
      /BROKEN at batch 1 \(\S+\): its events are not those that it was planned with/,
    );
    expect(code).toBe(1);
    expect((await runCommand(["spool", "ls", copy])).code).toBe(0);
  });

  it("is found broken when somebody changes its journal", async () => {
    const copy = copySpool(directory);
    const [writer = ""] = listWriterNames(copy);
    const journal = join(copy, writer, "0000000000000001.journal");
    const bytes = readFileSync(journal);
    const count = bytes.indexOf('"timestamp":') + '"timestamp":'.length;
    bytes.write("9", count);
    const frame = bytes.lastIndexOf("AMSF", count);
    bytes.writeUInt32LE(
      crc32(bytes.subarray(frame + 8, frame + 32 + bytes.readUInt32LE(frame + 12))),
      frame + 4,
    );
    writeFileSync(journal, bytes);
    const { code, out } = await runCommand(["verify", copy]);
    expect(out).toMatch(/BROKEN at batch 1 \(\S+\): its hash is not that of its envelope/);
    expect(code).toBe(1);
  });
});
