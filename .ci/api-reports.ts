// Reports what each entry of the package exports, from its declarations before they are rolled up, in test/api, and what it is
// for, in docs/api.md.
//
//   npm run api          writes the reports and the page, and removes reports of entries that are gone
//   npm run check:api    exits with 1 and names each that differs, is missing or has no entry; changes none
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  CompilerState,
  Extractor,
  ExtractorConfig,
  ExtractorLogLevel,
  type ExtractorMessage,
} from "@microsoft/api-extractor";
import { toApiPage, type ApiEntry } from "./docs/api-page.ts";
import { ENTRIES, toBuilt, toReport, toSpecifier } from "./entries.ts";

const ROOT = join(import.meta.dirname, "..");
const REPORTS = "test/api";
const PAGE = "docs/api.md";
const CONFIG_FILE = join(ROOT, "api-extractor.json");

/** Returns the declarations of an entry. */
function toTypes(entry: (typeof ENTRIES)[number]): string {
  return join(ROOT, "temp/modules", `${toBuilt(entry)}.d.ts`);
}

/** Returns the file of what the extractor has read of an entry, comments included. */
function toModelFile(entry: (typeof ENTRIES)[number]): string {
  return join(ROOT, "temp", toReport(entry).replace(/\.md$/, ".json"));
}

function configure(entry: (typeof ENTRIES)[number]): ExtractorConfig {
  const configObject = ExtractorConfig.loadFile(CONFIG_FILE);
  configObject.mainEntryPointFilePath = toTypes(entry);
  configObject.apiReport = {
    ...configObject.apiReport,
    enabled: true,
    reportFileName: toReport(entry),
  };
  configObject.docModel = { enabled: true, apiJsonFilePath: toModelFile(entry) };
  return ExtractorConfig.prepare({
    configObject,
    configObjectFullPath: CONFIG_FILE,
    packageJsonFullPath: join(ROOT, "package.json"),
  });
}

function readModel(entry: (typeof ENTRIES)[number]): ApiEntry {
  const model = JSON.parse(readFileSync(toModelFile(entry), "utf8")) as ApiEntry["model"];
  return { specifier: toSpecifier(entry), model };
}

/** Lets errors pass: that a report differs is said once, when all are made. */
function keepErrors(message: ExtractorMessage): void {
  if (message.logLevel !== ExtractorLogLevel.Error) message.logLevel = ExtractorLogLevel.None;
}

const isCheck = process.argv.includes("--check");
const reports = ENTRIES.map(toReport);
const orphans = readdirSync(join(ROOT, REPORTS)).filter((name) => !reports.includes(name));

const configs = ENTRIES.map(configure);
const [first] = configs;
if (!first) throw new Error("the package has no entries");
// Reading the declarations takes most of the time: all reports share what one compiler has read.
const additionalEntryPoints = ENTRIES.map(toTypes);
const compilerState = CompilerState.create(first, { additionalEntryPoints });
const results = configs.map((config) =>
  Extractor.invoke(config, { compilerState, localBuild: !isCheck, messageCallback: keepErrors }),
);
if (!isCheck) for (const name of orphans) rmSync(join(ROOT, REPORTS, name));

const changed = reports.filter((_, index) => results[index]?.apiReportChanged);
const done = isCheck
  ? { changed: "differs or is missing", orphan: "has no entry in .ci/entries.ts" }
  : { changed: "written", orphan: "removed" };
for (const name of changed) console.log(`${REPORTS}/${name}: ${done.changed}`);
for (const name of orphans) console.log(`${REPORTS}/${name}: ${done.orphan}`);
const page = toApiPage(ENTRIES.map(readModel));
const pageFile = join(ROOT, PAGE);
const isPageChanged = !existsSync(pageFile) || readFileSync(pageFile, "utf8") !== page;
if (isPageChanged) console.log(`${PAGE}: ${done.changed}`);
if (isPageChanged && !isCheck) writeFileSync(pageFile, page);
const isStale = isCheck && (isPageChanged || changed.length + orphans.length > 0);
if (isStale || results.some(({ errorCount }) => errorCount > 0)) process.exitCode = 1;
