/// <reference lib="dom" />
import { html } from "htm/preact";
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Report } from "../../quality/report.ts";
import { PeriodForm } from "./period-form.ts";
import { loadReport } from "./quality-api.ts";
import { describePeriod, type Section, toSections } from "./report-sections.ts";
import type { Route } from "../route.ts";

function SectionView({ section }: { section: Section }): VNode {
  const { title, lines, columns, rows } = section;
  return html`<section>
    <h3>${title}</h3>
    ${lines.map((line) => html`<p key=${line}>${line}</p>`)}
    ${
      rows.length > 0 &&
      html`<div class="table">
        <table>
          <thead>
            <tr>
              ${columns.map((name) => html`<th key=${name} scope="col">${name}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              (row, index) =>
                html`<tr key=${index}>
                  ${row.map((cell, column) => html`<td key=${column}>${cell}</td>`)}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`
    }
  </section>`;
}

/** Shows the supervision report, to be printed. */
export function ReportPage({ query }: Pick<Route, "query">): VNode {
  const [report, setReport] = useState<Report>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    let isCurrent = true;
    setReport(undefined);
    setFailure(undefined);
    void loadReport(query)
      .then((loaded) => isCurrent && setReport(loaded))
      .catch(() => isCurrent && setFailure("The report of these days can't be shown."));
    return () => {
      isCurrent = false;
    };
  }, [query]);
  if (failure !== undefined)
    return html`<main class="sheet"><p class="failed" role="alert">${failure}</p></main>`;
  if (!report)
    return html`<main class="sheet"><p class="empty" aria-busy="true">Loading…</p></main>`;
  return html`<main class="sheet scroll report" tabindex="0" aria-label="Supervision report">
    <header class="line">
      <h2>Supervision report</h2>
      <${PeriodForm} path="report" query=${query} period=${report.period} />
      <button type="button" class="no-print" onClick=${() => print()}>Print</button>
    </header>
    <p class="muted">${describePeriod(report)} (UTC)</p>
    ${toSections(report).map((section) => html`<${SectionView} key=${section.title} section=${section} />`)}
  </main>`;
}
