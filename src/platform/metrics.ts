import { VERSION } from "../version.ts";
import type { PlatformContext } from "./delivery-routes.ts";
import type { Metric } from "./metrics-text.ts";

const PREFIX = "agent_monitor_platform_";

type Simple = readonly [name: string, type: Metric["type"], help: string, value: number];

function toMetric([name, type, help, value]: Simple): Metric {
  return { name: PREFIX + name, type, help, samples: [{ value }] };
}

/** Measures the platform: numbers only, nothing that anybody said, and no name of an agent or an organization. */
export function measure(
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
