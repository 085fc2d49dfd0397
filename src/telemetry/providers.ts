import * as api from "@opentelemetry/api";
import { logs, type Logger, type LoggerProvider } from "@opentelemetry/api-logs";
import type { Tracer, TracerProvider } from "@opentelemetry/api";
import { VERSION } from "../version.ts";
import { SCHEMA_URL, SCOPE_NAME } from "../semconv.ts";

/** Source of the tracer and the logger; `undefined` while there is no real provider. */
export interface SignalSource {
  tracer(): Tracer | undefined;
  logger(): Logger | undefined;
}

interface ProviderPair {
  readonly tracerProvider?: TracerProvider | undefined;
  readonly loggerProvider?: LoggerProvider | undefined;
}

/** Members of the API's proxies, which stand in until a provider is registered. */
interface MaybeProxy {
  getDelegateTracer?: (...scope: Parameters<TracerProvider["getTracer"]>) => Tracer | undefined;
  _getDelegateLogger?: (...scope: Parameters<LoggerProvider["getLogger"]>) => Logger | undefined;
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

/** The logs API's access to its global provider. */
type GlobalLogs = Pick<typeof logs, "getLoggerProvider">;

/** OTel 3.x moved the logs API into `@opentelemetry/api`, with a global of its own. */
// Looked up by a name that bundlers don't resolve: Turbopack fails a build that names a missing export.
export const newerLogs = Reflect.get(api, "logs") as GlobalLogs | undefined;

function toGlobalLogger(inApi: GlobalLogs | undefined): Logger | undefined {
  return (inApi && toLogger(inApi.getLoggerProvider())) ?? toLogger(logs.getLoggerProvider());
}

/**
 * Looks up tracer and logger at use, and keeps them once the provider is real.
 *
 * Nothing is kept before: a logger from before the registration stays a no-op if a second copy of the API registers the
 * provider.
 *
 * @param logsInApi - The logs API of `@opentelemetry/api`, if it has one.
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
