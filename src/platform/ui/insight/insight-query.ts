/** Periods that end now, by their name in the address. */
export const PERIODS = [
  { name: "24h", label: "24 hours", hours: 24 },
  { name: "7d", label: "7 days", hours: 168 },
  { name: "30d", label: "30 days", hours: 720 },
  { name: "90d", label: "90 days", hours: 2160 },
] as const;

const DEFAULT_PERIOD = "7d";
const HOUR_MILLIS = 3_600_000;
const DAY_MILLIS = 24 * HOUR_MILLIS;

/** Members of an address that narrow what is counted. */
export const NARROWING = ["agent", "environment", "version"] as const;
export type Narrowing = (typeof NARROWING)[number];

/** Reads a day of the address, in UTC. */
function readDay(text: string | null): number | undefined {
  const time = text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** Returns the first and the last day of the address's own range; `undefined` where it has none. */
function readRange(query: string): { readonly from: string; readonly to: string } | undefined {
  const members = new URLSearchParams(query);
  const [from, to] = [members.get("from"), members.get("to")];
  return readDay(from) === undefined || readDay(to) === undefined
    ? undefined
    : { from: from ?? "", to: to ?? "" };
}

/** Returns the name of the address's period; `undefined` where it has its own range. */
export function readPeriodName(query: string): string | undefined {
  if (readRange(query)) return undefined;
  const name = new URLSearchParams(query).get("period");
  return PERIODS.find((period) => period.name === name)?.name ?? DEFAULT_PERIOD;
}

/** Returns the period of an address, ms since the Unix epoch. */
export function readPeriod(
  query: string,
  now: number,
): { readonly from: number; readonly to: number } {
  const range = readRange(query);
  if (range) {
    const [from = 0, to = 0] = [readDay(range.from), readDay(range.to)];
    // The last day is a part of it.
    return { from: Math.min(from, to), to: Math.max(from, to) + DAY_MILLIS };
  }
  const name = readPeriodName(query);
  const { hours } = PERIODS.find((period) => period.name === name) ?? PERIODS[1];
  return { from: Math.max(0, now - hours * HOUR_MILLIS), to: now };
}

/** Writes the query of the API for that of an address. */
export function toApiQuery(
  query: string,
  now: number,
  names: readonly Narrowing[] = NARROWING,
): string {
  const members = new URLSearchParams(query);
  const { from, to } = readPeriod(query, now);
  const wanted = new URLSearchParams({ from: String(from), to: String(to) });
  for (const name of names) {
    const value = members.get(name) ?? "";
    if (value !== "") wanted.set(name, value);
  }
  return wanted.toString();
}

/** Changes members of a query; an empty text removes one. */
export function withMembers(query: string, changed: Readonly<Record<string, string>>): string {
  const members = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changed)) {
    if (value === "") members.delete(name);
    else members.set(name, value);
  }
  return members.toString();
}

function toAddress(path: string, query: string): string {
  return query === "" ? path : `${path}?${query}`;
}

/** Writes the address of a page with a query. */
export function toPageAddress(path: string, query: string): string {
  return toAddress(`#/${path}`, query);
}

/** Returns the members that narrow what is counted. */
function toNarrowed(query: string): string {
  const members = new URLSearchParams(query);
  const narrowed = new URLSearchParams();
  for (const name of NARROWING) {
    const value = members.get(name) ?? "";
    if (value !== "") narrowed.set(name, value);
  }
  return narrowed.toString();
}

/** Writes the address of the queue, narrowed as the page is. */
export function toQueue(query: string, more: Readonly<Record<string, string>> = {}): string {
  return toAddress("#/queue", withMembers(toNarrowed(query), more));
}

/** Writes the address of the conversations, narrowed as the page is. */
export function toConversations(
  query: string,
  more: Readonly<Record<string, string>> = {},
): string {
  return toAddress("#/", withMembers(toNarrowed(query), more));
}

/** Writes the address of an agent: its id may be any text. */
export function toAgent(id: string, query = ""): string {
  return toAddress(`#/agents/${encodeURIComponent(id)}`, query);
}
