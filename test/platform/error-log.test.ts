import { expect, it } from "vitest";
import { createApp } from "../../src/platform/app.ts";
import type { PlatformContext } from "../../src/platform/platform-context.ts";
import { resolveOptions } from "../../src/platform/options.ts";

const CONTENT = "my card is 4111 1111 1111 1111";

/** What a platform logs of a request in which something fails. */
async function logOf(error: unknown): Promise<{ status: number; body: string; log: string }> {
  const lines: unknown[] = [];
  const write = (message: string, data?: unknown): void => void lines.push([message, data]);
  const logger = { debug: write, info: write, warn: write, error: write };
  const room = {
    options: resolveOptions({ logger }),
    requests: new Map(),
    authenticator: { authenticateReading: () => undefined },
    store: {
      stats: () => {
        throw error;
      },
    },
  } as unknown as PlatformContext;
  const app = createApp(room, { html: "", script: "", style: "" });
  const response = await app.request("http://127.0.0.1/api/stats", {
    headers: { host: "127.0.0.1" },
  });
  return { status: response.status, body: await response.text(), log: JSON.stringify(lines) };
}

it("logs of a fault its class and its code, never its message or its stack", async () => {
  const error = Object.assign(new TypeError(`${CONTENT}\n    at ${CONTENT}`), {
    code: "ERR_INVALID_ARG_VALUE",
  });
  const { status, body, log } = await logOf(error);
  expect(status).toBe(500);
  expect(log).toContain("GET /api/stats: 500 internal_error: TypeError");
  expect(log).toContain("ERR_INVALID_ARG_VALUE");
  expect(log + body).not.toMatch(/4111|my card|stack/);
});

it.each([
  Object.assign(new Error("x"), { code: CONTENT }),
  Object.assign(new Error("x"), { name: CONTENT }),
])("logs no content that stands where a code or a class should", async (error) => {
  const { log } = await logOf(error);
  expect(log).toContain("internal_error");
  expect(log).not.toMatch(/4111|my card/);
});
