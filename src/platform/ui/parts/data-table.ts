import { html } from "htm/preact";
import type { ComponentChildren, VNode } from "preact";

/** A column of a table. */
export interface Column {
  readonly name: string;
  /** Whether it holds numbers, which stand at the right. */
  readonly isNumber?: boolean;
}

interface DataTableProps {
  /** What the table is about, for whoever doesn't see it. */
  readonly label: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly ComponentChildren[])[];
  /** Stands in the place of a table without rows. */
  readonly empty: string;
}

/** Shows rows; on a narrow screen the table scrolls by itself. */
export function DataTable({ label, columns, rows, empty }: DataTableProps): VNode {
  if (rows.length === 0) return html`<p class="nothing muted">${empty}</p>`;
  const toClass = (index: number): string => (columns[index]?.isNumber === true ? "number" : "");
  return html`<div class="table-scroll" tabindex="0" role="region" aria-label=${label}>
    <table class="data">
      <thead>
        <tr>
          ${columns.map(({ name }, index) => html`<th key=${name} scope="col" class=${toClass(index)}>${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells, row) =>
            html`<tr key=${row}>
              ${cells.map((cell, index) => html`<td key=${index} class=${toClass(index)}>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
