import { join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAst } from "vitest/node";
import { readSourceFiles, type SourceFiles } from "../helpers/import-rules.ts";

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [member: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value;

function* walk(node: Node): Generator<Node> {
  yield node;
  for (const member of Object.values(node).flat()) if (isNode(member)) yield* walk(member);
}

const nameOf = (node: unknown): string | undefined =>
  isNode(node) && node.type === "Identifier" ? String(node["name"]) : undefined;

/** Whether a function, or the type of one, says that it returns steps; `undefined` for anything else. */
function returnsSteps(node: Node): boolean | undefined {
  const annotation = node["returnType"];
  const type = isNode(annotation) ? annotation["typeAnnotation"] : undefined;
  if (node["generator"] === true) return true;
  if (isNode(type)) return nameOf(type["typeName"]) === "Steps";
  return /Function(?:Expression|Declaration)$/.test(node.type) ? false : undefined;
}

/** What calls can name: whether they make steps, by the names of functions and of members. */
function listNames(tree: Node) {
  const functions = new Map<string, boolean>();
  const members = new Map<string, boolean>();
  for (const node of walk(tree)) {
    const value = node["value"] ?? node["init"] ?? node;
    const isSteps = isNode(value) ? returnsSteps(value) : undefined;
    const [id, key] = [nameOf(node["id"]), nameOf(node["key"])];
    if (isSteps === undefined) continue;
    if (id !== undefined) functions.set(id, isSteps);
    // Where members of one name differ, nobody knows which one a call is of.
    if (key !== undefined) members.set(key, isSteps && members.get(key) !== false);
  }
  return { functions, members };
}

/** Files that names are imported from. */
function listImports(file: string, tree: Node): Map<string, string> {
  const found = new Map<string, string>();
  for (const { type, source, specifiers } of walk(tree)) {
    if (type !== "ImportDeclaration" || !isNode(source)) continue;
    const from = posix.join(posix.dirname(file), String(source["value"]));
    for (const { local } of specifiers as Node[]) found.set(nameOf(local) ?? "", from);
  }
  return found;
}

/** The calls that an expression makes last, whose results are its own. */
function* listLastCalls(expression: unknown): Generator<Node> {
  if (!isNode(expression)) return;
  if (expression.type === "CallExpression") yield expression;
  const { argument, consequent, alternate, right } = expression;
  if (expression.type === "UnaryExpression") yield* listLastCalls(argument);
  if (expression.type === "ChainExpression") yield* listLastCalls(expression["expression"]);
  if (/^(?:Conditional|Logical)/.test(expression.type))
    for (const part of [consequent, alternate, right]) yield* listLastCalls(part);
}

/** Finds calls of steps whose result nobody takes: they compile, and do nothing. */
function findDropped(files: SourceFiles): string[] {
  const parsed = Array.from(files, ([file, source]) => {
    // oxlint-disable-next-line typescript/no-deprecated -- the one that replaces it is exported by Vite alone
    const tree = parseAst(source, { lang: "ts" }) as unknown as Node;
    return { file, source, tree, imports: listImports(file, tree), ...listNames(tree) };
  });
  const functions = new Map(parsed.map((each) => [each.file, each.functions]));
  const members = new Map<string, boolean>();
  for (const each of parsed)
    for (const [name, isSteps] of each.members)
      members.set(name, isSteps && members.get(name) !== false);
  return parsed.flatMap(({ file, source, tree, imports }) =>
    [...walk(tree)]
      .filter(({ type }) => type === "ExpressionStatement")
      .flatMap(({ expression }) => [...listLastCalls(expression)])
      .flatMap(({ start, callee }) => {
        const member = isNode(callee) ? nameOf(callee["property"]) : undefined;
        const name = member ?? nameOf(callee) ?? "";
        const known = member === undefined ? functions.get(imports.get(name) ?? file) : members;
        if (known?.get(name) !== true) return [];
        return [`${file}:${source.slice(0, start).split("\n").length}: expected yield* ${name}`];
      }),
  );
}

const SOURCES = join(import.meta.dirname, "../../src");

describe("steps", () => {
  it("are taken wherever they are made", () => {
    const files = [...readSourceFiles(SOURCES)].filter(
      ([file]) => file.startsWith("platform/") && !file.startsWith("platform/ui/"),
    );
    expect(files.length).toBeGreaterThan(100);
    expect(findDropped(new Map(files))).toEqual([]);
  });

  it.each([
    ["note();", "yield* note();"],
    ["void note();", "void (yield* note());"],
    ["if (isNew) note();", "if (isNew) yield* note();"],
    ["isNew && note();", "isNew && (yield* note());"],
    ["statement.change(database, values);", "yield* statement.change(database, values);"],
    ["store?.list();", "followSteps(store?.list());"],
  ])("are missed in %s", (dropped, taken) => {
    const write = (call: string) => `
      function* note(): Steps<void> { yield; }
      interface Statement { change(database: Transaction, values: object): Steps<number>; }
      const store = { list: (): Steps<void> => note() };
      function* work(): Steps<void> {
        ${call}
      }`;
    expect(findDropped(new Map([["a.ts", write(dropped)]]))).toEqual([
      expect.stringContaining("a.ts:6: expected yield*"),
    ]);
    expect(findDropped(new Map([["a.ts", write(taken)]]))).toEqual([]);
  });
});
