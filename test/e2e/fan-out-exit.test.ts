import { afterEach, beforeEach, expect, it } from "vitest";
import { startFixture } from "../helpers/child.ts";
import { startSink, type Sink } from "../helpers/sink.ts";

let sink: Sink;
beforeEach(async () => {
  sink = await startSink();
  sink.answer = ({ path }) => (path.startsWith("/otlp") ? "hang" : undefined);
});
afterEach(() => sink.close());

// A request would last longer than the test, so the process can only have ended because it was given up.
const ENDLESS = { AGENT_MONITOR_REQUEST_TIMEOUT: "600000", AGENT_MONITOR_SHUTDOWN_TIMEOUT: "300" };

it("ends by itself although a destination hangs", async () => {
  const { result } = startFixture("exit/otlp", { SINK_URL: sink.url, ...ENDLESS });
  const { code, stderr } = await result;
  expect(code).toBe(0);
  expect(sink.events).toHaveLength(1);
  expect(stderr).toMatch(/OTLP destination 127\.0\.0\.1:\d+: (traces|logs) are lost/);
});

it("ends by itself although a destination asks for a wait", async () => {
  sink.answer = ({ path }) =>
    path.startsWith("/otlp") ? { status: 503, headers: { "retry-after": "25" } } : undefined;
  const { result } = startFixture("exit/otlp", { SINK_URL: sink.url, ...ENDLESS });
  const { code, stderr } = await result;
  expect(code).toBe(0);
  // Had it waited, the second answer would be the reason.
  expect(stderr).toMatch(/OTLP destination 127\.0\.0\.1:\d+: (traces|logs) are lost \(exit\)/);
});

it("ends after shutdown although one destination hangs and another is down, and tells what is lost", async () => {
  const { result } = startFixture("exit/otlp-shutdown", { SINK_URL: sink.url, ...ENDLESS });
  const { code, stdout } = await result;
  expect(code).toBe(0);
  const stats = JSON.parse(stdout) as { tracked: number; otlp: Record<string, object>[] };
  expect(stats.otlp).toHaveLength(2);
  for (const { spans, logRecords } of stats.otlp) {
    // A conversation span and a turn span for each message.
    expect(spans).toEqual({ pending: 0, sent: 0, dropped: 4000 });
    expect(logRecords).toEqual({ pending: 0, sent: 0, dropped: 2000 });
  }
});
