import { Hono } from "hono";
import { VERSION } from "../../version.ts";
import { createBrowserGuard, secureAnswer } from "../browser-guard.ts";
import { addErrorAnswers } from "../error-answers.ts";
import { answerMetricsAs, type Metric } from "../metrics-response.ts";
import { ProblemError } from "../problem.ts";
import type { ResolvedArchiveOptions } from "./archive-options.ts";

/** Counts since an archive started. */
export interface ArchiveStats {
  /** Records that are archived and acknowledged. */
  readonly records: number;
  /** Records of other programs among them, which are listed only. */
  readonly skipped: number;
  /** Bytes of the others. */
  readonly bytes: number;
  /** Whether it has a place in its group. */
  readonly isConnected: boolean;
}

/** What is measured. */
interface Archiving {
  readonly stats: () => ArchiveStats;
  readonly findLag: () => Promise<number | undefined>;
}

function measure(stats: ArchiveStats, lag: number | undefined): readonly Metric[] {
  const { records, skipped, bytes, isConnected } = stats;
  return [
    ["gauge", "build_info", "1, with the version.", [{ labels: { version: VERSION }, value: 1 }]],
    ["counter", "records", "Records that are archived and acknowledged.", records],
    ["counter", "skipped_records", "Records of other programs, which are listed only.", skipped],
    ["counter", "bytes", "Bytes that are archived.", bytes],
    ["gauge", "kafka_connected", "1 with a place in its group, else 0.", isConnected ? 1 : 0],
    ...(lag === undefined
      ? []
      : ([["gauge", "kafka_lag_records", "Records that wait in its partitions.", lag]] as const)),
  ];
}

/** Creates the HTTP interface of an archive, which says how it is. */
export function createArchiveApp(
  { host, logger }: ResolvedArchiveOptions,
  { stats, findLag }: Archiving,
): Hono {
  const app = new Hono();
  app.use("*", secureAnswer);
  app.use("*", createBrowserGuard({ host }));
  app.get("/healthz", (context) => context.json({ status: "ok" }));
  app.get("/readyz", (context) => {
    if (stats().isConnected) return context.json({ status: "ready" });
    throw new ProblemError("unavailable", "it has no place in its group of consumers", {
      headers: { "retry-after": "10" },
    });
  });
  app.get("/metrics", async (context) =>
    answerMetricsAs("agent_monitor_archive", measure(stats(), await findLag()), context),
  );
  addErrorAnswers(app, logger);
  return app;
}
