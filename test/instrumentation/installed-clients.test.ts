import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { findInstalledClients } from "../../src/instrumentation/known-clients.ts";

const root = mkdtempSync(join(tmpdir(), "agent-monitor-clients-"));
afterAll(() => rmSync(root, { recursive: true }));

function install(folder: string, name: string, manifest: string): void {
  const path = join(root, folder, "node_modules", name);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, "package.json"), manifest);
}

describe("findInstalledClients", () => {
  it("finds what an import would, the nearest copy", () => {
    install(".", "openai", '{"version":"6.49.0"}');
    install(".", "@anthropic-ai/sdk", '{"version":"1.11.0"}');
    install("app", "openai", '{"version":"4.104.0"}');
    install("app", "ollama", "{");
    install("app", "groq-sdk", "null");
    install("app", "express", '{"version":"5.0.0"}');
    const found = findInstalledClients(join(root, "app/src"));
    const told = found.map(
      ({ client, version, verdict }) => `${client.name} ${version} ${verdict}`,
    );
    // Folders above the one of this test are not its own.
    expect(told.slice(0, 2)).toEqual([
      "openai 4.104.0 uncovered",
      "@anthropic-ai/sdk 1.11.0 tested",
    ]);
    expect(told.join()).not.toContain("express");
  });
});
