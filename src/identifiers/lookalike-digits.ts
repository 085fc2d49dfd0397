import { findAll, linear } from "../text/pattern.ts";
import { traitsOf } from "../text/traits.ts";

// Letters that pass for digits, and digits of other scripts, which have a value but another code.
const LOOKALIKES: Readonly<Record<string, string>> = {
  O: "0",
  o: "0",
  I: "1",
  l: "1",
  S: "5",
  B: "8",
};

const CUE = linear(/\d[OolISB]|[OolISB]\d/);
/** Digits but for those of ASCII. */
const FOREIGN_DIGIT = linear(/[^\P{Nd}0-9]/gu);
const RUN = linear(/(?<![A-Za-z0-9])[\dOolISB][\dOolISB \-./]{7,}[\dOolISB](?![A-Za-z0-9])/g);
const TOKEN = linear(/[\dOolISB]+/g);
const LETTER = linear(/[OolISB]/g);
const DIGIT = linear(/\d/);

const MIN_DIGIT_SHARE = 0.5;
const SCRIPT_LENGTH = 10;

function toAsciiDigit(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  // Every script has its ten digits in a row: count back to the one that is no digit any more.
  let value = 0;
  while (value < SCRIPT_LENGTH - 1) {
    FOREIGN_DIGIT.lastIndex = 0;
    if (!FOREIGN_DIGIT.test(String.fromCodePoint(code - value - 1))) break;
    value++;
  }
  return character.length === 1 ? String(value) : character;
}

function foldRun(run: string): string {
  const letters = findAll(LETTER, run).length;
  const length = findAll(TOKEN, run).reduce((sum, { start, end }) => sum + end - start, 0);
  if (letters === 0 || letters > length * (1 - MIN_DIGIT_SHARE)) return run;
  return run.replace(TOKEN, (token) =>
    DIGIT.test(token) ? token.replace(LETTER, (letter) => LOOKALIKES[letter] ?? letter) : token,
  );
}

/**
 * Writes letters that pose as digits (`4O00 l1l1 …`) and digits of other scripts as digits.
 *
 * Positions stay. A second reading for numbers with a checksum or shape: words and codes may change in it.
 */
export function readLookalikeDigits(text: string): string {
  const folded = traitsOf(text).isAscii ? text : text.replace(FOREIGN_DIGIT, toAsciiDigit);
  return traitsOf(folded).hasMixedWord && CUE.test(folded) ? folded.replace(RUN, foldRun) : folded;
}
