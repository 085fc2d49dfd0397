import type { MonitorState } from "../../util/shown-monitors.ts";

/** Name of the variable that tells the probe where to write. */
export const FACTS_FOLDER = "AGENT_MONITOR_DOCTOR";
/** Name of the variable that tells it when, in ms after the start of the process. */
export const FACTS_MILLIS = "AGENT_MONITOR_DOCTOR_MILLIS";

/** How a sampler answered. */
export interface SampledSpans {
  readonly tried: number;
  readonly recorded: number;
}

/** A monitor of a running process. */
export interface RunningMonitor extends MonitorState {
  readonly endpoint: string;
}

/** What a running process says of itself. */
export interface RunningFacts {
  /** Path of the program. */
  readonly main: string;
  readonly monitors: readonly RunningMonitor[];
  /** Whether OpenTelemetry carries the active span over `await`. */
  readonly hasContextManager: boolean;
  /** Absent when no tracer provider is registered. */
  readonly sampledSpans?: SampledSpans | undefined;
  /** Folders of the copies of `@opentelemetry/api` that were loaded. */
  readonly apiCopies: readonly string[];
}
