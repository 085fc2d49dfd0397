import type { Context } from "hono";
import { VERSION } from "../version.ts";
import type { PlatformContext } from "./delivery-routes.ts";
import { ProblemError } from "./problem.ts";

/** A value of a metric, with its labels. */
interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric and its values; the name of a counter is without `_total`, which is appended. */
interface Metric {
  readonly name: string;
  readonly type: "counter" | "gauge";
  readonly help: string;
  readonly samples: readonly Sample[];
}

const OPEN_METRICS_MEDIA_TYPE = "application/openmetrics-text";

function escape(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

function writeLabels(labels: Readonly<Record<string, string>> = {}): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escape(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

/**
 * Writes metrics in Prometheus's text format, or in that of OpenMetrics.
 *
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/
 */
function writeMetrics(metrics: readonly Metric[], isOpenMetrics: boolean): string {
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

const PREFIX = "agent_monitor_platform_";

type Simple = readonly [name: string, type: Metric["type"], help: string, value: number];

function toMetric([name, type, help, value]: Simple): Metric {
  return { name: PREFIX + name, type, help, samples: [{ value }] };
}

/** Measures the platform: numbers only, no content, and no name of an agent or an organization. */
function measure(
  { store, bodies, requests, startedAt }: PlatformContext,
  isWritable: boolean,
): readonly Metric[] {
  const stats = store.stats();
  const simple: readonly Simple[] = [
    ["batches", "counter", "Batches taken since the database was created.", stats.batches],
    ["events", "counter", "Events stored since then.", stats.events],
    ["duplicate_events", "counter", "Events that came again since then.", stats.duplicates],
    [
      "rejected_events",
      "counter",
      "Events refused since then, out of batches that were taken.",
      stats.rejected,
    ],
    ["agents", "gauge", "Agents registered.", stats.agents],
    ["spans", "gauge", "Spans that are kept.", stats.spans],
    ["log_records", "gauge", "Log records that are kept.", stats.logRecords],
    ["body_bytes", "gauge", "Bytes of the request bodies under way.", bodies.used],
    ["body_limit_bytes", "gauge", "Bytes that they may have together.", bodies.limit],
    [
      "refused_bodies",
      "counter",
      "Requests refused because there was no room for their body.",
      bodies.refused,
    ],
    ["store_bytes", "gauge", "Size of the database.", store.size()],
    ["store_writable", "gauge", "1 if the store takes something, else 0.", isWritable ? 1 : 0],
    [
      "start_time_seconds",
      "gauge",
      "When the platform started, in seconds since the Unix epoch.",
      startedAt / 1000,
    ],
  ];
  return [
    {
      name: `${PREFIX}build_info`,
      type: "gauge",
      help: "1, with the version as a label.",
      samples: [{ labels: { version: VERSION }, value: 1 }],
    },
    ...simple.map(toMetric),
    {
      name: `${PREFIX}http_requests`,
      type: "counter",
      help: "Requests answered since the platform started.",
      samples: requests.list().map(({ route, status, count }) => ({
        labels: { route, status: String(status) },
        value: count,
      })),
    },
  ];
}

/** Reports that the process is alive: `GET /healthz`. */
export function answerHealth(_: PlatformContext, context: Context): Response {
  return context.json({ status: "ok" });
}

/** Reports whether a batch would be stored now: `GET /readyz`. */
export async function answerReadiness(
  { store }: PlatformContext,
  context: Context,
): Promise<Response> {
  if (await store.probe()) return context.json({ status: "ready" });
  throw storeUnavailable();
}

/** Returns the problem that the store can't be read or written; the log has the reason. */
export function storeUnavailable(): ProblemError {
  return new ProblemError(503, "unavailable", "the store can't be read or written", {
    headers: { "retry-after": "10" },
  });
}

/** Returns the platform's metrics: `GET /metrics`. */
export async function answerMetrics(room: PlatformContext, context: Context): Promise<Response> {
  const isWritable = await room.store.probe();
  const isOpenMetrics = (context.req.header("accept") ?? "").includes(OPEN_METRICS_MEDIA_TYPE);
  const text = writeMetrics(measure(room, isWritable), isOpenMetrics);
  const contentType = isOpenMetrics
    ? `${OPEN_METRICS_MEDIA_TYPE}; version=1.0.0; charset=utf-8`
    : "text/plain; version=0.0.4; charset=utf-8";
  return context.body(text, 200, { "content-type": contentType });
}
