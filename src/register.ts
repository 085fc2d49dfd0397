/*
 * The zero-code entry point: `node --import agent-monitor/register app.js`. Builds one monitor from the environment,
 * and offers its own providers behind the OpenTelemetry API until the application registers some.
 */
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import type { LogRecordProcessor } from "@opentelemetry/sdk-logs";
import type { SpanProcessor } from "@opentelemetry/sdk-trace-base";
import { INSTRUMENTATIONS } from "./config/config.ts";
import { parseConfig, type ParsedConfig } from "./config/parse-config.ts";
import { AgentMonitor } from "./monitor/monitor.ts";
import { createLog } from "./monitor/start-up.ts";
import { createEnvironmentProviders } from "./otlp/environment-providers.ts";
import { toContentPolicy } from "./otlp/telemetry-policy.ts";
import {
  attachLogRecordProcessor,
  attachSpanProcessor,
  registerLoggerProxy,
  registerTracerProxy,
} from "./telemetry/proxy-registration.ts";
import { systemClock } from "./util/clock.ts";
import { onExit, onNaturalExit } from "./util/exit-hook.ts";
import { toErrorName } from "./util/logger.ts";

// The ESM and the CommonJS build in one process share one monitor.
const REGISTRATION = Symbol.for("agent-monitor.register");

interface Registration {
  readonly monitor: AgentMonitor | undefined;
}

/** Writes one line to stderr: there may be no logger, and the application must start nevertheless. */
function warn(message: string): void {
  process.stderr.write(`[agent-monitor] register: ${message.replaceAll(/\s+/g, " ")}\n`);
}

/**
 * Reports that nothing is recorded, and repeats it at the exit: at its start an application writes many lines, and it
 * goes on. A guess at the intended configuration might send data that must not leave.
 */
function reportOff(reason: string): void {
  warn(`monitoring is OFF, nothing of this process is recorded: ${reason}`);
  onExit(() => warn(`monitoring was OFF, nothing of this process was recorded: ${reason}`));
}

/** Records that a span or log record has passed, so that the process flushes once at its end. */
interface Watch {
  isDirty: boolean;
}

function watchSpans(watch: Watch, inner: SpanProcessor): SpanProcessor {
  return {
    onStart: (span, context) => inner.onStart(span, context),
    onEnding: (span) => inner.onEnding?.(span),
    onEnd(span) {
      watch.isDirty = true;
      inner.onEnd(span);
    },
    forceFlush: () => inner.forceFlush(),
    shutdown: () => inner.shutdown(),
  };
}

function watchRecords(watch: Watch, inner: LogRecordProcessor): LogRecordProcessor {
  return {
    onEmit(record, context) {
      watch.isDirty = true;
      inner.onEmit(record, context);
    },
    forceFlush: () => inner.forceFlush(),
    shutdown: () => inner.shutdown(),
  };
}

/** Adds the monitor to the application's providers, now or when they are registered, or offers its own providers. */
function install(monitor: AgentMonitor, parsed: ParsedConfig): void {
  const { config } = parsed;
  const log = createLog(parsed);
  const { spanProcessor, logRecordProcessor } = monitor;
  const watch: Watch = { isDirty: false };
  const own = createEnvironmentProviders({
    environment: process.env,
    spanProcessor: watchSpans(watch, spanProcessor),
    logRecordProcessor: watchRecords(watch, logRecordProcessor),
    content: toContentPolicy(config.content, process.env),
    maxItems: config.maxQueueSize,
    maxBytes: config.maxQueueBytes,
    clock: systemClock,
    onProblem: warn,
    onDropped: (signal, count, reason) =>
      log.log("warn", `otlp:${signal}`, `OTLP: ${signal} are lost (${reason})`, undefined, count),
  });
  const checkLogs = registerLoggerProxy({
    create: own.loggerProvider,
    onTheirs(provider) {
      if (!attachLogRecordProcessor(provider, logRecordProcessor))
        warn("this logger provider takes no more processors: add monitor.logRecordProcessor to it");
    },
  });
  registerTracerProxy(
    {
      create: own.tracerProvider,
      onTheirs(provider) {
        if (!attachSpanProcessor(provider, spanProcessor))
          warn("this tracer provider takes no more processors: add monitor.spanProcessor to it");
        // NodeSDK registers its logger provider right after, maybe through another copy of the API.
        queueMicrotask(checkLogs);
      },
    },
    () => new AsyncLocalStorageContextManager().enable(),
  );
  onNaturalExit(() => {
    if (!watch.isDirty) return;
    watch.isDirty = false;
    void own.exports.flushAtExit(config.shutdownTimeout).then(() => log.flush());
    void spanProcessor.forceFlush().catch(() => undefined);
  });
}

function start(): AgentMonitor | undefined {
  let monitor: AgentMonitor | undefined;
  try {
    const parsed = parseConfig({});
    const { instrumentations = [...INSTRUMENTATIONS] } = parsed.config;
    monitor = new AgentMonitor({ instrumentations });
    if (!/^true$/i.test(process.env["OTEL_SDK_DISABLED"]?.trim() ?? "")) install(monitor, parsed);
  } catch (error) {
    const isExplained = error instanceof Error && error.name === "ValidationError";
    const reason = isExplained ? error.message : toErrorName(error);
    if (monitor) warn(`providers are not set up: ${reason}`);
    else reportOff(reason);
  }
  return monitor;
}

const shared = globalThis as { [REGISTRATION]?: Registration };

/**
 * The monitor of this process, configured by `AGENT_MONITOR_*`; for `monitor.registerAgent`, `track*` and
 * `conversation`. `undefined` when the configuration is invalid, which is reported on stderr.
 *
 * Importing this module builds the monitor, unless `--import agent-monitor/register` has built it: ES modules and
 * CommonJS modules get the same one.
 *
 * @example
 * ```ts
 * import { monitor } from "agent-monitor/register";
 * monitor?.trackUserMessage("assistant", "session-1", "What is my balance?");
 * ```
 */
export const monitor: AgentMonitor | undefined = (shared[REGISTRATION] ??= { monitor: start() })
  .monitor;
