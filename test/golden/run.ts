/*
 * Compares what the rules find in all labelled texts and cases, which events the bridge makes of all captures, what
 * programs send, and what becomes of spools and at faults, with what is committed beside this file: `npm run golden`.
 *
 *   --check         compares, as without it
 *   --write         accepts what is found now
 *   --write-spools  has processes of this version write the spools of cases that have none, and be killed
 *   --out <dir>     writes everything in full as JSON Lines, for a diff of two checkouts
 *
 * Ends with 1 when something differs.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { compareGolden, listOrphans } from "./compare-golden.ts";
import { makeGoldenFiles } from "./make-golden-files.ts";
import { writeSpools } from "./spools/write-spools.ts";

const { values } = parseArgs({
  options: {
    check: { type: "boolean" },
    write: { type: "boolean" },
    "write-spools": { type: "boolean" },
    out: { type: "string" },
  },
});

const HERE = import.meta.dirname;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const startedAt = performance.now();
if (values["write-spools"] === true) await writeSpools();
const files = await makeGoldenFiles();
if (values.out !== undefined)
  for (const { path, details } of files)
    write(join(values.out, path.replace(/\.txt$/, ".jsonl")), `${details.join("\n")}\n`);
if (values.write === true) {
  for (const { path, text } of files) write(join(HERE, path), text);
  for (const path of listOrphans(HERE, files)) rmSync(join(HERE, path));
} else {
  const differences = compareGolden(HERE, files);
  for (const line of differences) print(line);
  if (differences.length > 0) {
    print("golden: to accept, npm run golden -- --write; in full: npm run golden -- --out <dir>");
    process.exitCode = 1;
  }
}
print(`golden: ${files.length} files in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
