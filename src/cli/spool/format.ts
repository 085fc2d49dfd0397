const NUMBER = new Intl.NumberFormat("en-US");
const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];
const AGES: readonly (readonly [name: string, millis: number])[] = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1000],
];
// They may move the cursor or colour the screen. JSON escapes those below the space by itself.
// oxlint-disable-next-line no-control-regex -- control characters are what this looks for
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

/** Writes control characters as escapes: what is in a file must not rule the terminal. */
export function toPrintable(text: string): string {
  return text.replaceAll(
    CONTROL_CHARACTERS,
    (character) => String.raw`\u` + character.charCodeAt(0).toString(16).padStart(4, "0"),
  );
}

/** Writes a number and what it counts, `1,200 events`. */
export function formatCount(count: number, noun: string, plural = `${noun}s`): string {
  return `${NUMBER.format(count)} ${count === 1 ? noun : plural}`;
}

/** Writes bytes, `11.4 KiB`. */
export function formatBytes(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 1024 && unit < UNITS.length - 1) [value, unit] = [value / 1024, unit + 1];
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}

/** Writes how long ago something was, in one unit. */
export function formatAge(millis: number): string {
  const [name, unit] = AGES.find(([, size]) => millis >= size) ?? ["s", 1000];
  return `${NUMBER.format(Math.max(0, Math.floor(millis / unit)))} ${name}`;
}

/** Writes a time, `2026-11-21T10:50:30.123Z`; a number that is none as it is. */
export function formatTime(millis: number): string {
  const date = new Date(millis);
  return Number.isNaN(date.getTime()) ? String(millis) : date.toISOString();
}

/** Writes rows below each other, each column as wide as its widest cell. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    for (const [index, cell] of row.entries())
      widths[index] = Math.max(widths[index] ?? 0, cell.length);
  const lines = rows.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return lines.map((line) => `${line}\n`).join("");
}
