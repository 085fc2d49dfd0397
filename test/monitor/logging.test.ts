import { afterEach, expect, it, vi } from "vitest";
import type { AgentMonitoringConfig } from "../../src/config/config.ts";
import type { Logger } from "../../src/events/utility.ts";
import { AgentMonitor } from "../../src/monitor/monitor.ts";
import { LOG_LEVELS, type LogLevel } from "../../src/util/logger.ts";
import { agentInfo } from "../helpers/monitor.ts";
import { startSink, type Sink } from "../helpers/sink.ts";

const sinks: Sink[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const sink of sinks.splice(0)) await sink.close();
});

/** A logger that keeps what it is given. */
function createLogger(members: object = {}): Logger & { lines: string[] } {
  const lines: string[] = [];
  const write =
    (level: LogLevel) =>
    (...line: unknown[]): void => {
      lines.push([level, ...line].map(String).join(" "));
    };
  return {
    lines,
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
    ...members,
  };
}

/** A life with something to say at every level: a batch is sent, an argument is invalid, the platform goes away. */
async function live(config: Partial<AgentMonitoringConfig>): Promise<string> {
  const sink = await startSink();
  sinks.push(sink);
  const monitor = new AgentMonitor({
    apiKey: "key-of-the-bank",
    organizationId: "bank",
    endpoint: sink.url,
    retryAttempts: 0,
    ...config,
  });
  await monitor.registerAgent(agentInfo);
  monitor.trackUserMessage("assistant", "session", "my content");
  monitor.trackUserMessage("assistant", undefined as unknown as string, "no session");
  await monitor.flush();
  sink.answer = () => ({ status: 503 });
  monitor.trackUserMessage("assistant", "session", "my content");
  await monitor.flush();
  sink.answer = () => undefined;
  await monitor.shutdown();
  return sink.url;
}

/** What the console was given. */
function watchConsole(): () => string[] {
  const methods = ["debug", "info", "log", "warn", "error"] as const;
  const spies = methods.map((method) => vi.spyOn(console, method).mockReturnValue());
  return () => spies.flatMap(({ mock }) => mock.calls.map((line) => String(line[0])));
}

const levelsOf = (lines: readonly string[]): string[] =>
  LOG_LEVELS.filter((level) => lines.some((line) => line.startsWith(`${level} `)));

it.each(LOG_LEVELS)(
  "logLevel %s is the least that a logger gets that has no level",
  async (logLevel) => {
    const logger = createLogger();
    await live({ logger, logLevel });
    expect(levelsOf(logger.lines)).toEqual(LOG_LEVELS.slice(LOG_LEVELS.indexOf(logLevel)));
  },
);

it.each([["info"], [30], [() => "info"]])(
  "a logger with a level of its own gets every line (%#)",
  async (level) => {
    const logger = createLogger({ level });
    await live({ logger, logLevel: "error" });
    expect(levelsOf(logger.lines)).toEqual([...LOG_LEVELS]);
  },
);

it("a logger whose level can't be read is one without", async () => {
  const logger = createLogger();
  Object.defineProperty(logger, "level", {
    get: () => {
      throw new Error("no level");
    },
  });
  await live({ logger, logLevel: "error" });
  expect(levelsOf(logger.lines)).toEqual(["error"]);
});

it("gives a logger as many arguments as a line has", async () => {
  const given: number[] = [];
  const info = (...line: unknown[]): number => given.push(line.length);
  await live({ logger: createLogger({ info }) });
  expect(given).toContain(1);
});

it.each(["console", "logger"])(
  "enableLogging false silences the %s, whatever goes wrong",
  async (to) => {
    const told = watchConsole();
    const logger = createLogger({ level: "debug" });
    await live({
      enableLogging: false,
      logLevel: "debug",
      ...(to === "logger" && { logger }),
    });
    expect([...told(), ...logger.lines]).toEqual([]);
  },
);

it("stats tell of settings that do nothing, also where no line may", async () => {
  const told = watchConsole();
  const sink = await startSink();
  const given = { endpoint: sink.url, apiKey: "k", organizationId: "bank", enableLogging: false };
  const monitor = new AgentMonitor({ ...given, batchsize: 5, maxSpoolAge: 60_000 } as object);
  expect(monitor.stats().ignoredSettings).toEqual([
    "batchsize is unknown: did you mean batchSize?",
    "maxSpoolAge does nothing without spoolDirectory: events are kept in memory only",
  ]);
  await monitor.shutdown();
  const plain = new AgentMonitor(given);
  expect(plain.stats()).not.toHaveProperty("ignoredSettings");
  await plain.shutdown();
  await sink.close();
  expect(told()).toEqual([]);
});

it("tells at debug of registrations, sends and batches on the console, with the address and without content", async () => {
  const told = watchConsole();
  const url = await live({ logLevel: "debug" });
  const lines = told().join("\n");
  expect(lines).toContain(`[agent-monitor] agent assistant: sends its profile to ${url}`);
  expect(lines).toContain("[agent-monitor] agent assistant is registered");
  expect(lines).toMatch(/batch [0-9a-f-]{36}: sends 1 event/);
  expect(lines).toMatch(/batch [0-9a-f-]{36}: status 202 after \d+ ms/);
  expect(lines).toMatch(/batch [0-9a-f-]{36}: taken/);
  expect(lines).toContain(`the platform at ${url} can't be reached (status 503)`);
  expect(lines).not.toContain("key-of-the-bank");
  expect(lines).not.toContain("my content");
});

it("says nothing at info while everything goes well", async () => {
  const told = watchConsole();
  const sink = await startSink();
  sinks.push(sink);
  const monitor = new AgentMonitor({ apiKey: "key", organizationId: "bank", endpoint: sink.url });
  await monitor.registerAgent(agentInfo);
  monitor.trackUserMessage("assistant", "session", "hello");
  await monitor.shutdown();
  expect(told()).toEqual([]);
});
