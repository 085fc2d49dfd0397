import { countNoun } from "../util/count-noun.ts";
import { joinParts, toPrintable } from "./spool/output.ts";

/** What is known of an archive, beside the chains of its batches. */
export interface ArchiveReport {
  readonly status: "verified" | "broken" | "incomplete";
  /** Records that its index lists. */
  readonly records: number;
  /** Objects with the bytes that the index says. */
  readonly objects: number;
  /** Records of other programs, which were not archived. */
  readonly skipped: number;
  readonly firstBreak: string | undefined;
  readonly breakCount: number;
  /** The first of what is not as expected, and proves nothing. */
  readonly doubts: readonly string[];
  readonly doubtCount: number;
}

const MAX_DOUBTS = 5;
const NUMBER = new Intl.NumberFormat("en-US");

/** Creates what collects the findings about an archive. */
export function createArchiveFindings() {
  const counts = { records: 0, objects: 0, skipped: 0 };
  const doubts: string[] = [];
  let [firstBreak, breakCount, doubtCount]: [string | undefined, number, number] = [
    undefined,
    0,
    0,
  ];
  return {
    counts,
    /** Reports what was changed or removed. */
    fail: (detail: string): void => {
      firstBreak ??= detail;
      breakCount++;
    },
    /** Reports what is not proven. */
    doubt: (detail: string): void => {
      doubtCount++;
      if (doubts.length < MAX_DOUBTS) doubts.push(detail);
    },
    finish: (): ArchiveReport => {
      const status = breakCount > 0 ? "broken" : doubtCount > 0 ? "incomplete" : "verified";
      return { status, ...counts, firstBreak, breakCount, doubts, doubtCount };
    },
  };
}

/** Collects the findings about an archive. */
export type ArchiveFindings = ReturnType<typeof createArchiveFindings>;

/** Writes the result for people. */
export function formatArchiveReport(report: ArchiveReport): string {
  const { status, records, objects, skipped, firstBreak, breakCount, doubts, doubtCount } = report;
  const sum = joinParts([
    countNoun(records, "record"),
    countNoun(objects, "object"),
    skipped > 0 && `${NUMBER.format(skipped)} of other programs`,
  ]);
  const more = (count: number, shown: number): string =>
    count > shown ? `, and ${NUMBER.format(count - shown)} more` : "";
  const lines = [
    `archive: ${status}: ${sum}`,
    ...(firstBreak === undefined ? [] : [`BROKEN: ${firstBreak}${more(breakCount, 1)}`]),
    ...(doubtCount === 0
      ? []
      : [`not proven: ${doubts.join("; ")}${more(doubtCount, doubts.length)}`]),
  ];
  return lines.map((line) => `${toPrintable(line)}\n`).join("");
}
