import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const POLICY = join(ROOT, "examples/policy/policy.yaml");
const FEES = "consumer-protection-fees";

const directory = mkdtempSync(join(tmpdir(), "agent-monitor-packs-"));
afterAll(() => rmSync(directory, { recursive: true }));

const BODY = `
  const { createRequire } = require("node:module");
  const configured = JSON.parse(process.argv[1]);
  const out = {};
  try {
    const monitor = new AgentMonitor({
      apiKey: "key", organizationId: "bank", endpoint: "http://127.0.0.1:1", enableLogging: false, shutdownTimeout: 0, ...configured,
    });
    const { rules } = monitor.complianceEngine;
    out.last = rules.at(-1).id;
    out.changed = rules.filter(({ changedBy }) => changedBy).map(({ id }) => id);
    out.threshold = rules.find(({ id }) => id === "${FEES}").threshold;
    out.details = [];
    monitor.shutdown();
  } catch (error) {
    out.name = error.name;
    out.details = error.details.map(({ field, message }) => field + " " + message);
  }
  out.hasYaml = Object.keys(createRequire(process.cwd() + "/x.js").cache).some((path) => /node_modules.yaml/.test(path));
  console.log(JSON.stringify(out));
`;

const SCRIPTS = {
  "ES modules": [
    "--input-type=module",
    "-e",
    `import { createRequire as r } from "node:module"; import { AgentMonitor } from "agent-monitor";
     const require = r(process.cwd() + "/x.js"); ${BODY}`,
  ],
  CommonJS: ["-e", `const { AgentMonitor } = require("agent-monitor"); ${BODY}`],
} as const;

/** Constructs a monitor of the built package in a process of its own. */
async function construct(
  kind: keyof typeof SCRIPTS,
  config: object,
  env: NodeJS.ProcessEnv = {},
): Promise<Record<string, unknown>> {
  const args = [...SCRIPTS[kind], JSON.stringify(config)];
  const options = { cwd: ROOT, env: { ...process.env, ...env } };
  const { stdout } = await promisify(execFile)(process.execPath, args, options);
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe.each(["ES modules", "CommonJS"] as const)("rulePacks in %s", (kind) => {
  it("are read when a monitor is constructed", async () => {
    const built = await construct(kind, { rulePacks: [POLICY] });
    expect(built).toMatchObject({ last: "bank-fee-waiver", threshold: 0.7, hasYaml: true });
    const byVariable = await construct(kind, {}, { AGENT_MONITOR_RULE_PACKS: POLICY });
    expect(byVariable).toEqual(built);
  });

  it("change lists of the built-in rules, whose text is in the package", async () => {
    const lists = join(directory, "lists.yaml");
    writeFileSync(
      lists,
      "pack: { id: lists, version: 1.0.0, title: Lists }\nlistOverrides: { words: { relative: { add: [godmother] } } }\n",
    );
    const built = await construct(kind, { rulePacks: [lists, POLICY] });
    expect(built).toMatchObject({ details: [], last: "bank-fee-waiver", threshold: 0.7 });
    expect(built["changed"]).toEqual(
      expect.arrayContaining(["bsa-aml-sanctions", "consumer-protection-fees"]),
    );
  });

  it("cost an application without any nothing", async () => {
    const built = await construct(kind, {});
    expect(built).toMatchObject({ threshold: 0.6, hasYaml: false });
  });

  it("are refused all at once, each problem with its place", async () => {
    const bad = join(directory, "bad.yaml");
    writeFileSync(bad, "pack: { id: bad, version: one, title: Bad }\noverrides:\n  nothing: {}\n");
    const none = join(directory, "none.yaml");
    const { name, details } = await construct(kind, { rulePacks: [bad, none, POLICY, POLICY] });
    expect(name).toBe("ValidationError");
    expect(details).toEqual([
      expect.stringContaining(`rulePacks[0] ${bad}:1:27: pack.version: expected a version`),
      expect.stringContaining(`rulePacks[0] ${bad}:3:3: overrides.nothing: no built-in rule`),
      expect.stringContaining(`rulePacks[0] ${bad}:3:12: overrides.nothing: expected at least one`),
      expect.stringContaining(`rulePacks[1] ${none}:1:1: can't be read (ENOENT)`),
      expect.stringContaining(`rulePacks[3] pack.id: the pack "example-bank" is there already`),
      ...(details as unknown[]).slice(5),
    ]);
  });
});
