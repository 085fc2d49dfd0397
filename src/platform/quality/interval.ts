/** A share with the bounds of its interval, each 0 to 1. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Confidence of every interval. */
export const CONFIDENCE = 0.95;

// Coefficients of Lanczos' approximation with g = 7, n = 9. @see https://en.wikipedia.org/wiki/Lanczos_approximation
const LANCZOS = [
  0.999_999_999_999_809_9, 676.520_368_121_885_1, -1259.139_216_722_402_8, 771.323_428_777_653_1,
  -176.615_029_162_140_6, 12.507_343_278_686_905, -0.138_571_095_265_720_12,
  9.984_369_578_019_572e-6, 1.505_632_735_149_311_6e-7,
];
const LANCZOS_G = 7;

/** Returns the logarithm of the gamma function for a number of at least 1. */
function logGamma(value: number): number {
  const x = value - 1;
  const [first = 0, ...others] = LANCZOS;
  const sum = others.reduce((total, part, index) => total + part / (x + index + 1), first);
  const t = x + LANCZOS_G + 0.5;
  return 0.5 * Math.log(2 * Math.PI) + (x + 0.5) * Math.log(t) - t + Math.log(sum);
}

const MAX_TERMS = 10_000;
const PRECISION = 1e-15;
const TINY = 1e-300;

const notZero = (value: number): number => (Math.abs(value) < TINY ? TINY : value);

/** Sums up the continued fraction of the incomplete beta function by Lentz's method. @see https://dlmf.nist.gov/8.17#v */
function sumFraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / notZero(1 - ((a + b) * x) / (a + 1));
  let sum = d;
  for (let m = 1; m <= MAX_TERMS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    const before = sum;
    for (const term of [even, odd]) {
      d = 1 / notZero(1 + term * d);
      c = notZero(1 + term / c);
      sum *= c * d;
    }
    if (Math.abs(sum / before - 1) < PRECISION) break;
  }
  return sum;
}

/** Returns the distribution function of the beta distribution: the regularised incomplete beta function I_x(a, b), a and b at least 1. */
export function betaDistribution(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const logFactor =
    logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x);
  const factor = Math.exp(logFactor);
  // The fraction converges fast on this side of the mean only.
  return x < (a + 1) / (a + b + 2)
    ? (factor * sumFraction(x, a, b)) / a
    : 1 - (factor * sumFraction(1 - x, b, a)) / b;
}

/** Halvings until two neighbouring numbers are left. */
const MAX_HALVINGS = 200;

/** Returns where the beta distribution has a probability, by bisection. */
function betaQuantile(probability: number, a: number, b: number): number {
  let low = 0;
  let high = 1;
  for (let step = 0; step < MAX_HALVINGS; step++) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (betaDistribution(middle, a, b) < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * Returns the exact interval of a share, that of Clopper and Pearson: it holds the true share in at least as many cases as its
 * confidence says, however small the counts are. With nothing found in n its upper bound is about 3.7 / n.
 *
 * @param found - 0 to `total`.
 * @see Clopper and Pearson, Biometrika 26 (1934), 404
 */
export function toExactInterval(found: number, total: number, confidence = CONFIDENCE): Interval {
  const tail = (1 - confidence) / 2;
  return {
    low: found === 0 ? 0 : betaQuantile(tail, found, total - found + 1),
    high: found === total ? 1 : betaQuantile(1 - tail, found + 1, total - found),
  };
}
