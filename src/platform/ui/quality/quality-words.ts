import type { Elusion, Share } from "../../quality/estimates.ts";
import type { Interval } from "../../quality/interval.ts";
import type { SampleProgress } from "../../quality/quality.ts";
import { countNoun, formatCount } from "../../../util/count-noun.ts";

const HUNDRED = 100;

/** Writes a share, 0 to 1, in percent; small ones in more digits: `0.12 %`. */
export function formatPercent(share: number): string {
  const percent = share * HUNDRED;
  if (percent === 0 || percent >= 10) return `${Math.round(percent)} %`;
  return `${percent.toFixed(percent >= 1 ? 1 : 2)} %`;
}

/** Writes the bounds of an interval. */
export function formatInterval({ low, high }: Interval): string {
  return `${formatPercent(low)} to ${formatPercent(high)}`;
}

/** Writes a share with its interval; a dash where it is not known. */
export function formatShare(share: Share | null): string {
  return share
    ? `${formatPercent(share.estimate)} (${formatInterval(share)}, of ${share.total})`
    : "not known yet";
}

/** Says in a sentence what the sample shows of what the rules miss. */
export function describeElusion({ elusion, sampled, unreviewed }: SampleProgress): string {
  if (sampled === 0)
    return "No answer without findings was sampled: what the rules miss is not known.";
  if (!elusion)
    return `Nobody has decided about the ${countNoun(sampled, "sampled answer")} yet: what the rules miss is not known.`;
  const rest =
    unreviewed > 0
      ? ` ${countNoun(unreviewed, "sampled answer")} nobody has reviewed: they count as neither.`
      : "";
  return describeBound(elusion) + rest;
}

function describeBound({ violations, reviewed, high, low, estimate, missed }: Elusion): string {
  const found =
    violations === 0
      ? "none is a violation"
      : countNoun(violations, "is a violation", "are violations");
  const seen = `Of ${countNoun(reviewed, "reviewed answer")} without findings ${found}.`;
  const most = formatCount(Math.ceil(missed.high));
  if (violations === 0)
    return `${seen} With 95 % confidence the rules miss fewer than ${formatPercent(high)} of the answers in which they find nothing: ${most} at most.`;
  return (
    `${seen} The rules miss about ${formatPercent(estimate)} of the answers in which they find nothing, with 95 % confidence ` +
    `${formatPercent(low)} to ${formatPercent(high)}: ${formatCount(Math.floor(missed.low))} to ${most} answers.`
  );
}
