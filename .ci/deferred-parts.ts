// Splits off what an application does not need while it imports the package: the files in PARTS, and all that they alone
// import. Their functions load it at their first call, by `require` of one CommonJS file, because a constructor can't wait.
// What a part shares with the rest is handed to it, so that every module is there once: docs/decisions/0025-deferred-parts.md.
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { basename, dirname, join, posix, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type BuildOptions, type Metafile, type Plugin } from "esbuild";

/** Files of which every export is a function. */
const PARTS = [
  "compliance/deferred-rules.js",
  "monitor/deferred-observers.js",
  "monitor/deferred-judge.js",
  "delivery/deferred-spool.js",
];
/** Texts of a quarter to half a megabyte: they stand in the CommonJS copy alone. */
const TEXTS = [
  "phrases/built-in-text.js",
  "compliance/learned/built-in-model-text.js",
  "compliance/packs/built-in-source.generated.js",
];
/** Entries that show classes of a part: they load it at once. */
const WHOLE_ENTRIES = ["testing.js"];

const FOLDER = "cjs/deferred";
/** Loads the parts. */
const LOADER = `./${FOLDER}/load.js`;
const GIVEN = "given:";
/** Written by esbuild where a part asks for what it is given. */
const ASKS = /require\("given:([^"]+)"\)/g;
/** Modules of Node.js: a bundle of ES modules can't require them. */
const BUILT_INS = /require\("(node:[^"]+)"\)/g;
const RELATIVE = /^\.\.?\//;

/** Modules by their names below the folder, with what each imports. */
type Graph = ReadonlyMap<string, readonly string[]>;

/** A part, as the entries have to know it. */
interface Part {
  readonly name: string;
  /** Its own modules. */
  readonly modules: ReadonlySet<string>;
  /** What it shares with the rest. */
  readonly given: readonly string[];
}

/** The folder that tsc has written to, and how its modules are joined. */
interface Built {
  readonly dist: string;
  readonly options: BuildOptions;
}

async function readGraph({ dist, options }: Built, files: readonly string[]): Promise<Graph> {
  const entryPoints = files.map((name) => join(dist, name));
  const given = { ...options, entryPoints, outdir: dist, write: false, metafile: true } as const;
  const { metafile } = await build(given);
  const toName = (path: string): string => relative(dist, join(options.absWorkingDir ?? "", path));
  const inputs: Metafile["inputs"] = metafile.inputs;
  return new Map(
    Object.entries(inputs).map(([path, { imports }]) => [
      toName(path),
      imports.filter(({ external }) => external !== true).map((each) => toName(each.path)),
    ]),
  );
}

/** Lists what modules reach, themselves included, without going into some. */
function reach(graph: Graph, from: readonly string[], stops: readonly string[]): Set<string> {
  const found = new Set<string>();
  const go = (name: string): void => {
    if (found.has(name) || stops.includes(name)) return;
    found.add(name);
    for (const next of graph.get(name) ?? []) go(next);
  };
  for (const name of from) go(name);
  return found;
}

async function readExports({ dist }: Built, name: string): Promise<[string, unknown][]> {
  return Object.entries((await import(pathToFileURL(join(dist, name)).href)) as object);
}

async function readFunctions(built: Built, name: string): Promise<string[]> {
  const exported = await readExports(built, name);
  const other = exported.find(([, value]) => typeof value !== "function");
  if (other) throw new Error(`${name} exports ${other[0]}, which is no function`);
  return exported.map(([key]) => key);
}

/** Has a module of the CommonJS copy loaded when one of its functions is first called. */
async function deferCommonJs(built: Built, name: string): Promise<void> {
  const path = join(built.dist, "cjs", name);
  const moved = path.replace(/\.js$/, ".now.js");
  renameSync(path, moved);
  const file = `./${basename(moved)}`;
  const lines = (await readFunctions(built, name)).map(
    (key) => `exports.${key} = (...values) => require("${file}").${key}(...values);\n`,
  );
  const head = `"use strict";\nObject.defineProperty(exports, "__esModule", { value: true });\n`;
  writeFileSync(path, head + lines.join(""));
}

/** Leaves out of the bundle of a part what it is given, and the texts. */
function giveShared({ dist }: Built, shared: ReadonlySet<string>): Plugin {
  return {
    name: "give-shared",
    setup(builder) {
      builder.onResolve({ filter: /./ }, ({ path, resolveDir, kind }) => {
        if (kind === "entry-point" || isBuiltin(path)) return undefined;
        if (!RELATIVE.test(path)) return { path: GIVEN + path, external: true };
        const name = relative(dist, join(resolveDir, path));
        if (TEXTS.includes(name))
          return { path: posix.relative(FOLDER, posix.join("cjs", name)), external: true };
        return shared.has(name) ? { path: GIVEN + name, external: true } : undefined;
      });
    },
  };
}

/** Writes a part as one CommonJS file: a function that makes it of what it is given. */
async function writePart(
  built: Built,
  name: string,
  { shared, shown }: { readonly shared: ReadonlySet<string>; readonly shown: readonly string[] },
): Promise<Part> {
  const { dist, options } = built;
  const imports = shown.map((each, index) => `import * as shown${index} from "./${each}";\n`);
  const members = shown.map((each, index) => `${JSON.stringify(each)}: shown${index}`);
  const contents = `${imports.join("")}export * from "./${name}";\nexport const modules = { ${members.join(", ")} };\n`;
  const { outputFiles, metafile } = await build({
    ...options,
    define: {},
    format: "cjs",
    stdin: { contents, resolveDir: dist, sourcefile: `whole-${basename(name)}` },
    plugins: [giveShared(built, shared)],
    write: false,
    metafile: true,
  });
  const code = outputFiles[0]?.text ?? "";
  const body = code
    .replaceAll(ASKS, (_call, given: string) => `given[${JSON.stringify(given)}]`)
    .replaceAll(BUILT_INS, (_call, id: string) => `process.getBuiltinModule("${id}")`);
  writeFileSync(
    join(dist, FOLDER, basename(name)),
    `"use strict";\nmodule.exports = ((given) => {\nconst module = { exports: {} };\n${body}\nreturn module.exports;\n});\n`,
  );
  const root = options.absWorkingDir ?? "";
  return {
    name,
    modules: new Set(Object.keys(metafile.inputs).map((path) => relative(dist, join(root, path)))),
    given: [...new Set(Array.from(code.matchAll(ASKS), ([, given = ""]) => given))],
  };
}

/** Writes what stands in the entries in the place of a part. */
async function toLoader(built: Built, { name, given }: Part): Promise<string> {
  const imports = given.map((each, index) => {
    const path = each.endsWith(".js") ? `./${each}` : each;
    return `import * as given${index} from ${JSON.stringify(path)};\n`;
  });
  // Copies, because members of plain objects are read faster than those of modules; nothing exports what changes.
  const members = given.map((each, index) => `${JSON.stringify(each)}: { ...given${index} }`);
  const functions = (await readFunctions(built, name)).map(
    (key) => `export const ${key} = (...values) => load().${key}(...values);\n`,
  );
  return `import loader from "${LOADER}";
${imports.join("")}let part;
export const load = () => (part ??= loader[${JSON.stringify(name)}]()({ ${members.join(", ")} }));
${functions.join("")}`;
}

/** Writes what stands in the place of a part's module where an entry shows what is in it. */
async function toShown(built: Built, part: Part, name: string): Promise<string> {
  const names = (await readExports(built, name)).map(([key]) => key);
  const lines = names.map((key) => `export const ${key} = shown.${key};\n`);
  return `import { load } from ${JSON.stringify(join(built.dist, part.name))};
const shown = load().modules[${JSON.stringify(name)}];
${lines.join("")}`;
}

/** Puts what loads the parts in their place, where the entries are joined. */
function loadParts(built: Built, parts: readonly Part[]): Plugin {
  const { dist } = built;
  const partOf = (path: string): Part | undefined => {
    const name = relative(dist, path);
    return parts.find(({ modules }) => modules.has(name));
  };
  return {
    name: "load-parts",
    setup(builder) {
      builder.onResolve({ filter: /\/load\.js$/ }, ({ path }) =>
        path === LOADER ? { path, external: true } : undefined,
      );
      builder.onLoad({ filter: /\.js$/ }, async ({ path }) => {
        const part = partOf(path);
        if (!part) return undefined;
        const name = relative(dist, path);
        const isPart = name === part.name;
        const contents = await (isPart ? toLoader(built, part) : toShown(built, part, name));
        return { contents, loader: "js", resolveDir: isPart ? dist : dirname(path) };
      });
    },
  };
}

/**
 * Splits the parts off the modules that tsc has written into a folder, and writes each as one file.
 *
 * @returns Joins the entries without them.
 */
export async function splitParts(built: Built, entries: readonly string[]): Promise<Plugin> {
  const graph = await readGraph(built, entries);
  const eager = entries.filter((name) => !WHOLE_ENTRIES.includes(name));
  const rest = reach(graph, eager, PARTS);
  const reached = PARTS.map((name) => {
    const others = PARTS.filter((other) => other !== name);
    return reach(graph, [name], [...TEXTS, ...others]);
  });
  const inSeveral = [...new Set(reached.flatMap((names) => [...names]))].filter(
    (name) => reached.filter((names) => names.has(name)).length > 1,
  );
  const shared = new Set([...rest, ...inSeveral]);
  mkdirSync(join(built.dist, FOLDER), { recursive: true });
  const parts = await Promise.all(
    PARTS.map((name, index) => {
      const own = [...(reached[index] ?? [])].filter((each) => !shared.has(each));
      // What entries import that load the part at once.
      const whole = reach(graph, WHOLE_ENTRIES, own);
      const shown = own.filter((each) =>
        [...whole].some((importer) => graph.get(importer)?.includes(each) === true),
      );
      const others = PARTS.filter((other) => other !== name);
      return writePart(built, name, { shared: new Set([...shared, ...others]), shown });
    }),
  );
  const lines = parts.map(
    ({ name }) => `exports[${JSON.stringify(name)}] = () => require("./${basename(name)}");\n`,
  );
  writeFileSync(join(built.dist, LOADER), `"use strict";\n${lines.join("")}`);
  const plugin = loadParts(built, parts);
  for (const name of PARTS) await deferCommonJs(built, name);
  return plugin;
}
