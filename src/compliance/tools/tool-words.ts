import { linear } from "../../text/pattern.ts";

const WORD = linear(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g);

const remembered = new Map<string, readonly string[]>();
const MAX_REMEMBERED = 2000;
const MAX_NAME_LENGTH = 200;

/**
 * Splits the name of a tool or of a parameter into small words, whatever its style:
 * `transferToAgent`, `transfer_to_agent` and `desk.transfer-to-agent`.
 */
export function toolWords(name: string): readonly string[] {
  let words = remembered.get(name);
  if (!words) {
    words = (name.slice(0, MAX_NAME_LENGTH).match(WORD) ?? []).map((word) => word.toLowerCase());
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(name, words);
  }
  return words;
}

/** Writes the name of a tool, parameter or risk factor in any style as small words: `multiple branches`. */
export function spacedWords(name: string): string {
  return toolWords(name).join(" ");
}
