// Writes the types that zod infers into the declarations as what they are, so that a project that uses the package
// needs no declarations of zod: those don't compile under every setting, and an editor shows fields instead of how
// they are validated. The schemas stay the only source; a declaration of one says no more than that it is there.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
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

/** Finds the declarations that need zod, of both module systems. */
function findFiles(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .map((name) => resolve(directory, name))
    .filter((name) => name.endsWith(".d.ts") && IMPORT.test(readFileSync(name, "utf8")));
}

const DIST = join(import.meta.dirname, "../dist");
const CONFIG_FILE = join(DIST, "tsconfig.declarations.json");
const compilerOptions = {
  module: "nodenext",
  target: "es2023",
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  types: ["node"],
};

const files = findFiles(DIST);
writeFileSync(CONFIG_FILE, JSON.stringify({ compilerOptions, files }));
const api = new API();
try {
  const project = api.updateSnapshot({ openProjects: [CONFIG_FILE] }).getProject(CONFIG_FILE);
  if (!project) throw new Error(`${CONFIG_FILE} could not be read`);
  for (const file of files) rewrite(file, project);
} finally {
  api.close();
  rmSync(CONFIG_FILE);
}
