import type { SpoolSource } from "../../delivery/spool/event-scan.ts";
import { readLetters } from "../../delivery/spool/letter-view.ts";
import { readMachine } from "../../delivery/spool/machine.ts";
import {
  createPendingFindings,
  readPending,
  viewWriter,
} from "../../delivery/spool/writer-view.ts";
import type { WriterEntry } from "../../delivery/spool/writers.ts";
import {
  EXIT_CODES,
  KEY_OPTION,
  openSpool,
  readSpoolKey,
  SpoolCommandError,
  takeDirectory,
} from "./arguments.ts";
import { parseArguments } from "../parse-arguments.ts";
import { formatCount } from "./format.ts";
import { openOutput, type LineOutput } from "./output.ts";
import { reportProblems, reportUnreadLetters } from "./problems.ts";

const OPTIONS = {
  ...KEY_OPTION,
  dead: { type: "boolean" },
  writer: { type: "string" },
  out: { type: "string" },
} as const;

/** What was written, and whether that is all there is. */
interface Exported {
  readonly events: number;
  readonly isWhole: boolean;
}

async function exportPending(
  source: SpoolSource,
  writers: readonly WriterEntry[],
  output: LineOutput,
): Promise<Exported> {
  const machine = readMachine();
  let events = 0;
  let isWhole = true;
  for (const entry of writers) {
    const view = await viewWriter(source, entry, machine);
    const findings = createPendingFindings();
    for await (const { json } of readPending(source, view, findings)) {
      if (!json) continue;
      await output.write(json);
      events++;
    }
    if (reportProblems(view, findings)) isWhole = false;
  }
  return { events, isWhole };
}

async function exportLetters(
  source: SpoolSource,
  writerId: string | undefined,
  output: LineOutput,
): Promise<Exported> {
  const counts = { letter: 0, locked: 0, damaged: 0 };
  for await (const view of readLetters(source)) {
    const { status } = view;
    if (status === "letter") {
      if (writerId !== undefined && view.letter.writerId !== writerId) continue;
      await output.write(Buffer.from(JSON.stringify(view.letter.event)));
    }
    counts[status]++;
  }
  return { events: counts.letter, isWhole: !reportUnreadLetters(counts.locked, counts.damaged) };
}

function selectWriters(writers: readonly WriterEntry[], writerId?: string): readonly WriterEntry[] {
  if (writerId === undefined) return writers;
  const selected = writers.filter((writer) => writer.writerId === writerId);
  if (selected.length === 0) throw new SpoolCommandError("--writer: there is no such writer");
  return selected;
}

/** Writes the events that wait, or those of the dead letters, as JSON Lines. */
export async function exportSpool(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArguments(args, OPTIONS);
  const { directory } = takeDirectory("export", positionals);
  const { source, listing } = await openSpool(directory, readSpoolKey(values["key-file"]));
  const writers = values.dead ? [] : selectWriters(listing.writers, values.writer);
  const output = await openOutput(values.out);
  let exported: Exported;
  try {
    exported = values.dead
      ? await exportLetters(source, values.writer, output)
      : await exportPending(source, writers, output);
    await output.close();
  } catch (error) {
    await output.abandon();
    throw error;
  }
  if (values.out !== undefined)
    process.stdout.write(`${formatCount(exported.events, "event")} written\n`);
  return exported.isWhole ? EXIT_CODES.done : EXIT_CODES.incomplete;
}
