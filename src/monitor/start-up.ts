import type { ParsedConfig } from "../config/parse-config.ts";
import { systemClock } from "../util/clock.ts";
import {
  createBurstLogger,
  createConsoleLogger,
  silentLogger,
  withLevel,
  type BurstLogger,
} from "../util/logger.ts";

/** Creates the log that the configuration asks for. */
export function createLog({ config }: Pick<ParsedConfig, "config">): BurstLogger {
  const { enableLogging, logger, logLevel } = config;
  if (!enableLogging) return createBurstLogger(silentLogger, systemClock);
  const chosen = logger ? withLevel(logger, logLevel) : createConsoleLogger(logLevel);
  return createBurstLogger(chosen, systemClock);
}

/** Says of each setting that does nothing why it does not. */
export function toIgnoredSettings({ ignoredFields }: ParsedConfig): string[] {
  return ignoredFields.map(({ field, message }) => `${field} ${message}`);
}

/** Logs what is odd about a valid configuration. */
export function warnAtStart(parsed: ParsedConfig, log: BurstLogger): void {
  const { config, ignoredFields, isEndpointDefault } = parsed;
  if (ignoredFields.length > 0) {
    const message = `config: ignored: ${toIgnoredSettings(parsed).join("; ")}`;
    log.log("warn", "config:ignored", message, { details: ignoredFields });
  }
  if (isEndpointDefault) {
    const level = config.environment === "production" ? "error" : "warn";
    const message = `config: no endpoint is set, events go to ${config.endpoint}`;
    log.log(level, "config:endpoint", message);
  }
  if (config.otlp && (config.tracerProvider || config.loggerProvider)) {
    log.log("warn", "config:otlp", "config: otlp is ignored, because a provider is given");
  }
}
