import { html } from "htm/preact";
import type { VNode } from "preact";
import type { Interval } from "./chart-marks.ts";

/** A row of horizontal bars. */
export interface BarRow {
  readonly name: string;
  /** Where its name leads. */
  readonly address?: string;
  readonly look: string;
  readonly value: number | null;
  readonly interval?: Interval | null;
  /** What stands behind the bar. */
  readonly text: string;
}

const BAR_WIDTH = 200;

/** Shows values as horizontal bars with their intervals; the rows are the table. */
export function BarRows({
  label,
  rows,
  max,
}: {
  readonly label: string;
  readonly rows: readonly BarRow[];
  readonly max: number;
}): VNode {
  const x = (value: number): number => (Math.min(value, max) / (max || 1)) * BAR_WIDTH;
  return html`<table class="bar-rows">
    <caption>
      ${label}
    </caption>
    <tbody>
      ${rows.map(
        ({ name, address, look, value, interval, text }) =>
          html`<tr key=${name}>
            <th scope="row">
              ${address === undefined ? name : html`<a href=${address}>${name}</a>`}
            </th>
            <td class="bar-cell">
              <svg viewBox=${`0 0 ${BAR_WIDTH} 14`} preserveAspectRatio="none" aria-hidden="true">
                <rect class="track" width=${BAR_WIDTH} height="14" />
                ${value !== null && html`<rect class=${look} y="3" width=${x(value)} height="8" />`}
                ${interval && html`<path class="whisker" d=${`M${x(interval.low)} 7H${x(interval.high)}M${x(interval.low)} 3v8M${x(interval.high)} 3v8`} />`}
              </svg>
            </td>
            <td class="bar-text">${text}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}
