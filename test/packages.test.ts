import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findImporters, readSourceFiles, type SourceFiles } from "./helpers/import-rules.ts";

const ROOT = join(import.meta.dirname, "..");

/** A package that the product was asked to be made with. */
interface Asked {
  readonly name: string;
  readonly kind: "dependencies" | "devDependencies" | "peerDependencies";
  /** What it is for, by the room that uses it and what that room takes of it. */
  readonly uses: readonly (readonly [task: string, room: string, taken: string])[];
}

const ASKED: readonly Asked[] = [
  {
    name: "@opentelemetry/api",
    // The application's: what it registers must be what we find.
    kind: "peerDependencies",
    uses: [
      ["finds the application's providers", "src/telemetry", "api.trace"],
      ["makes a turn the active span", "src/telemetry", "trace.setSpan"],
      ["asks whether a span is sampled", "src/otlp", "TraceFlags"],
    ],
  },
  {
    name: "@opentelemetry/sdk-trace-base",
    kind: "dependencies",
    uses: [
      ["makes spans for destinations of the monitor's own", "src/otlp", "new BasicTracerProvider"],
      ["batches them", "src/otlp", "new BatchSpanProcessor"],
      ["samples as the environment says", "src/telemetry", "new ParentBasedSampler"],
    ],
  },
  {
    name: "@opentelemetry/sdk-logs",
    kind: "dependencies",
    uses: [
      ["says when events are sent to the platform", "src/delivery", "new BatchLogRecordProcessor"],
      ["makes log records for destinations of the monitor's own", "src/otlp", "new LoggerProvider"],
      ["batches them", "src/otlp", "new BatchLogRecordProcessor"],
    ],
  },
  {
    name: "@opentelemetry/exporter-trace-otlp-http",
    kind: "dependencies",
    uses: [["exports spans to other backends", "src/otlp", "OTLPTraceExporter"]],
  },
  {
    name: "@opentelemetry/semantic-conventions",
    // The build writes the names that are used.
    kind: "devDependencies",
    uses: [
      ["names attributes of model calls", "src/semconv.ts", "ATTR_GEN_AI_OPERATION_NAME"],
      ["names what is stable", "src/semconv.ts", "ATTR_ERROR_TYPE"],
    ],
  },
  {
    name: "zod",
    kind: "dependencies",
    uses: [
      ["describes every event, its type and its check", "src/events", "z.object"],
      ["describes the configuration", "src/config", "z.object"],
    ],
  },
  { name: "vitest", kind: "devDependencies", uses: [["runs the tests", "test", "expect"]] },
];

/** Packages that only a configured destination needs. */
const LOADED_LATE = /^@opentelemetry\/(?:exporter-(?:trace|logs)-otlp-http|otlp-)/;

const IMPORTS = /^(?:import|export)\s[^;]*?\bfrom\s*["']([^"']+)["'];$/gm;

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}
interface Locked {
  readonly dev?: boolean;
  readonly deprecated?: string;
  readonly hasInstallScript?: boolean;
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(join(ROOT, file), "utf8"));
const manifest = readJson("package.json") as Manifest;
const { packages } = readJson("package-lock.json") as { packages: Record<string, Locked> };

const sources: SourceFiles = new Map(
  ["src", "test"].flatMap((folder) =>
    Array.from(
      readSourceFiles(join(ROOT, folder)),
      ([file, source]) => [`${folder}/${file}`, source] as const,
    ),
  ),
);

/** Finds files of a room that import a package and name something of it in their code. */
function findUsers(files: SourceFiles, name: string, room: string, taken: string): string[] {
  return findImporters(files, name)
    .filter((file) => file === room || file.startsWith(`${room}/`))
    .filter((file) =>
      new RegExp(`\\b${taken}\\b`).test((files.get(file) ?? "").replaceAll(IMPORTS, "")),
    );
}

describe.each(ASKED)("$name", ({ name, kind, uses }) => {
  it("is declared for what it is", () => {
    expect(Object.keys(manifest[kind])).toContain(name);
  });

  it.each(uses)("%s: %s takes %s", (task, room, taken) => {
    expect(findUsers(sources, name, room, taken), `nothing ${task} any more`).not.toEqual([]);
  });
});

describe("packages of production", () => {
  const production = Object.entries(packages).filter(([path, { dev }]) => path !== "" && !dev);

  it("are there once, none deprecated, none with a script that runs when it is installed", () => {
    const names = production.map(([path]) => path.split("node_modules/").at(-1));
    expect(names).toContain("@opentelemetry/exporter-trace-otlp-http");
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    const unwanted = production.filter(([, { deprecated, hasInstallScript }]) =>
      Boolean(deprecated ?? hasInstallScript),
    );
    expect(unwanted.map(([path]) => path)).toEqual([]);
  });

  it("that export telemetry are loaded when there is something to export", () => {
    const eager = [...sources]
      .filter(([file]) => file.startsWith("src/"))
      .flatMap(([file, source]) =>
        Array.from(source.matchAll(IMPORTS), ([statement, name = ""]) =>
          LOADED_LATE.test(name) && !statement.startsWith("import type") ? [file] : [],
        ).flat(),
      );
    expect(eager).toEqual([]);
  });
});

it("runs the tests with vitest", () => {
  expect(manifest.scripts["test"]).toContain("vitest run");
});

it("finds no use in an import alone, in another package's, or in another room", () => {
  const files: SourceFiles = new Map([
    ["src/a/unused.ts", 'import { made } from "pack";\n'],
    ["src/a/other.ts", 'import { made } from "other";\nmade();\n'],
    ["src/b/used.ts", 'import { made } from "pack";\nmade();\n'],
    ["src/b/late.ts", 'const { made } = await import("pack/part");\n'],
  ]);
  expect(findUsers(files, "pack", "src/a", "made")).toEqual([]);
  expect(findUsers(files, "pack", "src/b", "made")).toEqual(["src/b/used.ts", "src/b/late.ts"]);
});
