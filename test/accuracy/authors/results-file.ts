import { writeFileSync } from "node:fs";
import type { JudgedFinding, JudgedText } from "./judge.ts";

const COLUMNS = [
  "id",
  "author",
  "label",
  "kind",
  "expectedCategory",
  "expectedRule",
  "length",
  "requiresReview",
  "riskScore",
  "rule",
  "pattern",
  "category",
  "severity",
  "confidence",
  "isCandidate",
  "isReviewed",
  "isOnPassage",
] as const;

/** Sums up a text: labels, what it came to, and every finding. */
function toRecord({ text, length, requiresReview, riskScore, findings }: JudgedText) {
  const { id, author, label, kind, expectedCategory, expectedRule } = text;
  const labels = { id, author, label, kind, expectedCategory, expectedRule };
  return { ...labels, length, requiresReview, riskScore, findings };
}

type Field = string | number | boolean | null | undefined;

function toField(value: Field): string {
  const text = String(value ?? "");
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function toRows(judged: JudgedText): string[] {
  const { findings, ...record } = toRecord(judged);
  // A text without a finding has its row as well.
  const rows: readonly Partial<JudgedFinding>[] = findings.length > 0 ? findings : [{}];
  return rows.map(({ alsoMatched: _others, ...finding }) => {
    const row: Readonly<Record<string, Field>> = { ...record, ...finding };
    return COLUMNS.map((column) => toField(row[column])).join(",");
  });
}

/** Writes judged texts as CSV, a row for each finding, or as JSON Lines, a line for each text. */
export function formatResults(format: "csv" | "jsonl", judged: readonly JudgedText[]): string {
  const lines =
    format === "csv"
      ? [COLUMNS.join(","), ...judged.flatMap(toRows)]
      : judged.map((one) => JSON.stringify(toRecord(one)));
  return lines.map((line) => `${line}\n`).join("");
}

/** Writes judged texts to a file whose ending says in which form. */
export function writeResults(path: string, judged: readonly JudgedText[]): void {
  const format = /\.(csv|jsonl)$/.exec(path)?.[1] as "csv" | "jsonl" | undefined;
  if (!format) throw new Error(`--out: expected a file .csv or .jsonl, got ${path}`);
  writeFileSync(path, formatResults(format, judged));
}
