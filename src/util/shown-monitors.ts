/** State of a monitor and the counts of its events. */
export interface MonitorState {
  readonly tracked: number;
  readonly acked: number;
  readonly dropped: number;
  readonly dead: number;
  readonly state: string;
  readonly blockedReason?: string | undefined;
  /** Model calls that were not observed, and whether another monitor observes them. */
  readonly calls?: { readonly missed: number; readonly isSecond: boolean } | undefined;
  /** Settings without effect, and why. */
  readonly ignoredSettings?: readonly string[] | undefined;
  /** Interactions that were both tracked by hand and reported by an instrumentation. */
  readonly bridge?: { readonly doubled?: number } | undefined;
}

/** A monitor as `agent-monitor doctor` sees it in a process that it has started. */
export interface ShownMonitor {
  readonly endpoint: string;
  readonly stats: () => MonitorState;
}

/** Global under which the doctor's probe collects monitors; ES modules, CommonJS and all copies share it. */
const SHOWN = Symbol.for("agent-monitor.doctor");
const holder = globalThis as { [SHOWN]?: ShownMonitor[] };

/** Starts to collect monitors, and returns the list of those created from now on. */
export function collectMonitors(): readonly ShownMonitor[] {
  return (holder[SHOWN] ??= []);
}

/** Shows a monitor to the doctor, if the doctor has started the process. */
export function showMonitor(monitor: ShownMonitor): void {
  holder[SHOWN]?.push(monitor);
}
