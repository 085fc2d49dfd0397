import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startPlatform, type Platform, type PlatformOptions } from "../../src/platform/index.ts";
import { systemClock } from "../../src/util/clock.ts";
import { type JsonObject, toAnswer } from "./helpers.ts";
import {
  CLIENT,
  createBrowser,
  startIdentityProvider,
  type IdentityProvider,
} from "./identity-provider.ts";
import { openStored } from "./stored-database.ts";

const HOUR = 3_600_000;
const ADMIN_KEY = "the-key-of-the-admin-01";
const USERS = [{ name: "root", role: "admin", key: ADMIN_KEY }] as const;
const SESSION = "agent-monitor-session";

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}

let provider: IdentityProvider;
let port: number;
let platform: Platform;
let late: number;
let browser: ReturnType<typeof createBrowser>;

const toOidc = () =>
  ({
    issuer: provider.issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    roles: { reviewers: "reviewer", supervisors: "supervisor" },
  }) as const;
const open = (options: PlatformOptions = {}): Promise<Platform> =>
  startPlatform({
    port,
    users: USERS,
    clock: { ...systemClock, now: () => Date.now() + late },
    oidc: toOidc(),
    ...options,
  });

beforeAll(async () => {
  port = await findFreePort();
  provider = await startIdentityProvider([`http://127.0.0.1:${port}/login/callback`]);
});
afterAll(() => provider.close());
beforeEach(async () => {
  late = 0;
  provider.tamper = undefined;
  provider.hasStrangeKey = false;
  browser = createBrowser();
  platform = await open();
});
afterEach(() => platform.close());

const post = async (path: string, headers: Record<string, string> = {}, body = "{}") =>
  browser.send(platform.url + path, {
    method: "POST",
    headers: { origin: platform.url, "content-type": "application/json", ...headers },
    body,
  });

/** Begins a sign-in, and returns the address with which the provider sends the browser back. */
async function begin(name: string): Promise<string> {
  const { url } = (await (await post("/api/login/start")).json()) as { url: string };
  return browser.signIn(url, name, provider.issuer);
}

const signIn = async (name: string) => toAnswer(await browser.send(await begin(name)));
const ask = async (path: string) => toAnswer(await browser.send(platform.url + path));

async function readTrail(): Promise<JsonObject[]> {
  const headers = { authorization: `Bearer ${ADMIN_KEY}` };
  const answer = await toAnswer(await fetch(`${platform.url}/api/audit`, { headers }));
  return answer.body["records"] as JsonObject[];
}

describe("signing in", () => {
  it("gives the role of the highest group, in a session that scripts can't read", async () => {
    expect((await ask("/api/login")).body).toEqual({ oidc: true });
    expect((await ask("/api/me")).status).toBe(401);
    const response = await browser.send(await begin("cara"));
    expect({ status: response.status, to: response.headers.get("location") }).toEqual({
      status: 303,
      to: "/",
    });
    const [cookie = ""] = response.headers.getSetCookie();
    expect(cookie).toMatch(
      /^agent-monitor-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=28800$/,
    );
    expect((await ask("/api/me")).body).toMatchObject({
      name: "cara",
      role: "supervisor",
      isSignedIn: true,
    });
    expect(await readTrail()).toMatchObject([
      { action: "sign_in.begin", actor: "cara", role: "supervisor" },
    ]);
  });

  it("refuses who has no group with a role, and writes it down", async () => {
    expect(await signIn("otto")).toMatchObject({
      status: 403,
      body: { code: "forbidden", detail: "none of your groups has a role on this platform" },
    });
    expect((await ask("/api/me")).status).toBe(401);
    expect(await readTrail()).toMatchObject([
      { action: "sign_in.refused", actor: "otto", role: "none" },
    ]);
  });

  it("ends at sign-out, after an hour without a request, and after eight hours", async () => {
    await signIn("anna");
    expect((await post("/api/logout")).status).toBe(200);
    expect((await ask("/api/me")).status).toBe(401);
    expect((await readTrail())[0]).toMatchObject({ action: "sign_in.end", actor: "anna" });
    await signIn("anna");
    late += HOUR - 60_000;
    expect((await ask("/api/me")).status).toBe(200);
    late += HOUR;
    expect((await ask("/api/me")).status).toBe(401);
    late = 0;
    browser = createBrowser();
    await signIn("anna");
    const statuses: number[] = [];
    for (let halves = 0; halves < 17; halves++) {
      late += HOUR / 2;
      statuses.push((await ask("/api/me")).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 15 }, () => 200), 401, 401]);
  });

  it("does not take the cookie of somebody who has signed out", async () => {
    await signIn("anna");
    const stolen = browser.cookiesOf(platform.url).get(SESSION) ?? "";
    await post("/api/logout");
    const headers = { cookie: `${SESSION}=${stolen}` };
    expect((await fetch(`${platform.url}/api/me`, { headers })).status).toBe(401);
  });
});

describe("what is wrong with an answer of the provider", () => {
  it.each<[string, () => void]>([
    [
      "another audience",
      () => (provider.tamper = (claims) => ({ ...claims, aud: "another-client" })),
    ],
    [
      "another issuer",
      () => (provider.tamper = (claims) => ({ ...claims, iss: "https://evil.example" })),
    ],
    ["another nonce", () => (provider.tamper = (claims) => ({ ...claims, nonce: "another" }))],
    ["a token that has ended", () => (provider.tamper = (claims) => ({ ...claims, exp: 1 }))],
    ["a key that is not the provider's", () => (provider.hasStrangeKey = true)],
  ])("is refused: %s", async (_name, change) => {
    const url = await begin("anna");
    change();
    expect(await toAnswer(await browser.send(url))).toMatchObject({
      status: 401,
      body: { code: "unauthorized", detail: "the identity provider's answer is not accepted" },
    });
    expect(browser.cookiesOf(platform.url).has(SESSION)).toBe(false);
  });

  it("is refused with another state, the second time, and in another browser", async () => {
    const url = new URL(await begin("anna"));
    const stranger = createBrowser();
    expect((await stranger.send(url.href)).status).toBe(401);
    expect((await browser.send(url.href)).status).toBe(303);
    expect((await browser.send(url.href)).status).toBe(401);
    const again = new URL(await begin("anna"));
    again.searchParams.set("state", "another");
    expect((await browser.send(again.href)).status).toBe(401);
    // What began has ended with that, whatever comes later.
    again.searchParams.set("state", url.searchParams.get("state") ?? "");
    expect((await browser.send(again.href)).status).toBe(401);
  });
});

describe("a session", () => {
  it("changes something for the viewer's own requests only", async () => {
    await signIn("anna");
    const path = "/api/reviews/none/actions";
    const body = JSON.stringify({ action: "claim" });
    const withoutOrigin = { method: "POST", headers: { "content-type": "application/json" }, body };
    expect((await browser.send(platform.url + path, withoutOrigin)).status).toBe(403);
    expect((await post(path, { origin: "https://evil.example" }, body)).status).toBe(403);
    expect((await post(path, {}, body)).status).toBe(404);
    const headers = { "content-type": "application/json", "sec-fetch-site": "same-origin" };
    expect(
      (await browser.send(platform.url + path, { method: "POST", headers, body })).status,
    ).toBe(404);
  });

  it("gives way to a key", async () => {
    await signIn("anna");
    const headers = { authorization: `Bearer ${ADMIN_KEY}` };
    const answer = await toAnswer(await browser.send(`${platform.url}/api/me`, { headers }));
    expect(answer.body).toMatchObject({ name: "root", role: "admin" });
  });
});

describe("a platform that is started again", () => {
  const auditKey = "a secret of the audit trail that is long enough";
  let directory: string;
  let database: string;
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), "agent-monitor-"));
    database = join(directory, "platform.db");
    await restart();
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  /** Starts the platform anew, when something was done to its database meanwhile. */
  async function restart(options: PlatformOptions = {}, change?: string): Promise<void> {
    await platform.close();
    if (change !== undefined) {
      const stored = await openStored(database);
      expect(await stored.run(change)).toBe(1);
      await stored.close();
    }
    platform = await open({ database, auditKey, ...options });
  }

  async function readStored<Row>(sql: string): Promise<Row[]> {
    await platform.close();
    const stored = await openStored(database);
    const rows = await stored.all<Row>(sql);
    await stored.close();
    platform = await open({ database, auditKey });
    return rows;
  }

  it("knows who has signed in, and ends a sign-in that had begun", async () => {
    const url = await begin("anna");
    await restart();
    expect((await browser.send(url)).status).toBe(303);
    await restart();
    expect((await ask("/api/me")).body).toMatchObject({ name: "anna", role: "reviewer" });
    late += HOUR - 60_000;
    expect((await ask("/api/me")).status).toBe(200);
    await restart();
    late += HOUR - 60_000;
    expect((await ask("/api/me")).status).toBe(200);
    late += HOUR;
    expect((await ask("/api/me")).status).toBe(401);
  });

  it("does not end a sign-in that has begun more than ten minutes ago", async () => {
    const url = await begin("anna");
    late += 600_000;
    expect((await browser.send(url)).status).toBe(401);
  });

  it("keeps nothing with which a reader of its database could sign in", async () => {
    const url = await begin("anna");
    const key = browser.cookiesOf(platform.url).get("agent-monitor-login");
    const [pending] = await readStored<{ digest: string }>("SELECT * FROM pending_sign_in");
    expect(JSON.stringify(pending)).not.toContain(key);
    const stranger = { headers: { cookie: `agent-monitor-login=${pending?.digest}` } };
    expect((await fetch(url, { ...stranger, redirect: "manual" })).status).toBe(401);
    expect((await browser.send(url)).status).toBe(303);
    const [session] = await readStored<{ digest: string }>("SELECT * FROM session");
    expect(JSON.stringify(session)).not.toContain(browser.cookiesOf(platform.url).get(SESSION));
    const thief = { headers: { cookie: `${SESSION}=${session?.digest}` } };
    expect((await fetch(`${platform.url}/api/me`, thief)).status).toBe(401);
    expect((await ask("/api/me")).status).toBe(200);
  });

  it.each([
    ["another role", "UPDATE session SET role = 'admin'"],
    ["another name", "UPDATE session SET actor = 'cara'"],
    ["a later end", "UPDATE session SET ends_at = ends_at + 1"],
  ])(
    "takes no session that has %s by somebody who may write to the database",
    async (_, change) => {
      await signIn("anna");
      await restart({}, change);
      expect((await ask("/api/me")).status).toBe(401);
    },
  );

  it.each([
    ["other roles", () => ({ oidc: { ...toOidc(), roles: { reviewers: "viewer" } } })],
    ["another provider", () => ({ oidc: { ...toOidc(), issuer: "https://idp.bank.example" } })],
    ["no provider", () => ({ oidc: undefined })],
    ["another audit key", () => ({ auditKey: `another ${auditKey}` })],
  ] as const)("with %s has ended all sessions", async (_name, change) => {
    await signIn("anna");
    await restart(change() as PlatformOptions);
    expect((await ask("/api/me")).status).toBe(401);
  });

  it("notes the use of a session once a minute", async () => {
    const read = async () =>
      (await readStored<{ at: number }>("SELECT used_at AS at FROM session"))[0]?.at;
    await signIn("anna");
    const began = await read();
    late += 50_000;
    for (let count = 0; count < 3; count++) expect((await ask("/api/me")).status).toBe(200);
    expect(await read()).toBe(began);
    late += 10_000;
    for (let count = 0; count < 3; count++) expect((await ask("/api/me")).status).toBe(200);
    expect(await read()).toBeGreaterThanOrEqual((began ?? 0) + 60_000);
  });
});

it("starts without the provider, and finds it when somebody signs in", async () => {
  await platform.close();
  const dead = `http://127.0.0.1:${await findFreePort()}`;
  const oidc = { issuer: dead, clientId: "x", roles: { a: "viewer" } } as const;
  platform = await open({ oidc });
  const response = await post("/api/login/start");
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toBe("10");
  expect((await ask("/readyz")).status).toBe(200);
});

it("has Secure cookies of this host alone behind a proxy with TLS", async () => {
  await platform.close();
  platform = await open({ publicUrl: "https://review.bank.example" });
  const response = await post("/api/login/start");
  expect(response.headers.getSetCookie()[0]).toMatch(/; Secure$/);
  const { url } = (await response.json()) as { url: string };
  expect(new URL(url).searchParams.get("redirect_uri")).toBe(
    "https://review.bank.example/login/callback",
  );
});

it.each<[object, RegExp]>([
  [{ issuer: "http://idp.bank.example" }, /oidc.issuer: expected the provider's https/],
  [{ roles: {} }, /oidc.roles: expected at least one group/],
  [{ roles: { a: "boss" } }, /oidc.roles.a/],
  [{ clientId: "" }, /oidc.clientId/],
  [{ other: 1 }, /oidc/],
])("says what is wrong with its options: %j", async (change, message) => {
  const oidc = {
    issuer: "https://idp.bank.example",
    clientId: "x",
    roles: { a: "viewer" },
    ...change,
  };
  await expect(startPlatform({ port: 0, oidc } as PlatformOptions)).rejects.toThrow(message);
});
