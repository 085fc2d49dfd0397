// Joins the modules that tsc has written into what applications load: dist/cjs/shared, which holds the code of the package once
// for both module systems, and entries that name what they show. See docs/decisions/0031-one-shared-file.md.
import { mkdirSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { DIST, MODULES, options, toName } from "./build-options.ts";
import {
  isPart,
  JOINED,
  listShown,
  MAIN,
  owners,
  PARTS,
  readModule,
  TEXTS,
} from "./module-owners.ts";
import { takeFromInstance, toPlace } from "./take-from-instance.ts";

/** Packages that Node.js requires, because it reads a CommonJS file twice for an import; docs/decisions/0025-deferred-parts.md. */
const REQUIRED = /^@opentelemetry\/(core|resources|sdk-logs|sdk-trace-base)$/;

const RELATIVE = /^\.\.?\//;
const GIVEN = "given:";
/** Folder of the shared file, the parts and the texts, below dist/cjs. */
const FOLDER = "shared";
/** Files that a process reads in which a monitor is created: what they need is there once for all files. */
const READ_BY_EACH_MONITOR = [MAIN, "pipeline"];
const HEAD = '"use strict";\n';

/** Lists what a part exports, which must be functions. */
async function readFunctions(root: string): Promise<string[]> {
  const module = await readModule(root);
  const other = Object.entries(module).find(([, value]) => typeof value !== "function");
  if (other) throw new Error(`${root} exports ${other[0]}, which is no function`);
  return Object.keys(module);
}

/** Writes what stands in the shared file in the place of a part: its functions, which load it. */
async function toLoader(part: string, root: string): Promise<string> {
  const names = await readFunctions(root);
  const functions = names.map(
    (name) => `export const ${name} = (...values) => load().${name}(...values);\n`,
  );
  return `let part;\nconst load = () => (part ??= require("./${part}.js")($shared));\n$shared.parts.${part} = load;\n${functions.join("")}`;
}

/** Leaves out of a CommonJS file what others hold. */
function takeGiven(holder: string): Plugin {
  return {
    name: "take-given",
    setup(builder) {
      builder.onResolve({ filter: /./ }, ({ path, resolveDir, kind }) => {
        if (kind === "entry-point" || isBuiltin(path)) return undefined;
        if (kind === "require-call" || !RELATIVE.test(path)) return { path, external: true };
        const name = toName(join(resolveDir, path));
        const text = TEXTS[name];
        if (text !== undefined) return { path: `./${text}`, external: true };
        const isOwn = owners.get(name) === holder || (holder === MAIN && isPart(name));
        return isOwn ? undefined : { path: GIVEN + name, external: true };
      });
      builder.onLoad({ filter: /\.js$/ }, async ({ path }) => {
        const part = Object.entries(PARTS).find(([, root]) => root === toName(path));
        if (holder !== MAIN || !part) return undefined;
        return { contents: await toLoader(...part), loader: "js", resolveDir: MODULES };
      });
    },
  };
}

/** Packages that the code is given, by whether it waits for them. */
const packages = { now: new Set<string>(), later: new Set<string>() };

/** Has code find what it is given, and modules of Node.js without `require`, which a bundle of ES modules hasn't. */
function findGiven(code: string, holder: string): string {
  return (
    code
      // A package that is given needs no copy of its members in each module: those of zod took 15 ms of the import.
      .replaceAll(/__toESM\((require\("[^"]+"\)), 1\)/g, "$1")
      .replaceAll(/require\("given:([^"]+)"\)/g, (_call, name: string) => toPlace(name))
      .replaceAll(/\b(require|import)\("([^."][^"]*)"\)/g, (call, kind: string, id: string) => {
        if (isBuiltin(id)) {
          const module = `process.getBuiltinModule(${JSON.stringify(id)})`;
          return kind === "import" ? `Promise.resolve(${module})` : module;
        }
        if (kind === "import") {
          packages.later.add(id);
          return `$shared.load[${JSON.stringify(id)}]()`;
        }
        if (READ_BY_EACH_MONITOR.includes(holder)) packages.now.add(id);
        // A package that another part alone needs is required by it.
        return packages.now.has(id) ? `$shared.packages[${JSON.stringify(id)}]` : call;
      })
  );
}

/**
 * Writes the import of a module that others find in a file, and the member that shows it.
 *
 * Name by name: a plain object is made and read faster than one of a whole module. Nothing exports what changes.
 */
async function toShown(name: string, at: number): Promise<{ imported: string; member: string }> {
  const keys = Object.keys(await readModule(name)).map(
    (key) => [key, `shown${at}_${key}`] as const,
  );
  const imported = keys.map(([key, local]) => `${key} as ${local}`).join(", ");
  const members = keys.map(([key, local]) => `${key}: ${local}`).join(", ");
  return {
    imported: `import { ${imported} } from "./${name}";\n`,
    member: `  ${JSON.stringify(name)}: { ${members} },\n`,
  };
}

/** Joins the modules of the shared file or of a part into one CommonJS file: a function that makes them of what they are given. */
async function writeShared(holder: string): Promise<void> {
  const root = PARTS[holder];
  const shown = await Promise.all(listShown(holder).map(toShown));
  const imports = shown.map(({ imported }) => imported);
  const members = shown.map(({ member }) => member);
  const contents = `${imports.join("")}${root === undefined ? "" : `export * from "./${root}";\n`}export const modules = {\n${members.join("")}};\n`;
  const { outputFiles } = await build({
    ...options,
    format: "cjs",
    stdin: { contents, resolveDir: MODULES, sourcefile: `part-${holder}.js` },
    plugins: [takeGiven(holder)],
  });
  // A function in parentheses is compiled as it is read; V8 would read an arrow function twice.
  const body = findGiven(outputFiles[0]?.text ?? "", holder);
  const code =
    holder === MAIN
      ? `module.exports = (function (packages, load) {\nconst module = { exports: {} };\nconst $shared = { packages, load, parts: {} };\n${body}\n$shared.modules = module.exports.modules;\nreturn $shared;\n});\n`
      : `module.exports = (function ($shared) {\nconst module = { exports: {} };\n${body}\nreturn module.exports;\n});\n`;
  writeFileSync(join(DIST, "cjs", FOLDER, `${holder}.js`), HEAD + code);
}

/** Writes a text as a CommonJS file. */
async function writeText(name: string, file: string): Promise<void> {
  const outfile = join(DIST, "cjs", FOLDER, file);
  await build({
    ...options,
    format: "cjs",
    entryPoints: [join(MODULES, name)],
    outfile,
    write: true,
  });
}

/** Writes an object of packages, each a member that `toMember` writes. */
function toObject(names: Iterable<string>, toMember: (name: string, at: number) => string): string {
  const lines = [...names].map((name, at) => `  ${toMember(name, at)},\n`);
  return `{\n${lines.join("")}}`;
}

/** Has a package be required when a file first asks for it: the shared file needs less than the parts. */
const toRequired = (name: string): string => `get "${name}"() { return require("${name}"); }`;

/** Writes what makes the code, once for each module system. `imports` of package.json names the two that ES modules have. */
function writeInstances(): void {
  const file = `${FOLDER}/${MAIN}.js`;
  const names = [...packages.now].toSorted();
  const toLater = (load: string): string =>
    toObject([...packages.later].toSorted(), (name) => `"${name}": ${load}("${name}")`);
  writeFileSync(
    join(DIST, "cjs/instance.js"),
    `${HEAD}module.exports = require("./${file}")(${toObject(names, toRequired)}, ${toLater("async () => require")});\n`,
  );
  const write = (
    path: string,
    head: string,
    code: string,
    isRequired: (name: string) => boolean,
  ) => {
    const imports = names.map((name, at) =>
      isRequired(name) ? "" : `import * as package${at} from "${name}";\n`,
    );
    const given = toObject(names, (name, at) =>
      isRequired(name) ? toRequired(name) : `"${name}": { ...package${at} }`,
    );
    writeFileSync(
      join(DIST, path),
      `${imports.join("")}${head}\nexport default ${code}(${given}, ${toLater("() => import")});\n`,
    );
  };
  // What Node.js requires it need not read for the names of its exports, as it would for an import.
  write(
    "instance.js",
    'import { createRequire } from "node:module";\n\nconst require = createRequire(import.meta.url);\n',
    `require("./cjs/${file}")`,
    (name) => REQUIRED.test(name),
  );
  // Bundlers, which don't know the condition of Node.js, import.
  write("instance-in-bundle.js", `import code from "./cjs/${file}";\n`, "code", () => false);
}

async function writeEntry(entry: string, format: "esm" | "cjs"): Promise<void> {
  await build({
    ...options,
    format,
    entryPoints: [join(MODULES, entry)],
    outfile: join(DIST, format === "cjs" ? "cjs" : "", entry),
    plugins: [takeFromInstance(entry, format)],
    write: true,
  });
}

mkdirSync(join(DIST, "cjs", FOLDER), { recursive: true });
// First, because the other parts take from them the packages that both need.
await Promise.all(READ_BY_EACH_MONITOR.map(writeShared));
await Promise.all([
  ...Object.keys(PARTS)
    .filter((part) => !READ_BY_EACH_MONITOR.includes(part))
    .map(writeShared),
  ...Object.entries(TEXTS).map(([name, file]) => writeText(name, file)),
]);
writeInstances();
await Promise.all(JOINED.flatMap((entry) => [writeEntry(entry, "esm"), writeEntry(entry, "cjs")]));
