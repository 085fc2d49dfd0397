import { parseJson } from "../util/values.ts";

/** Digits that a number of JavaScript can't hold, standing where JSON has a value. */
const LONG_NUMBER = /([:,[]\s{0,8})(-?\d{16,40})(?=\s{0,8}[,}\]])/g;
/** A token where JSON has a number. */
const BARE_TOKEN = /([:,[]\s{0,8})(\[[A-Z]{3,7}(?::[a-z2-7]{10})?\])(?=\s{0,8}[,}\]])/g;

/**
 * Reads a text that is JSON; `undefined` when it is none.
 *
 * Numbers of more digits than JavaScript keeps are read as texts: half a card number must not become another one.
 */
export function parseJsonText(text: string): unknown {
  if (!/^\s{0,64}[[{"]/.test(text)) return undefined;
  // Quotes would end a text that such a number stands in, and what is no JSON any more is searched as it is.
  return parseJson(text.replaceAll(LONG_NUMBER, '$1"$2"'));
}

/** Puts quotes around tokens that have taken the place of numbers, if that makes JSON of the text. */
export function toValidJson(text: string): string {
  if (parseJson(text) !== undefined) return text;
  const quoted = text.replaceAll(BARE_TOKEN, '$1"$2"');
  return quoted !== text && parseJson(quoted) !== undefined ? quoted : text;
}
