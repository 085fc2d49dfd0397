import { readMachine } from "../../delivery/spool/machine.ts";
import { probeOwner } from "../../delivery/spool/owner.ts";
import { freeWriter, type WriterEntry } from "../../delivery/spool/writers.ts";
import { countNoun } from "../../util/count-noun.ts";
import { parseArguments, takeOnly, UsageError } from "../parse-arguments.ts";
import {
  EXIT_CODES,
  openSpool,
  selectWriters,
  SpoolCommandError,
  WRITER_OPTION,
} from "./arguments.ts";

const OPTIONS = {
  ...WRITER_OPTION,
  all: { type: "boolean" },
  yes: { type: "boolean" },
  json: { type: "boolean" },
} as const;

const WARNING = `The process that wrote there must not run any more, on whatever machine: otherwise it loses what it
tracks from now on, and events are sent twice (the platform keeps one of each).
`;

/** Writes what became of the writers, or would. */
function report(texts: readonly string[], freed: readonly WriterEntry[], isJson: boolean): void {
  const ids = freed.map(({ writerId }) => writerId);
  const lines = isJson ? [JSON.stringify({ freed: ids })] : texts;
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));
}

const toFreed = ({ writerId }: WriterEntry, is: string): string =>
  `writer ${writerId} is ${is}: the next monitor adopts it`;

/** Finds the writers to free, and the free ones that were named. @throws SpoolCommandError for a living owner that was named. */
async function findFreeable(
  directory: string,
  writers: readonly WriterEntry[],
  isNamed: boolean,
): Promise<{ freeable: readonly WriterEntry[]; free: readonly WriterEntry[] }> {
  const machine = readMachine();
  const freeable: WriterEntry[] = [];
  const free: WriterEntry[] = [];
  for (const entry of writers) {
    const state = await probeOwner(directory, entry.ownerId, machine);
    if (state === "elsewhere" || state === "unknown") freeable.push(entry);
    else if (state === "alive" && isNamed)
      throw new SpoolCommandError(`writer ${entry.writerId}: its owner is alive here`);
    else if (isNamed) free.push(entry);
  }
  return { freeable, free };
}

function freeWriters(directory: string, writers: readonly WriterEntry[]): readonly WriterEntry[] {
  return writers.filter((entry) => {
    const result = freeWriter(directory, entry);
    if (result && "status" in result)
      throw new SpoolCommandError(`writer ${entry.writerId} can't be renamed (${result.code})`);
    return result;
  });
}

/** Frees writers whose owner can't be seen from this machine. */
export async function adoptSpool(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArguments(args, OPTIONS);
  const { json: isJson = false } = values;
  const directory = takeOnly(positionals, "spool adopt needs one directory");
  const isNamed = values.writer !== undefined;
  if (isNamed === (values.all === true))
    throw new UsageError("spool adopt needs either --writer or --all");
  const { source, listing } = await openSpool(directory);
  const selected = selectWriters(listing, values.writer);
  const { freeable, free } = await findFreeable(source.spoolDirectory, selected, isNamed);
  const known = free.map((entry) => toFreed(entry, "free"));
  if (freeable.length === 0) {
    report([...known, "there is nothing to free"], [], isJson);
    return EXIT_CODES.done;
  }
  if (!values.yes) {
    const names = freeable.map(({ writerId }) => `  ${writerId}\n`).join("");
    process.stderr.write(
      `${countNoun(freeable.length, "writer")} would be freed:\n${names}${WARNING}Say --yes to do it.\n`,
    );
    return EXIT_CODES.failed;
  }
  const freed = freeWriters(source.spoolDirectory, freeable);
  report([...known, ...freed.map((entry) => toFreed(entry, "free now"))], freed, isJson);
  return EXIT_CODES.done;
}
