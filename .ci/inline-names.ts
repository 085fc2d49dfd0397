// Writes the names of `semconv.ts` as what they are, in both copies that tsc has made: the package of the conventions has
// thousands, and nobody who uses ours needs it. No declaration of ours names them.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const DIST = join(import.meta.dirname, "../dist");

const names = Object.entries(
  (await import(join(DIST, "semconv.js"))) as Readonly<Record<string, string>>,
).map(([name, value]) => [name, JSON.stringify(value)] as const);

const write = (path: string, lines: readonly string[]): void =>
  writeFileSync(join(DIST, path), `${lines.join("\n")}\n`);

write(
  "semconv.js",
  names.map(([name, value]) => `export const ${name} = ${value};`),
);
write("cjs/semconv.js", [
  '"use strict";',
  'Object.defineProperty(exports, "__esModule", { value: true });',
  ...names.map(([name, value]) => `exports.${name} = ${value};`),
]);
for (const path of ["semconv.d.ts", "cjs/semconv.d.ts"]) rmSync(join(DIST, path));
