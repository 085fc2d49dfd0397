import type { ConversationRow } from "../../store/conversation-store.ts";

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

// By hand: `Intl` would keep the first page waiting for tens of milliseconds.
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec".split(" ");

/** Writes a day, `20 Nov`, in UTC. */
function formatDay(millis: number): string {
  const date = new Date(Math.min(millis, MAX_DATE));
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()] ?? ""}`;
}

/** Writes a time for the list, `20 Nov 14:05` in UTC: today's without the date. */
export function formatWhen(millis: number, now: number): string {
  const time = toIso(millis).slice(11, 16);
  if (toIso(millis).slice(0, 10) === toIso(now).slice(0, 10)) return time;
  return `${formatDay(millis)} ${time}`;
}

/** Writes a time in full, in UTC and in the reader's local time. */
export function formatLocal(millis: number): string {
  const offset = new Date(Math.min(millis, MAX_DATE)).getTimezoneOffset() * MINUTE;
  const local = toIso(millis - offset)
    .slice(0, 19)
    .replace("T", " ");
  return `${toIso(millis)} (local: ${local})`;
}

/** Writes a duration in the unit that fits. */
export function formatDuration(millis: number): string {
  if (millis < SECOND) return `${Math.round(millis)} ms`;
  if (millis < MINUTE) return `${(millis / SECOND).toFixed(1)} s`;
  return `${Math.floor(millis / MINUTE)} min ${Math.round((millis % MINUTE) / SECOND)} s`;
}

const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Writes an age or the time that is left, in its largest unit: `3 d`. */
export function formatAge(millis: number): string {
  const age = Math.max(0, millis);
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min`;
  if (age < 2 * DAY) return `${Math.floor(age / HOUR)} h`;
  return `${Math.floor(age / DAY)} d`;
}

const BYTE_UNITS = ["bytes", "KB", "MB", "GB", "TB"];

/** Writes a size in the unit that fits, by steps of 1,024: `3.2 MB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(
    BYTE_UNITS.length - 1,
    Math.max(0, Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(1024))),
  );
  const value = bytes / 1024 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${BYTE_UNITS[power] ?? ""}`;
}

/** Writes a word of the interface, `false_positive`, as people read it. */
export function toWords(name: string): string {
  return name.replaceAll("_", " ");
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

const UNKNOWN = "unknown";

/** Lists the distinct values of a fact in the order of appearance; missing ones as not known. */
function listValues(values: readonly (string | null)[]): string[] {
  return [...new Set(values)].map((value) => value ?? UNKNOWN);
}

/** Names the versions that handled the conversation. */
export function describeVersions({ appearances }: ConversationRow): string {
  const versions = listValues(appearances.map(({ version }) => version));
  return `${versions.length === 1 ? "version" : "versions"} ${versions.join(", ")}`;
}

/** Names the environments of the events. */
export function describeEnvironments({ appearances }: ConversationRow): string {
  return listValues(appearances.map(({ environment }) => environment)).join(", ");
}

/** Describes the kind of the agent; `undefined` where no event has one. */
export function describeKind({ appearances }: ConversationRow): string | undefined {
  const kinds = appearances.map(({ category, specialty }) =>
    category === null && specialty === null
      ? null
      : [category, specialty].filter((part) => part !== null).join(", "),
  );
  const known = listValues(kinds).filter((kind) => kind !== UNKNOWN);
  return known.length === 0 ? undefined : known.join(" / ").replaceAll("_", " ");
}

/** Returns whether several versions handled a conversation, so that each answer has to name its own. */
export function hasVersions({ appearances }: ConversationRow): boolean {
  return new Set(appearances.map(({ version }) => version)).size > 1;
}
