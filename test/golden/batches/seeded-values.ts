import type { Random } from "../../faults/support/random.ts";

const MAX_DEPTH = 3;
const WORDS_OF_A_TEXT = 30;
/** Of one text in so many. */
const LONG_EVERY = 200;
const WORDS_OF_A_LONG_TEXT = 4000;

const WORDS = [
  ..."balance transfer please the account is 4111-1111-1111-1111 $3,182.40".split(" "),
  ..."\u00fcberwiesen \u6b8b\u9ad8 \u0627\u0644\u0631\u0635\u064a\u062f \u{1f4b6}".split(" "),
  ..."e\u0301 \ufb01n \u202eback \ufeff \u0000 \u007f \ud83d \udc00 \u{10ffff}".split(" "),
  ...'"quoted" back\\slash </script> \''.split(" "),
  "",
  "\t",
  "\r\n",
  "\u2028",
];

const KEYS =
  "branch __proto__ constructor toString length a.b \u{1f3e6} \ud800 invalidFields truncated content sequence writerId".split(
    " ",
  );

/** Random values of a kind that callers hand over. */
export interface Values {
  readonly random: Random;
  readonly text: () => string;
  /** A name of a member, one that breaks naive copies among them. */
  readonly key: () => string;
  /** Anything at all, what JSON can't hold included. */
  readonly odd: () => unknown;
}

function toWords(random: Random, most: number): string {
  return Array.from({ length: 1 + random.below(most) }, () => random.pick(WORDS)).join(" ");
}

function toText(random: Random): string {
  const isLong = random.below(LONG_EVERY) === 0;
  return toWords(random, isLong ? WORDS_OF_A_LONG_TEXT : WORDS_OF_A_TEXT);
}

function toCycle(text: string): object {
  const value: Record<string, unknown> = { text };
  value["self"] = value;
  return value;
}

function toError(message: string): Error {
  const error = new RangeError(message);
  // The real one names files of this machine.
  error.stack = `RangeError: ${message}\n    at transfer (bank.js:1:2)`;
  return error;
}

/** What is no container of others. */
const PLAIN: readonly ((random: Random) => unknown)[] = [
  () => null,
  () => undefined,
  () => true,
  (random) => random.below(2 ** 31),
  (random) => -random.below(1000) / 7,
  () => 1e21,
  () => 5e-324,
  () => -0,
  () => Number.NaN,
  () => 2n ** 70n,
  () => Symbol("odd"),
  () => () => "called",
  (random) => new Date(random.below(2 ** 31) * 1000),
  () => new Date(Number.NaN),
  (random) => Buffer.from(toWords(random, 5)),
  () => /odd[x]/giu,
  (random) => toError(toWords(random, 5)),
  (random) => toCycle(toWords(random, 5)),
  () => new URL("https://bank.example/?q=1"),
];

function toKey(random: Random): string {
  return random.below(2) === 0 ? random.pick(KEYS) : toWords(random, 3);
}

function toEntries(random: Random, depth: number): [string, unknown][] {
  return Array.from({ length: random.below(4) }, () => [toKey(random), toOdd(random, depth + 1)]);
}

function toOdd(random: Random, depth: number): unknown {
  const choice = random.below(depth < MAX_DEPTH ? 10 : 6);
  if (choice < 3) return toText(random);
  if (choice < 6) return random.pick(PLAIN)(random);
  if (choice === 6) return new Map(toEntries(random, depth));
  if (choice === 7) return toEntries(random, depth).map(([, member]) => member);
  return Object.fromEntries(toEntries(random, depth));
}

/** Creates values that a seed repeats. */
export function createValues(random: Random): Values {
  return {
    random,
    text: () => toText(random),
    key: () => toKey(random),
    odd: () => toOdd(random, 0),
  };
}
