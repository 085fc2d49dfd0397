/** Longer names are of no use, and comparing takes the square of their length. */
const MAX_LENGTH = 64;
/** A known name that shares a prefix of this length with another, or is one, is no coincidence. */
const MIN_PREFIX_LENGTH = 4;

/** Counts the letters to insert, delete, change or swap with the next that turn one text into the other. */
function distance(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_item, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (beforeLast[column - 2] ?? Infinity) + 1 : Infinity,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[other.length] ?? 0;
}

const toLetters = (name: string): string => name.toLowerCase().replaceAll(/[\s._-]/g, "");

function cost(given: string, known: string): number {
  if (given === known) return 0;
  const [shorter, longer] = given.length < known.length ? [given, known] : [known, given];
  if (shorter.length >= MIN_PREFIX_LENGTH && longer.startsWith(shorter)) return 1;
  const changes = distance(given, known);
  return changes <= Math.max(1, Math.floor(known.length / 3)) ? changes : Infinity;
}

const toSortedLetters = (name: string): string => name.split("").toSorted().join("");

/** Returns whether one name is the other but for a typing error; short names resemble too many others. */
function isSlip(given: string, known: string): boolean {
  if (given === known) return true;
  const most = known.length < 9 ? 1 : 2;
  if (Math.abs(given.length - known.length) > most || distance(given, known) > most) return false;
  return known.length > 5 || toSortedLetters(given) === toSortedLetters(known);
}

/**
 * Returns the known name of which a name is a misspelling, where the caller's own names are allowed as well:
 * `customerName` is not meant to be `customerTier`.
 */
export function findSlip(name: string, known: Iterable<string>): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const given = toLetters(name);
  for (const candidate of known) if (isSlip(given, toLetters(candidate))) return candidate;
  return undefined;
}

/** Returns the known name that a misspelt one most likely stands for; `undefined` when it is like none. */
export function findNearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const given = toLetters(name);
  let nearest: string | undefined;
  let least = Infinity;
  for (const candidate of known) {
    const changes = cost(given, toLetters(candidate));
    if (changes >= least) continue;
    least = changes;
    nearest = candidate;
  }
  return nearest;
}

/** Returns the hint to the name, or the line, that was most likely meant by an unknown one. */
export function toNameHint(name: string, known: readonly string[]): string {
  const nearest = findNearestName(name, known);
  return nearest === undefined ? "" : `: did you mean "${nearest}"?`;
}
