import { linear, type Range } from "../text/pattern.ts";
import {
  digitsOf,
  findDigitRuns,
  groupingOf,
  hasListSeparator,
  isCutSmall,
  isPartOfWord,
  rangeOf,
  separatorAfter,
  type DigitRun,
} from "./digit-runs.ts";
import { createMaker, type Identifier } from "./identifier.ts";
import { labelAfter, labelBefore } from "./labels.ts";

/** What a social security or taxpayer number was recognised by. */
type SocialSecurityForm = "shape" | "labelled" | "itin" | "split";

const LENGTH = 9;
const SHAPE = "3-2-4";

/** Makes a found number out of what it was recognised by and where it stands. */
export const toSocialSecurityNumber: (form: SocialSecurityForm, range: Range) => Identifier =
  createMaker("social-security-number", { shape: 0.9, labelled: 0.95, itin: 0.9, split: 0.85 });

const ONE_DIGIT = linear(/^(\d)\1{8}$/);
// `AB-123-45-6789` is a part or model number.
const CODE_BEFORE = linear(/[A-Z0-9]-$/);
// Numbers from advertisements and forms: nobody's.
const PUBLISHED: ReadonlySet<string> = new Set(
  "078051120 219099999 123456789 987654321".split(" "),
);
const ADVERTISING_PREFIX = "98765432";
const ITIN_GROUPS = [
  [50, 65],
  [70, 88],
  [90, 92],
  [94, 99],
] as const;

/** Returns whether nine digits have the form of an individual taxpayer number (Internal Revenue Manual 3.21.263). */
function isTaxpayerNumber(digits: string): boolean {
  const group = Number(digits.slice(3, 5));
  return digits.startsWith("9") && ITIN_GROUPS.some(([from, to]) => group >= from && group <= to);
}

/**
 * Returns whether nine digits can be somebody's social security or taxpayer number.
 *
 * @see 20 CFR § 422.103; numbers never assigned: area 000, 666, 900 to 999, group 00, serial 0000
 */
export function isSocialSecurityNumber(digits: string): boolean {
  if (digits.length !== LENGTH || ONE_DIGIT.test(digits)) return false;
  if (PUBLISHED.has(digits) || digits.startsWith(ADVERTISING_PREFIX)) return false;
  if (digits.slice(3, 5) === "00" || digits.endsWith("0000")) return false;
  const area = digits.slice(0, 3);
  if (area === "000" || area === "666") return false;
  return !area.startsWith("9") || isTaxpayerNumber(digits);
}

interface Candidate {
  readonly run: DigitRun;
  readonly first: number;
  readonly last: number;
}

/** Returns whether the number goes on with the same separator: only a part of a longer one. */
function isPartOfLonger({ run, first, last }: Candidate): boolean {
  const separator = separatorAfter(run, first);
  return (
    (first > 0 && separatorAfter(run, first - 1) === separator) ||
    separatorAfter(run, last) === separator
  );
}

function labelsOf({ run, first, last }: Candidate) {
  const { start, end } = rangeOf(run, first, last);
  const label = labelBefore(run.text, start);
  const isAdjacent = label?.isAdjacent === true;
  return { before: label?.kind, isAdjacent, after: labelAfter(run.text, end) };
}

/** Judges three groups of the usual shape: without a label that says otherwise they are enough. */
function judgeShape(candidate: Candidate): SocialSecurityForm | undefined {
  const { run, first, last } = candidate;
  const { before, isAdjacent, after } = labelsOf(candidate);
  if (before === "social-security" || after === "social-security") return "labelled";
  if (isAdjacent && before !== undefined && before !== "card") return undefined;
  if (after !== undefined && after !== "card") return undefined;
  const { start, end } = rangeOf(run, first, last);
  const isOther =
    isPartOfLonger(candidate) ||
    hasListSeparator(run, first, last) ||
    isPartOfWord(run.text, { start, end }) ||
    CODE_BEFORE.test(run.text.slice(Math.max(0, start - 2), start));
  return isOther ? undefined : "shape";
}

/** Judges nine digits in one group, or in unusual groups, which need a label. */
function judgeLabelled(candidate: Candidate, isBare: boolean): SocialSecurityForm | undefined {
  const { before, isAdjacent, after } = labelsOf(candidate);
  if (after === "social-security" && (before === undefined || before === after || !isAdjacent))
    return "labelled";
  if (before !== "social-security" || (after !== undefined && after !== before)) return undefined;
  return isBare || isAdjacent ? "labelled" : undefined;
}

function judge(candidate: Candidate, grouping: string): SocialSecurityForm | undefined {
  const { run, first, last } = candidate;
  const digits = digitsOf(run, first, last);
  if (!isSocialSecurityNumber(digits)) return undefined;
  const form =
    grouping === SHAPE
      ? judgeShape(candidate)
      : judgeLabelled(candidate, first === last || isCutSmall(run, first, last));
  return form && digits.startsWith("9") ? "itin" : form;
}

/** Returns the groups, from the first on, that have nine digits together. */
function candidateFrom(run: DigitRun, first: number): Candidate | undefined {
  const from = run.offsets[first] ?? 0;
  for (let last = first; last < run.groups.length; last++) {
    const length = (run.offsets[last + 1] ?? run.digits.length) - from;
    if (length === LENGTH) return { run, first, last };
    if (length > LENGTH) return undefined;
  }
  return undefined;
}

/**
 * Finds social security numbers and individual taxpayer numbers.
 *
 * The shape 3-2-4 is enough where the number can have been assigned and no other label stands before it; nine digits
 * in one piece need a label within sixty characters.
 *
 * @param runs - The text's digits, where they are known already.
 */
export function findSocialSecurityNumbers(
  text: string,
  runs: readonly DigitRun[] = findDigitRuns(text),
): Identifier[] {
  const numbers: Identifier[] = [];
  for (const run of runs) {
    for (let first = 0; first < run.groups.length; first++) {
      const candidate = candidateFrom(run, first);
      if (!candidate) continue;
      const form = judge(candidate, groupingOf(run, first, candidate.last));
      if (!form) continue;
      numbers.push(toSocialSecurityNumber(form, rangeOf(run, first, candidate.last)));
      first = candidate.last;
    }
  }
  return numbers;
}
