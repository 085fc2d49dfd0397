import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createConnection, Socket } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Failure } from "../../../src/delivery/spool/file-system.ts";
import {
  openOwner,
  ownerSocketPath,
  probeOwner,
  readOwnerRecord,
  type Owner,
} from "../../../src/delivery/spool/owner.ts";
import { systemClock } from "../../../src/util/clock.ts";
import { startFixture } from "../../helpers/child.ts";
import { createFakeClock } from "../../helpers/clock.ts";
import {
  elsewhere,
  here,
  leaveOwner,
  makeDirectory,
  newId,
  withoutRights,
} from "../../helpers/spool.ts";

function open(directory: string, ownerId = newId(), machine = here): Owner {
  const owner: Owner | Failure = openOwner(directory, ownerId, machine);
  if ("code" in owner) throw new Error(owner.code);
  onTestFinished(() => owner.close());
  return owner;
}

/** Starts a process that opens an owner, and waits until it has. */
async function startOwner(env: {
  DIRECTORY: string;
  OWNER_ID: string;
  MODE: string;
  FORKED_ID?: string;
}) {
  const { child, result } = startFixture("spool/owner", env);
  onTestFinished(() => void child.kill("SIGKILL"));
  await Promise.race([
    once(child.stdout!, "data"),
    result.then(({ stderr }) => expect(stderr).toBe("")),
  ]);
  return { child, result };
}

function makeLongDirectory(): string {
  const directory = join(makeDirectory(), "d".repeat(210));
  mkdirSync(directory);
  return directory;
}

function changeRecord(directory: string, ownerId: string, change: Record<string, unknown>): void {
  const path = join(directory, `${ownerId}.owner.json`);
  const record = JSON.parse(readFileSync(path, "utf8").split("\n", 1)[0] ?? "") as object;
  writeFileSync(path, JSON.stringify({ ...record, ...change }));
}

describe("openOwner", () => {
  it("leaves a record and a socket for its owner alone, and takes both along", () => {
    const directory = makeDirectory();
    const owner = open(directory);
    const names = [`${owner.ownerId}.owner.json`, `${owner.ownerId}.sock`];
    expect(readdirSync(directory).toSorted()).toEqual(names);
    for (const name of names) expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
    expect(readOwnerRecord(directory, owner.ownerId)).toMatchObject({
      status: "valid",
      record: { ...here, ownerId: owner.ownerId, pid: process.pid, threadId: 0, socket: true },
    });
    owner.close();
    expect(readdirSync(directory)).toEqual([]);
  });

  it("says why it can't be", async () => {
    const directory = makeDirectory();
    const file = join(directory, "file");
    writeFileSync(file, "");
    expect(openOwner(join(directory, "missing"), newId(), here)).toEqual({
      status: "failed",
      code: "ENOENT",
    });
    expect(openOwner(file, newId(), here)).toEqual({ status: "failed", code: "ENOTDIR" });
    const closed = await withoutRights([directory], () => openOwner(directory, newId(), here));
    expect(closed).toEqual({ status: "failed", code: "EACCES" });
    const blockedId = newId();
    mkdirSync(join(directory, `${blockedId}.owner.json`));
    expect(openOwner(directory, blockedId, here)).toMatchObject({ status: "failed" });
    expect(readdirSync(directory).toSorted()).toEqual(
      [`${blockedId}.owner.json`, "file"].toSorted(),
    );
  });

  it("finds room for its socket under a path of any length", async () => {
    const directory = makeLongDirectory();
    const owner = open(directory);
    expect(readdirSync(directory)).toEqual([
      `${owner.ownerId}.owner.json`,
      `${owner.ownerId}.sock`,
    ]);
    // A path that was cut would be a socket in the directory above.
    expect(readdirSync(join(directory, ".."))).toHaveLength(1);
    expect(await probeOwner(directory, owner.ownerId, here)).toBe("alive");
    owner.close();
    expect(await probeOwner(directory, owner.ownerId, here)).toBe("dead");
    expect(readdirSync(directory)).toEqual([]);
  });
});

describe("probeOwner", () => {
  it("sees an owner until it is closed", async () => {
    const directory = makeDirectory();
    const owner = open(directory);
    expect(await probeOwner(directory, owner.ownerId, here)).toBe("alive");
    owner.close();
    expect(await probeOwner(directory, owner.ownerId, here)).toBe("dead");
  });

  it.each([
    ["short", makeDirectory],
    ["long", makeLongDirectory],
  ])(
    "sees a process alive while it is stopped, dead once it is killed; %s path",
    async (_, make) => {
      const directory = make();
      const id = newId();
      const { child, result } = await startOwner({
        DIRECTORY: directory,
        OWNER_ID: id,
        MODE: "hold",
      });
      expect(await probeOwner(directory, id, here)).toBe("alive");
      child.kill("SIGSTOP");
      expect(await probeOwner(directory, id, here)).toBe("alive");
      child.kill("SIGKILL");
      await result;
      expect(await probeOwner(directory, id, here)).toBe("dead");
    },
  );

  it("sees a process alive that does not answer, however many have asked", async () => {
    const directory = makeDirectory();
    const id = newId();
    await startOwner({ DIRECTORY: directory, OWNER_ID: id, MODE: "block" });
    expect(await probeOwner(directory, id, here)).toBe("alive");
    const ask = (): Promise<string> =>
      new Promise((resolve) => {
        const socket = createConnection(join(directory, `${id}.sock`), () => {
          socket.destroy();
          resolve("connected");
        });
        socket.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? ""));
      });
    let answer = await ask();
    while (answer === "connected") answer = await ask();
    expect(answer).toBe("EAGAIN");
    expect(await probeOwner(directory, id, here)).toBe("alive");
  });

  it("sees a thread dead while its process lives", async () => {
    const { child, result } = startFixture("spool/worker", { DIRECTORY: makeDirectory() });
    onTestFinished(() => void child.kill("SIGKILL"));
    const { stdout, stderr } = await result;
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual({
      hasSocket: true,
      before: "alive",
      terminated: "dead",
      ended: "dead",
      main: "alive",
    });
  });

  it("sees a worker of a cluster dead while its primary lives", async () => {
    const { child, result } = startFixture("spool/cluster", { DIRECTORY: makeDirectory() });
    onTestFinished(() => void child.kill("SIGKILL"));
    const { stdout, stderr } = await result;
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual({
      hasSocket: true,
      before: "alive",
      worker: "dead",
      primary: "alive",
    });
  });

  it("sees a process dead while a child it has forked lives", async () => {
    const directory = makeDirectory();
    const [id, forkedId] = [newId(), newId()];
    const env = { DIRECTORY: directory, OWNER_ID: id, FORKED_ID: forkedId, MODE: "fork" };
    const { child, result } = await startOwner(env);
    const forked = readOwnerRecord(directory, forkedId);
    const forkedPid = forked.status === "valid" ? forked.record.pid : 0;
    onTestFinished(() => void (forkedPid > 0 && process.kill(forkedPid, "SIGKILL")));
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(await probeOwner(directory, id, here)).toBe("dead");
    expect(await probeOwner(directory, forkedId, here)).toBe("alive");
    process.kill(forkedPid, "SIGKILL");
    await result;
  });

  it("does not keep the process alive", async () => {
    const directory = makeDirectory();
    const id = newId();
    const { result } = await startOwner({ DIRECTORY: directory, OWNER_ID: id, MODE: "end" });
    expect(await result).toEqual({ code: 0, signal: null, stdout: "open\n", stderr: "" });
    expect(await probeOwner(directory, id, here)).toBe("dead");
  });

  it("sees nobody where nothing is, or nothing but a socket that is none", async () => {
    const directory = makeDirectory();
    const id = newId();
    expect(await probeOwner(directory, id, here)).toBe("dead");
    expect(await probeOwner(join(directory, "missing"), id, here)).toBe("dead");
    mkdirSync(join(directory, `${id}.sock`));
    expect(await probeOwner(directory, id, here)).toBe("dead");
    expect(await probeOwner(makeLongDirectory(), id, here)).toBe("dead");
  });

  it("sees an owner that has lost its record", async () => {
    const directory = makeDirectory();
    const owner = open(directory);
    rmSync(join(directory, `${owner.ownerId}.owner.json`));
    expect(await probeOwner(directory, owner.ownerId, here)).toBe("alive");
  });

  it("sees an owner alive whom it may not ask", async () => {
    const directory = makeDirectory();
    const { ownerId } = open(directory);
    const paths = readdirSync(directory).map((name) => join(directory, name));
    // The directory is open, so that the files are what is refused.
    chmodSync(directory, 0o755);
    expect(await withoutRights(paths, () => probeOwner(directory, ownerId, here))).toBe("alive");
  });

  it("is not misled by a process that has got the number of a dead one", async () => {
    const directory = makeDirectory();
    const id = newId();
    leaveOwner(directory, id);
    expect(await probeOwner(directory, id, here)).toBe("dead");
  });

  it("waits a second for an answer, and takes none for a yes", async () => {
    const directory = makeDirectory();
    const id = newId();
    leaveOwner(directory, id);
    const clock = createFakeClock();
    const connect = (): Socket => new Socket();
    const state = probeOwner(directory, id, here, { connect, clock });
    await clock.advance(1000);
    expect(await state).toBe("alive");
    expect(clock.pending).toBe(0);
    const fail = (): Socket => {
      throw Object.assign(new Error("too many"), { code: "EMFILE" });
    };
    expect(await probeOwner(directory, id, here, { connect: fail })).toBe("alive");
  });

  it("sees an owner dead whose answer and deadline a busy process finds together", async () => {
    const directory = makeDirectory();
    const id = newId();
    leaveOwner(directory, id);
    const path = ownerSocketPath(directory, id);
    const soon = (run: () => void): (() => void) => systemClock.schedule(run, 1);
    const clock = { ...systemClock, schedule: soon };
    const connect = (): Socket => {
      const socket = createConnection(path);
      const until = performance.now() + 20;
      while (performance.now() < until);
      return socket;
    };
    expect(await probeOwner(directory, id, here, { connect, clock })).toBe("dead");
  });
});

describe("probeOwner across machines", () => {
  const noBoot = { ...here, bootId: undefined };
  it.each([
    ["another machine", elsewhere, here, "elsewhere"],
    ["this machine before it was started anew", { ...here, bootId: "before" }, here, "dead"],
    ["another container of this kernel", { ...here, machineId: "other" }, here, "dead"],
    ["this machine, where boots have no id", noBoot, noBoot, "dead"],
    [
      "another machine, where boots have no id",
      { ...noBoot, machineId: "other" },
      noBoot,
      "elsewhere",
    ],
    [
      "this machine, where the boot could not be read",
      noBoot,
      { ...here, bootId: "now" },
      "unknown",
    ],
  ])("of %s", async (_, machine, own, state) => {
    const directory = makeDirectory();
    const id = newId();
    leaveOwner(directory, id, machine);
    expect(await probeOwner(directory, id, own)).toBe(state);
  });

  it.each([
    ["another container of this kernel", { ...here, machineId: "other" }, here],
    ["this machine, where boots have no id", noBoot, noBoot],
    ["this machine, where the boot could not be read", noBoot, { ...here, bootId: "now" }],
  ])("sees an owner of %s", async (_, machine, own) => {
    const directory = makeDirectory();
    const { ownerId } = open(directory, newId(), machine);
    expect(await probeOwner(directory, ownerId, own)).toBe("alive");
  });
});

describe("probeOwner with a strange record", () => {
  const replaceBy = (make: (path: string) => void) => (directory: string, id: string) => {
    const path = join(directory, `${id}.owner.json`);
    rmSync(path);
    make(path);
  };
  const linkToCopy = (directory: string, id: string): void => {
    const path = join(directory, `${id}.owner.json`);
    renameSync(path, `${path}.good`);
    symlinkSync(`${path}.good`, path);
  };
  const changed = (change: Record<string, unknown>) => (directory: string, id: string) =>
    changeRecord(directory, id, change);

  it.each([
    ["of a later version", changed({ format: 2, pid: "later" })],
    ["of no version", changed({ format: "1" })],
    ["of another owner", changed({ ownerId: newId() })],
    ["without a machine", changed({ machineId: undefined })],
    ["with a boot that is none", changed({ bootId: 7 })],
    ["with a process that is none", changed({ pid: 0 })],
    ["with a thread that is none", changed({ threadId: -1 })],
    ["with a socket that is none", changed({ socket: "yes" })],
    ["with a namespace that is none", changed({ pidNamespace: 1 })],
    ["of a list", replaceBy((path) => writeFileSync(path, "[1]"))],
    ["of nothing", replaceBy((path) => writeFileSync(path, ""))],
    ["cut short", replaceBy((path) => writeFileSync(path, '{"format":1,"own'))],
    [
      "too large",
      replaceBy((path) => writeFileSync(path, `{"format":1,"x":"${"x".repeat(70_000)}"}`)),
    ],
    ["that is a directory", replaceBy((path) => mkdirSync(path))],
    ["that is a link to a device", replaceBy((path) => symlinkSync("/dev/zero", path))],
    ["that is a link to a good one", linkToCopy],
    [
      "that is a pipe nobody writes to",
      replaceBy((path) => void execFileSync("sh", ["-c", 'mkfifo "$0"', path])),
    ],
  ])("%s: leaves it alone, unless its socket lives", async (_, spoil) => {
    const directory = makeDirectory();
    const id = newId();
    leaveOwner(directory, id);
    spoil(directory, id);
    expect(await probeOwner(directory, id, here)).toBe("unknown");
    const live = open(directory);
    spoil(directory, live.ownerId);
    expect(await probeOwner(directory, live.ownerId, here)).toBe("alive");
    rmSync(join(directory, `${live.ownerId}.owner.json`), { recursive: true });
  });
});

describe("an owner without a socket", () => {
  /** Where the socket should be there is a directory. */
  function openWithoutSocket(): { directory: string; owner: Owner } {
    const directory = makeDirectory();
    const id = newId();
    mkdirSync(join(directory, `${id}.sock`));
    const owner = open(directory, id);
    expect(readOwnerRecord(directory, id)).toMatchObject({ record: { socket: false } });
    return { directory, owner };
  }

  it("lives as long as its process", async () => {
    const { directory, owner } = openWithoutSocket();
    expect(await probeOwner(directory, owner.ownerId, here)).toBe("alive");
    // As the first process it lives, and is another one.
    changeRecord(directory, owner.ownerId, { pid: 1 });
    expect(await probeOwner(directory, owner.ownerId, here)).toBe("dead");
    changeRecord(directory, owner.ownerId, { pid: process.pid, startTicks: "1" });
    expect(await probeOwner(directory, owner.ownerId, here)).toBe("dead");
    // No kernel gives a number as large.
    changeRecord(directory, owner.ownerId, { pid: 2 ** 30 });
    expect(await probeOwner(directory, owner.ownerId, here)).toBe("dead");
  });

  it("lives as long as its number where starts can't be read", async () => {
    const { directory, owner } = openWithoutSocket();
    changeRecord(directory, owner.ownerId, { startTicks: undefined });
    expect(await probeOwner(directory, owner.ownerId, here)).toBe("alive");
    changeRecord(directory, owner.ownerId, { pid: 2 ** 30 });
    expect(await probeOwner(directory, owner.ownerId, here)).toBe("dead");
  });

  it("lives as long as its number where it belongs to somebody else", async () => {
    const { directory, owner } = openWithoutSocket();
    // The first process is root's, from whom nothing is hidden.
    const isRoot = process.geteuid?.() === 0;
    const foreign = isRoot ? spawn("sleep", ["60"], { uid: 1, stdio: "ignore" }) : undefined;
    onTestFinished(() => void foreign?.kill("SIGKILL"));
    changeRecord(directory, owner.ownerId, { startTicks: undefined, pid: foreign?.pid ?? 1 });
    chmodSync(directory, 0o755);
    chmodSync(join(directory, `${owner.ownerId}.owner.json`), 0o644);
    const state = withoutRights([], () => probeOwner(directory, owner.ownerId, here));
    expect(await state).toBe("alive");
  });

  it("is unknown where its number means another process", async () => {
    const { directory, owner } = openWithoutSocket();
    changeRecord(directory, owner.ownerId, { pidNamespace: "pid:[1]" });
    expect(await probeOwner(directory, owner.ownerId, here)).toBe("unknown");
  });
});
