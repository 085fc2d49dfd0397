import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openOwner } from "../../src/delivery/spool/owner.ts";
import { createTestPath } from "../helpers/exporter.ts";
import { here, makeDirectory, newId } from "../helpers/spool.ts";
import { leftovers } from "../helpers/spool-life.ts";
import {
  bury,
  copySpool,
  deliver,
  listLetters,
  listWriterNames,
  SPOOL_KEY,
} from "../helpers/spools.ts";
import { runCommand, type Finished } from "../helpers/command.ts";

const redrive = (...args: readonly string[]): Promise<Finished> =>
  runCommand(["spool", "redrive", ...args]);

const SENT = "the next monitor that looks takes them, a running one within 30 s";

it("needs to be told which letters", async () => {
  const directory = makeDirectory();
  const [nothing, age] = await Promise.all([
    redrive(directory),
    redrive(directory, "--older-than", "1 h"),
  ]);
  expect(nothing).toMatchObject({ code: 2 });
  expect(nothing.err).toMatch(/needs --reason, --event, --older-than, --all or --to-file/);
  expect(age.err).toMatch(/--older-than must be a whole number/);
});

it("sends dead letters again, and leaves nothing behind", async () => {
  const directory = makeDirectory();
  const ids = await bury(directory, ["too_old", "bad_agent"]);
  const dry = await redrive(directory, "--all", "--dry-run");
  expect(dry).toMatchObject({ code: 0, out: "2 dead letters would be sent again\n" });
  const asJson = await redrive(directory, "--all", "--dry-run", "--json");
  expect(JSON.parse(asJson.out)).toEqual({ deadLetters: 2, dryRun: true });
  expect(listLetters(directory)).toHaveLength(2);
  expect(await redrive(directory, "--all")).toMatchObject({
    code: 0,
    out: `2 dead letters to be sent again: ${SENT}\n`,
  });
  expect(listLetters(directory)).toEqual([]);
  const [writerId = ""] = listWriterNames(directory);
  const { out } = await runCommand(["spool", "ls", directory]);
  expect(out).toMatch(new RegExp(`\\n${writerId} +dead +bank +2 `));

  const events = await deliver(directory);
  expect(events.map(({ eventId }) => eventId)).toEqual(ids);
  expect(events).toMatchObject([
    { content: "poison too_old", writerId, sequence: 1 },
    { content: "poison bad_agent", writerId, sequence: 2 },
  ]);
  expect(leftovers(directory)).toEqual([]);
  expect(listLetters(directory)).toEqual([]);
});

it("sends those that are wanted only", async () => {
  const directory = makeDirectory();
  const ids = await bury(directory, ["too_old", "bad_agent", "too_old", "bad_agent"]);
  expect(
    (await redrive(directory, "--reason", "too_old", "--event", ids[2]!, "--event", ids[3]!)).out,
  ).toMatch(/^1 dead letter to/);
  expect((await redrive(directory, "--older-than", "3600000")).out).toBe(
    "0 dead letters to be sent again\n",
  );
  expect(listLetters(directory)).toHaveLength(3);
  expect((await redrive(directory, "--older-than", "0")).out).toMatch(/^3 dead letters to/);
  const delivered = await deliver(directory);
  expect(new Set(delivered.map(({ eventId }) => eventId))).toEqual(new Set(ids));
});

it("is noticed by a monitor that runs", async () => {
  const directory = makeDirectory();
  const ids = await bury(directory, ["too_old"]);
  const spool = {
    spoolDirectory: directory,
    durability: "process",
    maxSpoolBytes: 2 ** 30,
    maxSpoolAge: 7 * 86_400_000,
  } as const;
  const { path, transport, clock } = createTestPath({ spool });
  await path.flush();
  await redrive(directory, "--all");
  await clock.advance(30_000);
  await expect.poll(async () => (await clock.advance(1000), transport.accepted)).toEqual(ids);
  await path.shutdown(1000);
  expect(leftovers(directory)).toEqual([]);
  expect(listLetters(directory)).toEqual([]);
});

it("keeps organizations apart", async () => {
  const directory = makeDirectory();
  const [ours = ""] = await bury(directory, ["too_old"]);
  const [theirs = ""] = await bury(directory, ["too_old"], { organizationId: "other" });
  expect((await redrive(directory, "--all")).out).toMatch(/^2 dead letters/);
  expect((await deliver(directory)).map(({ eventId }) => eventId)).toEqual([ours]);
  const other = await deliver(directory, { organizationId: "other" });
  expect(other.map(({ eventId }) => eventId)).toEqual([theirs]);
});

it("keeps encrypted letters encrypted", async () => {
  const directory = makeDirectory();
  const ids = await bury(directory, ["too_old"], { spoolKey: SPOOL_KEY });
  const locked = await redrive(directory, "--all");
  expect(locked).toMatchObject({ code: 3, out: "0 dead letters to be sent again\n" });
  expect(locked.err).toMatch(/1 dead letter can't be decrypted/);
  const key = join(makeDirectory(), "key");
  writeFileSync(key, SPOOL_KEY);
  expect(await redrive(directory, "--all", "--key-file", key)).toMatchObject({ code: 0 });
  const [writer = ""] = listWriterNames(directory);
  for (const name of readdirSync(join(directory, writer)))
    expect(readFileSync(join(directory, writer, name), "latin1")).not.toContain("poison");
  const delivered = await deliver(directory, { spoolKey: SPOOL_KEY });
  expect(delivered.map(({ eventId }) => eventId)).toEqual(ids);
});

it("leaves what it can't read", async () => {
  const directory = makeDirectory();
  await bury(directory, ["too_old", "too_old"]);
  const [name = ""] = listLetters(directory);
  writeFileSync(join(directory, "dead", name), "nothing");
  const { code, err, out } = await redrive(directory, "--all");
  expect({ code, err }).toEqual({ code: 3, err: "agent-monitor: 1 dead letter damaged\n" });
  expect(out).toMatch(/^1 dead letter to/);
  expect(listLetters(directory)).toEqual([name]);
});

it.runIf(process.geteuid?.() === 0)("gives what root makes to the owner of the spool", async () => {
  const directory = makeDirectory();
  await bury(directory, ["too_old"]);
  chownSync(directory, 65_534, 65_534);
  await redrive(directory, "--all");
  const [writer = ""] = listWriterNames(directory);
  const paths = readdirSync(join(directory, writer)).map((name) => join(directory, writer, name));
  for (const path of [join(directory, writer), ...paths]) expect(statSync(path).uid).toBe(65_534);
});

it("does nothing beside another redrive, and removes what one has left that was killed", async () => {
  const directory = makeDirectory();
  await bury(directory, ["too_old"]);
  const ownerId = newId();
  const staging = join(directory, `.redrive-${ownerId}-${newId()}`);
  mkdirSync(staging);
  const owner = openOwner(directory, ownerId, here);
  const refused = await redrive(directory, "--all");
  expect(refused).toMatchObject({
    code: 1,
    err: "agent-monitor: another redrive is under way in this directory\n",
  });
  expect((await runCommand(["spool", "ls", directory])).out).toMatch(
    /redrive: 1 directory unfinished/,
  );
  if ("close" in owner) owner.close();
  expect(await redrive(directory, "--all")).toMatchObject({ code: 0 });
  expect(existsSync(staging)).toBe(false);
});

/** Runs a redrive that is killed before its n-th change; 0 kills nobody. */
async function redriveUntil(directory: string, killAt: number): Promise<string> {
  const nodeArgs = ["--import", import.meta.resolve("../fixtures/spool/die-at.mjs")];
  const env = { ...process.env, DIRECTORY: directory, KILL_AT: String(killAt) };
  const { err } = await runCommand(["spool", "redrive", directory, "--all"], { env, nodeArgs });
  return err;
}

it("loses nothing wherever it is killed", { timeout: 120_000 }, async () => {
  const directory = makeDirectory();
  const ids = await bury(directory, ["too_old", "too_old"]);
  const changes = Number(/changes: (\d+)/.exec(await redriveUntil(copySpool(directory), 0))?.[1]);
  expect(changes).toBeGreaterThan(10);
  const killAndDeliver = async (killAt: number): Promise<void> => {
    const copy = copySpool(directory);
    expect(await redriveUntil(copy, killAt)).toBe("");
    const delivered = (await deliver(copy)).map(({ eventId }) => eventId as string);
    // Not in part: either the letters are there still, or what was made of them is complete.
    expect([0, 2]).toContain(delivered.length);
    const letters = listLetters(copy).map((name) => readFileSync(join(copy, "dead", name), "utf8"));
    const kept = ids.filter((id) => letters.some((text) => text.includes(id)));
    expect(new Set([...delivered, ...kept]), `killed before change ${killAt}`).toEqual(
      new Set(ids),
    );
    expect(listWriterNames(copy).filter((name) => !name.startsWith(".redrive-"))).toEqual([]);
  };
  for (let killAt = 1; killAt <= changes; killAt += 2)
    await Promise.all([killAndDeliver(killAt), killAt < changes && killAndDeliver(killAt + 1)]);
});
