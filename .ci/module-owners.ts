// Assigns each module that tsc has written to a file of the package: the shared file, a part that is loaded at first use, or
// the entry that alone needs it. See docs/decisions/0031-one-shared-file.md.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { DIST, MODULES, options, ROOT, toName } from "./build-options.ts";
import { ENTRIES, toBuilt } from "./entries.ts";

/** What an application does not need while it imports the package: files of which every export is a function. */
export const PARTS: Readonly<Record<string, string>> = {
  pipeline: "monitor/deferred-pipeline.js",
  rules: "compliance/deferred-rules.js",
  observers: "monitor/deferred-observers.js",
  judge: "monitor/deferred-judge.js",
  spool: "delivery/deferred-spool.js",
  packs: "compliance/packs/deferred-packs.js",
  source: "compliance/packs/pack-source.js",
};
/** Texts of half a megabyte. */
export const TEXTS: Readonly<Record<string, string>> = {
  "phrases/built-in-text.js": "phrases.js",
  "compliance/learned/built-in-model-text.js": "model.js",
};
/** The part in which another one finds what both need: whoever reads a bank's packs evaluates rules, and all others serve a monitor. */
const BASES: Readonly<Record<string, string>> = {
  rules: "pipeline",
  observers: "pipeline",
  judge: "pipeline",
  spool: "pipeline",
  packs: "rules",
};
/** Joined apart, with packages and a page of its own. */
export const PLATFORM = "platform/index.js";
/** Joined apart: nobody imports it. */
export const COMMAND = "cli.js";
export const JOINED = ENTRIES.filter(({ name }) => name !== "platform").map(
  (entry) => `${toBuilt(entry)}.js`,
);

/** Name of the shared file. */
export const MAIN = "code";

/** Modules by their names, with what each imports. */
type Graph = ReadonlyMap<string, readonly string[]>;

async function readGraph(): Promise<Graph> {
  const entryPoints = [...JOINED, PLATFORM, COMMAND].map((name) => join(MODULES, name));
  const given = { ...options, entryPoints, outdir: DIST, metafile: true, format: "esm" } as const;
  const { metafile } = await build(given);
  return new Map(
    Object.entries(metafile.inputs).map(([path, { imports }]) => [
      toName(join(ROOT, path)),
      imports
        .filter(({ external }) => external !== true)
        .map((each) => toName(join(ROOT, each.path))),
    ]),
  );
}

/** Lists what a module reaches, itself included, without going into parts and texts. */
function reach(graph: Graph, from: string): Set<string> {
  const stops = new Set(
    [...Object.values(PARTS), ...Object.keys(TEXTS)].filter((name) => name !== from),
  );
  const found = new Set<string>();
  const go = (name: string): void => {
    if (found.has(name) || stops.has(name)) return;
    found.add(name);
    for (const next of graph.get(name) ?? []) go(next);
  };
  go(from);
  return found;
}

/** Lists a part, the parts below it and the shared file: what of each it finds. */
function listBases(part: string): string[] {
  const base = BASES[part];
  return [part, ...(base === undefined ? [MAIN] : listBases(base))];
}

/** Returns the file in which two find what both need. */
function joinHolders(one: string, other: string): string {
  const others = listBases(other);
  return listBases(one).find((each) => others.includes(each)) ?? MAIN;
}

/** Returns the file that holds each module: the shared file, a part, or an entry. */
function assign(graph: Graph): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  for (const name of reach(graph, "index.js")) owners.set(name, MAIN);
  // An entry names what others hold.
  for (const name of JOINED) owners.set(name, name);
  const reached = Object.entries(PARTS).map(([part, root]) => [part, reach(graph, root)] as const);
  for (const [part, names] of reached)
    for (const name of names) {
      const known = owners.get(name);
      owners.set(name, known === undefined ? part : joinHolders(known, part));
    }
  // What several entries alone have in common is there once, too.
  const others = JOINED.map((entry) => [entry, reach(graph, entry)] as const);
  for (const [entry, names] of others)
    for (const name of names) {
      const isCommon = others.some(([other, each]) => other !== entry && each.has(name));
      // An entry that is named like a part has its modules there.
      const part = entry.replace(/\.js$/, "");
      if (!owners.has(name) && !(name in TEXTS))
        owners.set(name, isCommon ? MAIN : part in PARTS ? part : entry);
    }
  return owners;
}

const graph = await readGraph();
/** The file of each module. */
export const owners = assign(graph);
/** Returns whether a module is the root of a part. */
export const isPart = (name: string): boolean => Object.values(PARTS).includes(name);

/** Returns the file in which others find a module: the functions of a part stand in the shared file as well, where they load it. */
export function findHolder(name: string): string | undefined {
  return isPart(name) ? MAIN : owners.get(name);
}

/** Returns whether a module stands in the shared file or in a part of it. */
export function isShared(name: string): boolean {
  const holder = findHolder(name);
  return holder !== undefined && (holder === MAIN || holder in PARTS);
}

/** Lists the modules of a file that others import. */
export function listShown(holder: string): string[] {
  const shown = [...graph].flatMap(([name, imports]) =>
    imports.filter((each) => owners.get(name) !== holder && findHolder(each) === holder),
  );
  return [...new Set(shown)].toSorted();
}

/** Returns what a module exports. */
export async function readModule(name: string): Promise<object> {
  return (await import(pathToFileURL(join(MODULES, name)).href)) as object;
}
