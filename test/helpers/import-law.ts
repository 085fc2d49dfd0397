import { readdirSync, readFileSync } from "node:fs";
import { join, posix, relative, sep } from "node:path";

/** What one room (a directory of src, or a file directly in it) may import beside itself. */
export interface RoomLaw {
  /** Rooms it may import. */
  readonly rooms: readonly string[];
  /** Rooms it may import types from, and nothing else. */
  readonly types?: readonly string[];
  /** Packages it may import; a `*` at the end stands for any rest. Built-in modules are `node:*`. */
  readonly packages: readonly string[];
}

/** The law of all rooms by name; the longest name that fits a file is its room. */
export type ImportLaw = Readonly<Record<string, RoomLaw>>;

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

function findRoom(file: string, law: ImportLaw): string | undefined {
  return Object.keys(law)
    .filter((room) => file === room || file.startsWith(`${room}/`))
    .toSorted((a, b) => b.length - a.length)[0];
}

function matchesPackage(specifier: string, allowed: readonly string[]): boolean {
  return allowed.some((name) =>
    name.endsWith("*") ? specifier.startsWith(name.slice(0, -1)) : specifier === name,
  );
}

function judgeRelative(file: string, room: string, found: Import, law: ImportLaw): string[] {
  const { specifier, isTypeOnly } = found;
  const target = resolveFrom(file, specifier);
  if (!specifier.endsWith(".ts")) {
    return [`src/${file} imports "${specifier}": write the file's whole name with .ts`];
  }
  const targetRoom = findRoom(target, law);
  if (targetRoom === undefined) {
    return [`src/${file} imports src/${target}, which is in no room: add a line for it to the law`];
  }
  const rooms = law[room]?.rooms ?? [];
  const types = law[room]?.types ?? [];
  if (targetRoom === room || rooms.includes(targetRoom)) return [];
  if (types.includes(targetRoom)) {
    if (isTypeOnly) return [];
    return [
      `src/${file} imports values of src/${target}: ${room} may import only types of ${targetRoom}`,
    ];
  }
  return [
    `src/${file} imports src/${target}, but ${room} may not import ${targetRoom}: move what both need ` +
      "down into events, util or otel, or join the two in pipeline.ts",
  ];
}

function judgePackage(file: string, room: string, { specifier }: Import, law: ImportLaw): string[] {
  if (matchesPackage(specifier, law[room]?.packages ?? [])) return [];
  return [
    `src/${file} imports the package "${specifier}", which ${room} may not use: use it in a room that ` +
      "may, or, if the room's task has grown, add it to the law",
  ];
}

/** Says of every import and re-export that breaks the law what to do; empty when all is well. */
export function findViolations(files: SourceFiles, law: ImportLaw): string[] {
  return [...files].flatMap(([file, source]) => {
    const room = findRoom(file, law);
    if (room === undefined) return [`src/${file} is in no room: add a line for it to the law`];
    return readImports(source).flatMap((found) =>
      isRelative(found.specifier)
        ? judgeRelative(file, room, found, law)
        : judgePackage(file, room, found, law),
    );
  });
}

/** Says of every re-export outside the given door files that it must go. */
export function findBarrels(files: SourceFiles, doors: readonly string[]): string[] {
  return [...files].flatMap(([file, source]) =>
    readImports(source).flatMap(({ specifier, isExport, isStar }) => {
      if (isStar) return [`src/${file} has "export * from ${specifier}": name what is exported`];
      if (!isExport || doors.includes(file)) return [];
      return [`src/${file} re-exports "${specifier}": import it from there instead`];
    }),
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
