import type { AnyValue } from "@opentelemetry/api-logs";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { OtlpDestination } from "../../src/config/config.ts";
import {
  createOtlpProviders,
  type OtlpProviders,
  type OtlpProvidersOptions,
} from "../../src/otlp/otlp-providers.ts";
import { toSpanAttributes } from "../../src/telemetry/event-writer.ts";
import { encodeLogRecord } from "../../src/telemetry/log-record.ts";
import { createSignalSource } from "../../src/telemetry/providers.ts";
import { systemClock, type Clock } from "../../src/util/clock.ts";
import { example } from "../helpers/events.ts";
import { startMonitor } from "../helpers/monitor.ts";
import { startSink, type Sink } from "../helpers/sink.ts";

const sinks: Sink[] = [];
const start = async (): Promise<Sink> => {
  const sink = await startSink();
  sinks.push(sink);
  return sink;
};
afterEach(async () => {
  for (const sink of sinks.splice(0)) await sink.close();
});

/** Waits pass at once, deadlines of requests are real. */
const impatient: Clock = {
  ...systemClock,
  schedule: (callback, _, keepAlive) => systemClock.schedule(callback, 0, keepAlive),
};

/** What a request may last, and a flush waits for a destination where nothing moves: no test lasts as long. */
const REQUEST_TIMEOUT_MILLIS = 50_000;

/** Waits before a retry are short; a flush waits for a destination that hangs until it is told that time has passed. */
function createPatientClock() {
  const waiting = new Set<() => void>();
  const clock: Clock = {
    ...systemClock,
    schedule(callback, delayMillis, keepAlive) {
      if (delayMillis !== REQUEST_TIMEOUT_MILLIS)
        return systemClock.schedule(callback, delayMillis >= 1000 ? 20 : delayMillis, keepAlive);
      waiting.add(callback);
      return () => waiting.delete(callback);
    },
  };
  const passTime = (): void => {
    for (const callback of waiting) callback();
  };
  return { clock, passTime, countWaiting: () => waiting.size };
}

/** Waits as long as a slow machine needs. */
const eventually = (check: () => void): Promise<void> => vi.waitFor(check, 25_000);

const create = (
  destinations: OtlpDestination[],
  options: Partial<OtlpProvidersOptions> = {},
): OtlpProviders =>
  createOtlpProviders(destinations, { content: "none", attributes: {}, ...options });

function say(providers: OtlpProviders, content: string): void {
  const source = createSignalSource(providers);
  const encoded = encodeLogRecord(example("user_message", { content }), "full");
  const span = source.tracer()?.startSpan("invoke_agent");
  span?.addEvent(encoded.eventName, { ...toSpanAttributes(encoded) });
  span?.end();
  source.logger()?.emit(encoded);
}

const textOf = (sink: Sink): string => sink.requests.map(({ text }) => text).join("\n");
const ledgersOf = (providers: OtlpProviders): unknown[] =>
  providers.stats().map(({ spans, logRecords }) => [spans, logRecords]);
const all = (count: number): object => ({ pending: 0, sent: count, dropped: 0 });
const none = (count: number): object => ({ pending: 0, sent: 0, dropped: count });

describe("three destinations", () => {
  it("get everything, one hanging, one answering 503 once and one refusing beside a good one", async () => {
    const [good, hanging, busy, refusing] = await Promise.all([start(), start(), start(), start()]);
    hanging.answer = () => "hang";
    const seen = new Set<string>();
    busy.answer = ({ path }) => {
      if (seen.has(path)) return undefined;
      seen.add(path);
      return { status: 503, headers: { "retry-after": "0" } };
    };
    refusing.answer = () => ({ status: 401 });
    const lines: string[] = [];
    const log = {
      log: (_: string, __: string, message: string) => void lines.push(message),
      flush: () => undefined,
    };
    const { clock, passTime, countWaiting } = createPatientClock();
    const providers = create(
      [good, hanging, busy, refusing].map(({ url }) => ({ url })),
      { requestTimeout: REQUEST_TIMEOUT_MILLIS, shutdownTimeout: 0, log, clock },
    );
    const open = (count: number): object => ({ pending: count, sent: 0, dropped: 0 });
    for (const [index, word] of ["one", "two"].entries()) {
      const count = index + 1;
      say(providers, word);
      const flushed = providers.forceFlush();
      await eventually(() => {
        expect(ledgersOf(providers)).toEqual([
          [all(count), all(count)],
          [open(count), open(count)],
          [all(count), all(count)],
          [none(count), none(count)],
        ]);
        // For the spans and the log records of the one that hangs.
        expect(countWaiting()).toBe(2);
      });
      expect(await Promise.race([flushed, Promise.resolve("waits")])).toBe("waits");
      passTime();
      await flushed;
    }
    expect(good.requests).toHaveLength(4);
    expect(hanging.requests).toHaveLength(2);
    await providers.shutdown();
    expect(ledgersOf(providers)[1]).toEqual([none(2), none(2)]);
    // Each of the first bodies twice, since it was answered with 503.
    expect(busy.requests.map(({ path }) => path).toSorted()).toEqual([
      "/v1/logs",
      "/v1/logs",
      "/v1/logs",
      "/v1/traces",
      "/v1/traces",
      "/v1/traces",
    ]);
    expect(refusing.requests).toHaveLength(4);
    expect(lines).toContainEqual(
      expect.stringMatching(/127\.0\.0\.1:\d+: traces are lost \(HTTP 401\)/),
    );
    expect(lines).toContainEqual(
      expect.stringMatching(/logs are lost \(shutdown\)|logs are lost \(aborted\)/),
    );
  });

  it("each see what their own policy lets pass", async () => {
    const [none_, redacted, full] = await Promise.all([start(), start(), start()]);
    const started = await startMonitor({
      otlp: [
        { url: none_.url },
        { url: redacted.url, content: "redacted" },
        { url: full.url, content: "full", protocol: "http/protobuf" },
      ],
    });
    const { monitor } = started;
    monitor.trackUserMessage("agent", "session", "My card is 4111 1111 1111 1111, is it open?");
    monitor.trackConversationEnd("agent", "session");
    await monitor.flush();
    expect(textOf(none_)).not.toContain("is it open");
    expect(textOf(redacted)).toContain("is it open");
    expect(textOf(redacted)).not.toContain("4111");
    expect(textOf(full)).toContain("4111 1111 1111 1111");
    await started.close();
  });

  it("don't touch the platform path when none of them works", async () => {
    const [hanging, refusing] = await Promise.all([start(), start()]);
    hanging.answer = () => "hang";
    refusing.answer = () => ({ status: 401 });
    const started = await startMonitor({
      otlp: [hanging, refusing, { url: "http://127.0.0.1:9" }].map(({ url }) => ({ url })),
      shutdownTimeout: 100,
    });
    const { monitor, sink } = started;
    for (let index = 0; index < 50; index++) monitor.trackUserMessage("agent", "s", `${index}`);
    // It waits for the destination that hangs, and so it must not be what delivers to the platform.
    const flushed = monitor.flush();
    await eventually(() =>
      expect(monitor.stats()).toMatchObject({ tracked: 50, acked: 50, pending: 0, dropped: 0 }),
    );
    expect(sink.events).toHaveLength(50);
    await started.close();
    await flushed;
  });
});

describe("protobuf", () => {
  it("is sent where it is asked for, JSON to the others", async () => {
    const [json, protobuf] = [await start(), await start()];
    const providers = create([
      { url: json.url, protocol: "http/json" },
      { url: protobuf.url, protocol: "http/protobuf" },
    ]);
    say(providers, "x");
    await providers.forceFlush();
    const types = (sink: Sink): unknown[] =>
      sink.requests.map(({ headers }) => headers["content-type"]);
    expect(types(json)).toEqual(["application/json", "application/json"]);
    expect(types(protobuf)).toEqual(["application/x-protobuf", "application/x-protobuf"]);
    for (const { json: body } of protobuf.requests) expect(body).toBeUndefined();
    expect(textOf(protobuf)).toContain("agent_monitor.user.message");
    await providers.shutdown();
  });
});

describe("a destination", () => {
  it("that takes a part says how much, and that is counted", async () => {
    const sink = await start();
    sink.answer = ({ path }) => ({
      status: 200,
      body: {
        partialSuccess: path.endsWith("logs") ? { rejectedLogRecords: 1 } : { rejectedSpans: "1" },
      },
    });
    const providers = create([{ url: sink.url }]);
    say(providers, "x");
    say(providers, "y");
    await providers.forceFlush();
    const half = { pending: 0, sent: 1, dropped: 1 };
    expect(ledgersOf(providers)).toEqual([[half, half]]);
    await providers.shutdown();
  });

  it("that is down is given up after a bounded number of retries", async () => {
    const sink = await start();
    sink.answer = () => ({ status: 503 });
    const providers = create([{ url: sink.url, signals: ["logs"] }], { clock: impatient });
    say(providers, "x");
    // Under this clock a flush gives up waiting at once, so it is repeated.
    while (providers.stats()[0]?.logRecords?.pending !== 0) await providers.forceFlush();
    expect(providers.stats()[0]?.logRecords).toEqual(none(1));
    expect(sink.requests.length).toBeGreaterThan(1);
    expect(sink.requests.length).toBeLessThan(10);
    await providers.shutdown();
  });

  it("that redirects gets no second request", async () => {
    const [sink, other] = [await start(), await start()];
    sink.answer = () => ({ status: 307, headers: { location: `${other.url}/v1/traces` } });
    const providers = create([{ url: sink.url, headers: { "x-api-key": "secret" } }]);
    say(providers, "x");
    await providers.forceFlush();
    expect(other.requests).toEqual([]);
    expect(ledgersOf(providers)).toEqual([[none(1), none(1)]]);
    await providers.shutdown();
  });

  it("with a header that no request may carry fails alone", async () => {
    const [sink, other] = [await start(), await start()];
    const providers = create(
      [{ url: sink.url, headers: { "x-key": "line\nbreak" } }, { url: other.url }],
      {
        requestTimeout: REQUEST_TIMEOUT_MILLIS,
        shutdownTimeout: 0,
        clock: createPatientClock().clock,
      },
    );
    say(providers, "x");
    await providers.forceFlush();
    await providers.shutdown();
    expect(ledgersOf(providers)).toEqual([
      [none(1), none(1)],
      [all(1), all(1)],
    ]);
  });

  it("holds no more than its queue takes, by number and by bytes", async () => {
    const [sink] = [await start()];
    sink.answer = () => "hang";
    const few = create([{ url: sink.url }], { maxQueueSize: 3, shutdownTimeout: 0 });
    for (let index = 0; index < 5; index++) say(few, "x");
    expect(ledgersOf(few)).toEqual([
      [
        { pending: 3, sent: 0, dropped: 2 },
        { pending: 3, sent: 0, dropped: 2 },
      ],
    ]);
    await few.shutdown();
    const small = create([{ url: sink.url }], { maxQueueBytes: 25_000, shutdownTimeout: 0 });
    for (let index = 0; index < 5; index++) say(small, "x".repeat(10_000));
    expect(ledgersOf(small)).toEqual([
      [
        { pending: 2, sent: 0, dropped: 3 },
        { pending: 2, sent: 0, dropped: 3 },
      ],
    ]);
    await small.shutdown();
    expect(ledgersOf(small)).toEqual([[none(5), none(5)]]);
  });

  it("gets nothing after the shutdown, which may be asked for twice", async () => {
    const sink = await start();
    const providers = create([{ url: sink.url }]);
    say(providers, "x");
    await Promise.all([providers.shutdown(), providers.shutdown()]);
    say(providers, "late");
    await providers.forceFlush();
    expect(ledgersOf(providers)).toEqual([[all(1), all(1)]]);
    expect(sink.requests).toHaveLength(2);
  });

  it.each(["http/json", "http/protobuf"] as const)(
    "gets the others when one record can't be written: %s",
    async (protocol) => {
      const sink = await start();
      const providers = create([{ url: sink.url, signals: ["logs"], protocol }]);
      const logger = providers.loggerProvider.getLogger("app");
      const cycle: Record<string, AnyValue> = {};
      for (let index = 0; index < 50; index++) cycle[`to-itself-${index}`] = cycle;
      for (const body of ["one", cycle, "two"]) logger.emit({ body });
      await providers.forceFlush();
      expect(providers.stats()[0]?.logRecords).toEqual({ pending: 0, sent: 2, dropped: 1 });
      expect(textOf(sink)).toMatch(/one[^]*two/);
      await providers.shutdown();
    },
  );

  it("gets thousands at once", async () => {
    const sink = await start();
    const providers = create([{ url: sink.url }]);
    for (let index = 0; index < 5000; index++) say(providers, `message ${index}`);
    await providers.forceFlush();
    expect(ledgersOf(providers)).toEqual([[all(5000), all(5000)]]);
    await providers.shutdown();
  });
});
