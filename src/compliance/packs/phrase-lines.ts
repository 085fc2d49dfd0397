/** Begins a line that is a remark for readers. */
const REMARK = "# ";

/** A phrase, or an alternative, and the line of its block on which it stands, from 0. */
export interface PhraseLine {
  readonly text: string;
  readonly line: number;
}

/** Lists the phrases of a block: one a line, empty lines and remarks left out. */
export function splitBlock(block: string): PhraseLine[] {
  return block
    .split("\n")
    .map((text, line) => ({ text: text.trim(), line }))
    .filter(({ text }) => text !== "" && text !== REMARK.trim() && !text.startsWith(REMARK));
}
