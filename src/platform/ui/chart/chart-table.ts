import { html } from "htm/preact";
import type { ComponentChildren, VNode } from "preact";

/** Shows what stands behind a chart, in rows. */
export function ChartTable({
  label,
  head,
  rows,
}: {
  readonly label: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly ComponentChildren[])[];
}): VNode {
  return html`<details class="chart-table">
    <summary>Show as table</summary>
    <div class="table-scroll" tabindex="0" role="region" aria-label=${label}>
      <table>
        <thead>
          <tr>
            ${head.map((name) => html`<th key=${name} scope="col">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ([name, ...cells], index) =>
              html`<tr key=${index}>
                <th scope="row">${name}</th>
                ${cells.map((cell, column) => html`<td key=${column}>${cell}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </details>`;
}
