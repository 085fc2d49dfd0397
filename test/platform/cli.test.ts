import { expect, it } from "vitest";
import { VERSION } from "../../src/version.ts";
import { runCli, startChildPlatform } from "./child-platform.ts";
import { createBatch, get, postBatch } from "./helpers.ts";

it("prints its version and its help", async () => {
  expect(await runCli(["--version"])).toMatchObject({ code: 0, out: `${VERSION}\n` });
  expect((await runCli(["--help"])).out).toMatch(/Commands:\n {2}dev /);
  expect(await runCli(["dev", "--help"])).toMatchObject({
    code: 0,
    out: expect.stringContaining("--organization <id>") as string,
  });
});

it.each([
  [["deev"], /unknown command "deev": expected dev/],
  [["dev", "--prot", "1"], /--prot/],
  [["dev", "--port", "many"], /--port must be 0 to 65535 \(got many\)/],
  [["dev", "extra"], /extra/],
])("ends with 2 and says what is wrong: %j", async (args, message) => {
  const { code, err } = await runCli(args);
  expect(err).toMatch(message);
  expect(code).toBe(2);
});

it("ends with 1 when it can't start", async () => {
  const { code, err } = await runCli(["dev", "--host", "0.0.0.0"]);
  expect(err).toBe(
    "agent-monitor: platform: host 0.0.0.0 can be reached from other machines and therefore needs an apiKey\n",
  );
  expect(code).toBe(1);
});

it.each(["SIGINT", "SIGTERM"] as const)("runs the platform until %s", async (signal) => {
  const child = await startChildPlatform();
  expect((await postBatch(child, createBatch())).status).toBe(202);
  expect((await get(child, "/api/stats")).body).toMatchObject({ batches: 1, events: 1 });
  expect(child.output()).toMatch(/batch \S+: 1 accepted, 0 duplicates, 0 rejected/);
  expect(await child.end(signal)).toBe(0);
});

it("prints the address of the viewer with its token, and never the key", async () => {
  const child = await startChildPlatform([
    "--api-key",
    "very-secret",
    "--organization",
    "first-bank",
  ]);
  expect(child.output()).toMatch(/viewer +http:\S+\/#token=\S+/);
  expect((await postBatch(child, createBatch())).status).toBe(401);
  expect(child.output()).not.toContain("very-secret");
  await child.end("SIGTERM");
});
