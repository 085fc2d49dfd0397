import { type Range, linear } from "../text/pattern.ts";
import {
  type DigitRun,
  digitsOf,
  groupingOf,
  hasOneSeparator,
  isPartOfWord,
  rangeOf,
} from "./digit-runs.ts";
import { createMaker, type Identifier } from "./identifier.ts";
import {
  DIGIT_OR_END,
  LABEL_REACH,
  type LabelKind,
  labelAfter,
  labelBefore,
  mentions,
} from "./labels.ts";

const NINE_DIGITS = linear(/^\d{9}$/);
const WEIGHTS = [3, 7, 1] as const;
const CODE_OF_ZERO = 48;

// First two digits: Federal Reserve districts, thrift institutions, electronic transactions, traveler's checks.
const DISTRICTS = [
  [1, 12],
  [21, 32],
  [61, 72],
  [80, 80],
] as const;

/**
 * Returns whether digits are an ABA routing number: nine of them, an assigned district, a valid check digit.
 *
 * @see ANSI X9.100-160
 */
export function isRoutingNumber(digits: string): boolean {
  if (!NINE_DIGITS.test(digits)) return false;
  const district = Number(digits.slice(0, 2));
  if (!DISTRICTS.some(([from, to]) => district >= from && district <= to)) return false;
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    sum += (digits.charCodeAt(index) - CODE_OF_ZERO) * (WEIGHTS[index % WEIGHTS.length] ?? 1);
  }
  return sum % 10 === 0;
}

/** What an account number was recognised by. */
type AccountForm = "with-routing" | "labelled" | "owned";

const MIN_DIGITS = 8;
const MAX_DIGITS = 17;
/** How far from an account number its routing number may stand, in UTF-16 units. */
const ROUTING_REACH = 160;
/** Reach of ranges that share a character. */
const OVERLAP = -1;
/** Makes a found account number out of what it was recognised by and where it stands. */
export const toAccountNumber: (form: AccountForm, range: Range) => Identifier = createMaker(
  "account-number",
  { "with-routing": 0.9, labelled: 0.6, owned: 0.6 },
);

const DATE = linear(/^(?:4-2-2|2-2-4|1-2-4|2-1-4|4-2-2-[\d-]{1,9})$/);
/** `20261121`. */
const PLAIN_DATE = linear(/^(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/);
const PHONE = linear(/^(?:1-)?3-3-4$/);
const CALLED = linear(
  /\b(?:accounts?|acct|a\/c|dda|checking|savings|credit\sto)\.?(?:\s(?:numbers?|no\.?|nr\.?|is|was)){0,2}[\s:#]{1,3}$/i,
);
/** "account 482915": fewer digits than count elsewhere. */
const SHORT = linear(
  /\b(?:accounts?|acct|a\/c|dda|checking|savings)\.?(?:\s(?:numbers?|no\.?|nr\.?|is)){0,2}[\s:#]{1,3}(\d{5,7})(?![\d-]|[.,]\d)/gi,
);
/** How far from each other a routing number and an account number without labels stand, in UTF-16 units. */
const PAIR_REACH = 60;

/** A number that may be an account number by its length. */
export interface Candidate {
  readonly run: DigitRun;
  readonly digits: string;
  readonly grouping: string;
  readonly range: Range;
}

/** Returns the numbers that a run may consist of: each group alone, and all of them as one. */
function* candidatesIn(run: DigitRun): Iterable<Candidate> {
  const last = run.groups.length - 1;
  const toCandidate = (first: number, end: number): Candidate => ({
    run,
    digits: digitsOf(run, first, end),
    grouping: groupingOf(run, first, end),
    range: rangeOf(run, first, end),
  });
  if (last > 0 && run.digits.length <= MAX_DIGITS && hasOneSeparator(run, 0, last))
    yield toCandidate(0, last);
  for (let index = 0; index <= last; index++) yield toCandidate(index, index);
}

/** Returns whether a number that is grouped like a phone's is called an account by the very words before it. */
function isCalledAccount(text: string, { start }: Range): boolean {
  return CALLED.test(text.slice(Math.max(0, start - LABEL_REACH), start));
}

function mayBeAccount({ run, digits, grouping, range }: Candidate): boolean {
  if (digits.length < MIN_DIGITS || digits.length > MAX_DIGITS) return false;
  return (
    !DATE.test(grouping) &&
    !PLAIN_DATE.test(digits) &&
    (!PHONE.test(grouping) || isCalledAccount(run.text, range))
  );
}

/** Lists the numbers of a text that may be account numbers. */
export function listCandidates(runs: readonly DigitRun[]): Candidate[] {
  return runs.flatMap((run) => [...candidatesIn(run)]).filter(mayBeAccount);
}

/** Returns whether a number is called something else than an account or a routing number. */
export function isNamedOtherwise({ run: { text }, range }: Candidate): boolean {
  if (isCalledAccount(text, range)) return false;
  const isOther = (kind: LabelKind | undefined): boolean =>
    kind !== undefined && kind !== "account" && kind !== "routing";
  const before = labelBefore(text, range.start);
  if (before?.isAdjacent && isOther(before.kind)) return true;
  return isOther(labelAfter(text, range.end));
}

/**
 * Lists the routing numbers that stand beside an account number, neither of them with a label of another kind:
 * "081000032 / 5550123456", "5550123456 at 081000032", "081000032, then 5550123456".
 */
function listPairs(candidates: readonly Candidate[]) {
  return candidates.flatMap((second, index) => {
    const first = candidates[index - 1];
    if (!first || first.range.end > second.range.start) return [];
    const between = second.run.text.slice(first.range.end, second.range.start);
    if (between.length > PAIR_REACH || DIGIT_OR_END.test(between)) return [];
    const [routing, account] = isRoutingNumber(first.digits) ? [first, second] : [second, first];
    if (!isRoutingNumber(routing.digits)) return [];
    return isNamedOtherwise(first) || isNamedOtherwise(second) ? [] : [{ routing, account }];
  });
}

/** A routing number that is named as one, alone or in one breath with the account. */
function isNamedRouting({ run, digits, range }: Candidate): boolean {
  if (!isRoutingNumber(digits)) return false;
  const label = labelBefore(run.text, range.start);
  if (label?.kind === "routing" || labelAfter(run.text, range.end) === "routing") return true;
  if (label?.isAdjacent && label.kind !== "account") return false;
  const before = run.text.slice(Math.max(0, range.start - LABEL_REACH), range.start);
  return label?.isAdjacent === true && mentions(before, "routing");
}

/** Routing numbers, asked for near one candidate after the other; both are in the order of the text. */
class Routings {
  readonly #ranges: readonly Range[];
  #near = 0;

  constructor(ranges: readonly Range[]) {
    this.#ranges = ranges;
  }

  get isEmpty(): boolean {
    return this.#ranges.length === 0;
  }

  /** Returns whether a routing number stands within some characters of a range. */
  isNear({ start, end }: Range, reach: number): boolean {
    // A candidate may be followed by its own parts, which begin before it ends.
    while ((this.#ranges[this.#near]?.end ?? Infinity) < start - ROUTING_REACH) this.#near++;
    for (let at = this.#near; at < this.#ranges.length; at++) {
      const routing = this.#ranges[at];
      if (!routing || routing.start - end > reach) return false;
      if (start - routing.end <= reach) return true;
    }
    return false;
  }
}

function isNamedAccount({ run: { text }, range: { start, end } }: Candidate): boolean {
  const before = labelBefore(text, start);
  if (before?.isAdjacent) return before.kind === "account";
  return labelAfter(text, end) === "account";
}

/**
 * Without a label of its own, beside a routing number in a text about accounts: "routing …, then …", "… at routing …".
 *
 * A label behind it is that of the routing number.
 */
function isUnnamedBesideRouting(candidate: Candidate): boolean {
  const {
    run: { text },
    range,
  } = candidate;
  if (isNamedOtherwise(candidate) || labelAfter(text, range.end) === "account") return false;
  const around = text.slice(Math.max(0, range.start - 2 * LABEL_REACH), range.end + LABEL_REACH);
  return mentions(around, "account");
}

function judge(
  candidate: Candidate,
  routings: Routings,
  paired: ReadonlySet<Candidate>,
): AccountForm | undefined {
  const { run, range } = candidate;
  if (isPartOfWord(run.text, range)) return undefined;
  if (paired.has(candidate)) return "with-routing";
  const hasRouting = routings.isNear(range, ROUTING_REACH);
  if (isNamedAccount(candidate)) return hasRouting ? "with-routing" : "labelled";
  return hasRouting && isUnnamedBesideRouting(candidate) ? "with-routing" : undefined;
}

/** Finds account numbers of few digits, which are named as such beside a routing number. */
function findShort(text: string, routings: Routings): Identifier[] {
  if (routings.isEmpty) return [];
  return Array.from(text.matchAll(SHORT), ({ index, 0: all, 1: digits = "" }) => {
    const end = index + all.length;
    return { start: end - digits.length, end };
  })
    .filter((range) => routings.isNear(range, ROUTING_REACH))
    .map((range) => toAccountNumber("with-routing", range));
}

/**
 * Finds bank account numbers: 8 to 17 digits that are named as an account.
 *
 * The form shows whether a valid routing number stands near, which makes the number usable for payments; a routing
 * number alone is public and not reported.
 *
 * @param runs - The digits of the text.
 */
export function findAccountNumbers(text: string, runs: readonly DigitRun[]): Identifier[] {
  const candidates = listCandidates(runs);
  if (candidates.length === 0) return [];
  const pairs = listPairs(candidates);
  if (pairs.length === 0 && !mentions(text, "account") && !mentions(text, "routing")) return [];
  const paired = new Set(pairs.map(({ account }) => account));
  const heads = new Set(pairs.map(({ routing }) => routing));
  const ranges = candidates
    .filter((one) => heads.has(one) || isNamedRouting(one))
    .map(({ range }) => range);
  const routings = new Routings(ranges);
  const found: Identifier[] = [];
  for (const candidate of candidates) {
    if (
      routings.isNear(candidate.range, OVERLAP) ||
      (found.at(-1)?.end ?? 0) > candidate.range.start
    )
      continue;
    const form = judge(candidate, routings, paired);
    if (form) found.push(toAccountNumber(form, candidate.range));
  }
  return [...found, ...findShort(text, new Routings(ranges))];
}
