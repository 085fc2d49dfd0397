import type { SpoolSource } from "../../delivery/spool/frame-file.ts";
import { readMachine } from "../../delivery/spool/machine.ts";
import { openOwner } from "../../delivery/spool/owner.ts";
import { redriveGroup, removeUnfinished, type RedriveGroup } from "../../delivery/spool/redrive.ts";
import type { WriterEntry } from "../../delivery/spool/writers.ts";
import { systemClock } from "../../util/clock.ts";
import { countNoun } from "../../util/count-noun.ts";
import { uuidV7 } from "../../util/ids.ts";
import { UsageError, parseArguments, takeOnly } from "../parse-arguments.ts";
import {
  EXIT_CODES,
  KEY_OPTION,
  openSpool,
  parseCount,
  readSpoolKey,
  selectWriters,
  SpoolCommandError,
  WRITER_OPTION,
  type Reading,
} from "./arguments.ts";
import { openOutput } from "./output.ts";
import { readDead, readWaiting, selectLetters, type LetterSelector } from "./read-spool.ts";

const OPTIONS = {
  ...KEY_OPTION,
  ...WRITER_OPTION,
  reason: { type: "string" },
  event: { type: "string", multiple: true },
  "older-than": { type: "string" },
  all: { type: "boolean" },
  "dry-run": { type: "boolean" },
  "to-file": { type: "string" },
  json: { type: "boolean" },
} as const;
const STANDARD_OUTPUT = "-";

type Values = ReturnType<typeof parseArguments<typeof OPTIONS>>["values"];

/** Returns the selector of letters; `undefined` when no option selects any. */
function toSelector(values: Values): LetterSelector | undefined {
  const { reason, event, "older-than": olderThan, all } = values;
  if (all !== true && reason === undefined && !event && olderThan === undefined) return undefined;
  const isNamed = selectLetters(values);
  const youngest =
    olderThan === undefined ? Infinity : systemClock.now() - parseCount("older-than", olderThan);
  return (letter) =>
    isNamed(letter) &&
    (reason === undefined || letter.reason === reason) &&
    letter.deadAt <= youngest;
}

/** Groups the selected letters: a writer has one organization, and one key. */
async function groupLetters(
  reading: Reading,
  isWanted: LetterSelector,
): Promise<readonly RedriveGroup[]> {
  const groups = new Map<string, RedriveGroup & { readonly names: string[] }>();
  for await (const { isEncrypted, letter, name } of readDead(reading, isWanted)) {
    const { organizationId } = letter;
    const key = JSON.stringify([organizationId, isEncrypted]);
    const group = groups.get(key) ?? { organizationId, isEncrypted, names: [] };
    groups.set(key, group);
    group.names.push(name);
  }
  return [...groups.values()];
}

async function redrive(source: SpoolSource, groups: readonly RedriveGroup[]): Promise<number> {
  const { spoolDirectory } = source;
  const machine = readMachine();
  if (await removeUnfinished(spoolDirectory, machine))
    throw new SpoolCommandError("another redrive is under way in this directory");
  if (groups.length === 0) return 0;
  const owner = openOwner(spoolDirectory, uuidV7(systemClock.now()), machine);
  if ("status" in owner) throw new SpoolCommandError(`can't write there (${owner.code})`);
  try {
    let events = 0;
    for (const group of groups) events += await redriveGroup(source, group, owner.ownerId);
    return events;
  } finally {
    owner.close();
  }
}

/** How the outcome is reported. */
interface Reported {
  readonly isDry: boolean;
  readonly isJson: boolean;
}

/** Sends the selected letters again, or only reports how many. */
async function sendLetters(
  reading: Reading,
  isWanted: LetterSelector,
  { isDry, isJson }: Reported,
): Promise<void> {
  const groups = await groupLetters(reading, isWanted);
  const found = groups.reduce((sum, { names }) => sum + names.length, 0);
  const count = isDry ? found : await redrive(reading.source, groups);
  const when =
    count > 0 ? ": the next monitor that looks takes them, a running one within 30 s" : "";
  const what = isDry ? "would be sent again" : `to be sent again${when}`;
  const text = `${countNoun(count, "dead letter")} ${what}`;
  process.stdout.write(
    `${isJson ? JSON.stringify({ deadLetters: count, dryRun: isDry }) : text}\n`,
  );
}

async function* toDeadLines(reading: Reading, isWanted: LetterSelector) {
  for await (const { letter } of readDead(reading, isWanted))
    yield Buffer.from(JSON.stringify(letter.event));
}

async function* toWaitingLines(reading: Reading, writers: readonly WriterEntry[]) {
  for await (const { json } of readWaiting(reading, writers)) if (json) yield json;
}

async function writeEvents(
  file: string | undefined,
  lines: AsyncIterable<Uint8Array>,
  isJson: boolean,
): Promise<void> {
  const path = file === STANDARD_OUTPUT ? undefined : file;
  const output = await openOutput(path, "to-file");
  let count = 0;
  try {
    for await (const line of lines) {
      await output.write(line);
      count++;
    }
    await output.close();
  } catch (error) {
    await output.abandon();
    throw error;
  }
  if (path === undefined) return;
  const report = isJson
    ? JSON.stringify({ events: count })
    : `${countNoun(count, "event")} written`;
  process.stdout.write(`${report}\n`);
}

/** Makes dead letters deliverable events again, or writes events as JSON Lines instead. */
export async function redriveSpool(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArguments(args, OPTIONS);
  const directory = takeOnly(positionals, "spool redrive needs one directory");
  const { "to-file": file, "dry-run": isDry = false, json: isJson = false } = values;
  if (file !== undefined && isDry)
    throw new UsageError("spool redrive takes --dry-run or --to-file, not both");
  const isWanted = toSelector(values);
  if (file === undefined && !isWanted)
    throw new UsageError("spool redrive needs --reason, --event, --older-than, --all or --to-file");
  const reading = await openSpool(directory, readSpoolKey(values["key-file"]));
  if (isWanted && file === undefined) {
    await sendLetters(reading, isWanted, { isDry, isJson });
  } else {
    const lines = isWanted
      ? toDeadLines(reading, isWanted)
      : toWaitingLines(reading, selectWriters(reading.listing, values.writer));
    await writeEvents(file, lines, isJson);
  }
  return reading.isWhole ? EXIT_CODES.done : EXIT_CODES.incomplete;
}
