import { formatCount, toPrintable } from "../spool/format.ts";
import { LEVELS, type Finding } from "./finding.ts";

const WIDTH = Math.max(...LEVELS.map(({ length }) => length)) + 2;

/** Writes findings for people. */
export function formatFindings(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ level, message, advice }) => [
    `${level.padEnd(WIDTH)}${toPrintable(message)}`,
    ...(advice === undefined ? [] : [`${" ".repeat(WIDTH)}> ${toPrintable(advice)}`]),
  ]);
  const count = (level: string): number => findings.filter((one) => one.level === level).length;
  lines.push(
    "",
    `${formatCount(count("error"), "error")}, ${formatCount(count("warning"), "warning")}`,
  );
  return lines.map((line) => `${line}\n`).join("");
}
