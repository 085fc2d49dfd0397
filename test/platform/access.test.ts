import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { problemSchema } from "../../src/events/wire.ts";
import { QUALITY_ROUTES } from "../../src/platform/quality/quality-routes.ts";
import { startPlatform, type Platform } from "../../src/platform/index.ts";
import { READ_ROUTES } from "../../src/platform/read-routes.ts";
import { REVIEW_ROUTES } from "../../src/platform/review-routes.ts";
import {
  createAgent,
  createBatch,
  get,
  KEY,
  postBatch,
  putAgent,
  toAnswer,
  type Answer,
} from "./helpers.ts";

let open: Platform;
let closed: Platform;
beforeAll(async () => {
  open = await startPlatform({ port: 0 });
  closed = await startPlatform({ port: 0, apiKey: KEY, organizationId: "first-bank" });
});
afterAll(async () => {
  await open.close();
  await closed.close();
});

/** Sends headers that fetch does not let through. */
function rawGet(platform: Platform, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: "127.0.0.1", port: platform.port, path: "/api/stats", headers },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      },
    );
    sent.on("error", reject).end();
  });
}

function expectUnauthorized(answer: Answer): void {
  expect(answer.status).toBe(401);
  expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  expect(problemSchema.parse(answer.body).code).toBe("unauthorized");
}

describe("delivery", () => {
  it("needs a key, and the right one where one is set", async () => {
    for (const authorization of ["", "Bearer", "Bearer ", "Basic abc"]) {
      expectUnauthorized(await postBatch(open, createBatch(), { headers: { authorization } }));
      expectUnauthorized(
        await putAgent(open, createAgent(), "agent-1", { headers: { authorization } }),
      );
    }
    for (const key of ["wrong", `${KEY}x`, KEY.slice(1)]) {
      const answer = await postBatch(closed, createBatch(), {
        headers: { authorization: `Bearer ${key}` },
      });
      expectUnauthorized(answer);
      expect(JSON.stringify(answer.body)).not.toContain(key);
    }
    expect((await postBatch(closed, createBatch())).status).toBe(202);
    expect(
      (await postBatch(open, createBatch(), { headers: { authorization: "bearer anything" } }))
        .status,
    ).toBe(202);
  });

  it("needs the organization of the body in the header, and the right one where one is set", async () => {
    const mismatch = { status: 403, body: { code: "organization_mismatch" } };
    expect(await postBatch(open, createBatch(), { organizationId: "other" })).toMatchObject(
      mismatch,
    );
    expect(await postBatch(open, createBatch(), { organizationId: "" })).toMatchObject(mismatch);
    const foreign = createBatch(undefined, { organizationId: "other" });
    expect(await postBatch(closed, foreign, { organizationId: "other" })).toMatchObject(mismatch);
    expect(
      await putAgent(closed, createAgent(), "agent-1", { organizationId: "other" }),
    ).toMatchObject(mismatch);
  });
});

describe("reading", () => {
  it("is open without a key, on loopback", async () => {
    expect((await get(open, "/api/stats")).status).toBe(200);
    expect(open.viewerUrl).toBe(`${open.url}/`);
  });

  it("needs the viewer's token or the key where a key is set; the token can't deliver", async () => {
    expectUnauthorized(await get(closed, "/api/stats"));
    expectUnauthorized(await get(closed, "/api/conversations", { authorization: "Bearer wrong" }));
    const token = new URL(closed.viewerUrl).hash.replace("#token=", "");
    expect(token).not.toContain(KEY);
    expect((await get(closed, "/api/stats", { authorization: `Bearer ${token}` })).status).toBe(
      200,
    );
    expect((await get(closed, "/api/stats", { authorization: `Bearer ${KEY}` })).status).toBe(200);
    expectUnauthorized(
      await postBatch(closed, createBatch(), { headers: { authorization: `Bearer ${token}` } }),
    );
    expect((await get(closed, "/")).status).toBe(200);
  });

  it.each(
    [...READ_ROUTES, ...REVIEW_ROUTES, ...QUALITY_ROUTES].map(({ method, path }) => [method, path]),
  )("%s %s needs the key where one is set", async (method, path) => {
    const url = closed.url + path.replace(/:\w+/, "x");
    expectUnauthorized(await toAnswer(await fetch(url, { method })));
  });
});

describe("browsers", () => {
  it("are refused under another name, as in DNS rebinding", async () => {
    expect(await rawGet(open, { host: `evil.example:${open.port}` })).toBe(403);
    expect(await rawGet(open, { host: "127.0.0.1.evil.example" })).toBe(403);
    for (const host of ["localhost:1", "127.0.0.1", "[::1]:4319", "127.1.2.3"])
      expect(await rawGet(open, { host })).toBe(200);
  });

  it("are refused from pages of other origins", async () => {
    for (const origin of ["http://evil.example", "null", "http://localhost:3000"]) {
      expect((await get(open, "/api/stats", { origin })).status).toBe(403);
      expect((await postBatch(open, createBatch(), { headers: { origin } })).status).toBe(403);
    }
    expect((await get(open, "/api/stats", { origin: open.url })).status).toBe(200);
  });

  it("are told to run nothing foreign and to keep nothing", async () => {
    for (const path of ["/", "/api/stats", "/ui/app.js", "/nowhere"]) {
      const { headers } = await get(open, path);
      expect(headers.get("content-security-policy")).toMatch(
        /^default-src 'none'; script-src 'self';/,
      );
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("access-control-allow-origin")).toBeNull();
    }
  });
});

describe("paths and methods", () => {
  it("answers what it does not know with a problem", async () => {
    expect(await get(open, "/v1/nothing")).toMatchObject({
      status: 404,
      body: { code: "not_found" },
    });
    const wrong = await get(open, "/v1/batches");
    expect(wrong).toMatchObject({ status: 405, body: { code: "method_not_allowed" } });
    expect(wrong.headers.get("allow")).toBe("POST");
    const put = await toAnswer(await fetch(`${open.url}/v1/agents/a`, { method: "POST" }));
    expect([put.status, put.headers.get("allow")]).toEqual([405, "PUT"]);
    expect((await fetch(`${open.url}/v1/batches`, { method: "OPTIONS" })).status).toBe(405);
    expect((await fetch(`${open.url}/api/stats`, { method: "HEAD" })).status).toBe(200);
  });
});

describe("options", () => {
  it("refuse to expose the platform without a key", async () => {
    await expect(startPlatform({ port: 0, host: "0.0.0.0" })).rejects.toThrow(/needs an apiKey/);
    const exposed = await startPlatform({ port: 0, host: "0.0.0.0", apiKey: KEY });
    expect(
      await rawGet(exposed, { host: "platform.internal", authorization: `Bearer ${KEY}` }),
    ).toBe(200);
    expect(await rawGet(exposed, { host: "platform.internal" })).toBe(401);
    await exposed.close();
  });

  it("refuse what makes no sense", async () => {
    await expect(startPlatform({ port: 70_000 })).rejects.toThrow(
      "platform: port must be 0 to 65535 (got 70000)",
    );
    await expect(startPlatform({ apiKey: "" })).rejects.toThrow(/apiKey/);
    await expect(startPlatform({ port: 0, maxBodyBytes: 0 })).rejects.toThrow(/maxBodyBytes/);
    await expect(startPlatform({ port: open.port })).rejects.toThrow(/is in use/);
  });

  it("fall back to a free port when the default one is taken", async () => {
    const first = await startPlatform();
    const second = await startPlatform();
    expect(second.port).not.toBe(first.port);
    expect(second.port).not.toBe(4319);
    await first.close();
    await second.close();
  });

  it("close twice without harm", async () => {
    const platform = await startPlatform({ port: 0 });
    await Promise.all([platform.close(), platform.close()]);
    await expect(fetch(platform.url)).rejects.toThrow();
  });
});
