import { toPrintable } from "../spool/output.ts";
import { countNoun } from "../../util/count-noun.ts";

/** Levels of findings, the least first. */
const LEVELS = ["ok", "note", "warning", "error"] as const;

/** `note` reports something that is no problem. */
export type Level = (typeof LEVELS)[number];

/** Result of one check. */
export interface Finding {
  /** Name of the check, for programs. */
  readonly check: string;
  readonly level: Level;
  readonly message: string;
  /** Recommended action. */
  readonly advice?: string | undefined;
}

const EXIT_CODES: Readonly<Record<Level, number>> = { ok: 0, note: 0, warning: 1, error: 2 };

/** Returns the exit code: 0 nothing to fix, 1 warnings, 2 errors. */
export function toExitCode(findings: readonly Finding[]): number {
  return Math.max(0, ...findings.map(({ level }) => EXIT_CODES[level]));
}

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
    `${countNoun(count("error"), "error")}, ${countNoun(count("warning"), "warning")}`,
  );
  return lines.map((line) => `${line}\n`).join("");
}
