import { BatchLogRecordProcessor } from "@opentelemetry/sdk-logs";
import { afterEach, expect, it, vi } from "vitest";
import { createTestPath } from "../helpers/exporter.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const sizesOf = ({ transport }: ReturnType<typeof createTestPath>): number[] =>
  transport.requests.map(({ batch }) => batch.events.length);

it("sends by size as soon as there are batchSize events, and the rest when flushInterval is over", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const test = createTestPath({ batchSize: 10, flushInterval: 2000 });
  test.record(25);
  await vi.advanceTimersByTimeAsync(0);
  await test.clock.advance(0);
  expect(sizesOf(test)).toEqual([10, 10]);
  await vi.advanceTimersByTimeAsync(1999);
  await test.clock.advance(0);
  expect(sizesOf(test)).toEqual([10, 10]);
  await vi.advanceTimersByTimeAsync(1);
  await test.clock.advance(0);
  expect(sizesOf(test)).toEqual([10, 10, 5]);
});

it("has size and interval from OpenTelemetry's batch processor alone: without it only a flush sends", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const onEmit = vi.spyOn(BatchLogRecordProcessor.prototype, "onEmit").mockReturnValue();
  const test = createTestPath({ batchSize: 10, flushInterval: 2000 });
  test.record(25);
  expect(onEmit).toHaveBeenCalledTimes(25);
  await vi.advanceTimersByTimeAsync(100_000);
  await test.clock.advance(100_000);
  expect(sizesOf(test)).toEqual([]);
  expect(test.path.stats().pending).toBe(25);
  await test.path.flush();
  expect(sizesOf(test)).toEqual([10, 10, 5]);
});
