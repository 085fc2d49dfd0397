// Writes the names of `semconv.ts` as what they are, in the module that tsc has made: the package of the conventions has
// thousands, and nobody who uses ours needs it. No declaration of ours names them.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FILE = join(import.meta.dirname, "../temp/modules/semconv.js");

const names = Object.entries((await import(FILE)) as Readonly<Record<string, string>>);
const lines = names.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`);
writeFileSync(FILE, lines.join(""));
rmSync(FILE.replace(/\.js$/, ".d.ts"));
