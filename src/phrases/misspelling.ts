const MIN_LENGTH = 6;
/** Shorter words become others by most slips; swapped and doubled letters seldom are a word. */
const MIN_SHORT_LENGTH = 5;
const MAX_LENGTH = 16;
const VOWELS = "aeiou";
/** Letters that hasty writers leave out. */
const LEFT_OUT = "aeiourtnslhcdm";

function isVowel(letter: string): boolean {
  return VOWELS.includes(letter);
}

/** Writes a word with two letters that stand beside each other in the other order. */
function* swaps(word: string): Iterable<string> {
  for (let index = 1; index < word.length - 2; index++)
    yield (
      word.slice(0, index) + word.charAt(index + 1) + word.charAt(index) + word.slice(index + 2)
    );
}

/** Writes a word without one of the letters that stand beside their like. */
function* singles(word: string): Iterable<string> {
  for (let index = 1; index < word.length; index++) {
    if (word[index] === word[index - 1]) yield word.slice(0, index) + word.slice(index + 1);
  }
}

/** Writes a word with one of the slips undone that people make: a letter twice, left out, swapped, or a wrong vowel. */
function* corrections(word: string): Iterable<string> {
  yield* swaps(word);
  yield* singles(word);
  if (word.length < MIN_LENGTH) return;
  // The first and the last letter are right more often than not, and endings make other words.
  for (let index = 1; index < word.length - 1; index++) {
    const [before, letter, after] = [
      word.slice(0, index),
      word.charAt(index),
      word.slice(index + 1),
    ];
    yield before + after;
    if (isVowel(letter))
      for (const vowel of VOWELS) if (vowel !== letter) yield before + vowel + after;
  }
  for (let index = 1; index < word.length; index++) {
    for (const letter of LEFT_OUT) yield word.slice(0, index) + letter + word.slice(index);
  }
}

/** Finds the known word that an unknown one was meant to be. */
export function correctSpelling(
  word: string,
  isKnown: (word: string) => boolean,
): string | undefined {
  if (word.length < MIN_SHORT_LENGTH || word.length > MAX_LENGTH) return undefined;
  for (const candidate of corrections(word)) {
    if (isKnown(candidate)) return candidate;
  }
  return undefined;
}
