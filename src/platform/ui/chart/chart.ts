/// <reference lib="dom" />
import { html } from "htm/preact";
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Bars, type ChartSeries, Lines, type Scale } from "./chart-marks.ts";
import { ChartTable } from "./chart-table.ts";

interface ChartProps {
  readonly kind: "bars" | "line";
  /** What is shown, as the title of the table as well. */
  readonly label: string;
  /** Name of each place on the axis: short on it, in full in the table. */
  readonly places: readonly { readonly short: string; readonly full: string }[];
  readonly series: readonly ChartSeries[];
  readonly format: (value: number) => string;
}

const HEIGHT = 190;
const LEFT = 44;
/** Half of the last name on the axis. */
const RIGHT = 20;
const BOTTOM = 22;
const TOP = 8;
const TICKS = 4;

/** Returns the width of an element, and follows it. */
function useWidth() {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const { current } = element;
    if (!current) return undefined;
    const observer = new ResizeObserver(() => setWidth(current.clientWidth));
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return { element, width };
}

/** Rounds the top of an axis up to a number that people count in. */
function toNiceMax(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 5, 8, 10].find((step) => step * power >= value) ?? 10) * power;
}

/** Names every n-th place, so that the names don't touch. */
function listTicks(count: number, width: number): number[] {
  const step = Math.max(1, Math.ceil(count / Math.max(1, Math.floor(width / 64))));
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step);
}

function findMax({ kind, series, places }: ChartProps): number {
  if (kind === "line")
    return Math.max(
      0,
      ...series.flatMap(({ values, intervals = [] }) => [
        ...values.map((value) => value ?? 0),
        ...intervals.map((interval) => interval?.high ?? 0),
      ]),
    );
  return Math.max(
    0,
    ...places.map((_, place) => series.reduce((sum, { values }) => sum + (values[place] ?? 0), 0)),
  );
}

function describeValue(
  { values, intervals }: ChartSeries,
  place: number,
  format: (value: number) => string,
): string {
  const value = values[place] ?? null;
  const interval = intervals?.[place];
  if (value === null) return "–";
  return interval
    ? `${format(value)} (${format(interval.low)} to ${format(interval.high)})`
    : format(value);
}

function Legend({ series }: Pick<ChartProps, "series">): VNode | null {
  // One alone is named by the title.
  if (series.length < 2) return null;
  return html`<ul class="legend" aria-hidden="true">
    ${series.map(({ name, look }) => html`<li key=${name}><span class="swatch ${look}"></span>${name}</li>`)}
  </ul>`;
}

/** Moves through the places of a chart, by pointer and by arrow keys. */
function usePlace(count: number, toPlace: (x: number) => number) {
  const [place, setPlace] = useState<number>();
  const move = (to: number): void => setPlace(Math.min(count - 1, Math.max(0, to)));
  const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };
  return {
    place: place !== undefined && place < count ? place : undefined,
    handlers: {
      onPointerMove: (event: PointerEvent): void => move(toPlace(event.offsetX)),
      onPointerLeave: (): void => setPlace(undefined),
      onBlur: (): void => setPlace(undefined),
      onKeyDown: (event: KeyboardEvent): void => {
        const step = steps[event.key];
        if (step === undefined) return;
        event.preventDefault();
        move(place === undefined ? (step > 0 ? 0 : count - 1) : place + step);
      },
    },
  };
}

function Axes({ max, scale, width, places, format }: AxesProps): VNode {
  const levels = Array.from({ length: TICKS + 1 }, (_, index) => (max * index) / TICKS);
  return html`<g class="axes">
    ${levels.map(
      (level) =>
        html`<line
            key=${level}
            x1=${LEFT}
            x2=${width - RIGHT}
            y1=${scale.y(level)}
            y2=${scale.y(level)}
          />
          <text x=${LEFT - 6} y=${scale.y(level) + 4} text-anchor="end">${format(level)}</text>`,
    )}
    ${listTicks(places.length, width - LEFT).map(
      (place) =>
        html`<text
          key=${`x${place}`}
          x=${scale.x(place) + scale.step / 2}
          y=${HEIGHT - 5}
          text-anchor="middle"
        >
          ${places[place]?.short}
        </text>`,
    )}
  </g>`;
}

interface AxesProps extends Pick<ChartProps, "places" | "format"> {
  readonly max: number;
  readonly scale: Scale;
  readonly width: number;
}

/** Shows values over time, with the table behind them: stacked bars, or lines with intervals. */
export function Chart(props: ChartProps): VNode {
  const { kind, label, places, series, format } = props;
  const { element, width } = useWidth();
  const step = (width - LEFT - RIGHT) / Math.max(1, places.length);
  const found = findMax(props);
  // Whole levels where only whole numbers are counted.
  const max = kind === "bars" ? Math.max(TICKS, toNiceMax(found)) : toNiceMax(found);
  const scale: Scale = {
    step,
    x: (place) => LEFT + place * step,
    y: (value) => TOP + (1 - value / max) * (HEIGHT - TOP - BOTTOM),
  };
  const { place, handlers } = usePlace(places.length, (x) => Math.floor((x - LEFT) / step));
  const readout =
    place !== undefined &&
    [
      places[place]?.full ?? "",
      ...series.map((one) => `${one.name} ${describeValue(one, place, format)}`),
    ].join(" · ");
  return html`<figure class="chart">
    <${Legend} series=${series} />
    <div class="plot" ref=${element}>
      ${
        width > 0 &&
        html`<svg
          width=${width}
          height=${HEIGHT}
          role="img"
          aria-label=${`${label}; arrow keys read it out`}
          tabindex="0"
          ...${handlers}
        >
          ${place !== undefined && html`<rect class="place" x=${scale.x(place)} y=${TOP} width=${step} height=${HEIGHT - TOP - BOTTOM} />`}
          <${Axes} max=${max} scale=${scale} width=${width} places=${places} format=${format} />
          ${kind === "bars" ? html`<${Bars} series=${series} places=${places} scale=${scale} />` : html`<${Lines} series=${series} scale=${scale} />`}
        </svg>`
      }
    </div>
    <p class="readout" role="status">${readout}</p>
    <${ChartTable}
      label=${label}
      head=${["Time (UTC)", ...series.map(({ name }) => name)]}
      rows=${places.map(({ full }, index) => [full, ...series.map((one) => describeValue(one, index, format))])}
    />
  </figure>`;
}
