/** A source of numbers that one seed decides. */
export interface Random {
  /** Returns 0 to 1, 1 excluded. */
  next(): number;
  /** Returns an integer of a range, its end included. */
  integer(least: number, most: number): number;
  /** Returns whether something with a probability happens. */
  chance(probability: number): boolean;
  pick<T>(values: readonly T[]): T;
  /** Picks a name by the weights of all names. */
  weigh<Name extends string>(weights: Readonly<Record<Name, number>>): Name;
  /** Returns about a value: half of all lie within a quarter of it, a few far above, as waits of people and of models do. */
  about(value: number): number;
  /** Returns an id as a UUID version 7 has it. */
  id(millis: number): string;
}

/** Creates a source of numbers; the same seed makes the same ones. @see https://github.com/bryc/code (mulberry32) */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const hex = (digits: number): string =>
    Array.from({ length: digits }, () => Math.floor(next() * 16).toString(16)).join("");
  const integer = (least: number, most: number): number =>
    least + Math.floor(next() * (most - least + 1));
  return {
    next,
    integer,
    chance: (probability) => next() < probability,
    pick: <T>(values: readonly T[]): T => {
      const value = values[integer(0, values.length - 1)];
      if (value === undefined) throw new RangeError("expected a list that is not empty");
      return value;
    },
    weigh: <Name extends string>(weights: Readonly<Record<Name, number>>): Name => {
      const entries = Object.entries(weights) as [Name, number][];
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      const found = entries.find(([, weight]) => (left -= weight) < 0) ?? entries[0];
      if (!found) throw new RangeError("expected a list that is not empty");
      return found[0];
    },
    about: (value) => value * Math.exp(0.4 * (next() + next() + next() - 1.5) * 2),
    id: (millis) => {
      const time = Math.floor(millis).toString(16).padStart(12, "0");
      return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-a${hex(3)}-${hex(12)}`;
    },
  };
}
