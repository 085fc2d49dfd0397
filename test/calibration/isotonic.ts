/** Something that was said with a score, and whether it was right. */
export interface Observation {
  /** How sure it was said, on any scale. */
  readonly score: number;
  readonly isRight: boolean;
  /** How many of its kind it stands for. @defaultValue 1 */
  readonly weight?: number;
}

/** A score, and the probability that goes with it. */
export interface Knot {
  readonly score: number;
  readonly probability: number;
}

/** Turns scores into probabilities: knots in rising order, straight lines between them. */
export interface Calibration {
  readonly knots: readonly Knot[];
}

/** Neighbouring scores that have one probability. */
interface Block {
  readonly first: number;
  last: number;
  weight: number;
  right: number;
}

const meanOf = ({ right, weight }: Block): number => right / weight;

/** Sums observations up by score: equal scores have equal probabilities. */
function toBlocks(observations: readonly Observation[]): Block[] {
  const blocks: Block[] = [];
  for (const { score, isRight, weight = 1 } of observations.toSorted((a, b) => a.score - b.score)) {
    if (!Number.isFinite(score) || !(weight > 0) || !Number.isFinite(weight))
      throw new RangeError(`expected finite scores and positive weights, got ${score}, ${weight}`);
    const last = blocks.at(-1);
    const right = isRight ? weight : 0;
    if (last && last.first === score) {
      last.weight += weight;
      last.right += right;
    } else blocks.push({ first: score, last: score, weight, right });
  }
  return blocks;
}

/** Pools neighbours until their means rise. */
function pool(blocks: readonly Block[]): Block[] {
  const pooled: Block[] = [];
  for (const block of blocks) {
    let current = block;
    for (let before = pooled.at(-1); before && meanOf(before) >= meanOf(current);) {
      pooled.pop();
      current = {
        first: before.first,
        last: current.last,
        weight: before.weight + current.weight,
        right: before.right + current.right,
      };
      before = pooled.at(-1);
    }
    pooled.push(current);
  }
  return pooled;
}

/**
 * Fits the rising function from scores to probabilities that comes nearest to the observations, by pooling adjacent
 * violators.
 *
 * No probability lies nearer to 0 or 1 than so many observations can show, `1 / (n + 2)`.
 *
 * @throws RangeError for a score or a weight that is no such number, and without observations.
 * @see Zadrozny and Elkan, "Transforming classifier scores into accurate multiclass probability estimates" (2002)
 */
export function fitIsotonic(observations: readonly Observation[]): Calibration {
  if (observations.length === 0) throw new RangeError("expected observations, got none");
  const least = 1 / (observations.length + 2);
  const knots: Knot[] = [];
  for (const block of pool(toBlocks(observations))) {
    const probability = Math.min(1 - least, Math.max(least, meanOf(block)));
    knots.push({ score: block.first, probability });
    if (block.last > block.first) knots.push({ score: block.last, probability });
  }
  return { knots };
}

/** Turns a score into a probability; one beyond all knots has that of the nearest. */
export function calibrate({ knots }: Calibration, score: number): number {
  const index = knots.findIndex((knot) => knot.score >= score);
  const above = index === -1 ? knots.at(-1) : knots[index];
  const below = index === -1 ? above : (knots[index - 1] ?? above);
  if (!above || !below) throw new RangeError("expected a calibration with knots, got none");
  if (above.score === below.score || score >= above.score) return above.probability;
  const share = (score - below.score) / (above.score - below.score);
  return below.probability + share * (above.probability - below.probability);
}
