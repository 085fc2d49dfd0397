/** A line, or what a block leaves of it, and where it stands in the source. */
export interface Line {
  readonly text: string;
  readonly at: number;
}

/** A part of the source, exactly as it stands there. */
export interface Leaf {
  readonly kind: "text";
  readonly text: string;
  readonly at: number;
}

/** Text with its emphasis, code and links. */
export type Inline =
  | Leaf
  | { readonly kind: "code" | "deleted" | "emphasis" | "strong"; readonly children: Inline[] }
  | {
      readonly kind: "link";
      /** Begins with http: or https:. */
      readonly address: string;
      readonly children: Inline[];
      /** The address as the source has it, where the text is another one. */
      readonly shown: readonly Leaf[];
    };

/** Emphasis in emphasis, and no deeper. */
const MAX_OPEN = 12;
const MAX_TICKS = 8;
const SPECIAL = /\\|`+|\*+|_+|~+|!?\[|https?:\/\//gi;
const LINK =
  /!?\[([^[\]\n]{1,400})\]\((https?:\/\/[^\s()<>]{1,2000}(?:\([^\s()<>]{0,200}\)[^\s()<>]{0,200}){0,4})\)/iy;
const BARE_ADDRESS = /https?:\/\/[^\s<>"`]{1,2000}/iy;
const PUNCTUATION = /[!-/:-@[-`{-~]/;
const WORD = /[\p{L}\p{N}]/u;

/** Returns an address that a page may link to: one of the web, and no other. */
function toAddress(text: string): string | undefined {
  try {
    const { protocol, href } = new URL(text);
    return protocol === "http:" || protocol === "https:" ? href : undefined;
  } catch {
    return undefined;
  }
}

/** Takes punctuation off the end of an address in running text; a bracket stays where it was opened. */
function trimAddress(text: string): string {
  let end = text.length;
  for (; end > 0; end--) {
    const last = text.charAt(end - 1);
    if (last === ")" && text.slice(0, end).includes("(")) break;
    if (!/[.,;:!?)\]}'*_~|]/.test(last)) break;
  }
  return text.slice(0, end);
}

/** Emphasis that has begun. */
interface Frame {
  readonly marker: string;
  readonly at: number;
  readonly children: Inline[];
}

function wrap(marker: string, children: Inline[]): Inline {
  if (marker.startsWith("~")) return { kind: "deleted", children };
  if (marker.length === 1) return { kind: "emphasis", children };
  const strong: Inline = { kind: "strong", children };
  return marker.length === 2 ? strong : { kind: "emphasis", children: [strong] };
}

/** Reads one text: a paragraph, a heading, a cell. In linear time, whatever the text. */
class InlineReader {
  readonly #text: string;
  readonly #lines: readonly Line[];
  /** Where each line begins in the text. */
  readonly #starts: readonly number[];
  readonly #frames: Frame[] = [{ marker: "", at: 0, children: [] }];
  readonly #unclosedTicks = new Set<number>();

  constructor(lines: readonly Line[]) {
    this.#lines = lines;
    this.#text = lines.map(({ text }) => text).join("\n");
    let start = 0;
    this.#starts = lines.map(({ text }) => {
      const own = start;
      start += text.length + 1;
      return own;
    });
  }

  read(): Inline[] {
    let from = 0;
    for (;;) {
      SPECIAL.lastIndex = from;
      const found = SPECIAL.exec(this.#text);
      this.#add(from, found?.index ?? this.#text.length);
      if (!found) break;
      from = this.#readSpecial(found[0], found.index);
    }
    while (this.#frames.length > 1) this.#giveUp();
    return this.#frames[0]?.children ?? [];
  }

  get #top(): Inline[] {
    return this.#frames.at(-1)?.children ?? [];
  }

  /** Returns a part of the text as leaves, none of which goes on in another line. */
  #toLeaves(from: number, to: number): Leaf[] {
    const leaves: Leaf[] = [];
    let low = 0;
    for (let high = this.#starts.length; high - low > 1;) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= from) low = middle;
      else high = middle;
    }
    for (let at = from; at < to; low++) {
      const [start = 0, line] = [this.#starts[low], this.#lines[low]];
      if (!line) break;
      const end = Math.min(to, start + line.text.length);
      const place = line.at + at - start;
      if (end > at) leaves.push({ kind: "text", text: this.#text.slice(at, end), at: place });
      if (end < to) leaves.push({ kind: "text", text: "\n", at: line.at + line.text.length });
      at = end + 1;
    }
    return leaves;
  }

  #add(from: number, to: number): void {
    if (from < to) this.#top.push(...this.#toLeaves(from, to));
  }

  /** Reads what begins with a special character, and returns where it ends. */
  #readSpecial(token: string, at: number): number {
    switch (token.charAt(0)) {
      case "\\":
        return this.#readEscape(at);
      case "`":
        return this.#readCode(token.length, at);
      case "[":
      case "!":
        return this.#readLink(at) ?? this.#readLiteral(at, at + token.length);
      case "*":
      case "_":
      case "~":
        return this.#readEmphasis(token, at);
      default:
        return this.#readAddress(at) ?? this.#readLiteral(at, at + token.length);
    }
  }

  #readLiteral(from: number, to: number): number {
    this.#add(from, to);
    return to;
  }

  #readEscape(at: number): number {
    const isEscape = PUNCTUATION.test(this.#text.charAt(at + 1));
    return this.#readLiteral(isEscape ? at + 1 : at, isEscape ? at + 2 : at + 1);
  }

  #readCode(ticks: number, at: number): number {
    const from = at + ticks;
    if (ticks > MAX_TICKS || this.#unclosedTicks.has(ticks)) return this.#readLiteral(at, from);
    const run = /`+/g;
    run.lastIndex = from;
    let close = run.exec(this.#text);
    while (close && close[0].length !== ticks) close = run.exec(this.#text);
    if (!close) {
      this.#unclosedTicks.add(ticks);
      return this.#readLiteral(at, from);
    }
    this.#top.push({ kind: "code", children: this.#toLeaves(from, close.index) });
    return close.index + ticks;
  }

  #readLink(at: number): number | undefined {
    LINK.lastIndex = at;
    const [whole, text, target] = LINK.exec(this.#text) ?? [];
    const address = target === undefined ? undefined : toAddress(target);
    if (!whole || !text || !target || address === undefined) return undefined;
    const end = at + whole.length;
    const children = this.#toLeaves(at + whole.indexOf("[") + 1, end - target.length - 3);
    const shown = this.#toLeaves(end - target.length - 1, end - 1);
    this.#top.push({ kind: "link", address, children, shown });
    return end;
  }

  #readAddress(at: number): number | undefined {
    if (WORD.test(this.#text.charAt(at - 1))) return undefined;
    BARE_ADDRESS.lastIndex = at;
    const text = trimAddress(BARE_ADDRESS.exec(this.#text)?.[0] ?? "");
    const address = toAddress(text);
    if (address === undefined) return undefined;
    const end = at + text.length;
    this.#top.push({ kind: "link", address, children: this.#toLeaves(at, end), shown: [] });
    return end;
  }

  /** Unlike CommonMark, nothing within a word or a number: `2*3*4` has to stay what it is. */
  #readEmphasis(run: string, at: number): number {
    const end = at + run.length;
    const [before, after] = [this.#text.charAt(at - 1), this.#text.charAt(end)];
    const canClose = /\S/.test(before) && !WORD.test(after);
    const canOpen = /\S/.test(after) && !WORD.test(before);
    let left = run.length;
    if (run.length <= 3 && canClose) left = this.#close(run);
    const isOpening = canOpen && left > 0 && left <= (run.startsWith("~") ? 2 : 3);
    if (!isOpening || (run.startsWith("~") && left !== 2) || this.#frames.length > MAX_OPEN)
      return this.#readLiteral(end - left, end);
    this.#frames.push({ marker: run.slice(0, left), at: end - left, children: [] });
    return end;
  }

  /** Ends what a run can end; returns how much of the run is left. */
  #close(run: string): number {
    let left = run.length;
    for (;;) {
      const index = this.#frames.findLastIndex(
        ({ marker }) => marker !== "" && marker.length <= left && run.startsWith(marker),
      );
      if (index === -1 || left === 0) return left;
      while (this.#frames.length > index + 1) this.#giveUp();
      const frame = this.#frames.pop();
      if (!frame) return left;
      this.#top.push(wrap(frame.marker, frame.children));
      left -= frame.marker.length;
    }
  }

  /** Makes text of a marker that nothing has ended. */
  #giveUp(): void {
    const frame = this.#frames.pop();
    if (!frame) return;
    this.#add(frame.at, frame.at + frame.marker.length);
    for (const child of frame.children) this.#top.push(child);
  }
}

/** Reads the emphasis, code and links in lines of text. */
export function parseInline(lines: readonly Line[]): Inline[] {
  return new InlineReader(lines).read();
}
