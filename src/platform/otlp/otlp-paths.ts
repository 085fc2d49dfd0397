/** Paths of OTLP/HTTP, below its base URL. @see https://opentelemetry.io/docs/specs/otlp/#otlphttp-request */
export const TRACES_PATH = "/v1/traces";
export const LOGS_PATH = "/v1/logs";
const METRICS_PATH = "/v1/metrics";

/** Returns whether errors of a path get OTLP's form; metrics are refused, but exporters send them. */
export function isOtlpPath(path: string): boolean {
  return path === TRACES_PATH || path === LOGS_PATH || path === METRICS_PATH;
}
