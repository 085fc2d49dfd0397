import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "../../src/platform/store/open-database.ts";
import {
  addPending,
  addSession,
  findSession,
  noteUse,
  removeSession,
  takePending,
} from "../../src/platform/store/sign-in-store.ts";
import { openStore, type Store } from "../../src/platform/store/store.ts";
import { createTurns } from "../../src/platform/turns.ts";
import { systemClock } from "../../src/util/clock.ts";
import { openDatabase as openOnServer } from "./postgres/open-database.ts";
import { ON_POSTGRES } from "./stored-database.ts";

const LIMITS = { count: 3, millis: 100, idleMillis: 40 };
const PENDING = {
  state: "state",
  nonce: "nonce",
  codeVerifier: "verifier",
  redirectUrl: "http://localhost/login/callback",
};

let store: Store;
beforeEach(async () => {
  const database = await (ON_POSTGRES ? openOnServer : openDatabase)(":memory:");
  store = await openStore(database, createTurns(), systemClock);
});
afterEach(() => store.close());

const begin = (digest: string, now: number): Promise<void> =>
  store.write((transaction) => addPending(transaction, digest, PENDING, { ...LIMITS, now }));
const take = (digest: string, now: number) =>
  store.write((transaction) => takePending(transaction, digest, now));
const sort = async (rows: Promise<{ digest: string }[]> | { digest: string }[]) =>
  (await rows).map(({ digest }) => digest).toSorted();
const listPending = () =>
  sort(store.database.all<{ digest: string }>("SELECT digest FROM pending_sign_in", []));

describe("a sign-in that has begun", () => {
  it("is taken once, before its end", async () => {
    await begin("one", 0);
    await begin("other", 0);
    expect(await take("one", 99)).toMatchObject(PENDING);
    expect(await take("one", 99)).toBeUndefined();
    expect(await take("other", 100)).toBeUndefined();
    expect(await take("unknown", 0)).toBeUndefined();
    expect(await listPending()).toEqual([]);
  });

  it("gives way to newer ones where there are too many, also of one moment", async () => {
    for (const [index, digest] of ["d", "c", "b", "a"].entries()) await begin(digest, index);
    expect(await listPending()).toEqual(["a", "b", "c"]);
    for (const digest of ["e", "f", "g", "h"]) await begin(digest, 3);
    expect(await listPending()).toContain("h");
    expect(await listPending()).toHaveLength(3);
  });

  it("is removed once it has ended and another one begins", async () => {
    await begin("one", 0);
    await begin("other", 100);
    expect(await listPending()).toEqual(["other"]);
  });
});

describe("a session", () => {
  const start = (digest: string, usedAt: number): Promise<void> =>
    store.write((transaction) => {
      const row = { digest, actor: "anna", role: "reviewer", mac: "mac", usedAt };
      return addSession(transaction, { ...row, endsAt: usedAt + LIMITS.millis }, LIMITS);
    });
  const list = () => sort(store.database.all<{ digest: string }>("SELECT digest FROM session", []));

  it("makes room: for those that have ended, were not used, or are too many", async () => {
    for (const [index, digest] of ["a", "b", "c", "d"].entries()) await start(digest, index);
    expect(await list()).toEqual(["b", "c", "d"]);
    await store.write((transaction) => noteUse(transaction, { digest: "c", usedAt: 39 }));
    await start("e", 43);
    expect(await list()).toEqual(["c", "e"]);
    await store.write((transaction) => noteUse(transaction, { digest: "c", usedAt: 101 }));
    await start("f", 102);
    expect(await list()).toEqual(["f"]);
  });

  it("is known to have been used last when it was", async () => {
    await start("a", 10);
    for (const usedAt of [30, 20])
      await store.write((transaction) => noteUse(transaction, { digest: "a", usedAt }));
    expect(await store.read(findSession(store.database, "a"))).toMatchObject({
      usedAt: 30,
      endsAt: 110,
    });
  });

  it("is removed by one", async () => {
    await start("a", 0);
    const remove = () => store.write((transaction) => removeSession(transaction, "a"));
    expect(await Promise.all([remove(), remove()])).toEqual([true, false]);
  });
});
