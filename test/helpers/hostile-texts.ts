import { readRuleCases } from "./rule-cases.ts";

/** Pieces that make slow readers slow when they are repeated: numbers, signs, marks, names, halves of secrets. */
export const BRICKS: readonly string[] = [
  ..."a 1 4 . , ; : ' \" ` ? ! ( ) [ < { = | ~ * _ $ @ # % / \\ - + \n \t \u00df \u00e9 \ufb01 \u2460 \u0435 \uff21 \u0661 \u4e94 \u00bd \u2026 \u200b \u202e \ud800 \u{1f600}".split(
    " ",
  ),
  ..."1_ 4- 5% \u00df_ a_ 9_ no_ can't_ $1,000_ \u0435a_ one_ 1,_ 1. (1)_ 12-34_ A1_ a.b. a_b_ a-b_ a*b_ a/b_ a~b~ 4O O0_ l1_ 10k_ 1.1 --_ x=1_ $$ a$_ !a don\u2019t_ it's_ \ufb01n_ one= one:".split(
    " ",
  ),
  ..."4111_ 4539_1488_0343_6467_ 123456789_ 861-44-9022_ 12345678_ DE89_ GB82_WEST_ AB12_ routing_021000021_ account_021000021_1234567890_ ssn_ card_ iban_ x@y.co_ +1-202-555-0143_ 1234_is_the_first_half_".split(
    " ",
  ),
  ..."password_ pin_is_ your_PIN_is_ the_password_is_x_ PIN:_one= token: key= ://a:b@ Bearer_ eyJ. AKIA -----BEGIN_ sk- <b> &amp; &#65; %41".split(
    " ",
  ),
  ..."Tom's_ Tom_Smith_ Tom's_account_is_$1_ Mr._A_ not_ if_ i_ and_ hundred_ the_ they_ I_would_ \"a\" 'a' \"a".split(
    " ",
  ),
].map((brick) => brick.replaceAll("_", " "));

/** A source of numbers from 0 to 1 that gives the same ones each time (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Repeats a piece up to a length. */
export function repeat(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
}

/** Puts pieces one behind the other at random, up to a length. */
export function mix(
  pieces: readonly string[],
  separators: readonly string[],
  length: number,
  random: () => number,
): string {
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? "";
  const parts: string[] = [];
  for (let size = 0; size < length;) {
    const part = pick(pieces) + pick(separators);
    parts.push(part);
    size += Math.max(1, part.length);
  }
  return parts.join("").slice(0, length);
}

/** Texts of the cases of all rules, what violates them first: they are made of the words that rules look for. */
export function readCaseTexts(): string[] {
  return Object.values(readRuleCases()).flatMap(({ violating }) =>
    violating.flatMap(({ userMessage, agentResponse }) =>
      [userMessage, agentResponse].filter((text) => text !== undefined),
    ),
  );
}
