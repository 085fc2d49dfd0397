const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;

/** A word of a text, as the index has it, and where it stands. */
export interface Word {
  readonly folded: string;
  readonly start: number;
  readonly end: number;
}

// oxlint-disable-next-line no-control-regex -- all of ASCII is what this looks for
const ASCII = /^[\u0000-\u007f]*$/;
const ASCII_WORD = /[A-Za-z0-9]+/g;

/** Reads the words of a text. Most texts are ASCII: then this takes a third of the time. */
export function readWords(text: string): Word[] {
  const isAscii = ASCII.test(text);
  return [...text.matchAll(isAscii ? ASCII_WORD : WORD)].map(({ 0: word, index }) => ({
    folded: (isAscii ? word : word.normalize("NFD").replaceAll(/\p{M}/gu, "")).toLowerCase(),
    start: index,
    end: index + word.length,
  }));
}
