import type { AgentMonitoringConfig } from "../config/config.ts";
import {
  describeValue,
  ValidationError,
  type ValidationDetail,
} from "../events/validation-error.ts";
import { findSlip } from "../util/nearest-name.ts";
import { LONGEST_TIMER_MILLIS } from "../util/clock.ts";

/** Options of an EventBatch exporter or processor beside the configuration of a monitor. */
export interface EventBatchOptions {
  /**
   * Delivers the monitor's own spans and log records as well, under the ids of their events; only those written with
   * content (`full` or `redacted`), since others have no whole event. Model calls that the monitor observes are left
   * out: no span has all the data of their events, and the monitor has delivered these.
   *
   * @defaultValue false
   */
  readonly includeOwn?: boolean | undefined;
  /**
   * Deadline of `export()` in ms; longer than the batch processor waits makes no sense.
   *
   * @defaultValue nine tenths of `OTEL_BSP_EXPORT_TIMEOUT` or `OTEL_BLRP_EXPORT_TIMEOUT`, which are 30,000
   */
  readonly exportTimeout?: number | undefined;
}

/** Configuration of an EventBatch exporter or processor: that of a monitor, and its own options. */
export type EventBatchConfig = Partial<AgentMonitoringConfig> & EventBatchOptions;

/** Options with every default filled in. */
export interface ResolvedEventBatchOptions {
  readonly includeOwn: boolean;
  readonly exportTimeout: number;
}

const OTEL_EXPORT_TIMEOUT_MILLIS = 30_000;
/** Share of the timeout: a result after the processor has stopped waiting is ignored. */
const SHARE_OF_TIMEOUT = 0.9;

function toDefaultTimeout(text: string | undefined): number {
  const given = Number(text);
  return (given > 0 ? given : OTEL_EXPORT_TIMEOUT_MILLIS) * SHARE_OF_TIMEOUT;
}

function findTimeoutProblems(given: unknown): ValidationDetail[] {
  const isNumber = typeof given === "number";
  if (isNumber && given > 0 && given <= LONGEST_TIMER_MILLIS) return [];
  const got = isNumber ? String(given) : describeValue(given);
  const message = `expected ms, a number above 0 and at most ${LONGEST_TIMER_MILLIS}, the longest time of a timer (got ${got})`;
  const code = !isNumber ? "invalid_type" : given > 0 ? "too_big" : "too_small";
  return [{ field: "exportTimeout", message, code }];
}

const OPTION_NAMES = ["includeOwn", "exportTimeout"];

/** Finds misspelt options: they decide on deliveries, and a line in a log may be seen by nobody. */
function findMisspelt(config: object): ValidationDetail[] {
  return Object.keys(config).flatMap((name) => {
    const nearest = findSlip(name, OPTION_NAMES);
    if (nearest === undefined) return [];
    const message = `is unknown: did you mean ${nearest}?`;
    return [{ field: name, message, code: "unrecognized_keys" }];
  });
}

/**
 * Separates the options from a configuration.
 *
 * @param otelTimeout - Timeout of OTel's batch processor as set in the environment.
 * @throws ValidationError that names an option that is not valid.
 */
export function readOptions(
  given: EventBatchConfig,
  otelTimeout: string | undefined,
): { options: ResolvedEventBatchOptions; config: Partial<AgentMonitoringConfig> } {
  const { includeOwn = false, exportTimeout = toDefaultTimeout(otelTimeout), ...config } = given;
  const problems = [
    ...(typeof includeOwn === "boolean"
      ? []
      : [
          {
            field: "includeOwn",
            message: `expected true or false (got ${describeValue(includeOwn)})`,
            code: "invalid_type",
          },
        ]),
    ...findTimeoutProblems(exportTimeout),
    ...findMisspelt(config),
  ];
  if (problems.length > 0) throw new ValidationError("config", problems);
  return { options: { includeOwn, exportTimeout }, config };
}
