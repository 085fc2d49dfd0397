import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { startPlatform, type Platform } from "../../../src/platform/index.ts";
import { type JsonObject, toAnswer } from "../helpers.ts";
import {
  CLIENT,
  createBrowser,
  startIdentityProvider,
  type IdentityProvider,
} from "../identity-provider.ts";
import { toAddress } from "./open-database.ts";

const ADMIN_KEY = "the-key-of-the-admin-01";

/** A load balancer in front of replicas: what it sends to which one, each test says. */
interface Balancer {
  readonly url: string;
  /** Port of the replica that the next requests reach. */
  target: number;
  close(): Promise<void>;
}

async function startBalancer(): Promise<Balancer> {
  const server = createServer((asked, answer) => {
    const { method, headers, url: path } = asked;
    const sent = request({ port: state.target, host: "127.0.0.1", path, method, headers });
    sent.on("response", (response) => {
      answer.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(answer);
    });
    sent.on("error", () => void answer.writeHead(502).end());
    asked.pipe(sent);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const state: Balancer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    target: 0,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return state;
}

let balancer: Balancer;
let provider: IdentityProvider;
beforeAll(async () => {
  balancer = await startBalancer();
  provider = await startIdentityProvider([`${balancer.url}/login/callback`]);
});
afterAll(async () => {
  await provider.close();
  await balancer.close();
});

let one: Platform;
let other: Platform;
let browser: ReturnType<typeof createBrowser>;
beforeEach(async () => {
  const database = await toAddress(":memory:");
  const open = async (): Promise<Platform> => {
    const platform = await startPlatform({
      port: 0,
      database,
      publicUrl: balancer.url,
      users: [{ name: "root", role: "admin", key: ADMIN_KEY }],
      oidc: {
        issuer: provider.issuer,
        clientId: CLIENT.id,
        clientSecret: CLIENT.secret,
        roles: { reviewers: "reviewer", supervisors: "supervisor" },
      },
    });
    onTestFinished(() => platform.close());
    return platform;
  };
  [one, other] = await Promise.all([open(), open()]);
  browser = createBrowser();
});

/** Sends a request of the browser to a replica. */
function sendTo({ port }: Platform, path: string, body?: string): Promise<Response> {
  balancer.target = port;
  const headers = { origin: balancer.url, "content-type": "application/json" };
  const init = body === undefined ? {} : { method: "POST", headers, body };
  return browser.send(new URL(path, balancer.url).href, init);
}

/** Begins a sign-in at a replica, and returns the address with which the provider sends the browser back. */
async function beginAt(platform: Platform): Promise<string> {
  const { url } = (await (await sendTo(platform, "/api/login/start", "{}")).json()) as JsonObject;
  return browser.signIn(String(url), "cara", provider.issuer);
}

async function readActions({ url }: Platform): Promise<unknown[]> {
  const headers = { authorization: `Bearer ${ADMIN_KEY}` };
  const { body } = await toAnswer(await fetch(`${url}/api/audit`, { headers }));
  return (body["records"] as JsonObject[]).map(({ action }) => action);
}

const meAt = async (platform: Platform) => toAnswer(await sendTo(platform, "/api/me"));

it("somebody signs in at one replica and the other, works with both, and signs out for both", async () => {
  const back = await beginAt(one);
  expect((await sendTo(other, back)).status).toBe(303);
  for (const platform of [one, other, one, other])
    expect(await meAt(platform)).toMatchObject({
      status: 200,
      body: { name: "cara", role: "supervisor", isSignedIn: true },
    });
  const view = JSON.stringify({ page: "queue", name: "mine", query: "state=open" });
  expect((await sendTo(one, "/api/views", view)).status).toBe(201);
  const { body } = await toAnswer(await sendTo(other, "/api/views?page=queue"));
  expect(body["views"]).toMatchObject([{ name: "mine", owner: "cara" }]);
  const cookie = [...browser.cookiesOf(balancer.url)].map((pair) => pair.join("=")).join("; ");
  expect((await sendTo(one, "/api/logout", "{}")).status).toBe(200);
  const headers = { cookie };
  for (const { url } of [one, other])
    expect((await fetch(`${url}/api/me`, { headers })).status).toBe(401);
  expect(await readActions(other)).toEqual(["sign_in.end", "view.save", "sign_in.begin"]);
});

it("a replica goes while somebody works: the other one knows who it is", async () => {
  expect((await sendTo(other, await beginAt(other))).status).toBe(303);
  expect((await meAt(other)).status).toBe(200);
  await other.close();
  expect((await meAt(one)).body).toMatchObject({ name: "cara", role: "supervisor" });
});

it("a sign-in that comes back to both replicas at once ends at one of them", async () => {
  for (let turn = 0; turn < 5; turn++) {
    browser = createBrowser();
    const back = new URL(await beginAt(one));
    const cookie = [...browser.cookiesOf(balancer.url)].map((pair) => pair.join("=")).join("; ");
    const init: RequestInit = { headers: { cookie }, redirect: "manual" };
    const come = ({ url }: Platform) => fetch(new URL(back.pathname + back.search, url), init);
    const responses = await Promise.all([come(one), come(other)]);
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 401]);
  }
});

it("somebody who signs out at both replicas at once has done it once", async () => {
  for (let turn = 1; turn <= 5; turn++) {
    browser = createBrowser();
    expect((await sendTo(one, await beginAt(one))).status).toBe(303);
    const cookie = [...browser.cookiesOf(balancer.url)].map((pair) => pair.join("=")).join("; ");
    const headers = { cookie, "content-type": "application/json" };
    const signOut = ({ url }: Platform) =>
      fetch(`${url}/api/logout`, { method: "POST", headers, body: "{}" });
    const responses = await Promise.all([signOut(one), signOut(other)]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    const ended = (await readActions(one)).filter((action) => action === "sign_in.end");
    expect(ended).toHaveLength(turn);
  }
});
