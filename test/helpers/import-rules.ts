import { readdirSync, readFileSync } from "node:fs";
import { join, posix, relative, sep } from "node:path";

/** Who may import whom below src. A room is a folder of src, or a file directly in it. */
export interface ImportRules {
  /** Rooms by level, the ground first: a room imports itself and the levels below it. */
  readonly levels: readonly (readonly string[])[];
  /** Other rooms of its level that a room may import. */
  readonly siblings: Readonly<Record<string, readonly string[]>>;
  /** Other rooms of its level that a room may import types from. */
  readonly siblingTypes: Readonly<Record<string, readonly string[]>>;
  /** What runs elsewhere as well, and all that it may import values of: folders or files. */
  readonly apart: Readonly<Record<string, readonly string[]>>;
  /** Rooms and folders that may use a package; a `*` at its end stands for any rest, `node:*` for built-in modules. */
  readonly packages: Readonly<Record<string, readonly string[]>>;
}

/** Sources by path below src, with forward slashes. */
export type SourceFiles = ReadonlyMap<string, string>;

interface Import {
  readonly specifier: string;
  readonly isTypeOnly: boolean;
  readonly isExport: boolean;
  readonly isStar: boolean;
}

// The formatter starts every statement in the first column, where a doc comment can't stand.
const STATEMENT = /^(import|export)\s(type\s)?([^;"'`]*?)\bfrom\s*["']([^"']+)["']/gm;
const SIDE_EFFECT = /^import\s*["']([^"']+)["']/gm;
const DYNAMIC = /^(?!\s*(?:\*|\/\/)).*?\b(?:import|require)\(\s*["']([^"']+)["']/gm;

function hasOnlyInlineTypes(clause: string): boolean {
  const names = /^\s*\{([^}]*)\}\s*$/
    .exec(clause)?.[1]
    ?.split(",")
    .map((name) => name.trim());
  return names?.every((name) => name === "" || name.startsWith("type ")) ?? false;
}

function readImports(source: string): Import[] {
  const statements = [...source.matchAll(STATEMENT)].map(
    ([, keyword, type, clause = "", specifier = ""]) => ({
      specifier,
      isTypeOnly: type !== undefined || hasOnlyInlineTypes(clause),
      isExport: keyword === "export",
      isStar: keyword === "export" && clause.trim().startsWith("*"),
    }),
  );
  const others = [SIDE_EFFECT, DYNAMIC].flatMap((pattern) =>
    [...source.matchAll(pattern)].map(([, specifier = ""]) => ({
      specifier,
      isTypeOnly: false,
      isExport: false,
      isStar: false,
    })),
  );
  return [...statements, ...others];
}

const isRelative = (specifier: string): boolean => specifier.startsWith(".");

function resolveFrom(file: string, specifier: string): string {
  return posix.join(posix.dirname(file), specifier);
}

const isIn = (file: string, place: string): boolean =>
  file === place || file.startsWith(`${place}/`);

const toRoom = (file: string): string => file.split("/", 1)[0] ?? file;

const toLevel = (file: string, { levels }: ImportRules): number =>
  levels.findIndex((rooms) => rooms.includes(toRoom(file)));

const findApart = (file: string, { apart }: ImportRules): string | undefined =>
  Object.keys(apart).find((place) => isIn(file, place));

function isAllowed(from: string, target: string, isTypeOnly: boolean, rules: ImportRules): boolean {
  const apart = findApart(from, rules);
  if (apart !== undefined && !isTypeOnly)
    return [apart, ...(rules.apart[apart] ?? [])].some((place) => isIn(target, place));
  const [room, targetRoom] = [toRoom(from), toRoom(target)];
  if (room === targetRoom || toLevel(target, rules) < toLevel(from, rules)) return true;
  const { siblings, siblingTypes } = rules;
  const types = isTypeOnly ? (siblingTypes[room] ?? []) : [];
  return [...(siblings[room] ?? []), ...types].includes(targetRoom);
}

function checkRelative(file: string, found: Import, rules: ImportRules): string[] {
  const { specifier, isTypeOnly } = found;
  const target = resolveFrom(file, specifier);
  if (!specifier.endsWith(".ts"))
    return [`src/${file} imports "${specifier}": write the file's whole name with .ts`];
  if (isAllowed(file, target, isTypeOnly, rules)) return [];
  const isTypeAllowed = isAllowed(file, target, true, rules);
  return [
    isTypeAllowed
      ? `src/${file} imports values of src/${target}: only types of ${toRoom(target)} are allowed there`
      : `src/${file} may not import src/${target}: ${toRoom(target)} is not below ${toRoom(file)}; move what both need to a ` +
        "level below, or join the two in monitor",
  ];
}

function checkPackage(file: string, { specifier }: Import, rules: ImportRules): string[] {
  const apart = findApart(file, rules);
  const places = Object.entries(rules.packages)
    .filter(([name]) =>
      name.endsWith("*") ? specifier.startsWith(name.slice(0, -1)) : specifier === name,
    )
    .flatMap(([, rooms]) => rooms);
  if (places.some((place) => (apart === undefined ? isIn(file, place) : apart === place)))
    return [];
  return [
    `src/${file} may not use the package "${specifier}": use it in a room that may, or add the room to it in the import rules`,
  ];
}

/** Says of every file in no room, and of every import and re-export that breaks the rules, what to do; empty when all is well. */
export function findViolations(files: SourceFiles, rules: ImportRules): string[] {
  return [...files].flatMap(([file, source]) => {
    if (toLevel(file, rules) < 0)
      return [`src/${file} lies in no room of the import rules: move it to the room it belongs to`];
    return readImports(source).flatMap((found) =>
      isRelative(found.specifier)
        ? checkRelative(file, found, rules)
        : checkPackage(file, found, rules),
    );
  });
}

/** Says of every re-export outside the given entries that it must go. */
export function findBarrels(files: SourceFiles, entries: readonly string[]): string[] {
  return [...files].flatMap(([file, source]) =>
    readImports(source).flatMap(({ specifier, isExport, isStar }) => {
      if (isStar) return [`src/${file} has "export * from ${specifier}": name what is exported`];
      if (!isExport || entries.includes(file)) return [];
      return [`src/${file} re-exports "${specifier}": import it from there instead`];
    }),
  );
}

/** Files that import a package, or something below it. */
export function findImporters(files: SourceFiles, name: string): string[] {
  return [...files.keys()].filter((file) =>
    readImports(files.get(file) ?? "").some(({ specifier }) => isIn(specifier, name)),
  );
}

const COMMENT = /^\s*(?:\/[/*]|\*).*$| \/\/ .*$/gm;
const DOTTED = /(["'`])([a-z]\w*(?:\.[\w-]+)+)\1/g;
/** Vendors have names of their own under OpenTelemetry's prefix: they stand where their dialect is read. */
const VENDORS = /^bridge\/dialects\/(?!otel-gen-ai\.ts$)/;

/** Says of every name of OpenTelemetry's, or under its GenAI prefix, that is written out where it must come from. */
export function findCopiedNames(files: SourceFiles, names: ReadonlySet<string>): string[] {
  return [...files]
    .filter(([file]) => file !== "semconv.ts")
    .flatMap(([file, source]) =>
      Array.from(source.replaceAll(COMMENT, "").matchAll(DOTTED), ([, , name = ""]) => name)
        .filter((name) => names.has(name) || (name.startsWith("gen_ai.") && !VENDORS.test(file)))
        .map((name) => `src/${file} writes "${name}" out: import it from src/semconv.ts`),
    );
}

/** Every file that a file imports, directly or not, types and dynamic imports included. */
export function findReachable(
  files: SourceFiles,
  entry: string,
  found = new Set<string>(),
): Set<string> {
  if (found.has(entry)) return found;
  found.add(entry);
  for (const { specifier } of readImports(files.get(entry) ?? "")) {
    if (isRelative(specifier)) findReachable(files, resolveFrom(entry, specifier), found);
  }
  return found;
}

/** Lists the files that import each other, directly or not, types and dynamic imports included, and those between them. */
export function findCycles(files: SourceFiles): string[] {
  const targets = new Map(
    [...files].map(([file, source]) => {
      const imported = readImports(source).filter(({ specifier }) => isRelative(specifier));
      return [file, imported.map(({ specifier }) => resolveFrom(file, specifier))];
    }),
  );
  // What imports none of the others, or is imported by none of them, is in no cycle.
  const left = new Set(files.keys());
  let count = Infinity;
  while (left.size < count) {
    count = left.size;
    const imported = new Set<string>();
    for (const file of left) {
      const others = (targets.get(file) ?? []).filter((target) => left.has(target));
      if (others.length === 0) left.delete(file);
      for (const other of others) imported.add(other);
    }
    for (const file of left) if (!imported.has(file)) left.delete(file);
  }
  return [...left].toSorted();
}

/** Reads every source file below a directory. */
export function readSourceFiles(directory: string): SourceFiles {
  const paths = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    paths.map((path) => [
      relative(directory, path).split(sep).join("/"),
      readFileSync(path, "utf8"),
    ]),
  );
}
