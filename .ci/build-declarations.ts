// Rolls the declarations up: one file for each entry, which names what stands in cjs/types.d.ts. A class is one type, whichever
// entries of either module system show it.
//
// Beforehand the types that zod infers are written into them as what they are, so that a project that uses the package
// needs no declarations of zod: those don't compile under every setting, and an editor shows fields instead of how
// they are validated. The schemas stay the only source; a declaration of one says no more than that it is there.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix, resolve } from "node:path";
import { Extractor, ExtractorConfig, ExtractorLogLevel } from "@microsoft/api-extractor";
import {
  isFunctionDeclaration,
  isImportDeclaration,
  isStringLiteral,
  isTypeAliasDeclaration,
  isVariableStatement,
  type SourceFile,
  type Statement,
} from "typescript/unstable/ast";
import { API, NodeBuilderFlags, type Project } from "typescript/unstable/sync";
import { DIST, MODULES } from "./build-options.ts";
import { ENTRIES, toBuilt } from "./entries.ts";

const IMPORT = / from "zod";/;
const MENTION = /\bz\./;
const FLAGS =
  NodeBuilderFlags.NoTruncation |
  NodeBuilderFlags.InTypeAlias |
  NodeBuilderFlags.MultilineObjectLiterals;

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Returns what stands in the place of a statement that needs zod. */
function toEdits(statement: Statement, source: SourceFile, { checker, emitter }: Project): Edit[] {
  const start = statement.getStart(source);
  const { end } = statement;
  if (isImportDeclaration(statement)) {
    const { moduleSpecifier } = statement;
    const isZod = isStringLiteral(moduleSpecifier) && moduleSpecifier.text === "zod";
    return isZod ? [{ start, end, text: "" }] : [];
  }
  if (!MENTION.test(source.text.slice(start, end))) return [];
  if (isTypeAliasDeclaration(statement)) {
    const type = checker.getTypeAtLocation(statement.name);
    const node = type && checker.typeToTypeNode(type, statement, FLAGS);
    if (node) {
      const { type: given } = statement;
      return [{ start: given.getStart(source), end: given.end, text: emitter.printNode(node) }];
    }
  }
  if (isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ type }) =>
      type ? [{ start: type.getStart(source), end: type.end, text: "unknown" }] : [],
    );
  }
  if (isFunctionDeclaration(statement) && statement.name) {
    return [{ start, end, text: `export declare const ${statement.name.text}: unknown;` }];
  }
  return [];
}

function rewrite(fileName: string, project: Project): void {
  const source = project.program.getSourceFile(fileName);
  if (!source) throw new Error(`${fileName} is not part of the declarations`);
  const edits = source.statements.flatMap((statement) => toEdits(statement, source, project));
  let { text } = source;
  for (const { start, end, text: replacement } of edits.toReversed()) {
    text = text.slice(0, start) + replacement + text.slice(end);
  }
  const code = text.replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, "");
  if (MENTION.test(code))
    throw new Error(`${fileName} still needs zod: ${MENTION.exec(code)?.[0]}`);
  writeFileSync(fileName, text.trimStart());
}

/** Finds the declarations that a file reaches, itself included. */
function findReachable(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file) || !existsSync(file)) return found;
  found.add(file);
  for (const [, specifier = ""] of readFileSync(file, "utf8").matchAll(/from "(\.[^"]+)\.[jt]s"/g))
    findReachable(resolve(dirname(file), `${specifier}.d.ts`), found);
  return found;
}

const CONFIG_FILE = join(MODULES, "tsconfig.declarations.json");
/** What is rolled up: every name of every entry. */
const ALL_FILE = join(MODULES, "all.d.ts");
/** The declarations of all entries, below dist. */
const TYPES = "cjs/types";
const compilerOptions = {
  module: "nodenext",
  target: "es2023",
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  types: ["node"],
};

/** Replaces zod's types in the declarations that entries reach. */
function expandTypes(entryFiles: readonly string[]): void {
  const reachable = new Set(entryFiles.flatMap((file) => [...findReachable(file)]));
  const files = [...reachable].filter((name) => IMPORT.test(readFileSync(name, "utf8")));
  writeFileSync(CONFIG_FILE, JSON.stringify({ compilerOptions, files }));
  const api = new API();
  try {
    const project = api.updateSnapshot({ openProjects: [CONFIG_FILE] }).getProject(CONFIG_FILE);
    if (!project) throw new Error(`${CONFIG_FILE} could not be read`);
    for (const file of files) rewrite(file, project);
  } finally {
    api.close();
  }
}

/** Lists what an entry exports: each name with the file that declares it. */
function readExports(file: string): [name: string, source: string][] {
  const text = readFileSync(file, "utf8").replaceAll(/\/\*[^]*?\*\//g, "");
  const named = [...text.matchAll(/^export (?:type )?\{([^}]*)\} from "([^"]+)";$/gm)];
  const own = [...text.matchAll(/^export declare (?:const|function) (\w+)/gm)];
  return [
    ...named.flatMap(([, names = "", from = ""]) =>
      names
        .split(",")
        .map((name) => name.trim().replace(/^type /, ""))
        .filter((name) => name !== "")
        .map((name): [string, string] => [name, resolve(dirname(file), from)]),
    ),
    ...own.map(([, name = ""]): [string, string] => [name, file]),
  ];
}

/** Writes a file with every name of every entry, and returns the entries as they name it; a name of two things is there twice. */
function joinEntries(): Map<string, readonly string[]> {
  const known = new Map<string, string>();
  const lines: string[] = [];
  const entries = new Map<string, readonly string[]>();
  for (const entry of ENTRIES) {
    const built = toBuilt(entry);
    const names = readExports(join(MODULES, `${built}.d.ts`)).map(([name, source]) => {
      let alias = name;
      while (known.has(alias) && known.get(alias) !== source) alias += "_";
      if (!known.has(alias)) lines.push(`export { ${name} as ${alias} } from "./${built}.js";\n`);
      known.set(alias, source);
      return alias === name ? name : `${alias} as ${name}`;
    });
    entries.set(`${built}.d.ts`, names);
  }
  writeFileSync(ALL_FILE, lines.join(""));
  return entries;
}

/** Rolls all declarations up. */
function rollUp(): string {
  const untrimmedFilePath = join(MODULES, "rolled.d.ts");
  const configObjectFullPath = join(import.meta.dirname, "../api-extractor.json");
  const configObject = ExtractorConfig.loadFile(configObjectFullPath);
  configObject.mainEntryPointFilePath = ALL_FILE;
  configObject.apiReport = { enabled: false };
  configObject.dtsRollup = { enabled: true, untrimmedFilePath };
  const extractorConfig = ExtractorConfig.prepare({
    configObject,
    configObjectFullPath,
    packageJsonFullPath: join(import.meta.dirname, "../package.json"),
  });
  const problems: string[] = [];
  const { succeeded } = Extractor.invoke(extractorConfig, {
    localBuild: true,
    messageCallback: (message) => {
      if (message.logLevel === ExtractorLogLevel.Error && message.messageId !== "ae-undocumented")
        problems.push(message.formatMessageWithLocation(undefined));
      message.logLevel = ExtractorLogLevel.None;
    },
  });
  if (!succeeded || problems.length > 0)
    throw new Error(`declarations can't be rolled up\n${problems.join("\n")}`);
  return readFileSync(untrimmedFilePath, "utf8");
}

expandTypes(ENTRIES.map((entry) => join(MODULES, `${toBuilt(entry)}.d.ts`)));
const entries = joinEntries();
const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(DIST, path)), { recursive: true });
  writeFileSync(join(DIST, path), text);
};
write(`${TYPES}.d.ts`, rollUp());
for (const [path, names] of entries)
  for (const target of [path, `cjs/${path}`]) {
    const types = posix.relative(posix.dirname(target), `${TYPES}.js`);
    const specifier = types.startsWith("../") ? types : `./${types}`;
    write(target, `export { ${names.join(", ")} } from "${specifier}";\n`);
  }
