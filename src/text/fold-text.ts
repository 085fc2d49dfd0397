import { linear } from "./pattern.ts";

const NOT_ASCII = linear(/[\u0080-\uffff]/);
// Full-width forms, and the typographic quotes, dashes and spaces that editors and models put in.
const FOLDABLE = linear(
  /[\u00a0\u2000-\u200a\u2010-\u2015\u2018-\u201f\u202f\u2032\u2033\u2212\u3000\uff01-\uff5e]/g,
);

const FULL_WIDTH_OFFSET = 0xff01 - 0x21;

function foldCharacter(character: string): string {
  const code = character.charCodeAt(0);
  if (code >= 0xff01) return String.fromCharCode(code - FULL_WIDTH_OFFSET);
  if ((code >= 0x2010 && code <= 0x2015) || code === 0x2212) return "-";
  if ((code >= 0x2018 && code <= 0x201b) || code === 0x2032) return "'";
  if ((code >= 0x201c && code <= 0x201f) || code === 0x2033) return '"';
  return " ";
}

/**
 * Replaces typographic and full-width characters by their ASCII forms.
 *
 * One UTF-16 unit becomes one unit, so that a position in the folded text is one in the original.
 */
export function foldText(text: string): string {
  return NOT_ASCII.test(text) ? text.replace(FOLDABLE, foldCharacter) : text;
}
