/** What became of a monitor's events, and what it is doing. */
export interface MonitorState {
  readonly tracked: number;
  readonly acked: number;
  readonly dropped: number;
  readonly dead: number;
  readonly state: string;
  readonly blockedReason?: string | undefined;
  /** Model calls that nobody has observed, and whether another monitor observes those that it could. */
  readonly calls?: { readonly missed: number; readonly isSecond: boolean } | undefined;
  /** Settings that do nothing, and why. */
  readonly ignoredSettings?: readonly string[] | undefined;
  /** What was tracked by hand and told by an instrumentation as well. */
  readonly bridge?: { readonly doubled?: number } | undefined;
}

/** A monitor as `agent-monitor doctor` sees it in a process that it has started. */
export interface ShownMonitor {
  readonly endpoint: string;
  readonly stats: () => MonitorState;
}

/** Where the doctor's probe collects the monitors; ES modules, CommonJS and all copies share it. */
const SHOWN = Symbol.for("agent-monitor.doctor");
const holder = globalThis as { [SHOWN]?: ShownMonitor[] };

/** Begins to collect monitors, and gives those that are made from now on. */
export function collectMonitors(): readonly ShownMonitor[] {
  return (holder[SHOWN] ??= []);
}

/** Shows a monitor to the doctor, if one has started the process. */
export function showMonitor(monitor: ShownMonitor): void {
  holder[SHOWN]?.push(monitor);
}
