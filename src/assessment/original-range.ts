import { REDACTION_TOKEN } from "../redaction/token.ts";

interface Range {
  readonly start: number;
  readonly end: number;
}

/** A piece of a redacted text, and where it stands there and in the text as it is. */
interface Piece {
  readonly sentStart: number;
  readonly sentEnd: number;
  readonly start: number;
  readonly end: number;
}

/** Finds the pieces of a redacted text in the text as it is, up to the first that does not fit. */
function align(sent: string, whole: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  let sentFrom = 0;
  const literals = [...sent.matchAll(REDACTION_TOKEN)].map(({ index, 0: token }) => {
    const literal = { text: sent.slice(sentFrom, index), at: sentFrom, token: token.length };
    sentFrom = index + token.length;
    return literal;
  });
  literals.push({ text: sent.slice(sentFrom), at: sentFrom, token: 0 });
  for (const [index, { text, at, token }] of literals.entries()) {
    const isEnd = token === 0 && text === "";
    const start = isEnd ? whole.length : index === 0 ? 0 : whole.indexOf(text, from);
    if (start < 0 || !whole.startsWith(text, start)) break;
    const last = pieces.at(-1);
    if (last) pieces.push({ sentStart: last.sentEnd, sentEnd: at, start: last.end, end: start });
    pieces.push({ sentStart: at, sentEnd: at + text.length, start, end: start + text.length });
    from = start + text.length;
    if (token === 0) break;
  }
  return pieces;
}

/**
 * Gives where a passage of a text that was redacted stands in the text as it is: a token stands for all that was taken out.
 *
 * @returns `undefined` where it can't be told.
 */
export function toOriginalRange(
  sent: string,
  whole: string,
  { start, end }: Range,
): Range | undefined {
  if (whole.startsWith(sent.slice(0, end))) return { start, end };
  const pieces = align(sent, whole);
  const first = pieces.find(({ sentEnd }) => start < sentEnd);
  const last = pieces.find(({ sentEnd }) => end <= sentEnd);
  if (!first || !last) return undefined;
  const isLiteral = (piece: Piece): boolean =>
    piece.end - piece.start === piece.sentEnd - piece.sentStart;
  return {
    start: isLiteral(first) ? first.start + (start - first.sentStart) : first.start,
    end: isLiteral(last) ? last.start + (end - last.sentStart) : last.end,
  };
}
