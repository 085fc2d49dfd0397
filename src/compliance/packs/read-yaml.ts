import {
  isAlias,
  isCollection,
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
  /** What the file holds, YAML. */
  readonly text: string;
}

/** Where something stands in a file. */
type Place = Omit<PackProblem, "message">;
type Path = readonly PropertyKey[];

/** What was read of a file, and where its members stand. */
export interface Sourced<Value> {
  readonly file: string;
  readonly value: Value;
  readonly source: YamlPart;
}

/** Larger files are not read: the largest rule has 70 KB. */
const MAX_CHARACTERS = 1024 * 1024;
const MAX_DEPTH = 16;
const TOO_DEEP = `expected at most ${MAX_DEPTH} levels`;

/** A file of YAML, or a part of it: says what is wrong with its members by their paths from there. */
export class YamlPart {
  readonly #file: PackFile;
  readonly #document: Document;
  readonly #lines: LineCounter;
  readonly #base: Path;

  constructor(file: PackFile, document: Document, lines: LineCounter, base: Path = []) {
    this.#file = file;
    this.#document = document;
    this.#lines = lines;
    this.#base = base;
  }

  /** Returns a part of this part. */
  part(path: Path): YamlPart {
    return new YamlPart(this.#file, this.#document, this.#lines, [...this.#base, ...path]);
  }

  /** Says what is wrong with a member, at its value; at the innermost one that is there, if it is not. */
  problem(path: Path, message: string): PackProblem {
    return { ...this.#placeOf(this.#find(path)), message: about(path, message) };
  }

  /** Says what is wrong with a member, at its name. */
  problemOfKey(path: Path, message: string): PackProblem {
    return { ...this.placeOfKey(path), message: about(path, message) };
  }

  /** Returns the place of a member's name. */
  placeOfKey(path: Path): Place {
    const parent = this.#find(path.slice(0, -1));
    if (!isMap(parent)) return this.#placeOf(this.#find(path));
    const pair = parent.items.find(({ key }) => isScalar(key) && key.value === path.at(-1));
    return this.#placeOf(isNode(pair?.key) ? pair.key : parent);
  }

  /** Returns the place of a phrase in a block of them, or in a list, by its index. */
  placeOfLine(path: Path, index: number): Place {
    const node = this.#find(path);
    if (isSeq(node)) return this.#placeOf(node.get(index, true));
    const start = this.#placeOf(node);
    if (!isScalar(node) || node.type !== Scalar.BLOCK_LITERAL) return start;
    const within = splitBlock(String(node.value))[index]?.line ?? 0;
    const line = start.line + 1 + within;
    const { lineStarts } = this.#lines;
    const source = this.#file.text.slice(lineStarts[line - 1] ?? 0, lineStarts[line]);
    return { ...start, line, column: 1 + source.length - source.trimStart().length };
  }

  /** Whether a text is written in a form that joins its lines, which is wrong for phrases. */
  isJoined(path: Path): boolean {
    const node = this.#find(path);
    if (!isScalar(node) || node.type === Scalar.BLOCK_LITERAL || !node.range) return false;
    const [start, end] = node.range;
    return this.#lines.linePos(start).line < this.#lines.linePos(end - 1).line;
  }

  #find(path: Path): Node | null {
    let node: Node | null = this.#document.contents;
    for (const key of [...this.#base, ...path]) {
      const inner: unknown = isCollection(node) ? node.get(key, true) : undefined;
      if (!isNode(inner)) break;
      node = inner;
    }
    return node;
  }

  #placeOf(node: Node | null | undefined): Place {
    return toPlace(this.#file, this.#lines, node?.range?.[0]);
  }
}

const about = (path: Path, message: string): string =>
  path.length > 0 ? `${path.map(String).join(".")}: ${message}` : message;

function toPlace({ path: file }: PackFile, lines: LineCounter, offset = 0): Place {
  const { line, col } = lines.linePos(offset);
  return { file, line: Math.max(1, line), column: Math.max(1, col) };
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

/** Finds what a pack may not hold although YAML knows it. */
function findForbidden(document: Document, add: (node: Node, message: string) => void): void {
  visit(document, (_key, node, path) => {
    if (isAlias(node))
      return add(node, "expected no alias: a pack names what it shares by {name} and @name");
    if (isNode(node) && node.tag !== undefined) return add(node, "expected no tag");
    if (isScalar(node) && node.value === "__proto__") return add(node, '"__proto__" is no name');
    if (isMap(node)) findDoubles(node, add);
    if (path.length <= 2 * MAX_DEPTH) return undefined;
    add(node as Node, TOO_DEEP);
    return visit.BREAK;
  });
}

/** Returns the first line of what the parser says; where it has run out of stack, what is to be done about it. */
function toMessage(message: string): string {
  const [first = ""] = message.split("\n");
  if (first.includes("multiple documents")) return "expected one document";
  return first.includes("call stack") ? TOO_DEEP : first;
}

/** Parses a file; what is nested a thousand times deep exhausts the stack of the parser. */
function parse(text: string, lineCounter: LineCounter): Document | undefined {
  try {
    return parseDocument(text, {
      lineCounter,
      prettyErrors: false,
      stringKeys: true,
      uniqueKeys: false,
      version: "1.2",
    });
  } catch {
    return undefined;
  }
}

/** What a file of YAML holds. */
interface ReadYaml {
  readonly value: unknown;
  readonly source: YamlPart;
}

/** Reads a file of a pack: plain YAML 1.2 of bounded size, without aliases and tags. */
export function readYaml(file: PackFile): ReadYaml | readonly PackProblem[] {
  const { path, text } = file;
  const refuse = (message: string): readonly PackProblem[] => [
    { file: path, line: 1, column: 1, message },
  ];
  if (text.length > MAX_CHARACTERS)
    return refuse(`expected at most ${MAX_CHARACTERS} characters, got ${text.length}`);
  const lines = new LineCounter();
  const document = parse(text, lines);
  if (!document) return refuse(TOO_DEEP);
  const problems = [...document.errors, ...document.warnings].map(
    ({ pos, message }): PackProblem => ({
      ...toPlace(file, lines, pos[0]),
      message: toMessage(message),
    }),
  );
  findForbidden(document, (node, message) =>
    problems.push({ ...toPlace(file, lines, node.range?.[0]), message }),
  );
  // What is nested too deep leaves brackets open, a problem each.
  const tooDeep = problems.find(({ message }) => message === TOO_DEEP);
  if (tooDeep) return [tooDeep];
  if (problems.length > 0) return problems;
  return { value: document.toJS() as unknown, source: new YamlPart(file, document, lines) };
}
