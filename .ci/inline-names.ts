// Writes the names of `semconv.ts` as what they are, in the modules that tsc has made. The package of the conventions has
// thousands of them, and nobody who uses ours needs it; and an object whose members the code names is made far faster than
// one whose names have to be looked up. No declaration of ours names them.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { MODULES } from "./build-options.ts";

const SEMCONV = join(MODULES, "semconv.js");
const IMPORT = /^import (?:\* as semconv|\{[^}]*\}) from "(?:\.\.?\/)+semconv\.js";$/m;

const names = Object.entries((await import(SEMCONV)) as Readonly<Record<string, string>>);
/** What stands for a name that a module has imported, alone or as a member of the namespace. */
const define = Object.fromEntries(
  names.flatMap(([name, value]) => {
    const text = JSON.stringify(value);
    return [
      [name, text],
      [`semconv.${name}`, text],
    ];
  }),
);

for (const path of readdirSync(MODULES, { recursive: true, encoding: "utf8" })) {
  if (!path.endsWith(".js")) continue;
  const file = join(MODULES, path);
  const code = readFileSync(file, "utf8");
  if (!code.includes("semconv.js")) continue;
  const inlined = transformSync(code.replace(IMPORT, ""), { define, minifySyntax: true }).code;
  if (/semconv\.(?:js|[A-Z])/.test(inlined)) throw new Error(`${path} still needs semconv.js`);
  writeFileSync(file, inlined);
}
for (const extension of [".js", ".d.ts"]) rmSync(SEMCONV.replace(/\.js$/, extension));
