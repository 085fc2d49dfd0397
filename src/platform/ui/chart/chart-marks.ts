import { html } from "htm/preact";
import type { VNode } from "preact";

/** A value with its interval. */
export interface Interval {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** One thing that a chart shows. */
export interface ChartSeries {
  readonly name: string;
  /** Class of its colour. */
  readonly look: string;
  /** By place; `null` where nothing is known. */
  readonly values: readonly (number | null)[];
  /** Intervals of the values, where they have some. */
  readonly intervals?: readonly (Interval | null)[];
}

/** Where places and values lie in a plot. */
export interface Scale {
  readonly x: (place: number) => number;
  readonly y: (value: number) => number;
  /** Width of a place. */
  readonly step: number;
}

interface MarksProps {
  readonly series: readonly ChartSeries[];
  readonly scale: Scale;
}

/** Shows the series as bars upon each other. */
export function Bars({
  series,
  places,
  scale,
}: MarksProps & { readonly places: readonly unknown[] }) {
  const width = Math.max(1, Math.min(scale.step - 2, 36));
  return html`${places.map((_, place) => {
    let below = 0;
    return series.map(({ name, look, values }) => {
      const value = values[place] ?? 0;
      if (value === 0) return null;
      const top = scale.y(below + value);
      const height = scale.y(below) - top;
      below += value;
      const x = scale.x(place) + (scale.step - width) / 2;
      return html`<rect
        key=${name}
        class=${look}
        x=${x}
        y=${top}
        width=${width}
        height=${height}
      />`;
    });
  })}`;
}

/** Writes the runs of known values as a path. */
function toPath(points: readonly (readonly [x: number, y: number] | null)[]): string {
  let isOpen = false;
  return points
    .map((point) => {
      const command = isOpen ? "L" : "M";
      isOpen = point !== null;
      return point ? `${command}${point[0].toFixed(1)} ${point[1].toFixed(1)}` : "";
    })
    .join("");
}

/** Shows the series as lines with their intervals. */
export function Lines({ series, scale }: MarksProps): VNode {
  const middle = (place: number): number => scale.x(place) + scale.step / 2;
  return html`${series.map(
    ({ name, look, values, intervals = [] }) =>
      html`<g key=${name} class=${look}>
        ${intervals.map((interval, place) =>
          interval
            ? html`<line
                class="whisker"
                x1=${middle(place)}
                x2=${middle(place)}
                y1=${scale.y(interval.low)}
                y2=${scale.y(interval.high)}
              />`
            : null,
        )}
        <path
          d=${toPath(values.map((value, place) => (value === null ? null : [middle(place), scale.y(value)])))}
        />
        ${values.map((value, place) =>
          value === null ? null : html`<circle cx=${middle(place)} cy=${scale.y(value)} r="2.5" />`,
        )}
      </g>`,
  )}`;
}
