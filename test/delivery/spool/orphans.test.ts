import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  findOrphans,
  removeDeadOwners,
  removeOwnerFiles,
} from "../../../src/delivery/spool/ended-writers.ts";
import { openOwner, type Owner } from "../../../src/delivery/spool/owner.ts";
import { claimWriter, listWriters } from "../../../src/delivery/spool/writers.ts";
import { startFixture } from "../../helpers/child.ts";
import {
  elsewhere,
  here,
  leaveOwner,
  makeDirectory,
  makeWriter,
  newId,
  withoutRights,
} from "../../helpers/spool.ts";

const ownerId = newId();
const adopter = { organizationId: "bank", ownerId, machine: here };
const NOTHING = { orphans: [], removable: [], skipped: [] };
const MINUTE_MILLIS = 60_000;

function open(directory: string, id = newId()): Owner {
  const owner = openOwner(directory, id, here);
  if ("code" in owner) throw new Error(owner.code);
  onTestFinished(() => owner.close());
  return owner;
}

/** Makes a file or directory older than it is. */
function age(path: string, millis = MINUTE_MILLIS): void {
  const time = (Date.now() - millis) / 1000;
  utimesSync(path, time, time);
}

describe("findOrphans", () => {
  it("finds what the dead have left, oldest first", async () => {
    const directory = makeDirectory();
    const [first, second, third] = [newId(), newId(), newId()];
    const killed = makeWriter(directory, { writerId: third });
    leaveOwner(directory, third);
    const closed = makeWriter(directory, { writerId: second });
    const adopted = makeWriter(directory, { writerId: first, ownerId: third });
    expect(await findOrphans(directory, adopter)).toEqual({
      ...NOTHING,
      orphans: [adopted, closed, killed],
    });
  });

  it("leaves its own and those of the living alone", async () => {
    const directory = makeDirectory();
    open(directory, ownerId);
    makeWriter(directory, { writerId: ownerId });
    makeWriter(directory, { ownerId });
    const { ownerId: other } = open(directory);
    const first = makeWriter(directory, { writerId: other });
    const second = makeWriter(directory, { ownerId: other });
    const { orphans, skipped } = await findOrphans(directory, adopter);
    expect(orphans).toEqual([]);
    expect(skipped).toEqual([
      { entry: first, reason: "alive" },
      { entry: second, reason: "alive" },
    ]);
  });

  it("says why it leaves a directory alone", async () => {
    const directory = makeDirectory();
    const reasons: [string, (id: string, path: string) => void][] = [
      ["elsewhere", (id) => leaveOwner(directory, id, elsewhere)],
      ["unknown_owner", (id) => writeFileSync(join(directory, `${id}.owner.json`), "{}")],
      ["newer_format", (_, path) => writeFileSync(join(path, "writer.json"), '{"format":2}')],
      ["damaged_record", (_, path) => writeFileSync(join(path, "writer.json"), "{}")],
      ["damaged_record", (_, path) => rmSync(join(path, "writer.json"))],
    ];
    const expected = reasons.map(([reason, spoil]) => {
      const entry = makeWriter(directory);
      spoil(entry.writerId, entry.path);
      age(entry.path);
      return { entry, reason };
    });
    const others = makeWriter(directory, { organizationId: "another bank" });
    expected.push({ entry: others, reason: "other_organization" });
    const copied = makeWriter(directory);
    writeFileSync(
      join(copied.path, "writer.json"),
      readFileSync(join(others.path, "writer.json"), "utf8").replaceAll("another bank", "bank"),
    );
    expected.push({ entry: copied, reason: "damaged_record" });
    expect(await findOrphans(directory, adopter)).toEqual({ ...NOTHING, skipped: expected });
  });

  it("waits a minute for a directory that is being made, and has it removed then", async () => {
    const directory = makeDirectory();
    const writerId = newId();
    const path = join(directory, writerId);
    mkdirSync(path);
    writeFileSync(join(path, "writer.json.tmp"), "{");
    writeFileSync(join(path, "0000000000000001.journal"), "");
    expect(await findOrphans(directory, adopter)).toEqual(NOTHING);
    const nowMillis = Date.now() + MINUTE_MILLIS + 1000;
    const removable = [{ writerId, ownerId: writerId, path }];
    const found = await findOrphans(directory, { ...adopter, nowMillis });
    expect(found).toEqual({ ...NOTHING, removable });
    // Whatever is not ours makes it somebody's.
    writeFileSync(join(path, "notes.txt"), "");
    const { skipped } = await findOrphans(directory, { ...adopter, nowMillis });
    expect(skipped).toEqual([{ entry: removable[0], reason: "damaged_record" }]);
  });

  it("survives whatever the directory holds", async () => {
    const directory = makeDirectory();
    for (const name of [`${newId()}.sock`, `${newId()}.owner.json`, "x.sock"])
      mkdirSync(join(directory, name));
    symlinkSync(directory, join(directory, newId()));
    writeFileSync(join(directory, newId()), "");
    const closed = makeWriter(directory);
    const link = makeWriter(directory);
    rmSync(join(link.path, "writer.json"));
    symlinkSync("/dev/zero", join(link.path, "writer.json"));
    // The directory is open, so that the writers in it are what is refused.
    chmodSync(directory, 0o755);
    const refused = [closed, link].map((entry) => ({ entry, reason: "damaged_record" }));
    const search = withoutRights([closed.path], () => findOrphans(directory, adopter));
    expect(await search).toEqual({ ...NOTHING, skipped: refused });
    expect(await findOrphans(join(directory, "missing"), adopter)).toEqual(NOTHING);
    expect(await findOrphans(directory, adopter)).toEqual({
      ...NOTHING,
      orphans: [closed],
      skipped: [{ entry: link, reason: "damaged_record" }],
    });
  });
});

describe("removeOwnerFiles", () => {
  it("removes what a dead owner has left once nothing is its any more", async () => {
    const directory = makeDirectory();
    const dead = newId();
    leaveOwner(directory, dead);
    writeFileSync(join(directory, `${dead}.owner.json.tmp`), "{");
    const [first, second] = [
      makeWriter(directory, { writerId: dead }),
      makeWriter(directory, { ownerId: dead }),
    ];
    expect(await removeOwnerFiles(directory, dead, here)).toBe(false);
    claimWriter(directory, first, ownerId);
    expect(await removeOwnerFiles(directory, dead, here)).toBe(false);
    claimWriter(directory, second, ownerId);
    expect(await removeOwnerFiles(directory, dead, here)).toBe(true);
    expect(readdirSync(directory)).toHaveLength(2);
    expect(listWriters(directory).ownerIds).toEqual([]);
  });

  it("does nothing to the living and to those it can't see", async () => {
    const directory = makeDirectory();
    const { ownerId: living } = open(directory);
    const other = newId();
    leaveOwner(directory, other, elsewhere);
    expect(await removeOwnerFiles(directory, living, here)).toBe(false);
    expect(await removeOwnerFiles(directory, other, here)).toBe(false);
    expect(await removeOwnerFiles(join(directory, "missing"), newId(), here)).toBe(false);
    expect(listWriters(directory).ownerIds).toEqual([living, other]);
  });
});

describe("removeDeadOwners", () => {
  it("removes the dead that have left no directory, and no one younger than a minute", async () => {
    const directory = makeDirectory();
    const { ownerId: living } = open(directory);
    const [idle, owning, other] = [newId(), newId(), newId()];
    leaveOwner(directory, idle);
    leaveOwner(directory, owning);
    makeWriter(directory, { ownerId: owning });
    leaveOwner(directory, other, elsewhere);
    expect(await removeDeadOwners(directory, here, Date.now())).toBe(0);
    expect(await removeDeadOwners(directory, here, Date.now() + MINUTE_MILLIS + 1000)).toBe(1);
    expect(listWriters(directory).ownerIds).toEqual([living, owning, other]);
    expect(await removeDeadOwners(join(directory, "missing"), here, Date.now())).toBe(0);
  });
});

describe("three processes that look for orphans", () => {
  const ROUNDS = 20;

  const untilExists = async (path: string): Promise<string> => {
    while (!existsSync(path)) await new Promise((resolve) => setTimeout(resolve, 1));
    return readFileSync(path, "utf8");
  };

  it("share them: each orphan goes to one, and none is taken from the living", async () => {
    const [directory, control] = [makeDirectory(), makeDirectory()];
    const { ownerId: living } = open(directory);
    const kept = makeWriter(directory, { writerId: living });
    const ids = [newId(), newId(), newId()];
    const children = ids.map((id) =>
      startFixture("spool/race", {
        DIRECTORY: directory,
        CONTROL: control,
        OWNER_ID: id,
        ROUNDS: String(ROUNDS),
      }),
    );
    onTestFinished(() => {
      for (const { child } of children) child.kill("SIGKILL");
    });
    const answers = async (name: string): Promise<unknown[]> =>
      (await Promise.all(ids.map((id) => untilExists(join(control, `${name}.${id}`))))).map(
        (text) => JSON.parse(text),
      );

    await answers("open");
    const orphanIds: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const { writerId } = makeWriter(directory);
      orphanIds.push(writerId);
      writeFileSync(join(control, `look-${round}`), "");
      // What was claimed in earlier rounds belongs to the living, so nobody sees it.
      expect(await answers(`seen-${round}`)).toEqual([[writerId], [writerId], [writerId]]);
      writeFileSync(join(control, `claim-${round}`), "");
      const wins = (await answers(`done-${round}`)).flat();
      expect(wins.filter((won) => won === true)).toHaveLength(1);
      expect(wins).toHaveLength(3);
    }

    for (const { child } of children) child.kill("SIGKILL");
    await Promise.all(children.map(({ result }) => result));
    const { orphans, skipped } = await findOrphans(directory, adopter);
    expect(orphans.map(({ writerId }) => writerId)).toEqual(orphanIds);
    expect(orphans.every((orphan) => ids.includes(orphan.ownerId))).toBe(true);
    expect(skipped).toEqual([{ entry: kept, reason: "alive" }]);
  });
});
