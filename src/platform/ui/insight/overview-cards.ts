import { html } from "htm/preact";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Overview } from "../../insight/overview.ts";
import type { Series } from "../../store/finding-trend.ts";
import { BarRows } from "../chart/bar-rows.ts";
import { Chart } from "../chart/chart.ts";
import type { ChartSeries } from "../chart/chart-marks.ts";
import { formatDateTime, toWords } from "../parts/format.ts";
import { formatCount, formatPercent, formatPerThousand, formatShare } from "./insight-format.ts";
import { toQueue } from "./insight-query.ts";
import { Card } from "./overview-card.ts";
import { VersionTable } from "./version-table.ts";

/** The overview, and the query of its page. */
export interface PartProps {
  readonly overview: Overview;
  readonly query: string;
}

const DAYS_IN_HOURS = 24 * 3_600_000;

/** Names the buckets of a period: on an axis short, in the table in full. */
function toPlaces({ buckets, period }: Pick<Overview, "buckets" | "period">) {
  const isByHour = period.width < DAYS_IN_HOURS;
  return buckets.map(({ at }) => {
    const full = formatDateTime(at);
    const date = new Date(at);
    const day = date.toLocaleDateString("en-GB", {
      day: "numeric",
      month: "short",
      timeZone: "UTC",
    });
    return isByHour
      ? { short: full.slice(11), full: `${full} UTC` }
      : { short: day, full: full.slice(0, 10) };
  });
}

const SEVERITY_NAMES: Readonly<Record<string, string>> = {
  violation: "▲ violation",
  warning: "◆ warning",
  info: "● info",
};

const LOOKS = 6;

/** Chooses a colour for each of the largest series, and one for the rest. */
function toColoured(series: readonly Series[]): ChartSeries[] {
  const shown = series.length > LOOKS ? series.slice(0, LOOKS - 1) : series;
  const rest = series.slice(shown.length);
  const coloured = shown.map(({ name, counts }, index) => ({
    name: toWords(name),
    look: `series-${index + 1}`,
    values: counts,
  }));
  if (rest.length === 0) return coloured;
  const values = (rest[0]?.counts ?? []).map((_, place) =>
    rest.reduce((sum, { counts }) => sum + (counts[place] ?? 0), 0),
  );
  return [...coloured, { name: `${rest.length} others`, look: `series-${LOOKS}`, values }];
}

const KINDS = ["severity", "category", "rule"] as const;

/** Shows how findings go over time. */
export function FindingTrend({ overview, query }: PartProps): VNode {
  const [kind, setKind] = useState<(typeof KINDS)[number]>("severity");
  const trend = overview.findings[kind];
  const series =
    kind === "severity"
      ? trend.map(({ name, counts }) => ({
          name: SEVERITY_NAMES[name] ?? name,
          look: name,
          values: counts,
        }))
      : toColoured(trend);
  const toAddress = (name: string): string => toQueue(query, { [kind]: name, state: "any" });
  return html`<${Card} title="Findings over time" isWide=${true}>
    <div class="filters switch" role="group" aria-label="Findings by">
      ${KINDS.map(
        (one) =>
          html`<button
            key=${one}
            type="button"
            aria-pressed=${kind === one ? "true" : "false"}
            onClick=${() => setKind(one)}
          >
            By ${one}
          </button>`,
      )}
    </div>
    <${Chart}
      kind="bars"
      label=${`Findings over time by ${kind}`}
      places=${toPlaces(overview)}
      series=${series}
      format=${formatCount}
    />
    ${
      trend.length === 0
        ? html`<p class="muted">No finding in this period.</p>`
        : html`<p class="counts">
            ${trend
              .slice(0, 12)
              .map(
                ({ name, total }) =>
                  html`<a key=${name} href=${toAddress(name)}
                    >${SEVERITY_NAMES[name] ?? toWords(name)}${" "}<strong
                      >${formatCount(total)}</strong
                    ></a
                  >`,
              )}
          </p>`
    }
  </${Card}>`;
}

/** Shows how often something is found. */
export function AlarmRate({ overview }: PartProps): VNode {
  const intervals = overview.buckets.map(({ alarmShare }) => alarmShare);
  const values = intervals.map((share) => share?.value ?? null);
  return html`<${Card} title="Alarms per 1,000 answers">
    <${Chart}
      kind="line"
      label="Alarms per 1,000 answers over time, with 95 % intervals"
      places=${toPlaces(overview)}
      series=${[{ name: "alarms per 1,000 answers", look: "series-1", values, intervals }]}
      format=${formatPerThousand}
    />
  </${Card}>`;
}

/** Shows what was decided over time. */
export function Decisions({ overview, query }: PartProps): VNode {
  const { decisions } = overview;
  return html`<${Card} title="Decisions">
    <${Chart}
      kind="bars"
      label="Decisions over time by disposition"
      places=${toPlaces(overview)}
      series=${toColoured(decisions)}
      format=${formatCount}
    />
    ${
      decisions.length === 0
        ? html`<p class="muted">Nothing was decided in this period.</p>`
        : html`<p class="counts">
            ${decisions.map(
              ({ name, total }) =>
                html`<a key=${name} href=${toQueue(query, { state: "closed", disposition: name })}
                  >${toWords(name)}${" "}<strong>${formatCount(total)}</strong></a
                >`,
            )}
          </p>`
    }
  </${Card}>`;
}

function toAgeName(maxDays: number | null, previous: number): string {
  if (maxDays === null) return `more than ${previous} days`;
  return previous === 0 ? "less than a day" : `${previous} to ${maxDays} days`;
}

/** Shows how long open items have waited. */
export function AgeOfQueue({ overview, query }: PartProps): VNode {
  const { ages, overdue, open } = overview.queue;
  const address = toQueue(query, { order: "age" });
  const rows = ages.map(({ maxDays, items }, index) => ({
    name: toAgeName(maxDays, ages[index - 1]?.maxDays ?? 0),
    address,
    look: "series-1",
    value: items,
    text: formatCount(items),
  }));
  const late = {
    name: "overdue",
    address: toQueue(query, { overdue: "true", order: "due" }),
    look: "violation",
    value: overdue,
    text: formatCount(overdue),
  };
  return html`<${Card} title="Age of the open queue">
    <${BarRows} label="Open items by age, and overdue ones" rows=${[...rows, late]} max=${open} />
  </${Card}>`;
}

const SHOWN_RULES = 12;

/** Shows how right each rule is. */
export function Precision({ overview, query }: PartProps): VNode {
  const rows = overview.rules.slice(0, SHOWN_RULES).map(({ rule, precision }) => ({
    name: rule,
    address: toQueue(query, { rule, state: "closed" }),
    look: "series-2",
    value: precision?.value ?? null,
    interval: precision,
    text: precision
      ? `${formatShare(precision, formatPercent)} of ${formatCount(precision.cases)}`
      : "nothing decided",
  }));
  return html`<${Card} title="Precision by rule">
    ${
      rows.length === 0
        ? html`<p class="muted">No finding was decided about in this period.</p>`
        : html`<p class="muted">Violations among the decided findings, with the 95 % interval.</p>
            <${BarRows} label="Precision by rule" rows=${rows} max=${1} />`
    }
  </${Card}>`;
}

/** Shows how versions do. */
export function Versions({ overview }: PartProps): VNode {
  const { versions } = overview;
  return html`<${Card} title="Versions compared" isWide=${true}>
    ${
      versions.length === 0
        ? html`<p class="muted">No agent has answered in this period.</p>`
        : html`<${VersionTable} versions=${versions} hasAgents=${true} />`
    }
  </${Card}>`;
}
