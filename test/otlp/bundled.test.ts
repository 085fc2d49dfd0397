import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, it } from "vitest";

const find = (path: string): string =>
  fileURLToPath(new URL(`../../src/telemetry/${path}`, import.meta.url));

// Turbopack refuses to build what esbuild warns of: a member that this version of the module does not have.
it("names no member of OpenTelemetry's packages that one of their versions lacks", async () => {
  const { warnings } = await build({
    entryPoints: [find("providers.ts"), find("proxy-registration.ts")],
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    logLevel: "silent",
    outdir: "none",
  });
  expect(warnings.map(({ text }) => text)).toEqual([]);
});
