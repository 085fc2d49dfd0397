import { join } from "node:path";
import * as stable from "@opentelemetry/semantic-conventions";
import * as incubating from "@opentelemetry/semantic-conventions/incubating";
import { describe, expect, it } from "vitest";
import { ENTRIES as PACKAGE_ENTRIES } from "../.ci/entries.ts";
import {
  findBarrels,
  findCopiedNames,
  findCycles,
  findImporters,
  findReachable,
  findViolations,
  readSourceFiles,
  type ImportRules,
} from "./helpers/import-rules.ts";

const REPOSITORY = join(import.meta.dirname, "..");

const RULES: ImportRules = {
  levels: [
    // The ground: the vocabulary, and what has nothing to do with agents.
    ["events", "util", "scope", "semconv.ts", "version.ts"],
    ["config", "http", "text"],
    ["identifiers", "phrases"],
    // Siblings don't know each other: what joins them is above.
    [
      "bridge",
      "compliance",
      "delivery",
      "instrumentation",
      "judge",
      "otlp",
      "redaction",
      "telemetry",
    ],
    ["assessment"],
    ["monitor"],
    ["event-batch"],
    ["index.ts", "integrations", "packs.ts", "register.ts", "testing.ts"],
    ["platform"],
    ["cli"],
    ["cli.ts"],
  ],
  siblings: {
    events: ["util"],
    otlp: ["redaction", "telemetry"],
    telemetry: ["redaction"],
  },
  siblingTypes: { instrumentation: ["bridge"], util: ["events"] },
  // The viewer's page has nothing of Node.js.
  apart: {
    "platform/ui": [
      "events/judge-result.ts",
      "platform/insight/intervals.ts",
      "util/count-noun.ts",
    ],
    "platform/insight/intervals.ts": [],
    "events/judge-result.ts": [],
    "util/count-noun.ts": [],
  },
  packages: {
    "node:*": [
      "assessment",
      "bridge",
      "cli",
      "compliance",
      "config",
      "delivery",
      "http",
      "instrumentation",
      "judge",
      "monitor",
      "otlp",
      "phrases",
      "platform",
      "redaction",
      "scope",
      "util",
    ],
    "node:crypto": ["events"],
    "@opentelemetry/*": [
      "assessment",
      "bridge",
      "config",
      "delivery",
      "event-batch",
      "http",
      "instrumentation",
      "monitor",
      "otlp",
      "register.ts",
      "scope",
      "telemetry",
    ],
    "@opentelemetry/semantic-conventions*": ["semconv.ts"],
    zod: ["compliance/packs", "config", "events", "judge", "monitor", "platform", "redaction"],
    jose: ["delivery", "platform"],
    yaml: ["compliance/packs"],
    "hono*": ["platform"],
    "@hono/*": ["platform"],
    kysely: ["platform"],
    oauth4webapi: ["platform"],
    "node-sqlite3-wasm": ["platform"],
    "@platformatic/kafka": ["platform/kafka"],
    pg: ["platform/store/postgres"],
    aws4fetch: ["platform/archive"],
    "preact*": ["platform/ui"],
    "htm*": ["platform/ui"],
  },
};

/** Files that lie directly in src and that no application imports. */
const BESIDE_ENTRIES = ["cli.ts", "semconv.ts", "version.ts"];

/** Sources of what an application can import. */
const ENTRIES = PACKAGE_ENTRIES.map(({ source }) => source);
/** Entries that may re-export; the one that registers only runs. */
const DOORS = ENTRIES.filter((file) => file !== "register.ts");

/** Names of attributes, events and metrics that OpenTelemetry has, those of one word left out: they are words. */
const OTEL_NAMES = new Set(
  Object.entries({ ...incubating, ...stable }).flatMap(([constant, name]) =>
    /^(?:ATTR|EVENT|METRIC)_/.test(constant) && typeof name === "string" && name.includes(".")
      ? [name]
      : [],
  ),
);

const files = readSourceFiles(join(REPOSITORY, "src"));

describe("architecture", () => {
  it("reads the sources", () => {
    expect(files.size).toBeGreaterThan(20);
  });

  it("lets every file import only what lies below it", () => {
    expect(findViolations(files, RULES)).toEqual([]);
  });

  it("has no files that import each other, types included", () => {
    expect(findCycles(files)).toEqual([]);
  });

  it("has nothing but entries beside the rooms", () => {
    const loose = [...files.keys()].filter((file) => !file.includes("/"));
    expect(loose.filter((file) => ![...ENTRIES, ...BESIDE_ENTRIES].includes(file))).toEqual([]);
  });

  it("has no barrels", () => {
    expect(findBarrels(files, DOORS)).toEqual([]);
  });

  it("has the names of OpenTelemetry in semconv.ts alone", () => {
    expect(findImporters(files, "@opentelemetry/semantic-conventions")).toEqual(["semconv.ts"]);
    expect(OTEL_NAMES.size).toBeGreaterThan(500);
    expect(findCopiedNames(files, OTEL_NAMES)).toEqual([]);
  });

  it("keeps the platform and the CLI out of the SDK", () => {
    const reached = [...findReachable(files, "index.ts")];
    expect(reached.length).toBeGreaterThan(20);
    expect(reached.filter((file) => /^(platform|cli)\b/.test(file))).toEqual([]);
  });

  it("keeps what reads the files of packs out of the SDK", () => {
    // What reads a bank's packs is loaded apart, when a monitor is given one.
    const apart = "compliance/packs/deferred-packs.ts";
    const eager = new Map([...files].filter(([file]) => file !== apart));
    for (const entry of ["index.ts", "register.ts", "testing.ts"]) {
      const reached = [...findReachable(eager, entry)];
      expect(reached).toContain("compliance/built-in-rules.ts");
      // The judge reads what the built-in files say; it is loaded apart, and takes types of the others.
      const judged = /\/(pack-source|built-in-source\.generated|pack-schema|phrase-lines)\.ts$/;
      const readers = reached.filter((file) => file.startsWith("compliance/packs/"));
      expect(readers.filter((file) => !judged.test(file) && file !== apart)).toEqual([]);
    }
  });
});

describe("the checker", () => {
  const check = (file: string, source: string): string[] =>
    findViolations(new Map([[file, source]]), RULES);

  it.each([
    ["delivery/a.ts", 'import { b } from "../events/b.ts";'],
    ["delivery/a.ts", 'import {\n  b,\n  type C,\n} from "../util/b.ts";'],
    ["telemetry/a.ts", 'import { redact } from "../redaction/b.ts";'],
    ["instrumentation/a.ts", 'import type { B } from "../bridge/b.ts";'],
    ["instrumentation/a.ts", 'import { type B } from "../bridge/b.ts";'],
    ["compliance/checks/a.ts", 'import { defineRule } from "../define-rule.ts";'],
    ["compliance/packs/a.ts", 'import { parseDocument } from "yaml";'],
    ["platform/ui/a.ts", 'import type { B } from "../b.ts";\nimport { c } from "./c.ts";'],
    ["events/a.ts", ' * import { trace } from "@opentelemetry/api";\n// import("hono")'],
    ["delivery/a.ts", 'const jose = await import("jose");'],
  ])("accepts in %s: %j", (file, source) => {
    expect(check(file, source)).toEqual([]);
  });

  it.each([
    ["delivery/a.ts", 'import { b } from "../compliance/b.ts";', "may not import src/compliance"],
    ["delivery/a.ts", 'import type { B } from "../compliance/b.ts";', "may not import"],
    ["delivery/a.ts", 'export { b } from "../bridge/b.ts";', "may not import src/bridge/b.ts"],
    ["telemetry/a.ts", 'import { b } from "../assessment/b.ts";', "is not below telemetry"],
    ["instrumentation/a.ts", 'import { b } from "../bridge/b.ts";', "only types of bridge"],
    ["instrumentation/a.ts", 'import {\n  type A,\n  b,\n} from "../bridge/b.ts";', "only types"],
    ["monitor/a.ts", 'const x = await import("../platform/index.ts");', "may not import"],
    ["events/a.ts", 'import "../monitor/monitor.ts";', "may not import src/monitor"],
    ["platform/ui/a.ts", 'import { a } from "../a.ts";', "only types of platform"],
    ["platform/ui/a.ts", 'import { join } from "node:path";', "may not use"],
    ["events/a.ts", 'import { trace } from "@opentelemetry/api";', "may not use"],
    ["delivery/a.ts", 'import { Hono } from "hono";', "may not use"],
    ["util/a.ts", 'const s = require("node-sqlite3-wasm");', "may not use"],
    ["compliance/a.ts", 'import { parseDocument } from "yaml";', "may not use"],
    ["util/a.ts", 'import { b } from "./b.js";', "with .ts"],
    ["util/a.ts", 'import { b } from "./b";', "with .ts"],
    ["attic/a.ts", "", "lies in no room"],
    ["loose.ts", "", "lies in no room"],
  ])("refuses in %s: %j", (file, source, problem) => {
    expect(check(file, source)).toEqual([expect.stringContaining(problem)]);
  });

  it("refuses barrels", () => {
    const barrels = new Map([
      ["events/index.ts", 'export { a } from "./a.ts";'],
      ["index.ts", 'export * from "./monitor.ts";\nexport { b } from "./b.ts";'],
    ]);
    expect(findBarrels(barrels, ["index.ts"])).toEqual([
      expect.stringContaining('re-exports "./a.ts"'),
      expect.stringContaining('"export * from ./monitor.ts"'),
    ]);
  });

  it("finds names of OpenTelemetry that are written out", () => {
    const copies = (file: string, source: string): string[] =>
      findCopiedNames(new Map([[file, source]]), OTEL_NAMES);
    expect(copies("bridge/a.ts", 'const a = x["session.id"];')).toHaveLength(1);
    expect(copies("bridge/dialects/a.ts", "const a = `http.route`;")).toHaveLength(1);
    expect(copies("bridge/a.ts", 'const a = "gen_ai.of.somebody";')).toHaveLength(1);
    expect(copies("bridge/dialects/otel-gen-ai.ts", 'const a = "gen_ai.x";')).toHaveLength(1);
    expect(copies("bridge/dialects/a.ts", 'const a = "gen_ai.of.somebody";')).toEqual([]);
    expect(copies("bridge/a.ts", 'name.startsWith("gen_ai."); // "user.id"')).toEqual([]);
    expect(copies("bridge/a.ts", "/** Reads `session.id`. */\n * `user.id`\n")).toEqual([]);
    expect(copies("semconv.ts", 'const a = "gen_ai.x";')).toEqual([]);
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

  it("finds files that import each other", () => {
    const circle = new Map([
      ["index.ts", 'import { a } from "./util/a.ts";\n'],
      ["util/a.ts", 'import type { B } from "./b.ts";\n'],
      ["util/b.ts", 'import { c } from "./c.ts";\nimport { d } from "./d.ts";\n'],
      ["util/c.ts", 'import { type A } from "./a.ts";\n'],
      ["util/d.ts", "export const d = 1;\n"],
    ]);
    expect(findCycles(circle)).toEqual(["util/a.ts", "util/b.ts", "util/c.ts"]);
    circle.set("util/c.ts", "export const c = 1;\n");
    expect(findCycles(circle)).toEqual([]);
  });
});
