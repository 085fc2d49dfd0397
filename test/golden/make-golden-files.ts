import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { createReplay } from "../accuracy/evaluate-items.ts";
import { toBatchesFile } from "./batches/batches-file.ts";
import { toEventsFile } from "./capture-events.ts";
import { toFaultFiles } from "./faults/fault-files.ts";
import { toFindingsFile } from "./findings.ts";
import type { GoldenFile } from "./golden-file.ts";
import { toOtlpFiles } from "./otlp/otlp-files.ts";
import { evaluateCases } from "./rule-cases.ts";
import { toSpoolFiles } from "./spools/spool-files.ts";

const FIXTURES = join(import.meta.dirname, "../fixtures/compliance");

interface Fixture {
  readonly name: string;
  readonly path: string;
}

function listFixtures(folder: string, ending: string): Fixture[] {
  return readdirSync(join(FIXTURES, folder))
    .filter((file) => file.endsWith(ending))
    .toSorted()
    .map((file) => ({
      name: join(folder, file.slice(0, -ending.length)),
      path: join(FIXTURES, folder, file),
    }));
}

function readItems(path: string): { readonly id: string }[] {
  const bytes = readFileSync(path);
  const text = (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => JSON.parse(line) as { id: string });
}

/** Makes all golden files; the findings are those of every labelled text but those that are held out. */
export async function makeGoldenFiles(): Promise<GoldenFile[]> {
  // Texts that are held out are nobody's to look at.
  const fixtures = [...listFixtures("", ".jsonl"), ...listFixtures("authors", ".jsonl.gz")];
  const findings = fixtures.map(({ name, path }) => {
    // One each, so that a new file changes no timestamp in another one's findings.
    const replay = createReplay([]);
    const items = readItems(path);
    return toFindingsFile(
      name,
      items.map((item) => ({ id: item.id, evaluations: replay(item).evaluations })),
    );
  });
  const others = [...(await toSpoolFiles()), ...(await toFaultFiles())];
  const sent = [await toBatchesFile(), ...(await toOtlpFiles())];
  const found = [...findings, toFindingsFile("rule-cases", evaluateCases()), toEventsFile()];
  return [...found, ...others, ...sent];
}
