import type { Share } from "../../insight/intervals.ts";
import { formatDuration } from "../parts/format.ts";

/** Stands where nothing is known. */
export const NOTHING = "–";

/** Writes a count. */
export function formatCount(count: number): string {
  return count.toLocaleString("en-US", { maximumFractionDigits: 0 });
}

/** Writes a share as cases in a thousand. */
export function formatPerThousand(value: number): string {
  const cases = value * 1000;
  return cases.toLocaleString("en-US", { maximumFractionDigits: cases < 10 ? 1 : 0 });
}

/** Writes a share as percent. */
export function formatPercent(value: number): string {
  const percent = value * 100;
  return `${percent.toLocaleString("en-US", { maximumFractionDigits: percent < 10 ? 1 : 0 })} %`;
}

/** Writes a share with its interval. */
export function formatShare(share: Share | null, write: (value: number) => string): string {
  if (!share) return NOTHING;
  const bare = (value: number): string => write(value).replace(" %", "");
  return `${write(share.value)} (${bare(share.low)}–${bare(share.high)})`;
}

/** Writes a latency. */
export function formatLatency(millis: number | null): string {
  return millis === null ? NOTHING : formatDuration(millis);
}

/** Writes an amount of money, whatever its unit is. */
export function formatCost(cost: number | null): string {
  return cost === null
    ? NOTHING
    : cost.toLocaleString("en-US", { maximumSignificantDigits: 3, maximumFractionDigits: 4 });
}
