import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  findBarrels,
  findReachable,
  findViolations,
  readSourceFiles,
  type ImportLaw,
} from "./helpers/import-law.ts";

const GROUND = ["events", "events/judge-result.ts", "util", "util/count-noun.ts", "version.ts"];
const ROOMS = ["otel", "compliance", "redaction", "bridge", "instrumentation", "exporter"];
const LANGUAGE = ["text", "phrases"];
const OTEL = "@opentelemetry/*";
const NODE = "node:*";

// Who may import whom. Data flows down, imports point at the vocabulary: `events`. The rooms do not
// know each other; `pipeline.ts` joins them. Nothing of the SDK knows `platform` or `cli`.
const LAW: ImportLaw = {
  // Ground: knows nothing of OpenTelemetry.
  "version.ts": { rooms: [], packages: [] },
  util: { rooms: ["util/count-noun.ts"], types: ["events"], packages: [NODE] },
  // Runs in the viewer's page as well, which has nothing of Node.js.
  "util/count-noun.ts": { rooms: [], packages: [] },
  // So does what reads the events of the judge, without a schema.
  "events/judge-result.ts": { rooms: [], types: ["events"], packages: [] },
  events: { rooms: ["util"], packages: ["zod", "node:crypto"] },
  "config.ts": {
    rooms: [...GROUND, "instrumentation", "judge", "redaction", "spool-fields.ts"],
    packages: ["zod", NODE, OTEL],
  },
  "spool-fields.ts": { rooms: GROUND, packages: ["zod"] },
  "agent-directory.ts": { rooms: GROUND, packages: [] },
  config: { rooms: [...GROUND, "config.ts"], packages: [] },
  "parse-config.ts": { rooms: [...GROUND, "config", "config.ts"], packages: ["zod", NODE] },
  "arguments.ts": { rooms: GROUND, packages: ["zod"] },
  "interaction-event.ts": {
    rooms: [...GROUND, "arguments.ts"],
    types: ["pipeline.ts"],
    packages: [],
  },
  // How texts are read. Detectors of identifiers serve the rules and the redaction, which knows no rules; phrases know no law.
  text: { rooms: GROUND, packages: [] },
  identifiers: { rooms: [...GROUND, "text"], packages: [] },
  phrases: { rooms: [...GROUND, "text"], packages: [NODE] },

  // Above the rooms: an answer and what is found in it, before anybody hands it on.
  assessment: {
    rooms: [...GROUND, "compliance", "exporter", "identifiers", "judge", "redaction"],
    types: ["compliance/packs"],
    packages: [NODE],
  },
  "interaction-context.ts": {
    rooms: [...GROUND, "assessment"],
    types: ["otel"],
    packages: [],
  },

  // Rooms: the ground, OpenTelemetry, and types of the configuration.
  otel: { rooms: [...GROUND, "redaction"], types: ["config.ts"], packages: [OTEL, NODE] },
  compliance: {
    rooms: [...GROUND, ...LANGUAGE, "identifiers", "otel", "compliance/compiled"],
    types: ["config.ts"],
    packages: [OTEL, NODE],
  },
  // Reads the files of packs: for the build, and behind a door of its own for a bank's packs. The SDK takes what the build has
  // compiled, and loads the rest when a pack is configured.
  "compliance/packs": {
    rooms: [...GROUND, ...LANGUAGE, "compliance", "compliance/compiled"],
    packages: ["yaml", "zod", NODE],
  },
  "compliance/compiled": { rooms: [...GROUND, ...LANGUAGE, "compliance"], packages: [] },
  redaction: { rooms: [...GROUND, "identifiers"], packages: ["zod", NODE] },
  // Asks the caller's model, and knows of rules what it is handed.
  judge: { rooms: GROUND, packages: ["zod", NODE] },
  bridge: { rooms: [...GROUND, "otel"], types: ["config.ts"], packages: [OTEL, NODE] },
  instrumentation: {
    rooms: [...GROUND, "otel"],
    types: ["bridge", "config.ts"],
    packages: [OTEL, NODE, "zod"],
  },
  exporter: { rooms: [...GROUND, "otel"], types: ["config.ts"], packages: [OTEL, NODE, "jose"] },

  // The SDK: only the pipeline joins rooms, the doors only show.
  "pipeline.ts": {
    rooms: [
      ...GROUND,
      ...ROOMS,
      "agent-directory.ts",
      "answer-check.ts",
      "assessment",
      "config.ts",
      "delivery.ts",
      "monitor",
      "rule-packs.ts",
    ],
    types: ["arguments.ts"],
    packages: [OTEL, NODE],
  },
  monitor: {
    rooms: [
      ...GROUND,
      "answer-check.ts",
      "arguments.ts",
      "assessment",
      "call-cost.ts",
      "deferred-judge.ts",
      "delivery-settings.ts",
      "exporter",
      "instrumentation",
      "otel",
      "redaction",
    ],
    types: ["agent-directory.ts", "compliance", "config.ts", "judge"],
    packages: [OTEL],
  },
  "delivery.ts": {
    rooms: [...GROUND, "delivery-settings.ts", "exporter"],
    types: ["config.ts"],
    packages: [],
  },
  "delivery-settings.ts": { rooms: GROUND, types: ["config.ts", "exporter"], packages: [] },
  "start-up.ts": { rooms: GROUND, types: ["parse-config.ts"], packages: [] },
  "answer-check.ts": {
    rooms: [
      ...GROUND,
      "assessment",
      "deferred-rules.ts",
      "interaction-context.ts",
      "public-assessment.ts",
    ],
    types: ["arguments.ts", "compliance", "otel"],
    packages: [],
  },
  // Loads the door of packs, which no file of the SDK imports.
  "rule-packs.ts": { rooms: [...GROUND, "compliance", "deferred-rules.ts"], packages: [NODE] },
  "public-assessment.ts": { rooms: [...GROUND, "compliance", "otel"], packages: [] },
  // One memory of verdicts for what judges spans and what judges events of them.
  "exchange-verdicts.ts": { rooms: [...GROUND, "bridge"], types: ["compliance"], packages: [] },
  "exchange-check.ts": {
    rooms: [...GROUND, "compliance", "exchange-verdicts.ts", "otel", "public-assessment.ts"],
    types: ["bridge"],
    packages: [],
  },
  "exchange-findings.ts": {
    rooms: [...GROUND, "bridge", "otel"],
    types: ["config.ts", "exchange-check.ts"],
    packages: [OTEL],
  },
  "span-judge.ts": {
    rooms: [
      ...GROUND,
      "bridge",
      "deferred-rules.ts",
      "exchange-check.ts",
      "exchange-findings.ts",
      "otel",
    ],
    types: ["compliance", "span-processor-options.ts"],
    packages: [OTEL],
  },
  // What the built package loads when it is first asked for.
  "deferred-rules.ts": { rooms: ["compliance", "phrases"], types: ["events"], packages: [] },
  "deferred-judge.ts": { rooms: ["assessment", "compliance/packs"], packages: [] },
  "deferred-observers.ts": {
    rooms: [
      "bridge",
      "foreign-telemetry.ts",
      "instrumentations.ts",
      "model-calls.ts",
      "span-judge.ts",
    ],
    types: ["span-processor-options.ts"],
    packages: [],
  },
  "span-processor-options.ts": {
    rooms: [],
    types: ["compliance", "config.ts", "events", "util"],
    packages: [OTEL],
  },
  "compliance-span-processor.ts": {
    rooms: [...GROUND, "deferred-observers.ts"],
    types: ["span-judge.ts", "span-processor-options.ts"],
    packages: [OTEL],
  },
  "foreign-telemetry.ts": {
    rooms: [...GROUND, "bridge", "exchange-verdicts.ts", "redaction", "span-judge.ts"],
    types: ["compliance", "config.ts", "pipeline.ts"],
    packages: [OTEL],
  },
  "call-cost.ts": { rooms: [...GROUND, "bridge"], types: ["instrumentation"], packages: [] },
  "instrumentations.ts": {
    rooms: [...GROUND, "instrumentation"],
    types: ["config.ts", "model-calls.ts"],
    packages: [],
  },
  "observers.ts": {
    rooms: [...GROUND, "deferred-observers.ts"],
    types: ["bridge", "config.ts", "foreign-telemetry.ts", "model-calls.ts", "pipeline.ts"],
    packages: [],
  },
  // Joins what observes model calls with the bridge and the rules.
  "model-calls.ts": {
    rooms: [...GROUND, "bridge", "instrumentation"],
    types: ["foreign-telemetry.ts", "pipeline.ts"],
    packages: [OTEL],
  },
  "gen-ai-bridge-span-processor.ts": { rooms: [], types: ["monitor.ts"], packages: [OTEL] },
  "gen-ai-bridge-log-record-processor.ts": { rooms: [], types: ["monitor.ts"], packages: [OTEL] },
  // OpenTelemetry data of others' pipelines becomes batches: beside the monitor, on the same pipeline.
  "event-batch": {
    rooms: [
      ...GROUND,
      "bridge",
      "deferred-observers.ts",
      "exporter",
      "otel",
      "parse-config.ts",
      "pipeline.ts",
      "start-up.ts",
    ],
    types: ["config.ts", "monitor.ts"],
    packages: [OTEL],
  },
  "tracker.ts": {
    rooms: [...GROUND, "arguments.ts"],
    types: ["interaction-event.ts", "pipeline.ts"],
    packages: [],
  },
  "monitor.ts": {
    rooms: [
      ...GROUND,
      "config.ts",
      "arguments.ts",
      "interaction-event.ts",
      "monitor",
      "observers.ts",
      "parse-config.ts",
      "pipeline.ts",
      "start-up.ts",
      "tracker.ts",
    ],
    types: ["assessment", "judge", ...ROOMS],
    packages: [OTEL],
  },
  "index.ts": {
    rooms: [
      ...GROUND,
      ...ROOMS,
      "assessment",
      "config.ts",
      "monitor.ts",
      "compliance-span-processor.ts",
      "span-processor-options.ts",
      "deferred-rules.ts",
      "event-batch",
      "gen-ai-bridge-log-record-processor.ts",
      "gen-ai-bridge-span-processor.ts",
    ],
    types: [...LANGUAGE, "judge"],
    packages: [],
  },
  // Doors of libraries: each hands a monitor to a hook.
  "ai-sdk.ts": { rooms: ["instrumentation"], types: ["monitor.ts"], packages: [] },
  "anthropic.ts": { rooms: ["instrumentation"], types: ["monitor.ts"], packages: [] },
  "bedrock.ts": { rooms: ["instrumentation"], types: ["monitor.ts"], packages: [] },
  "claude-agent.ts": { rooms: ["instrumentation"], types: ["monitor.ts"], packages: [] },
  "langchain.ts": { rooms: ["instrumentation"], types: ["monitor.ts"], packages: [] },
  "mcp.ts": { rooms: ["instrumentation"], types: ["monitor.ts"], packages: [] },
  "openai-agents.ts": { rooms: ["instrumentation"], types: ["monitor.ts"], packages: [] },
  "packs.ts": { rooms: ["compliance", "compliance/packs"], packages: [] },
  "testing.ts": {
    rooms: [...GROUND, ...ROOMS, ...LANGUAGE, "config.ts", "monitor.ts"],
    packages: [OTEL],
  },
  "register.ts": {
    rooms: [...GROUND, ...ROOMS, "config.ts", "monitor.ts", "parse-config.ts", "start-up.ts"],
    packages: [OTEL, NODE],
  },

  // The other programs.
  "platform/ui": {
    rooms: ["util/count-noun.ts", "events/judge-result.ts"],
    types: ["events", "platform"],
    packages: ["preact", "preact/*", "htm*"],
  },
  // It makes events of foreign spans as the SDK does.
  platform: {
    rooms: [...GROUND, "bridge"],
    packages: [NODE, "zod", "jose", "hono*", "@hono/*", "node-sqlite3-wasm"],
  },
  // Rules come through the door that users take, so that theirs and ours share one copy of the package.
  cli: {
    rooms: [
      ...GROUND,
      "assessment",
      "config.ts",
      "exporter",
      "instrumentation",
      "judge",
      "packs.ts",
      "parse-config.ts",
      "platform",
      "redaction",
      "testing.ts",
    ],
    types: ["compliance"],
    packages: [NODE],
  },
  "cli.ts": { rooms: [...GROUND, "config.ts", "cli"], packages: [NODE] },
};

/** Files that may re-export: the doors of the package and of the registries. */
const DOORS = [
  "index.ts",
  "packs.ts",
  "testing.ts",
  "platform/index.ts",
  "ai-sdk.ts",
  "anthropic.ts",
  "bedrock.ts",
  "claude-agent.ts",
  "langchain.ts",
  "mcp.ts",
  "openai-agents.ts",
];

const files = readSourceFiles(join(import.meta.dirname, "../src"));

describe("architecture", () => {
  it("reads the sources", () => {
    expect(files.size).toBeGreaterThan(20);
  });

  it("lets every file import only what its room may", () => {
    expect(findViolations(files, LAW)).toEqual([]);
  });

  it("has no barrels", () => {
    expect(findBarrels(files, DOORS)).toEqual([]);
  });

  it("keeps the platform and the CLI out of the SDK", () => {
    const reached = [...findReachable(files, "index.ts")];
    expect(reached.length).toBeGreaterThan(20);
    expect(reached.filter((file) => /^(platform|cli)\b/.test(file))).toEqual([]);
  });

  it("keeps what reads the files of packs out of the SDK", () => {
    for (const entry of ["index.ts", "register.ts", "testing.ts"]) {
      const reached = [...findReachable(files, entry)];
      expect(reached).toContain("compliance/built-in-rules.ts");
      // The judge is told what the built-in files say; it is loaded apart, and takes types of the others.
      const judged = /\/(pack-source|built-in-source\.generated|pack-schema|phrase-lines)\.ts$/;
      const readers = reached.filter((file) => file.startsWith("compliance/packs/"));
      expect(readers.filter((file) => !judged.test(file))).toEqual([]);
    }
  });
});

describe("the checker", () => {
  const judge = (file: string, source: string): string[] =>
    findViolations(new Map([[file, source]]), LAW);

  it.each([
    ["exporter/a.ts", 'import { b } from "../events/b.ts";'],
    ["exporter/a.ts", 'import {\n  b,\n  type C,\n} from "../util/b.ts";'],
    ["otel/a.ts", 'import type { ContentPolicy } from "../config.ts";'],
    ["otel/a.ts", 'import { type ContentPolicy } from "../config.ts";'],
    ["compliance/checks/a.ts", 'import { defineRule } from "../define-rule.ts";'],
    ["compliance/packs/a.ts", 'import { parseDocument } from "yaml";'],
    ["events/a.ts", ' * import { trace } from "@opentelemetry/api";\n// import("hono")'],
    ["exporter/a.ts", 'const jose = await import("jose");'],
  ])("accepts in %s: %j", (file, source) => {
    expect(judge(file, source)).toEqual([]);
  });

  it.each([
    [
      "exporter/a.ts",
      'import { b } from "../compliance/b.ts";',
      "exporter may not import compliance",
    ],
    [
      "exporter/a.ts",
      'import type { B } from "../compliance/b.ts";',
      "exporter may not import compliance",
    ],
    ["exporter/a.ts", 'export { b } from "../bridge/b.ts";', "exporter may not import bridge"],
    ["otel/a.ts", 'import { parseConfig } from "../config.ts";', "only types of config.ts"],
    ["otel/a.ts", 'import {\n  type A,\n  b,\n} from "../config.ts";', "only types of config.ts"],
    ["monitor.ts", 'const x = await import("./platform/index.ts");', "may not import platform"],
    ["platform/a.ts", 'import "../monitor.ts";', "platform may not import monitor.ts"],
    ["platform/ui/a.ts", 'import { a } from "../a.ts";', "only types of platform"],
    ["events/a.ts", 'import { trace } from "@opentelemetry/api";', "events may not use"],
    ["util/a.ts", 'import { trace } from "@opentelemetry/api";', "util may not use"],
    ["exporter/a.ts", 'import { Hono } from "hono";', "exporter may not use"],
    ["util/a.ts", 'const s = require("node-sqlite3-wasm");', "util may not use"],
    ["compliance/a.ts", 'import { parseDocument } from "yaml";', "compliance may not use"],
    ["util/a.ts", 'import { b } from "./b.js";', "with .ts"],
    ["util/a.ts", 'import { b } from "./b";', "with .ts"],
    ["attic/a.ts", "", "in no room"],
  ])("refuses in %s: %j", (file, source, problem) => {
    expect(judge(file, source)).toEqual([expect.stringContaining(problem)]);
  });

  it("refuses barrels", () => {
    const barrels = new Map([
      ["events/index.ts", 'export { a } from "./a.ts";'],
      ["index.ts", 'export * from "./monitor.ts";\nexport { b } from "./b.ts";'],
    ]);
    expect(findBarrels(barrels, DOORS)).toEqual([
      expect.stringContaining('re-exports "./a.ts"'),
      expect.stringContaining('"export * from ./monitor.ts"'),
    ]);
  });

  it("follows imports", () => {
    const chain = new Map([
      ["index.ts", 'import { a } from "./util/a.ts";'],
      ["util/a.ts", 'const b = () => import("../platform/b.ts");'],
    ]);
    expect([...findReachable(chain, "index.ts")]).toEqual([
      "index.ts",
      "util/a.ts",
      "platform/b.ts",
    ]);
  });
});
