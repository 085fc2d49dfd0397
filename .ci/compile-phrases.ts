// Compiles the phrases of the built-in rules into one generated file, from which the package decodes them when the
// first text comes.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FILE = join(import.meta.dirname, "../src/compliance/phrases/built-in-phrases.generated.ts");

const toModule = (encoded: string): string =>
  `/** The phrases of the built-in rules; \`npm run compile\` writes this file. */\nexport const BUILT_IN_PHRASES: string =\n  "${encoded}";\n`;

/** Compiles what the built-in rules and the guards look for; a group that several rules share is compiled once. */
async function compile(): Promise<string> {
  const { builtInRules } = await import("../src/compliance/rules/index.ts");
  const { guardPhrases } = await import("../src/compliance/phrases/guards.ts");
  const { compilePhrases } = await import("../src/compliance/phrases/phrase-compiler.ts");
  const { encodePhrases } = await import("../src/compliance/phrases/phrase-codec.ts");
  const groups = [guardPhrases, ...builtInRules].flatMap((source) => source.listGroups());
  const byName = new Map(groups.map((group) => [group.name, group]));
  return encodePhrases(compilePhrases(byName.values()));
}

/** Writes the generated file, unless it is as it should be; the tests do so before they begin. */
export async function setup(): Promise<void> {
  // The rules import the file, but decode it only when they are evaluated.
  if (!existsSync(FILE)) writeFileSync(FILE, toModule(""));
  const generated = toModule(await compile());
  if (readFileSync(FILE, "utf8") !== generated) writeFileSync(FILE, generated);
}

if (process.argv[1] === import.meta.filename) await setup();
