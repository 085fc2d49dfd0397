import { metrics } from "@opentelemetry/api";
import {
  InMemoryMetricExporter,
  AggregationTemporality,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { DROP_REASONS } from "../../src/delivery/ledger.ts";
import { createTestPath } from "../helpers/exporter.ts";

afterEach(() => metrics.disable());

/** Registers a provider; gives what it has collected, by name. */
function registerProvider() {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 2 ** 30 });
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
  return async () => {
    exporter.reset();
    await reader.forceFlush();
    const all = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics);
    return new Map(
      all.flatMap((scope) =>
        scope.metrics.map(({ descriptor, dataPoints }) => [
          descriptor.name,
          dataPoints.map(({ value, attributes }) => ({ value, attributes })),
        ]),
      ),
    );
  };
}

it("tells what is pending, sent, dead, dropped and retried", async () => {
  const collect = registerProvider();
  const test = createTestPath({ retryAttempts: 1, maxQueueSize: 5, batchSize: 2 });
  test.transport.script = ({ batch }, index) => {
    if (index === 0) return 503;
    return batch.events.some(({ eventId }) => eventId === "event-2") ? 422 : 202;
  };
  test.record(7);
  const flushing = test.path.flush();
  await test.clock.advance(5000);
  await flushing;
  const collected = await collect();
  const valueOf = (name: string): unknown => collected.get(`agent_monitor.delivery.${name}`);
  expect(valueOf("sent")).toEqual([{ value: 4, attributes: {} }]);
  expect(valueOf("dead")).toEqual([{ value: 1, attributes: {} }]);
  expect(valueOf("pending")).toEqual([{ value: 0, attributes: {} }]);
  expect(valueOf("retries")).toEqual([{ value: 1, attributes: {} }]);
  // A reason that nothing was lost for is told as well, so that its first loss is an increase.
  expect(valueOf("dropped")).toEqual(
    DROP_REASONS.map((reason) => ({
      value: reason === "queue_full" ? 2 : 0,
      attributes: { "agent_monitor.drop.reason": reason },
    })),
  );
  expect(collected.has("agent_monitor.delivery.spool.size")).toBe(false);
  const durations = valueOf("export.duration") as { attributes: Record<string, string> }[];
  expect(durations.map(({ attributes }) => attributes["error.type"])).toEqual([
    "503",
    undefined,
    "422",
  ]);
});

it("uses a provider that comes late, and lets go of it when it has told what a shutdown lost", async () => {
  const test = createTestPath();
  test.record(1);
  await test.path.flush();
  const collect = registerProvider();
  expect((await collect()).size).toBe(0);
  test.record(2);
  await test.path.flush();
  expect((await collect()).get("agent_monitor.delivery.sent")).toEqual([
    { value: 3, attributes: {} },
  ]);
  await test.path.shutdown(1000);
  const lostLate = async () => {
    test.path.refuse("after_shutdown");
    const dropped = (await collect()).get("agent_monitor.delivery.dropped") ?? [];
    return dropped.find((point) => Object.values(point.attributes).includes("after_shutdown"));
  };
  expect(await lostLate()).toMatchObject({ value: 1 });
  expect((await lostLate())?.value ?? 1).toBe(1);
});

it("tells the size of the spool", async () => {
  const spoolDirectory = mkdtempSync(join(tmpdir(), "agent-monitor-metrics-"));
  const collect = registerProvider();
  const test = createTestPath({
    spool: { spoolDirectory, durability: "process", maxSpoolBytes: 2 ** 30, maxSpoolAge: 2 ** 30 },
  });
  test.record(3);
  await test.path.flush();
  const [size] = (await collect()).get("agent_monitor.delivery.spool.size") ?? [];
  expect(size?.value).toBeGreaterThan(300);
  await test.path.shutdown(1000);
  rmSync(spoolDirectory, { recursive: true });
});
