import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { compareText, type GoldenFile } from "./golden-file.ts";

const SHOWN_LINES = 40;
const MAX_LINE_LENGTH = 400;

/** Lists the lines that one text has and the other has not: `-` for the committed one, `+` for the one of now. */
function diffLines(committed: string, current: string): string[] {
  const before = new Set(committed.split("\n"));
  const now = new Set(current.split("\n"));
  return [
    ...[...before].filter((line) => !now.has(line)).map((line) => `- ${line}`),
    ...[...now].filter((line) => !before.has(line)).map((line) => `+ ${line}`),
  ].toSorted((one, other) => compareText(one.slice(2), other.slice(2)));
}

/** Says how the committed text of a file differs; nothing when it is the same. */
function describeDifference(path: string, committed: string, current: string): string[] {
  if (committed === current) return [];
  const lines = diffLines(committed, current);
  const rest = lines.length - SHOWN_LINES;
  return [
    `${path}: ${lines.length} lines differ`,
    ...lines.slice(0, SHOWN_LINES).map((line) => `  ${line.slice(0, MAX_LINE_LENGTH)}`),
    ...(rest > 0 ? [`  \u2026 and ${rest} more`] : []),
  ];
}

function readCommitted(directory: string, path: string): string {
  const file = join(directory, path);
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

/** Lists the committed files that no run makes any more. */
export function listOrphans(directory: string, files: readonly GoldenFile[]): string[] {
  return readdirSync(directory, { recursive: true })
    .map(String)
    .filter((path) => path.endsWith(".txt") && !files.some((file) => file.path === path));
}

/** Says how what is committed in a directory differs from what a run has made, the first lines of each file. */
export function compareGolden(directory: string, files: readonly GoldenFile[]): string[] {
  return [
    ...files.flatMap(({ path, text }) =>
      describeDifference(path, readCommitted(directory, path), text),
    ),
    ...listOrphans(directory, files).flatMap((path) =>
      describeDifference(path, readCommitted(directory, path), ""),
    ),
  ];
}
