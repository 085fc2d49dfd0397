import { afterEach, beforeEach, expect, it } from "vitest";
import { startFixture } from "../helpers/child.ts";
import { startSink, type Sink } from "../helpers/sink.ts";

let sink: Sink;
beforeEach(async () => {
  sink = await startSink();
});
afterEach(() => sink.close());

it("loses nothing when the process ends by itself, without flush or shutdown", async () => {
  const { result } = startFixture("exit/natural", { SINK_URL: sink.url });
  const { code, stdout } = await result;
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ tracked: 250, acked: 250, pending: 0, dropped: 0 });
  expect(sink.events.map(({ content }) => content)).toEqual(
    Array.from({ length: 250 }, (_, index) => `message ${index}`),
  );
});

it("lets the process end within shutdownTimeout when the platform hangs, and says what is lost", async () => {
  sink.answer = () => "hang";
  const { result } = startFixture("exit/natural", {
    SINK_URL: sink.url,
    SHUTDOWN_TIMEOUT: "300",
  });
  const { code, stdout, stderr } = await result;
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    tracked: 250,
    pending: 0,
    droppedByReason: { exit: 250 },
  });
  expect(stderr).toContain(
    "250 events are lost: 250 exit (not delivered when the process ended)\n",
  );
});

it.each([
  ["process.exit()", "exit", 3],
  ["an uncaught exception", "throw", 1],
])(
  "says in one line what is lost by %s, and leaves the exit code alone",
  async (_, end, exitCode) => {
    sink.answer = () => "hang";
    const { result } = startFixture("exit/sudden", { SINK_URL: sink.url, END: end });
    const { code, stderr } = await result;
    expect(code).toBe(exitCode);
    const lines = stderr.split("\n").filter((line) => / are lost/.test(line));
    expect(lines).toEqual([
      "[agent-monitor] 251 events are lost: 1 invalid_argument (agent, session or content could not be told), 250 exit (not delivered when the process ended)",
    ]);
  },
);

it("says nothing at the end when nothing is lost", async () => {
  const { result } = startFixture("exit/natural", { SINK_URL: sink.url });
  expect((await result).stderr).not.toContain("lost");
});

it("lets the process end when there is no platform at all", async () => {
  await sink.close();
  const { result } = startFixture("exit/natural", {
    SINK_URL: sink.url,
    SHUTDOWN_TIMEOUT: "300",
  });
  const { code, stdout } = await result;
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ tracked: 250, pending: 0, dropped: 250 });
});

it("keeps the process alive for a flush that waits for a retry", async () => {
  let requests = 0;
  sink.answer = () => (++requests === 1 ? { status: 503 } : undefined);
  const { result } = startFixture("exit/awaited-flush", { SINK_URL: sink.url });
  const { code, stdout } = await result;
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ tracked: 1, acked: 1 });
});

it("flushes its own OTLP destinations when the process ends by itself, open spans included", async () => {
  const { result } = startFixture("exit/otlp", { SINK_URL: sink.url });
  expect((await result).code).toBe(0);
  const paths = new Set(sink.requests.map(({ path }) => path));
  expect(paths).toEqual(new Set(["/v1/batches", "/otlp/v1/traces", "/otlp/v1/logs"]));
  const traces = sink.requests.find(({ path }) => path === "/otlp/v1/traces")?.text ?? "";
  expect(traces).toContain("conversation agent");
  expect(traces).toContain("invoke_agent agent");
});

it("ends a registration that hangs with shutdown, and warns of no listeners", async () => {
  sink.answer = () => "hang";
  const { result } = startFixture("exit/registration", { SINK_URL: sink.url });
  const { code, stderr } = await result;
  expect(code).toBe(0);
  expect(stderr).not.toContain("MaxListeners");
});
