/** Random numbers that a seed repeats. */
export interface Random {
  readonly seed: number;
  /** Gives an integer from 0 to below the bound. */
  below(bound: number): number;
  pick<T>(values: readonly T[]): T;
}

/** Creates random numbers; `FAULT_SEED` in the environment repeats those of a run that failed. */
export function createRandom(
  seed = Number(process.env["FAULT_SEED"] ?? Date.now() % 2 ** 31),
): Random {
  let state = seed;
  // Mulberry32: enough to mix, and a few lines.
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number): number => Math.floor(next() * bound);
  return { seed, below, pick: (values) => values[below(values.length)]! };
}
