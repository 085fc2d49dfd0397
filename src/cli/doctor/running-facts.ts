import type { MonitorState } from "../../util/shown-monitors.ts";

/** Name of the variable with the folder into which the probe writes. */
export const FACTS_FOLDER = "AGENT_MONITOR_DOCTOR";
/** Name of the variable with the time at which it writes, in ms after the start of the process. */
export const FACTS_MILLIS = "AGENT_MONITOR_DOCTOR_MILLIS";

/** Decisions of a sampler. */
export interface SampledSpans {
  readonly tried: number;
  readonly recorded: number;
}

/** A monitor of a running process. */
export interface RunningMonitor extends MonitorState {
  readonly endpoint: string;
}

/** Facts that a running process reports. */
export interface RunningFacts {
  /** Path of the program. */
  readonly main: string;
  readonly monitors: readonly RunningMonitor[];
  /** Whether OpenTelemetry propagates the active span over `await`. */
  readonly hasContextManager: boolean;
  /** Absent when no tracer provider is registered. */
  readonly sampledSpans?: SampledSpans | undefined;
  /** Folders of the copies of `@opentelemetry/api` that were loaded. */
  readonly apiCopies: readonly string[];
}
