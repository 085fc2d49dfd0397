import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  Scalar,
  visit,
  type Document,
  type Node,
  type YAMLMap,
} from "yaml";
import type { PackProblem } from "../pack-problem.ts";
import { splitBlock } from "./phrase-lines.ts";

/** A file of a pack. */
export interface PackFile {
  /** As problems name it. */
  readonly path: string;
  readonly text: string;
}

/** A place in a file, from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** What a YAML file holds, and where. */
export interface ReadYaml {
  readonly value: unknown;
  /** Gives the place of a member; of the innermost one that is there, if it is not. */
  placeOf(path: readonly PropertyKey[]): Place;
  /** Gives the place of a member's name. */
  placeOfKey(path: readonly PropertyKey[]): Place;
  /** Whether a text is written in a form that joins its lines, which is wrong for phrases. */
  isJoined(path: readonly PropertyKey[]): boolean;
  /** Gives the place of a phrase in a block of them, or in a list, by its index. */
  placeOfLine(path: readonly PropertyKey[], index: number): Place;
}

/** What was read of a file, and where its members stand. */
export interface Sourced<Value> {
  readonly file: string;
  readonly value: Value;
  readonly source: ReadYaml;
}

/** Gives what a part of a file holds, with paths from there. */
export function partOf(source: ReadYaml, base: readonly PropertyKey[]): ReadYaml {
  return {
    value: undefined,
    placeOf: (path) => source.placeOf([...base, ...path]),
    placeOfKey: (path) => source.placeOfKey([...base, ...path]),
    isJoined: (path) => source.isJoined([...base, ...path]),
    placeOfLine: (path, index) => source.placeOfLine([...base, ...path], index),
  };
}

/** Larger files are not read: the largest rule has 70 KB. */
const MAX_CHARACTERS = 1024 * 1024;
const MAX_DEPTH = 16;
const TOO_DEEP = `expected at most ${MAX_DEPTH} levels`;

function findNode(document: Document, path: readonly PropertyKey[]): Node | undefined {
  let node = document.contents;
  for (const key of path) {
    let inner: unknown;
    if (isMap(node)) inner = node.get(key, true);
    else if (isSeq(node)) inner = node.get(key, true);
    if (inner === undefined || inner === null) break;
    node = inner as Node;
  }
  return node ?? undefined;
}

function findKey(document: Document, path: readonly PropertyKey[]): Node | undefined {
  const parent = path.length > 1 ? findNode(document, path.slice(0, -1)) : document.contents;
  if (!isMap(parent)) return findNode(document, path);
  const pair = parent.items.find(({ key }) => isScalar(key) && key.value === path.at(-1));
  return (pair?.key as Node | undefined) ?? parent;
}

/** Finds members that stand twice. The parser's own search compares each with all before it. */
function findDoubles(map: YAMLMap, add: (node: Node, message: string) => void): void {
  const seen = new Set<unknown>();
  for (const { key } of map.items) {
    if (!isScalar(key)) continue;
    if (seen.has(key.value)) add(key, `"${String(key.value)}" stands twice`);
    seen.add(key.value);
  }
}

/** Lists what a pack may not hold although YAML knows it. */
function findForbidden(document: Document, add: (node: Node, message: string) => void): void {
  visit(document, (_key, node, path) => {
    if (isAlias(node)) {
      add(node, "expected no alias: a pack names what it shares by {name} and @name");
      return undefined;
    }
    if (isNode(node) && node.tag !== undefined) {
      add(node, "expected no tag");
      return undefined;
    }
    if (isScalar(node) && node.value === "__proto__") {
      add(node, '"__proto__" is no name');
      return undefined;
    }
    if (isMap(node)) findDoubles(node, add);
    if (path.length > 2 * MAX_DEPTH) {
      add(node as Node, TOO_DEEP);
      return visit.BREAK;
    }
    return undefined;
  });
}

/** Gives the first line of what the parser says; where it has run out of stack, what is to be done about it. */
function toMessage(message: string): string {
  const [first = ""] = message.split("\n");
  if (first.includes("multiple documents")) return "expected one document";
  return first.includes("call stack") ? TOO_DEEP : first;
}

/** Reads a file of a pack: plain YAML 1.2 of bounded size, without aliases and tags. */
export function readYaml({ path: file, text }: PackFile): ReadYaml | readonly PackProblem[] {
  const refuse = (message: string): readonly PackProblem[] => [
    { file, line: 1, column: 1, message },
  ];
  if (text.length > MAX_CHARACTERS)
    return refuse(`expected at most ${MAX_CHARACTERS} characters, got ${text.length}`);
  const lines = new LineCounter();
  const toPlace = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  let document: Document;
  let value: unknown;
  try {
    document = parseDocument(text, {
      lineCounter: lines,
      prettyErrors: false,
      stringKeys: true,
      uniqueKeys: false,
      version: "1.2",
    });
  } catch {
    // The parser recurses: what is nested a thousand times deep exhausts the stack.
    return refuse(TOO_DEEP);
  }
  const problems: PackProblem[] = [];
  for (const { pos, message } of [...document.errors, ...document.warnings])
    problems.push({ file, ...toPlace(pos[0]), message: toMessage(message) });
  findForbidden(document, (node, message) =>
    problems.push({ file, ...toPlace(node.range?.[0] ?? 0), message }),
  );
  // What is nested too deep leaves brackets open, a problem each.
  const tooDeep = problems.filter(({ message }) => message === TOO_DEEP);
  if (problems.length > 0) return tooDeep.length > 0 ? tooDeep.slice(0, 1) : problems;
  try {
    value = document.toJS({ maxAliasCount: 0 });
  } catch {
    return refuse("expected YAML without aliases");
  }
  const placeOfNode = (node: Node | undefined): Place => toPlace(node?.range?.[0] ?? 0);
  return {
    value,
    placeOf: (path) => placeOfNode(findNode(document, path)),
    placeOfKey: (path) => placeOfNode(findKey(document, path)),
    isJoined: (path) => {
      const node = findNode(document, path);
      if (!isScalar(node) || node.type === Scalar.BLOCK_LITERAL || !node.range) return false;
      return lines.linePos(node.range[0]).line < lines.linePos(node.range[1] - 1).line;
    },
    placeOfLine: (path, index) => {
      const node = findNode(document, path);
      if (isSeq(node)) return placeOfNode(node.get(index, true));
      const start = placeOfNode(node);
      if (!isScalar(node) || node.type !== Scalar.BLOCK_LITERAL) return start;
      const within = splitBlock(String(node.value))[index]?.line ?? 0;
      const line = start.line + 1 + within;
      const from = lines.lineStarts[line - 1] ?? 0;
      const source = text.slice(from, lines.lineStarts[line] ?? text.length);
      return { line, column: 1 + source.length - source.trimStart().length };
    },
  };
}
