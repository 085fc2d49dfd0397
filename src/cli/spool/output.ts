import { once } from "node:events";
import { rmSync } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { toErrorCode } from "../../delivery/spool/file-system.ts";
import { SpoolCommandError } from "./arguments.ts";

const NUMBER = new Intl.NumberFormat("en-US");
const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];
const AGES: readonly (readonly [name: string, millis: number])[] = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1000],
];
// They may move the cursor or colour the screen. JSON itself escapes those below the space.
// oxlint-disable-next-line no-control-regex -- control characters are what this looks for
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

/** Writes control characters as escapes: file content must not control the terminal. */
export function toPrintable(text: string): string {
  return text.replaceAll(
    CONTROL_CHARACTERS,
    (character) => String.raw`\u` + character.charCodeAt(0).toString(16).padStart(4, "0"),
  );
}

/** Returns the lines that there are, printable. */
export function toPrintableLines(lines: readonly (string | false | undefined)[]): string[] {
  return lines.filter((line) => typeof line === "string").map(toPrintable);
}

/** Joins the parts that there are. */
export function joinParts(
  parts: readonly (string | false | undefined)[],
  separator = ", ",
): string {
  return parts.filter((part) => typeof part === "string").join(separator);
}

/** Writes bytes, `11.4 KiB`. */
export function formatBytes(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 1024 && unit < UNITS.length - 1) [value, unit] = [value / 1024, unit + 1];
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}

/** Writes an age, in one unit. */
export function formatAge(millis: number): string {
  const [name, unit] = AGES.find(([, size]) => millis >= size) ?? ["s", 1000];
  return `${NUMBER.format(Math.max(0, Math.floor(millis / unit)))} ${name}`;
}

/** Writes a time, `2026-11-21T10:50:30.123Z`; an invalid number unchanged. */
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
  const lines = rows.map((row) => row.map((cell, index) => cell.padEnd(widths[index] ?? 0)));
  return lines.map((cells) => `${cells.join("  ").trimEnd()}\n`).join("");
}

const FILE_MODE = 0o600;
const CHUNK_BYTES = 256 * 1024;
const LINE_BREAK = Buffer.from("\n");

/** Takes bytes, and waits while their reader is slower. */
interface Output {
  write(bytes: Uint8Array): Promise<void>;
  /** Resolves once everything is written, and synced if it is a file. */
  close(): Promise<void>;
  /** Removes the file that was started, if it is one. */
  abandon(): Promise<void>;
}

function openStandardOutput(): Output {
  const { stdout } = process;
  let failure: unknown;
  stdout.on("error", (error) => (failure = error));
  return {
    async write(chunk) {
      if (failure === undefined && !stdout.write(chunk)) {
        await once(stdout, "drain").catch((error: unknown) => (failure = error));
      }
      if (failure !== undefined) throw new SpoolCommandError("the standard output was closed");
    },
    close: () => Promise.resolve(),
    abandon: () => Promise.resolve(),
  };
}

async function openFile(path: string, option: string): Promise<Output> {
  let file: FileHandle;
  try {
    // Exclusive: an existing link or file is not written to.
    file = await open(path, "wx", FILE_MODE);
  } catch (error) {
    const code = toErrorCode(error);
    const problem = code === "EEXIST" ? "is there already" : `can't be made (${code})`;
    throw new SpoolCommandError(`--${option}: the file ${problem}`);
  }
  return {
    write: (chunk) => file.appendFile(chunk),
    async close() {
      await file.sync();
      await file.close();
    },
    async abandon() {
      await file.close();
      rmSync(path, { force: true });
    },
  };
}

/**
 * Opens a new file, or the standard output when there is no path, for bytes.
 *
 * @param option - Name of the option that names the file, for messages.
 * @throws SpoolCommandError
 */
export function openBytes(path: string | undefined, option = "out"): Promise<Output> {
  return path === undefined ? Promise.resolve(openStandardOutput()) : openFile(path, option);
}

/**
 * Opens a new file, or the standard output when there is no path, for lines: each write ends one.
 *
 * @param option - Name of the option that names the file, for messages.
 * @throws SpoolCommandError
 */
export async function openOutput(path: string | undefined, option = "out"): Promise<Output> {
  const target = await openBytes(path, option);
  let parts: Uint8Array[] = [];
  let bytes = 0;
  const drain = async (): Promise<void> => {
    const chunk = Buffer.concat(parts);
    parts = [];
    bytes = 0;
    if (chunk.length > 0) await target.write(chunk);
  };
  return {
    async write(line) {
      parts.push(line, LINE_BREAK);
      bytes += line.length + LINE_BREAK.length;
      if (bytes >= CHUNK_BYTES) await drain();
    },
    async close() {
      await drain();
      await target.close();
    },
    abandon: () => target.abandon(),
  };
}
