import { toShareOf, type Share } from "../accuracy/score.ts";
import type { Observation } from "./isotonic.ts";

/** What was said with similar probabilities. */
export interface Bin {
  readonly from: number;
  /** Excluded, but for the last bin. */
  readonly to: number;
  /** Observations in it. */
  readonly count: number;
  /** Mean of the probabilities that were said. */
  readonly expected: number | null;
  /** Share that was right, weighted, and its interval by the number of observations that the weights come to. */
  readonly observed: Pick<Share, "value" | "low" | "high">;
}

/** How far probabilities that were said are those that were met. */
export interface Reliability {
  readonly count: number;
  readonly bins: readonly Bin[];
  /** Mean square of the difference between what was said and what was so. */
  readonly brier: number | null;
  /** Mean difference between expected and observed of the bins. */
  readonly ece: number | null;
}

const weightOf = ({ weight = 1 }: Observation): number => weight;

const sumOf = (
  observations: readonly Observation[],
  toValue: (observation: Observation) => number,
): number => observations.reduce((sum, observation) => sum + toValue(observation), 0);

function toBin(from: number, to: number, members: readonly Observation[]): Bin {
  const weight = sumOf(members, weightOf);
  const squares = sumOf(members, (one) => weightOf(one) ** 2);
  const right = sumOf(members, (one) => (one.isRight ? weightOf(one) : 0));
  const said = sumOf(members, (one) => weightOf(one) * one.score);
  // So many observations of equal weight would tell as much.
  const effective = squares === 0 ? 0 : weight ** 2 / squares;
  const { value, low, high } = toShareOf(weight === 0 ? 0 : right / weight, effective);
  return {
    from,
    to,
    count: members.length,
    expected: weight === 0 ? null : said / weight,
    observed: { value, low, high },
  };
}

/**
 * Compares probabilities with what was so.
 *
 * @param observations - Their scores are probabilities.
 * @param bins - Number of bins of equal width.
 */
export function toReliability(observations: readonly Observation[], bins = 10): Reliability {
  const binOf = ({ score }: Observation): number => Math.min(bins - 1, Math.floor(score * bins));
  const weight = sumOf(observations, weightOf);
  const list = Array.from({ length: bins }, (_, index) => {
    const members = observations.filter((one) => binOf(one) === index);
    return {
      bin: toBin(index / bins, (index + 1) / bins, members),
      weight: sumOf(members, weightOf),
    };
  });
  const gap = ({ expected, observed }: Bin): number =>
    Math.abs((expected ?? 0) - (observed.value ?? 0));
  return {
    count: observations.length,
    bins: list.map(({ bin }) => bin),
    brier:
      weight === 0
        ? null
        : sumOf(observations, (one) => weightOf(one) * (one.score - Number(one.isRight)) ** 2) /
          weight,
    ece:
      weight === 0 ? null : list.reduce((sum, one) => sum + one.weight * gap(one.bin), 0) / weight,
  };
}
