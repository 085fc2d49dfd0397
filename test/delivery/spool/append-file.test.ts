import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { AppendFile } from "../../../src/delivery/spool/frame-file.ts";
import {
  createFaultyFileSystem,
  makeFastDirectory,
  nothingFails,
  refuse,
} from "../../helpers/faulty-file-system.ts";

const piece = Buffer.from("0123456789");

function open(): { file: AppendFile; path: string; fs: ReturnType<typeof createFaultyFileSystem> } {
  const fs = createFaultyFileSystem();
  const path = join(makeFastDirectory(), "file");
  return { file: new AppendFile(fs, path), path, fs };
}

it("appends whole pieces, or the beginning of a buffer, to a file that only its owner may read", () => {
  const { file, path } = open();
  file.append(piece, piece.length);
  file.append(piece, 3);
  expect(file.bytes).toBe(13);
  expect(file.path).toBe(path);
  expect(readFileSync(path, "utf8")).toBe("0123456789012");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  file.close();
});

it.each(["short", "ENOSPC", "EIO"])("takes back what was written of a piece (%s)", (code) => {
  const { file, path, fs } = open();
  file.append(piece, piece.length);
  fs.fault = refuse(code, ["append"]);
  const expected = code === "short" ? "ENOSPC" : code;
  expect(() => file.append(piece, piece.length)).toThrow(
    expect.objectContaining({ code: expected }) as Error,
  );
  expect(file.bytes).toBe(10);
  fs.fault = nothingFails;
  file.append(piece, piece.length);
  expect(readFileSync(path, "utf8")).toBe("01234567890123456789");
  file.close();
});

it("throws for the write, not for what could not be taken back", () => {
  const { file, fs } = open();
  fs.fault = (operation) => ({ append: "short", truncate: "EIO" })[operation as "append"];
  expect(() => file.append(piece, piece.length)).toThrow(
    expect.objectContaining({ code: "ENOSPC" }) as Error,
  );
  expect(file.bytes).toBe(0);
  file.close();
});

it("syncs as long as it is open, and closes once", async () => {
  const { file, fs } = open();
  file.append(piece, piece.length);
  await file.sync();
  expect(fs.counts.sync).toBe(1);
  fs.fault = refuse("EIO", ["sync"]);
  await expect(file.sync()).rejects.toMatchObject({ code: "EIO" });
  file.close();
  file.close();
  await file.sync();
  expect(fs.openFiles).toBe(0);
});

it("throws when there can be no file", () => {
  const fs = createFaultyFileSystem();
  expect(() => new AppendFile(fs, join(makeFastDirectory(), "nowhere", "file"))).toThrow("ENOENT");
});
