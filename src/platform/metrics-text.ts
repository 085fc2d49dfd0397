/** A value of a metric, with the labels that tell it from others. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric and its values; the name of a counter is without `_total`, which is written at its end. */
export interface Metric {
  readonly name: string;
  readonly type: "counter" | "gauge";
  readonly help: string;
  readonly samples: readonly Sample[];
}

export const OPEN_METRICS_MEDIA_TYPE = "application/openmetrics-text";

function escape(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

function writeLabels(labels: Readonly<Record<string, string>> = {}): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escape(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

/**
 * Writes metrics as Prometheus reads them, or as OpenMetrics has it.
 *
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/
 */
export function writeMetrics(metrics: readonly Metric[], isOpenMetrics: boolean): string {
  const lines = metrics.flatMap(({ name, type, help, samples }) => {
    const sampleName = type === "counter" ? `${name}_total` : name;
    const family = isOpenMetrics ? name : sampleName;
    return [
      `# TYPE ${family} ${type}`,
      `# HELP ${family} ${help}`,
      ...samples.map(({ labels, value }) => `${sampleName}${writeLabels(labels)} ${value}`),
    ];
  });
  return `${[...lines, ...(isOpenMetrics ? ["# EOF"] : [])].join("\n")}\n`;
}
