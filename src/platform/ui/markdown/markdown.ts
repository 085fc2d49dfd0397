import { type Inline, type Leaf, type Line, parseInline } from "./markdown-inline.ts";

/** An item of a list. */
interface ListItem {
  /** Its number, as the source has it; none in a list of bullets. */
  readonly value: number | undefined;
  readonly blocks: Block[];
}

/** A block of a text. Of what the source has, only marks of the language are missing: `#`, `**`, fences. */
export type Block =
  | { readonly kind: "paragraph"; readonly children: Inline[] }
  | { readonly kind: "heading"; readonly level: number; readonly children: Inline[] }
  | { readonly kind: "code"; readonly language: Leaf | undefined; readonly leaves: Leaf[] }
  | { readonly kind: "quote"; readonly blocks: Block[] }
  | { readonly kind: "list"; readonly items: ListItem[] }
  | { readonly kind: "table"; readonly rows: Inline[][][] }
  | { readonly kind: "rule" };

/** Blocks in blocks, and no deeper. */
const MAX_DEPTH = 8;
/** Cells of a row; what is behind them stays in the last one. */
const MAX_CELLS = 40;

const FENCE = /^ {0,3}(`{3,}|~{3,})([^`]*)$/;
const HEADING = /^ {0,3}(#{1,6})[ \t]+(?=\S)/;
const RULE = /^ {0,3}(?:(?:\*[ \t]?){3,}|(?:-[ \t]?){3,}|(?:_[ \t]?){3,})$/;
const QUOTE = /^ {0,3}> ?/;
const MARKER = /^([ \t]*)(?:[-*+]|(\d{1,9})[.)])(?:[ \t]{1,4}|$)/;
const DELIMITERS = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?$/;

const isBlank = ({ text }: Line): boolean => text.trim() === "";

function cut({ text, at }: Line, start: number, end = text.length): Line {
  return { text: text.slice(start, end), at: at + start };
}

function trim(line: Line): Line {
  const { text } = line;
  const start = text.length - text.trimStart().length;
  return cut(line, start, Math.max(start, text.trimEnd().length));
}

const toIndent = ({ text }: Line): number => text.length - text.trimStart().length;

/** A block, and the index of the line behind it. */
interface Found {
  readonly block: Block;
  readonly next: number;
}

function readFence(lines: readonly Line[], start: number): Found | undefined {
  const line = lines[start];
  const [, fence, language = ""] = FENCE.exec(line?.text ?? "") ?? [];
  if (!line || fence === undefined) return undefined;
  const isEnd = ({ text }: Line): boolean => {
    const end = text.trim();
    return end.length >= fence.length && end.startsWith(fence) && !/[^`~]/.test(end);
  };
  let end = start + 1;
  for (let each = lines[end]; each && !isEnd(each); each = lines[++end]);
  const leaves = lines.slice(start + 1, end).flatMap((each, index): Leaf[] => {
    const leaf: Leaf = { kind: "text", ...each };
    const own = each.text === "" ? [] : [leaf];
    return index === 0 ? own : [{ kind: "text", text: "\n", at: Math.max(0, each.at - 1) }, ...own];
  });
  const named = trim(cut(line, line.text.length - language.length));
  const shown: Leaf | undefined = named.text === "" ? undefined : { kind: "text", ...named };
  return { block: { kind: "code", language: shown, leaves }, next: end + 1 };
}

function readHeading(lines: readonly Line[], start: number): Found | undefined {
  const line = lines[start];
  const [mark, signs] = HEADING.exec(line?.text ?? "") ?? [];
  if (!line || mark === undefined || signs === undefined) return undefined;
  const children = parseInline([trim(cut(line, mark.length))]);
  return { block: { kind: "heading", level: signs.length, children }, next: start + 1 };
}

function readRule(lines: readonly Line[], start: number): Found | undefined {
  const text = lines[start]?.text ?? "";
  return text.length < 100 && RULE.test(text)
    ? { block: { kind: "rule" }, next: start + 1 }
    : undefined;
}

function readQuote(lines: readonly Line[], start: number, depth: number): Found | undefined {
  const inner: Line[] = [];
  for (let line = lines[start]; line; line = lines[start + inner.length]) {
    const mark = QUOTE.exec(line.text)?.[0];
    if (mark === undefined) break;
    inner.push(cut(line, mark.length));
  }
  if (inner.length === 0) return undefined;
  const block: Block = { kind: "quote", blocks: readBlocks(inner, depth + 1) };
  return { block, next: start + inner.length };
}

function toCells(line: Line): Line[] {
  const cells: Line[] = [];
  const { text } = line;
  let from = text.length - text.trimStart().length;
  if (text.charAt(from) === "|") from++;
  const last = text.trimEnd().length;
  const end = text.charAt(last - 1) === "|" && last - 1 >= from ? last - 1 : last;
  for (let at = from; at < end && cells.length < MAX_CELLS - 1; at++) {
    if (text.charAt(at) !== "|" || text.charAt(at - 1) === "\\") continue;
    cells.push(trim(cut(line, from, at)));
    from = at + 1;
  }
  return [...cells, trim(cut(line, from, Math.max(from, end)))];
}

function readTable(lines: readonly Line[], start: number): Found | undefined {
  const [head, delimiters] = [lines[start], lines[start + 1]];
  if (!head || !delimiters || !head.text.includes("|") || !delimiters.text.includes("-"))
    return undefined;
  if (!DELIMITERS.test(delimiters.text.trim())) return undefined;
  const columns = toCells(head);
  if (columns.length !== toCells(delimiters).length) return undefined;
  let next = start + 2;
  const rows = [columns];
  for (let line = lines[next]; line?.text.includes("|"); line = lines[++next])
    rows.push(toCells(line));
  const parsed = rows.map((row) => row.map((cell) => parseInline([cell])));
  return { block: { kind: "table", rows: parsed }, next };
}

/** A marker of a list's item. */
interface Marker {
  readonly indent: number;
  /** Where the item's text begins. */
  readonly width: number;
  readonly value: number | undefined;
}

function readMarker(line: Line | undefined): Marker | undefined {
  const [whole, indent = "", number] = MARKER.exec(line?.text ?? "") ?? [];
  if (whole === undefined) return undefined;
  const value = number === undefined ? undefined : Number(number);
  return { indent: indent.length, width: whole.length, value };
}

/** Reads the lines of an item: those that are moved to the right, and those that go on with its last paragraph. */
function readItem(
  lines: readonly Line[],
  start: number,
  { indent, width }: Marker,
): { readonly inner: readonly Line[]; readonly next: number } {
  const first = lines[start];
  const inner = first ? [cut(first, width)] : [];
  let next = start + 1;
  for (let line = lines[next]; line; line = lines[next]) {
    let behind = next;
    while (behind < lines.length && isBlank(lines[behind] ?? line)) behind++;
    const following = lines[behind];
    if (!following) break;
    const isInside = toIndent(following) >= Math.min(width, indent + 2);
    const isLazy = behind === next && !isInside && !isStart(lines, next);
    if (!isInside && !isLazy) break;
    inner.push(...lines.slice(next, behind));
    inner.push(cut(following, Math.min(toIndent(following), width)));
    next = behind + 1;
  }
  return { inner, next };
}

function readList(lines: readonly Line[], start: number, depth: number): Found | undefined {
  const first = readMarker(lines[start]);
  if (!first) return undefined;
  const items: ListItem[] = [];
  let next = start;
  for (let at = start; ;) {
    const marker = readMarker(lines[at]);
    const isSame = marker && (marker.value === undefined) === (first.value === undefined);
    if (!isSame || marker.indent > first.indent + 1) break;
    const item = readItem(lines, at, marker);
    items.push({ value: marker.value, blocks: readBlocks(item.inner, depth + 1) });
    ({ next } = item);
    at = next;
    for (let line = lines[at]; line && isBlank(line); line = lines[at]) at++;
  }
  return { block: { kind: "list", items }, next };
}

/** Returns whether a line begins another block than a paragraph. */
function isStart(lines: readonly Line[], at: number): boolean {
  const { text = "" } = lines[at] ?? {};
  if ([FENCE, HEADING, QUOTE, MARKER].some((start) => start.test(text))) return true;
  return readRule(lines, at) !== undefined;
}

function readParagraph(lines: readonly Line[], start: number, isDeep: boolean): Found {
  let next = start + 1;
  for (let line = lines[next]; line && !isBlank(line); line = lines[++next])
    if (!isDeep && isStart(lines, next)) break;
  const children = parseInline(lines.slice(start, next).map(trim));
  return { block: { kind: "paragraph", children }, next };
}

function readBlock(lines: readonly Line[], start: number, depth: number): Found {
  if (depth > MAX_DEPTH) return readParagraph(lines, start, true);
  return (
    readFence(lines, start) ??
    readHeading(lines, start) ??
    readRule(lines, start) ??
    readTable(lines, start) ??
    readQuote(lines, start, depth) ??
    readList(lines, start, depth) ??
    readParagraph(lines, start, false)
  );
}

function readBlocks(lines: readonly Line[], depth: number): Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length;) {
    const line = lines[at];
    if (!line || isBlank(line)) {
      at++;
      continue;
    }
    const { block, next } = readBlock(lines, at, depth);
    blocks.push(block);
    at = next;
  }
  return blocks;
}

/**
 * Reads a text as Markdown, as far as agents write it: headings, lists, quotes, code, tables, emphasis, links.
 *
 * Every leaf is a part of the source and knows where it stands there. HTML is text, and so are addresses of other
 * protocols than http and https.
 */
export function parseMarkdown(source: string): Block[] {
  const lines: Line[] = [];
  for (const { 0: text, index } of source.matchAll(/[^\r\n]*(?:\r\n|\r|\n|$)/g))
    lines.push({ text: text.replace(/[\r\n]+$/, ""), at: index });
  return readBlocks(lines, 0);
}
