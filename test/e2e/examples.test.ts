import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startPlatform, type Platform } from "../../src/platform/index.ts";

const ROOT = join(import.meta.dirname, "../..");

let platform: Platform;
const asked: (string | undefined)[] = [];
const collector = createServer((request, response) => {
  asked.push(request.url);
  request.resume();
  response.end();
});
beforeEach(async () => {
  asked.length = 0;
  platform = await startPlatform({ port: 0 });
  collector.listen(0, "127.0.0.1");
  await once(collector, "listening");
});
afterEach(async () => {
  collector.close();
  await platform.close();
});

it.each(["existing-pipeline", "trace-exporter", "log-exporter"])(
  "the example %s delivers its events, and sends nothing where nobody asked it to",
  async (name) => {
    const { port } = collector.address() as AddressInfo;
    const child = spawn(process.execPath, ["--import", "tsx", `examples/${name}.ts`], {
      cwd: ROOT,
      env: {
        ...process.env,
        AGENT_MONITOR_API_KEY: "dev",
        AGENT_MONITOR_ORGANIZATION_ID: "first-bank",
        AGENT_MONITOR_ENDPOINT: platform.url,
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    child.stdout.on("data", (chunk) => (output += String(chunk)));
    const [code] = (await once(child, "close")) as [number | null];
    expect(output).toMatch(/platform: [1-9]\d* events/);
    expect(code).toBe(0);
    expect(asked).toEqual([]);
    expect((await platform.stats()).events).toBeGreaterThan(0);
  },
  60_000,
);
