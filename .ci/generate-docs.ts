// Writes the generated parts of semconv.md and of the pages in docs, and what package.json and tsconfig.json say of the
// entries.
//
//   npm run docs:generate              writes them
//   npm run docs:generate -- --check   exits with 1 when one is stale, and changes nothing
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toBridgeExampleParts } from "./docs/bridge-example.ts";
import { toClientGuide } from "./docs/client-guide.ts";
import { toConfigTable, toOtlpTable } from "./docs/config-table.ts";
import { toControlsParts } from "./docs/controls.ts";
import { toBridgeParts } from "./docs/dialect-tables.ts";
import { fillManifest, fillPaths } from "./docs/entry-lists.ts";
import { toExampleParts } from "./docs/example.ts";
import { toJudgeParts } from "./docs/judge-tables.ts";
import { fillMarkers } from "./docs/markdown.ts";
import { toRulesParts } from "./docs/rules-reference.ts";
import { toScalingParts } from "./docs/scaling-tables.ts";
import { toSemconvParts } from "./docs/semconv-tables.ts";

const ROOT = join(import.meta.dirname, "..");

/** A document as it is and as it should be. */
export interface GeneratedDocument {
  readonly path: string;
  readonly current: string;
  readonly generated: string;
}

function generate(path: string, fill: (current: string) => string): GeneratedDocument {
  const current = readFileSync(join(ROOT, path), "utf8");
  try {
    return { path, current, generated: fill(current) };
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : "unknown"}`, {
      cause: error,
    });
  }
}

/** Generates every document that has generated parts. */
export async function generateDocuments(): Promise<GeneratedDocument[]> {
  const parts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    "docs/instrumentation.md": { clients: toClientGuide() },
    "docs/configuration.md": { config: toConfigTable() },
    "docs/pipelines.md": { "config-otlp": toOtlpTable() },
    "semconv.md": toSemconvParts(),
    "docs/bridge.md": toBridgeParts(),
    "docs/example.md": { ...(await toExampleParts()), ...(await toBridgeExampleParts()) },
    "docs/rules.md": await toRulesParts(),
    "docs/judge.md": toJudgeParts(),
    "docs/controls.md": toControlsParts(),
    "docs/scaling.md": toScalingParts(),
  };
  return [
    generate("package.json", fillManifest),
    generate("tsconfig.json", fillPaths),
    ...Object.entries(parts).map(([path, filled]) =>
      generate(path, (current) => fillMarkers(current, filled)),
    ),
  ];
}

async function run(isCheck: boolean): Promise<void> {
  const documents = await generateDocuments();
  const stale = documents.filter(({ current, generated }) => current !== generated);
  for (const { path, generated } of stale) {
    if (isCheck) console.error(`${path} is stale: run npm run docs:generate`);
    else writeFileSync(join(ROOT, path), generated);
  }
  if (isCheck && stale.length > 0) process.exitCode = 1;
}

if (process.argv[1] === import.meta.filename) await run(process.argv.includes("--check"));
