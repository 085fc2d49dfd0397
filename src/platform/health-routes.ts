import type { Context } from "hono";
import { VERSION } from "../version.ts";
import type { PlatformContext } from "./platform-context.ts";
import { countLosses, countWriters } from "./operations/intake-store.ts";
import { answerMetricsAs, type Metric, type Sample } from "./metrics-response.ts";
import { ProblemError } from "./problem.ts";
import { countMessages, type MessageKind } from "./store/outgoing-store.ts";
import { DATABASE_SIZE, readNumber } from "./store/query.ts";
import { countOpen } from "./store/telemetry-arrivals.ts";
import { countReviews, findLastAudit } from "./store/review-counts.ts";
import { type Steps, followSteps } from "./turns.ts";

function toSamples(label: string, counts: Readonly<Record<string, number>>): Sample[] {
  return Object.entries(counts).map(([name, value]) => ({ labels: { [label]: name }, value }));
}

/** Measures the review queue, the audit trail, and what writers say of their chains. */
function* measureReview({
  store: { database },
  options,
}: PlatformContext): Steps<readonly Metric[]> {
  const { states, overdue, decisions } = yield* countReviews(database, options.clock.now());
  const { count, withGaps, missingEvents } = yield* countWriters(database);
  const byState = toSamples("state", states);
  const byDisposition = toSamples("disposition", decisions);
  const sequence = (yield* findLastAudit(database))?.sequence ?? 0;
  const lost = yield* countLosses(database);
  return [
    ["gauge", "review_items", "Items of the review queue by state.", byState],
    ["gauge", "review_overdue_items", "Items not closed whose due date is over.", overdue],
    ["counter", "review_decisions", "Decisions about items by disposition.", byDisposition],
    ["gauge", "audit_sequence", "Number of the audit trail's last record.", sequence],
    ["gauge", "writers", "Writers whose batches have come.", count],
    ["gauge", "writers_with_gaps", "Writers of which events are missing.", withGaps],
    [
      "gauge",
      "missing_events",
      "Events that no batch has brought and no report explains.",
      missingEvents,
    ],
    ["counter", "lost_events", "Events that SDKs have reported as given up.", lost],
  ];
}

/** Measures what is sent to receivers outside. */
function* measureMessages(
  { store, outgoing }: PlatformContext,
  kind: MessageKind,
  noun: string,
): Steps<readonly Metric[]> {
  const { delivered, failed, dropped } = outgoing.counts[kind];
  return [
    ["counter", `${kind}s_delivered`, `${noun} that arrived.`, delivered],
    ["counter", `${kind}_failures`, "Attempts that failed.", failed],
    ["counter", `${kind}s_dropped`, `${noun} given up.`, dropped],
    [
      "gauge",
      `${kind}s_waiting`,
      `${noun} on their way.`,
      yield* countMessages(store.database, kind),
    ],
  ];
}

/** Measures what is taken out of Kafka. */
async function measureConsumption({ consumption }: PlatformContext): Promise<readonly Metric[]> {
  if (!consumption) return [];
  const lag = await consumption.findLag();
  const { records, dead, isConnected } = consumption;
  return [
    ["counter", "kafka_records", "Records taken since the platform started.", records],
    ["counter", "kafka_dead_letters", "Those of them that can't be stored.", dead],
    ["gauge", "kafka_connected", "1 with a place in the group, else 0.", isConnected ? 1 : 0],
    ...(lag === undefined
      ? []
      : ([["gauge", "kafka_lag_records", "Records that wait in its partitions.", lag]] as const)),
  ];
}

/** Measures the platform: numbers only, no content, and no name of an agent or an organization. */
function* measure(platform: PlatformContext, isWritable: boolean): Steps<readonly Metric[]> {
  const { store, bodies, requests, startedAt } = platform;
  const { batches, events, duplicates, rejected, ...kept } = yield* store.stats();
  const responses = [...requests.values()].map(({ route, status, count }) => ({
    labels: { route, status: String(status) },
    value: count,
  }));
  const build = [{ labels: { version: VERSION }, value: 1 }];
  const bytes = yield* readNumber(store.database, DATABASE_SIZE);
  const started = startedAt / 1000;
  const { used, limit, refused } = bodies;
  return [
    ["gauge", "build_info", "1, with the version as a label.", build],
    ["counter", "batches", "Batches taken since the database was created.", batches],
    ["counter", "events", "Events stored since then.", events],
    ["counter", "duplicate_events", "Events that came again since then.", duplicates],
    [
      "counter",
      "rejected_events",
      "Events refused since then, out of batches that were taken.",
      rejected,
    ],
    ["gauge", "agents", "Agents registered.", kept.agents],
    ["gauge", "spans", "Spans that are kept.", kept.spans],
    ["gauge", "log_records", "Log records that are kept.", kept.logRecords],
    [
      "gauge",
      "telemetry_waiting",
      "Spans and log records of which events may still be made.",
      yield* countOpen(store.database),
    ],
    ["gauge", "body_bytes", "Bytes of the request bodies under way.", used],
    ["gauge", "body_limit_bytes", "Bytes that they may have together.", limit],
    [
      "counter",
      "refused_bodies",
      "Requests refused because there was no room for their body.",
      refused,
    ],
    ...(yield* measureMessages(platform, "webhook", "Webhooks")),
    ...(yield* measureMessages(platform, "evaluation", "Decisions sent as evaluations")),
    ["gauge", "store_bytes", "Size of the database.", bytes],
    ["gauge", "store_writable", "1 if the store takes something, else 0.", isWritable ? 1 : 0],
    [
      "gauge",
      "start_time_seconds",
      "When the platform started, in seconds since the Unix epoch.",
      started,
    ],
    ["counter", "http_requests", "Requests answered since the platform started.", responses],
    ...(yield* measureReview(platform)),
  ];
}

/** Returns the problem that the store can't be read or written; the log has the reason. */
export function storeUnavailable(): ProblemError {
  return new ProblemError("unavailable", "the store can't be read or written", {
    headers: { "retry-after": "10" },
  });
}

/** Returns the platform's metrics: `GET /metrics`. */
export async function answerMetrics(room: PlatformContext, context: Context): Promise<Response> {
  const isWritable = await room.store.probe();
  const metrics = [
    ...(await followSteps(measure(room, isWritable))),
    ...(await measureConsumption(room)),
  ];
  return answerMetricsAs("agent_monitor_platform", metrics, context);
}
