import type { Reliability } from "./reliability.ts";

const toText = (value: number | null): string => (value === null ? "-" : value.toFixed(3));

/** Writes a reliability table, bins without observations left out. */
export function formatReliability(
  title: string,
  { count, bins, brier, ece }: Reliability,
): string[] {
  return [
    `  ${title}: ${count} findings, Brier score ${toText(brier)}, expected calibration error ${toText(ece)}`,
    ...bins
      .filter((bin) => bin.count > 0)
      .map(
        ({ from, to, count: inBin, expected, observed }) =>
          `    ${from.toFixed(2)}-${to.toFixed(2)}  said ${toText(expected)}  right ${toText(observed.value)} ` +
          `[${toText(observed.low)}-${toText(observed.high)}]  (${inBin})`,
      ),
  ];
}
