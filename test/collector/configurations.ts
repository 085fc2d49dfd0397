import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAuthority } from "../helpers/certificates.ts";
import { runProgram } from "../helpers/run-program.ts";
import type { Scenario } from "./scenario.ts";

const EXAMPLES = join(import.meta.dirname, "../../examples/collector");
const TIMEOUT_MILLIS = 60_000;

/**
 * Writes certificates for 127.0.0.1 and names them as the examples do.
 *
 * @param directory - Where to put them.
 */
export function writeCertificates(directory: string): Record<string, string> {
  const authority = createAuthority("first bank");
  const { cert, key } = authority.issue("collector");
  const paths = {
    OTLP_CA_FILE: join(directory, "ca.pem"),
    OTLP_CERT_FILE: join(directory, "collector.pem"),
    OTLP_KEY_FILE: join(directory, "collector-key.pem"),
  };
  writeFileSync(paths.OTLP_CA_FILE, authority.cert);
  writeFileSync(paths.OTLP_CERT_FILE, cert);
  writeFileSync(paths.OTLP_KEY_FILE, key);
  return paths;
}

/** Lets a collector read a configuration as it would at its start. */
async function validate(binary: string, configuration: string): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "agent-monitor-collector-"));
  const environment = {
    ...writeCertificates(directory),
    OTLP_QUEUE_DIRECTORY: join(directory, "queue"),
    AGENT_MONITOR_API_KEY: "key-of-the-gateway",
    AGENT_MONITOR_ORGANIZATION_ID: "first-bank",
  };
  try {
    const { code, stderr } = await runProgram(binary, ["validate", "--config", configuration], {
      cwd: EXAMPLES,
      env: { ...process.env, ...environment },
      timeoutMillis: TIMEOUT_MILLIS,
    });
    assert.equal(code, 0, stderr);
    return "valid";
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const configurations = readdirSync(EXAMPLES, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".yaml"))
  .toSorted();

/** All examples are what a collector takes. */
export const validScenarios: readonly Scenario[] = configurations.map((configuration) => ({
  name: configuration,
  isSmall: true,
  run: (binary) => validate(binary, configuration),
}));
