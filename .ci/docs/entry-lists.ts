// What package.json and tsconfig.json say of the entries.
import { ENTRIES, toBuilt, toSpecifier } from "../entries.ts";

type Entry = (typeof ENTRIES)[number];

function toExports(): object {
  const toFormat = (folder: string, entry: Entry): object => ({
    types: `./${folder}/${toBuilt(entry)}.d.ts`,
    default: `./${folder}/${toBuilt(entry)}.js`,
  });
  const entries = ENTRIES.map((entry) => [
    toSpecifier(entry).replace("agent-monitor", "."),
    { import: toFormat("dist", entry), require: toFormat("dist/cjs", entry) },
  ]);
  return { ...Object.fromEntries(entries), "./package.json": "./package.json" };
}

/** Where compilers look that don't read `exports`. */
function toTypesVersions(): object {
  const paths = ENTRIES.filter(({ name }) => name !== "").map((entry) => [
    entry.name,
    [`./dist/cjs/${toBuilt(entry)}.d.ts`],
  ]);
  return { "*": Object.fromEntries(paths) };
}

/** Puts the entries into package.json, in the place where they stand. */
export function fillManifest(text: string): string {
  const manifest = JSON.parse(text) as object;
  const generated = { ...manifest, typesVersions: toTypesVersions(), exports: toExports() };
  return `${JSON.stringify(generated, undefined, 2)}\n`;
}

const PATHS = /"paths": \{[^}]*\}/;

/** Puts the entries into `paths` of tsconfig.json: tests and examples import the package by its name, from source. */
export function fillPaths(text: string): string {
  if (!PATHS.test(text)) throw new Error('expected "paths"');
  const lines = ENTRIES.map((entry) => `      "${toSpecifier(entry)}": ["./src/${entry.source}"]`);
  return text.replace(PATHS, `"paths": {\n${lines.join(",\n")}\n    }`);
}
