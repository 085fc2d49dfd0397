// Writes the generated parts of README.md, semconv.md, docs/rules.md and docs/judge.md.
//
//   npm run docs:generate              writes them
//   npm run docs:generate -- --check   exits with 1 when one is stale, and changes nothing
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toBridgeExampleParts } from "./docs/bridge-example.ts";
import { toConfigTable, toOtlpTable } from "./docs/config-table.ts";
import { toBridgeParts } from "./docs/dialect-tables.ts";
import { toExampleParts } from "./docs/example.ts";
import { toJudgeParts } from "./docs/judge-tables.ts";
import { fillMarkers } from "./docs/markdown.ts";
import { toRulesParts } from "./docs/rules-reference.ts";
import { toSemconvParts } from "./docs/semconv-tables.ts";

const ROOT = join(import.meta.dirname, "..");

/** A document as it is and as it should be. */
export interface GeneratedDocument {
  readonly path: string;
  readonly current: string;
  readonly generated: string;
}

function generate(path: string, parts: Readonly<Record<string, string>>): GeneratedDocument {
  const current = readFileSync(join(ROOT, path), "utf8");
  try {
    return { path, current, generated: fillMarkers(current, parts) };
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : "unknown"}`, {
      cause: error,
    });
  }
}

/** Generates every document that has generated parts. */
export async function generateDocuments(): Promise<GeneratedDocument[]> {
  return [
    generate("README.md", { config: toConfigTable(), "config-otlp": toOtlpTable() }),
    generate("semconv.md", {
      ...toSemconvParts(),
      ...toBridgeParts(),
      ...(await toExampleParts()),
      ...(await toBridgeExampleParts()),
    }),
    generate("docs/rules.md", await toRulesParts()),
    generate("docs/judge.md", toJudgeParts()),
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
