import { toolWords } from "./tool-words.ts";

/** Writes the name of a tool, parameter or risk factor in any style as small words: `multiple branches`. */
export function spacedWords(name: string): string {
  return toolWords(name).join(" ");
}
