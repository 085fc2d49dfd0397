/*
 * A process of its own, since memory is measured: `make` leaves a backlog of 1 GB behind, `replay` delivers it and
 * tells how many MB it took beyond what a monitor without a backlog takes.
 */
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { startBenchSink } from "./sink.ts";
import { createBenchMonitor, track } from "./spool.ts";

const BACKLOG_BYTES = 1024 ** 3;
const SAMPLE_MILLIS = 20;
const MEBIBYTE = 1024 ** 2;
/** Answers of 4 KB. */
const LONG_CONTENT = "Your checking account holds 1,234.56 dollars. ".repeat(90);
const DELIVERY = { maxBatchBytes: MEBIBYTE, compression: "gzip", maxQueueSize: 20_000 };

function makeBacklog(spoolDirectory: string): void {
  const config = { ...DELIVERY, spoolDirectory, retryAttempts: 0, shutdownTimeout: 0 };
  const monitor = createBenchMonitor("http://127.0.0.1:9", config);
  while ((monitor.stats().spool?.bytes ?? Infinity) < BACKLOG_BYTES) {
    for (let index = 0; index < 1000; index++) track(monitor, LONG_CONTENT);
  }
  // Like a kill: nobody shuts it down.
  process.exit();
}

function measureBytes(directory: string): number {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .map((name) => statSync(join(directory, name)).size)
    .reduce((sum, bytes) => sum + bytes, 0);
}

async function replay(spoolDirectory: string): Promise<void> {
  const sink = await startBenchSink();
  // What a monitor takes that has delivered something, before the backlog.
  const warm = createBenchMonitor(sink.url, DELIVERY);
  for (let index = 0; index < 2000; index++) track(warm, LONG_CONTENT);
  await warm.shutdown();
  const backlogBytes = measureBytes(spoolDirectory);
  const before = process.memoryUsage.rss();
  let peak = before;
  const timer = setInterval(
    () => (peak = Math.max(peak, process.memoryUsage.rss())),
    SAMPLE_MILLIS,
  );
  const monitor = createBenchMonitor(sink.url, { ...DELIVERY, spoolDirectory });
  await monitor.flush();
  clearInterval(timer);
  const { recovered, acked, pending } = monitor.stats();
  if (acked !== recovered || pending > 0)
    throw new Error(`bench: ${acked} of ${recovered} replayed`);
  await monitor.shutdown();
  sink.server.close();
  process.send?.({ extraMb: (peak - before) / MEBIBYTE, backlogMb: backlogBytes / MEBIBYTE });
  process.disconnect();
}

const [, , mode = "", directory = ""] = process.argv;
if (mode === "make") makeBacklog(directory);
else if (mode === "replay")
  await replay(directory).finally(() => rmSync(directory, { recursive: true }));
