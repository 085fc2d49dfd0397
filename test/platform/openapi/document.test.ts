import { Validator } from "@seriousme/openapi-schema-validator";
import { afterEach, expect, it } from "vitest";
import { createApp } from "../../../src/platform/app.ts";
import type { PlatformContext } from "../../../src/platform/platform-context.ts";
import { startPlatform, type Platform } from "../../../src/platform/index.ts";
import { resolveOptions } from "../../../src/platform/options.ts";
import { KEY } from "../helpers.ts";
import { listOperations, type OpenApi } from "./operations.ts";

let platform: Platform | undefined;
afterEach(async () => {
  await platform?.close();
  platform = undefined;
});

async function readDocument(options: Parameters<typeof startPlatform>[0] = {}): Promise<OpenApi> {
  platform = await startPlatform({ port: 0, ...options });
  const response = await fetch(`${platform.url}/openapi.json`);
  expect(response.status).toBe(200);
  return (await response.json()) as OpenApi;
}

it("is a document of OpenAPI 3.1", async () => {
  const document = await readDocument();
  const validator = new Validator();
  expect(await validator.validate({ ...document })).toEqual({ valid: true });
  expect(validator.version).toBe("3.1");
  const ids = listOperations(document).map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

it("describes every route that is served, and nothing else", async () => {
  const room = { options: resolveOptions({}) } as PlatformContext;
  const { routes } = createApp(room, { html: "", script: "", style: "" });
  const served = routes
    .filter(({ method }) => method !== "ALL")
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);
  const described = listOperations(await readDocument()).map(
    ({ method, path }) => `${method} ${path}`,
  );
  expect(described.toSorted()).toEqual(served.toSorted());
});

it("says what a query may have, and what a list answers", async () => {
  const { paths } = await readDocument();
  const list = paths["/api/holds"]?.["get"];
  expect(list?.parameters).toEqual([
    {
      name: "limit",
      in: "query",
      description: "1 to 200",
      schema: { type: "integer", minimum: 1, maximum: 200, default: 50 },
    },
    expect.objectContaining({ name: "before" }),
    expect.objectContaining({
      name: "active",
      schema: { type: "string", enum: ["true", "false"] },
    }),
  ]);
  const content = list?.responses["200"]?.content?.["application/json"];
  expect(content?.schema).toMatchObject({
    required: ["holds", "next"],
    properties: {
      holds: { type: "array" },
      next: { anyOf: [{ type: "integer" }, { type: "null" }] },
    },
  });
});

it("has a page's next for every list that takes a limit", async () => {
  for (const { path, operation } of listOperations(await readDocument())) {
    if (!operation.parameters.some(({ name }) => name === "limit")) continue;
    const schema = operation.responses["200"]?.content?.["application/json"]?.schema;
    expect(schema?.["required"], path).toContain("next");
  }
});

it("says what a change takes", async () => {
  const { paths } = await readDocument();
  const action = paths["/api/reviews/{key}/actions"]?.["post"];
  const headers = action?.parameters.filter((each) => each.in === "header");
  expect(headers?.map(({ name }) => name)).toEqual([
    "content-encoding",
    "content-digest",
    "idempotency-key",
    "if-match",
  ]);
  expect(action?.responses["412"]?.description).toBe("outdated");
  expect(action?.responses["422"]?.description).toBe(
    "checksum_mismatch, invalid_action, idempotency_conflict",
  );
  expect(action?.description).toBe("Least role: reviewer.");
});

it("says whether a key is needed", async () => {
  const securityOf = ({ paths }: OpenApi, path: string) => paths[path]?.["get"]?.security;
  const open = await readDocument();
  expect(securityOf(open, "/api/stats")).toEqual([{ key: [] }, { session: [] }, {}]);
  expect(securityOf(open, "/healthz")).toEqual([]);
  await platform?.close();
  const closed = await readDocument({ apiKey: KEY, publicUrl: "https://monitor.bank.example" });
  expect(securityOf(closed, "/api/stats")).toEqual([{ key: [] }, { session: [] }]);
  expect(closed.components.securitySchemes["session"]).toMatchObject({
    name: expect.stringContaining("agent-monitor-session") as string,
  });
});
