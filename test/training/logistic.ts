import type { Rows } from "./matrix.ts";

/** A hyperplane. */
export interface Hyperplane {
  readonly weights: Float64Array;
  readonly bias: number;
}

/** How a hyperplane is fitted. */
export interface FitOptions {
  /** Of a wrong example, against the penalty. */
  readonly cost: number;
  readonly passes: number;
  readonly seed: number;
}

/** Gives pseudo-random numbers from 0 to 1, the same for a seed each time. @see Marsaglia, "Xorshift RNGs" */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 0x1_00_00_00_00;
  };
}

function shuffle(order: Uint32Array, random: () => number): void {
  for (let at = order.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    const kept = order[at] ?? 0;
    order[at] = order[other] ?? 0;
    order[other] = kept;
  }
}

const NEWTON_STEPS = 20;
const TOLERANCE = 1e-3;
/** An example that a pass did not move is left out of so many passes. */
const IDLE_PASSES = 2;

/** Minimises the dual in one variable, which has two forms: the one is solved whose end lies in its lower half. */
function solve(cost: number, square: number, margin: number, old: number): number {
  const isFlipped = (square / 2) * (cost - 2 * old) + margin < 0;
  const origin = isFlipped ? cost - old : old;
  const slope = isFlipped ? -margin : margin;
  let z = cost - origin < cost / 2 ? origin / 10 : origin;
  let gradient = square * (z - origin) + slope + Math.log(z / (cost - z));
  for (let step = 0; step < NEWTON_STEPS && Math.abs(gradient) >= TOLERANCE; step++) {
    const next = z - gradient / (square + cost / (cost - z) / z);
    z = next <= 0 ? z / 10 : next;
    gradient = square * (z - origin) + slope + Math.log(z / (cost - z));
  }
  return isFlipped ? cost - z : z;
}

/**
 * Fits a logistic regression with a squared penalty, by coordinate descent in the dual.
 *
 * @param chosen - Indexes of the rows to fit to.
 * @param isRight - For each of them 1 for yes, 0 for no.
 * @see Yu, Huang, Lin: "Dual coordinate descent methods for logistic regression and maximum entropy models", 2011
 */
export function fitLogistic(
  rows: Rows,
  chosen: Uint32Array,
  isRight: Uint8Array,
  { cost, passes, seed }: FitOptions,
): Hyperplane {
  const { starts, columns, values, width } = rows;
  const weights = new Float64Array(width + 1);
  const first = Math.min(TOLERANCE * cost, 1e-8);
  const alphas = new Float64Array(chosen.length).fill(first);
  const squares = new Float64Array(chosen.length);
  const idle = new Uint8Array(chosen.length);
  const order = Uint32Array.from(chosen.keys());
  const random = createRandom(seed);
  for (let index = 0; index < chosen.length; index++) {
    const row = chosen[index]!;
    let square = 1;
    for (let at = starts[row]!; at < starts[row + 1]!; at++) square += values[at]! ** 2;
    squares[index] = square;
  }
  for (let pass = 0; pass < passes; pass++) {
    shuffle(order, random);
    let largest = 0;
    for (let turn = 0; turn < order.length; turn++) {
      const index = order[turn]!;
      if (idle[index]! > 0) {
        idle[index]!--;
        continue;
      }
      const row = chosen[index]!;
      const sign = isRight[index] === 1 ? 1 : -1;
      const end = starts[row + 1]!;
      let product = weights[width]!;
      for (let at = starts[row]!; at < end; at++) product += weights[columns[at]!]! * values[at]!;
      const old = alphas[index]!;
      const now = solve(cost, squares[index]!, sign * product, old);
      const change = now - old;
      if (pass > 0 && Math.abs(change) < TOLERANCE * cost) idle[index] = IDLE_PASSES;
      if (Math.abs(change) <= 1e-12) continue;
      alphas[index] = now;
      const step = sign * change;
      for (let at = starts[row]!; at < end; at++) weights[columns[at]!]! += step * values[at]!;
      weights[width]! += step;
      largest = Math.max(largest, Math.abs(change));
    }
    if (largest < TOLERANCE * cost) break;
  }
  return { weights: weights.subarray(0, width), bias: weights[width]! };
}

/** Gives the rows without the columns that are not kept. */
export function keepColumns({ starts, columns, values, width }: Rows, isKept: Uint8Array): Rows {
  const keptStarts = new Uint32Array(starts.length);
  let size = 0;
  for (let row = 0; row + 1 < starts.length; row++) {
    for (let at = starts[row]!; at < starts[row + 1]!; at++) size += isKept[columns[at]!]!;
    keptStarts[row + 1] = size;
  }
  const kept: Rows = {
    starts: keptStarts,
    columns: new Uint32Array(size),
    values: new Float32Array(size),
    width,
  };
  let to = 0;
  for (let at = 0; at < columns.length; at++) {
    if (isKept[columns[at]!] === 0) continue;
    kept.columns[to] = columns[at]!;
    kept.values[to++] = values[at]!;
  }
  return kept;
}
