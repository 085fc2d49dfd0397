import { MappedText } from "./mapped-text.ts";
import { linear } from "./pattern.ts";

/**
 * What a browser shows as nothing: tags of stretches without attributes, breaks that are allowed, empty comments. Others
 * may hold something.
 */
const INVISIBLE =
  "<\\/?(?:b|i|u|s|em|strong|span|mark|del|ins|sub|sup|small|wbr)\\s?\\/?>|<!--[\\s-]{0,8}-->|&(?:shy|zwnj|zwj|ZeroWidthSpace);";
const ENTITY = "&(?:amp|lt|gt|quot|apos|nbsp|#\\d{2,5}|#[xX][0-9a-fA-F]{2,4});";
const EVERY_MARK = linear(new RegExp(`${INVISIBLE}|${ENTITY}`, "g"));

const NAMED: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&apos;": "'",
  "&nbsp;": " ",
};

/** Returns the character that a reader sees for a mark. */
function show(mark: string): string {
  if (!mark.startsWith("&#")) return NAMED[mark] ?? "";
  const isHexadecimal = mark.charAt(2).toLowerCase() === "x";
  return String.fromCharCode(
    Number.parseInt(mark.slice(isHexadecimal ? 3 : 2), isHexadecimal ? 16 : 10),
  );
}

/** Reads a text as a browser would show it, as far as words are concerned; `undefined` if it has no such marks. */
export function readMarkup(text: string): MappedText | undefined {
  if (!text.includes("<") && !text.includes("&")) return undefined;
  const shown = new MappedText();
  let position = 0;
  for (const { 0: mark, index } of text.matchAll(EVERY_MARK)) {
    shown.addVerbatim(text, position, index);
    position = index + mark.length;
    shown.add(show(mark), index, position);
  }
  if (position === 0) return undefined;
  shown.addVerbatim(text, position, text.length);
  return shown;
}
