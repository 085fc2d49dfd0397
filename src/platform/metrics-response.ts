import type { Context } from "hono";

/** A value of a metric, with its labels. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric and its values. */
export type Metric = readonly [
  type: "counter" | "gauge",
  /** Of a counter without `_total`, which is appended. */
  name: string,
  help: string,
  value: readonly Sample[] | number,
];

function escape(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

function writeLabels(labels: Sample["labels"]): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escape(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

/**
 * Writes metrics in Prometheus's text format, or in that of OpenMetrics.
 *
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/
 */
function writeMetrics(prefix: string, metrics: readonly Metric[], isOpenMetrics: boolean): string {
  const lines = metrics.flatMap(([type, shortName, help, given]) => {
    const name = `${prefix}_${shortName}`;
    const sampleName = type === "counter" ? `${name}_total` : name;
    const family = isOpenMetrics ? name : sampleName;
    const samples = typeof given === "number" ? [{ labels: {}, value: given }] : given;
    return [
      `# TYPE ${family} ${type}`,
      `# HELP ${family} ${help}`,
      ...samples.map(({ labels, value }) => `${sampleName}${writeLabels(labels)} ${value}`),
    ];
  });
  return `${[...lines, ...(isOpenMetrics ? ["# EOF"] : [])].join("\n")}\n`;
}

const OPEN_METRICS_MEDIA_TYPE = "application/openmetrics-text";

/**
 * Answers metrics in the format that is asked for.
 *
 * @param prefix - Begins the name of each.
 */
export function answerMetricsAs(
  prefix: string,
  metrics: readonly Metric[],
  context: Context,
): Response {
  const isOpenMetrics = (context.req.header("accept") ?? "").includes(OPEN_METRICS_MEDIA_TYPE);
  const contentType = isOpenMetrics
    ? `${OPEN_METRICS_MEDIA_TYPE}; version=1.0.0; charset=utf-8`
    : "text/plain; version=0.0.4; charset=utf-8";
  const text = writeMetrics(prefix, metrics, isOpenMetrics);
  return context.body(text, 200, { "content-type": contentType });
}
