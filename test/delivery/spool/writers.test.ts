import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  claimWriter,
  listWriters,
  readWriterRecord,
  writeWriterRecord,
} from "../../../src/delivery/spool/writers.ts";
import {
  leaveOwner,
  makeDirectory,
  makeWriter,
  newId,
  withoutRights,
} from "../../helpers/spool.ts";

describe("listWriters", () => {
  it("lists own and adopted directories, oldest first, and the owners beside them", () => {
    const directory = makeDirectory();
    const [first, second, third] = [newId(), newId(), newId()];
    const entries = [
      makeWriter(directory, { writerId: third }),
      makeWriter(directory, { writerId: first, ownerId: third }),
      makeWriter(directory, { writerId: second }),
    ];
    leaveOwner(directory, third);
    leaveOwner(directory, first);
    mkdirSync(join(directory, "dead"));
    const ended = newId();
    // One was being written when its process was killed.
    for (const name of [`${ended}.ended.json`, `${newId()}.ended.json.tmp`])
      writeFileSync(join(directory, name), "");
    expect(listWriters(directory)).toEqual({
      writers: [entries[1], entries[2], entries[0]],
      ownerIds: [first, third],
      endedIds: [ended],
      foreign: [],
      foreignCount: 0,
    });
  });

  it("tells what is not ours", () => {
    const directory = makeDirectory();
    const id = newId();
    const names = [
      `${id}.by-`,
      `${id}.by-${id}.by-${id}`,
      id.toUpperCase(),
      `${id}\n`,
      "e".repeat(200),
      "x.sock",
      `${newId()}.sock`,
      "line\nbreak",
    ];
    for (const name of names) mkdirSync(join(directory, name));
    writeFileSync(join(directory, newId()), "");
    symlinkSync("/", join(directory, newId()));
    writeFileSync(Buffer.concat([Buffer.from(`${directory}/`), Buffer.from([0xff, 0xfe])]), "");
    const listing = listWriters(directory);
    expect(listing).toMatchObject({ writers: [], ownerIds: [], foreignCount: names.length + 3 });
    expect(listing.foreign).toHaveLength(10);
  });

  it("says why a directory can't be listed", async () => {
    const directory = makeDirectory();
    const file = join(directory, "file");
    writeFileSync(file, "");
    const nothing = { writers: [], ownerIds: [], endedIds: [], foreign: [], foreignCount: 0 };
    const failed = (code: string) => ({ ...nothing, failure: { status: "failed", code } });
    expect(listWriters(join(directory, "missing"))).toEqual(failed("ENOENT"));
    expect(listWriters(file)).toEqual(failed("ENOTDIR"));
    expect(await withoutRights([directory], () => listWriters(directory))).toEqual(
      failed("EACCES"),
    );
  });
});

describe("claimWriter", () => {
  it("gives the directory to the first who claims it", () => {
    const directory = makeDirectory();
    const orphan = makeWriter(directory);
    const [winner, loser] = [newId(), newId()];
    const path = join(directory, `${orphan.writerId}.by-${winner}`);
    const claimed = { writerId: orphan.writerId, ownerId: winner, path };
    expect(claimWriter(directory, orphan, winner)).toEqual(claimed);
    expect(claimWriter(directory, orphan, loser)).toBeUndefined();
    expect(listWriters(directory).writers).toEqual([claimed]);
    expect(readWriterRecord(path)).toMatchObject({ status: "valid" });
  });

  it("passes a directory on from one adopter to the next", () => {
    const directory = makeDirectory();
    const { writerId, path } = makeWriter(directory, { ownerId: newId() });
    const ownerId = newId();
    const next = claimWriter(directory, { writerId, ownerId: "former", path }, ownerId);
    expect(listWriters(directory).writers).toEqual([next]);
  });

  it("says why a directory can't be claimed", async () => {
    const directory = makeDirectory();
    const orphan = makeWriter(directory);
    const ownerId = newId();
    const claim = () => claimWriter(directory, orphan, ownerId);
    expect(await withoutRights([directory], claim)).toEqual({ status: "failed", code: "EACCES" });
    makeWriter(directory, { writerId: orphan.writerId, ownerId });
    expect(claim()).toEqual({ status: "failed", code: "ENOTEMPTY" });
    expect(readdirSync(directory)).toHaveLength(2);
  });
});

describe("the record of a writer", () => {
  const record = { format: 1, writerId: newId(), organizationId: "bank", createdAt: 1 } as const;

  it("is read as it was written", () => {
    const path = makeDirectory();
    expect(writeWriterRecord(path, record)).toBeUndefined();
    expect(readWriterRecord(path)).toEqual({ status: "valid", record });
    expect(readdirSync(path)).toEqual(["writer.json"]);
  });

  it("replaces what a killed writer has left half-written", () => {
    const path = makeDirectory();
    writeFileSync(join(path, "writer.json.tmp"), "{");
    expect(readWriterRecord(path)).toEqual({ status: "missing" });
    expect(writeWriterRecord(path, record)).toBeUndefined();
    expect(readWriterRecord(path)).toEqual({ status: "valid", record });
  });

  it.each([
    ["newer", { ...record, format: 2 }],
    ["newer", { format: 99 }],
    ["damaged", { ...record, format: 0 }],
    ["damaged", { ...record, writerId: 1 }],
    ["damaged", { ...record, organizationId: null }],
    ["damaged", { ...record, createdAt: "1" }],
    ["damaged", null],
  ])("is %s: %j", (status, content) => {
    const path = makeDirectory();
    writeFileSync(join(path, "writer.json"), JSON.stringify(content));
    expect(readWriterRecord(path)).toEqual({ status });
  });

  it("is missing or damaged where it can't be read, and not written where it can't be", async () => {
    const path = makeDirectory();
    expect(readWriterRecord(join(path, "missing"))).toEqual({ status: "missing" });
    mkdirSync(join(path, "writer.json"));
    expect(readWriterRecord(path)).toEqual({ status: "damaged" });
    expect(writeWriterRecord(path, record)).toEqual({ status: "failed", code: "EISDIR" });
    rmSync(join(path, "writer.json"), { recursive: true });
    expect(await withoutRights([path], () => readWriterRecord(path))).toEqual({
      status: "damaged",
    });
    const write = () => writeWriterRecord(path, record);
    expect(await withoutRights([path], write)).toEqual({ status: "failed", code: "EACCES" });
  });
});
