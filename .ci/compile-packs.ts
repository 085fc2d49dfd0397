// Compiles the built-in rules, src/compliance/pack.yaml, rules/ and words/: what they say of themselves, their phrases as
// tables and as text, and their cases for the tests. None of it is committed. Does nothing when all is as it should be.
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { decodeWeights } from "../src/compliance/learned/model-codec.ts";
import { encodeRecords } from "../src/compliance/learned/records-codec.ts";
import { toRecords } from "../src/compliance/learned/weight-records.ts";
import { toFilesDigest } from "../src/compliance/packs/pack-digest.ts";
import type { Pack, PackFiles } from "../src/compliance/packs/read-pack.ts";
import type { PackFile } from "../src/compliance/packs/read-yaml.ts";

const ROOT = join(import.meta.dirname, "..");
const ROOM = join(ROOT, "src/compliance");
const PACK = join(ROOM, "compiled/built-in-pack.generated.ts");
const PHRASES = join(ROOT, "src/phrases/built-in-phrases.generated.ts");
const SOURCE = join(ROOM, "packs/built-in-source.generated.ts");
const MODEL = join(ROOM, "learned/built-in-model.generated.ts");
const FIGURES = join(ROOM, "packs/pattern-figures.generated.ts");
const CASES = join(ROOT, "test/compliance/rule-cases.generated.json");
/** Rooms whose code reads, checks and compiles packs. */
const CODE = ["compliance", "phrases", "text"];
const EMPTY_PACK = JSON.stringify({ id: "", version: "", sha256: "", rules: [], common: {} });

function listFiles(path: string, ending: string): string[] {
  return readdirSync(path, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(ending) && !name.includes(".generated."))
    .map((name) => join(path, name))
    .toSorted();
}

function toName(path: string): string {
  return relative(ROOT, path).split(sep).join("/");
}

function readFile(path: string): PackFile {
  return { path: toName(path), text: readFileSync(path, "utf8") };
}

/** Reads the files of the built-in pack. */
export function readPackFiles(): PackFiles {
  const read = (folder: string): PackFile[] =>
    listFiles(join(ROOM, folder), ".yaml").map((path) => readFile(path));
  return { pack: readFile(join(ROOM, "pack.yaml")), rules: read("rules"), words: read("words") };
}

/** Computes the digest of all that the generated files are made of, the code that makes them included. */
function toStamp({ pack, rules, words }: PackFiles): string {
  const rooms = CODE.flatMap((room) => listFiles(join(ROOT, "src", room), ".ts"));
  const code = [...rooms, import.meta.filename].map((path) => readFile(path));
  const hash = createHash("sha256");
  for (const { path, text } of [pack, ...rules, ...words, ...code])
    hash.update(JSON.stringify([path, text]));
  return hash.digest("hex");
}

/** Writes a file at once: others may read it, or write it as well. */
function write(path: string, text: string): void {
  const draft = `${path}.${process.pid}`;
  // A copy of the sources alone has no tests.
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(draft, text);
  renameSync(draft, path);
}

function writeChanged(path: string, text: string): void {
  if (!existsSync(path) || readFileSync(path, "utf8") !== text) write(path, text);
}

function toPackModule(json: string, stamp: string): string {
  const literal = json.replaceAll("\\", "\\\\").replaceAll("'", "\\'");
  return `// ${stamp}\n/** The built-in rules without their phrases; \`npm run compile\` writes this file. */\nexport const BUILT_IN_PACK: string =\n  '${literal}';\n`;
}

function toPhrasesModule(encoded: string): string {
  return `/** The phrases of the built-in rules; \`npm run compile\` writes this file. */\nexport const BUILT_IN_PHRASES: string =\n  "${encoded}";\n`;
}

function toSourceModule(encoded: string): string {
  return `/** The built-in rules and words as their files say them; \`npm run compile\` writes this file. */\nexport const BUILT_IN_SOURCE: string =\n  "${encoded}";\n`;
}

/** Returns the model that `npm run train` has made, and the digest by which findings name it: that of its files. */
function toModelModule(): string {
  const files = ["model.bin", "model.json"].map((name) => {
    const path = join(ROOM, "learned", name);
    return { path: toName(path), text: readFileSync(path) };
  });
  const [weights, facts] = files.map(({ text }) => text);
  const records = encodeRecords(toRecords(decodeWeights(weights ?? Buffer.alloc(0))));
  const literal = JSON.stringify(JSON.parse(String(facts))).replaceAll("'", "\\'");
  return `/** The learned model; \`npm run compile\` writes this file. */\nexport const BUILT_IN_MODEL: string =\n  '${literal}';\nexport const BUILT_IN_MODEL_SHA256: string =\n  "${toFilesDigest(files)}";\nexport const BUILT_IN_RECORDS: string =\n  "${records}";\n`;
}

/** Returns what was measured of each pattern. */
function toFiguresModule(): string {
  const figures = readFileSync(join(ROOM, "packs/pattern-figures.json"), "utf8");
  const json = JSON.stringify(JSON.parse(figures));
  return `/** What was measured of each pattern; \`npm run compile\` writes this file. */\nexport const PATTERN_FIGURES: string =\n  '${json}';\n`;
}

/** Writes files that hold nothing, because what compiles them imports them. */
function makeWay(): void {
  if (!existsSync(PACK)) write(PACK, toPackModule(EMPTY_PACK, "nothing yet"));
  if (!existsSync(PHRASES)) write(PHRASES, toPhrasesModule(""));
  if (!existsSync(SOURCE)) write(SOURCE, toSourceModule(""));
  if (!existsSync(MODEL)) write(MODEL, toModelModule());
}

/** Reads and checks the built-in pack. */
export async function readBuiltInPack(): Promise<Pack> {
  makeWay();
  const known = await import("../src/compliance/checks/index.ts");
  const { readPack } = await import("../src/compliance/packs/read-pack.ts");
  return readPack(readPackFiles(), known);
}

/** Compiles the phrases of the built-in pack. */
export async function compileBuiltInPhrases(pack: Pack) {
  const known = await import("../src/compliance/checks/index.ts");
  const { compilePack } = await import("../src/compliance/packs/compile-pack.ts");
  const { compilePhrases } = await import("../src/phrases/phrase-compiler.ts");
  const { encodePhrases } = await import("../src/phrases/phrase-codec.ts");
  const { compiled, groups } = compilePack(pack, known);
  return { compiled, phrases: encodePhrases(compilePhrases(groups, compiled.common)) };
}

/** Writes the generated files, unless they are as they should be; the tests do so before they begin. */
export async function setup(): Promise<void> {
  writeChanged(MODEL, toModelModule());
  writeChanged(FIGURES, toFiguresModule());
  const stamp = toStamp(readPackFiles());
  const isCurrent =
    [PACK, PHRASES, SOURCE, CASES].every((path) => existsSync(path)) &&
    readFileSync(PACK, "utf8").startsWith(`// ${stamp}\n`);
  if (isCurrent) return;
  const pack = await readBuiltInPack();
  const { compiled, phrases } = await compileBuiltInPhrases(pack);
  write(CASES, JSON.stringify(Object.fromEntries(pack.rules.map(({ id, cases }) => [id, cases]))));
  write(PHRASES, toPhrasesModule(phrases));
  const { encodeSource } = await import("../src/compliance/packs/pack-source.ts");
  write(SOURCE, toSourceModule(encodeSource(pack)));
  write(PACK, toPackModule(JSON.stringify(compiled), stamp));
}

if (process.argv[1] === import.meta.filename) {
  try {
    await setup();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
