import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { problemSchema } from "../../src/events/wire.ts";
import { QUALITY_ROUTES } from "../../src/platform/quality/quality-routes.ts";
import { startPlatform, type Platform } from "../../src/platform/index.ts";
import { READ_ROUTES } from "../../src/platform/read-routes.ts";
import { DELIVERY_ROUTES } from "../../src/platform/routes.ts";
import { REVIEW_ROUTES } from "../../src/platform/review-routes.ts";
import { createBatch, get, postBatch, toAnswer, type Answer } from "./helpers.ts";

const API_ROUTES = [...READ_ROUTES, ...REVIEW_ROUTES, ...QUALITY_ROUTES];
const GET_ROUTES = API_ROUTES.filter(({ method }) => method === "GET");
const POST_ROUTES = [...DELIVERY_ROUTES, ...API_ROUTES.filter(({ method }) => method !== "GET")];

const lines: string[] = [];
const write = (message: string): void => void lines.push(message);
let platform: Platform;
beforeAll(async () => {
  const logger = { debug: write, info: write, warn: write, error: write };
  platform = await startPlatform({ port: 0, logger });
  await postBatch(platform, createBatch());
});
afterAll(() => platform.close());

function expectInvalid(answer: Answer, detail: RegExp): void {
  expect(answer.status).toBe(400);
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  expect(problemSchema.parse(answer.body)).toMatchObject({ code: "invalid_query" });
  expect(answer.body["detail"]).toMatch(detail);
}

describe("a query", () => {
  const paths = [...GET_ROUTES.map(({ path }) => path), "/", "/ui/app.js", "/ui/app.css"];

  it.each(paths)("of %s with an unknown member is refused, and the member named", async (path) => {
    const answer = await get(platform, `${path.replace(/:\w+/, "x")}?enviroment=production`);
    expectInvalid(answer, /unknown in the query: "enviroment"/);
  });

  it.each(POST_ROUTES.map((route) => [route.method, route.path]))(
    "of %s %s with an unknown member is refused",
    async (method, path) => {
      const url = `${platform.url}${path.replace(/:\w+/, "x")}?dry-run=true`;
      const headers = { "content-type": "application/json" };
      const init = { method, headers, body: "{}" };
      const answer = await toAnswer(await fetch(url, init));
      expect(answer.status).toBe(400);
      expect(JSON.stringify(answer.body)).toMatch(/unknown in the query: \\"dry-run\\"/);
    },
  );

  it.each([
    ["/api/conversations?limit=0", /limit must be 1 to 200/],
    ["/api/conversations?limit=many", /limit must be 1 to 200/],
    ["/api/conversations?limit=201", /limit must be 1 to 200/],
    ["/api/conversations?limit=1&limit=2", /limit must be 1 to 200, and stand once/],
    ["/api/conversations?severity=sever", /severity must be none or info or warning or violation/],
    ["/api/conversations?review=yes", /review must be true or false/],
    ["/api/conversations?before=yesterday", /before must be `next` of the page before/],
    ["/api/conversations?agent=", /agent must be a text/],
    ["/api/batches?before=-1", /before must be an integer from 0/],
    ["/api/traces/abc?offset=x", /offset must be an integer from 0/],
  ])("whose value makes no sense is refused: %s", async (path, detail) => {
    expectInvalid(await get(platform, path), detail);
  });

  it("names what was likely meant, and the log repeats nothing of it", async () => {
    lines.length = 0;
    const answer = await get(platform, "/api/conversations?sevrity=hunter2&hunter2=1");
    expectInvalid(
      answer,
      /"sevrity" \(did you mean severity\?\), "hunter2"; expected limit, before/,
    );
    expect(lines).toEqual([
      "GET /api/conversations: 400 invalid_query: unknown members in the query",
    ]);
    expect((await get(platform, `/api/stats?${"x".repeat(5000)}`)).body["detail"]).toMatch(
      /^.{0,200}$/,
    );
  });

  it.each(
    API_ROUTES.map(({ method, path, query }) => [method, path, Object.keys(query ?? {})] as const),
  )("of %s %s is documented with every member", async (method, path, members) => {
    const guide = await readFile(join(import.meta.dirname, "../../docs/platform-api.md"), "utf8");
    const shown = path.replaceAll(/:(\w+)/g, "{$1}");
    const row = guide
      .split("\n")
      .find(
        (line) =>
          line.startsWith(`| \`${method} ${shown}`) &&
          /[?`]/.test(line[`| \`${method} ${shown}`.length] ?? ""),
      );
    const documented = /\?([\w&]+)`/.exec(row ?? "")?.[1]?.split("&") ?? [];
    expect(row).toBeDefined();
    expect(documented.toSorted()).toEqual([...members].toSorted());
  });

  it("that says nothing is none", async () => {
    expect((await get(platform, "/api/conversations?")).status).toBe(200);
    expect((await fetch(`${platform.url}/api/stats`, { method: "HEAD" })).status).toBe(200);
  });
});
