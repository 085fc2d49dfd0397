import * as api from "@opentelemetry/api";
import { logs, type Logger, type LoggerProvider } from "@opentelemetry/api-logs";
import type { Tracer, TracerProvider } from "@opentelemetry/api";
import { VERSION } from "../version.ts";
import { SCHEMA_URL, SCOPE_NAME } from "../semconv.ts";

/** Where spans and log records go; `undefined` while no real provider is there. */
export interface SignalSource {
  tracer(): Tracer | undefined;
  logger(): Logger | undefined;
}

interface ProviderPair {
  readonly tracerProvider?: TracerProvider | undefined;
  readonly loggerProvider?: LoggerProvider | undefined;
}

/** Until somebody registers a provider, the API hands out proxies; these members tell. */
interface MaybeProxy {
  getDelegateTracer?: (
    name: string,
    version?: string,
    options?: api.TracerOptions,
  ) => Tracer | undefined;
  _getDelegateLogger?: (
    name: string,
    version?: string,
    options?: { schemaUrl: string },
  ) => Logger | undefined;
}

const OPTIONS = { schemaUrl: SCHEMA_URL };

function toTracer(provider: TracerProvider): Tracer | undefined {
  const proxy = provider as MaybeProxy;
  return typeof proxy.getDelegateTracer === "function"
    ? proxy.getDelegateTracer(SCOPE_NAME, VERSION, OPTIONS)
    : provider.getTracer(SCOPE_NAME, VERSION, OPTIONS);
}

function toLogger(provider: LoggerProvider): Logger | undefined {
  const proxy = provider as MaybeProxy;
  return typeof proxy._getDelegateLogger === "function"
    ? proxy._getDelegateLogger(SCOPE_NAME, VERSION, OPTIONS)
    : provider.getLogger(SCOPE_NAME, VERSION, OPTIONS);
}

/** Where the logs API keeps its global provider. */
interface GlobalLogs {
  getLoggerProvider(): LoggerProvider;
}

/** OTel 3.x moved the logs API into `@opentelemetry/api`, with a global of its own. */
// Looked up by a name that bundlers don't follow: Turbopack refuses a build that names what the module lacks.
const newerLogs = Reflect.get(api, "logs") as GlobalLogs | undefined;

function toGlobalLogger(inApi: GlobalLogs | undefined): Logger | undefined {
  return (inApi && toLogger(inApi.getLoggerProvider())) ?? toLogger(logs.getLoggerProvider());
}

/**
 * Looks up tracer and logger at use and keeps them once the provider is real.
 *
 * A logger taken before the application registers its provider stays dead where a second copy of the API
 * does the registering, so nothing is kept before.
 *
 * @param logsInApi - The logs API of `@opentelemetry/api`, where it has one.
 */
export function createSignalSource(
  { tracerProvider, loggerProvider }: ProviderPair,
  logsInApi: GlobalLogs | undefined = newerLogs,
): SignalSource {
  let tracer: Tracer | undefined;
  let logger: Logger | undefined;
  return {
    tracer() {
      tracer ??= toTracer(tracerProvider ?? api.trace.getTracerProvider());
      return tracer;
    },
    logger() {
      logger ??= loggerProvider ? toLogger(loggerProvider) : toGlobalLogger(logsInApi);
      return logger;
    },
  };
}
