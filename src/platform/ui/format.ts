const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Writes a time of day in UTC. */
export function formatTime(millis: number): string {
  return toIso(millis).slice(11, 19);
}

/** Writes date and time to the minute in UTC. */
export function formatDateTime(millis: number): string {
  return toIso(millis).slice(0, 16).replace("T", " ");
}

/** Writes a time for the list, `20 Nov 14:05` in UTC: today's without the date. */
export function formatWhen(millis: number, now: number): string {
  const time = toIso(millis).slice(11, 16);
  if (toIso(millis).slice(0, 10) === toIso(now).slice(0, 10)) return time;
  const date = new Date(Math.min(millis, MAX_DATE));
  return `${date.toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" })} ${time}`;
}

/** Writes a time in full, with its zone, as seen here. */
export function formatLocal(millis: number): string {
  return `${toIso(millis)} (local: ${new Date(Math.min(millis, MAX_DATE)).toLocaleString()})`;
}

/** Writes a duration in the unit that fits. */
export function formatDuration(millis: number): string {
  if (millis < SECOND) return `${Math.round(millis)} ms`;
  if (millis < MINUTE) return `${(millis / SECOND).toFixed(1)} s`;
  return `${Math.floor(millis / MINUTE)} min ${Math.round((millis % MINUTE) / SECOND)} s`;
}

/** Writes a value as indented JSON; content may be nested deeper than the writer can go. */
export function formatJson(value: unknown): string {
  try {
    return JSON.stringify(value, null, 2) ?? "";
  } catch {
    return "This value is nested too deeply to be shown.";
  }
}

/** Last time that a Date can hold; an event's timestamp may be later. */
const MAX_DATE = 8.64e15;

function toIso(millis: number): string {
  return new Date(Math.min(millis, MAX_DATE)).toISOString();
}
