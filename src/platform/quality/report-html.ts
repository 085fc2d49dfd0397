import { createHash } from "node:crypto";
import { formatDateTime } from "../ui/parts/format.ts";
import { describePeriod, type Section, toSections } from "../ui/quality/report-sections.ts";
import type { Report } from "./report.ts";

const STYLE = `
  :root { color-scheme: light dark; }
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; font: 14px/1.5 system-ui, sans-serif; font-variant-numeric: tabular-nums; }
  table { width: 100%; border-collapse: collapse; margin: 0.5rem 0 1.5rem; }
  th, td { padding: 0.25rem 0.5rem 0.25rem 0; border-bottom: 1px solid #8886; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
  h2 { margin: 1.5rem 0 0.25rem; font-size: 1.1rem; break-after: avoid; }
  tr { break-inside: avoid; }
  @media print { body { max-width: none; margin: 0; font-size: 10pt; } }
`;

const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

/** Policy of the document: nothing runs in it, nothing is loaded, and its one style is known by its hash. */
export const REPORT_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'`;

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escape(text: number | string): string {
  return String(text).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}

function toTable({ columns, rows }: Section): string {
  if (rows.length === 0) return "";
  const head = columns.map((name) => `<th scope="col">${escape(name)}</th>`).join("");
  const lines = rows.map(
    (row) => `<tr>${row.map((cell) => `<td>${escape(cell)}</td>`).join("")}</tr>`,
  );
  return `<table><thead><tr>${head}</tr></thead><tbody>${lines.join("\n")}</tbody></table>`;
}

function toHtml(section: Section): string {
  const lines = section.lines.map((line) => `<p>${escape(line)}</p>`).join("");
  return `<section><h2>${escape(section.title)}</h2>${lines}${toTable(section)}</section>`;
}

/** Writes a report as one HTML document that needs nothing else, to be printed or kept. */
export function toReportHtml(report: Report): string {
  const period = escape(describePeriod(report));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="content-security-policy" content="${REPORT_POLICY}">
<title>Supervision report, ${period}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Supervision report</h1>
<p>${period} (UTC), written at ${escape(formatDateTime(report.writtenAt))}.</p>
${toSections(report).map(toHtml).join("\n")}
</body>
</html>
`;
}
